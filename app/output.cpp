#include "app/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "simulation/record/csv.h"

namespace pequod::app {

void print_out(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;
  throw FileError("standard output: cannot write: " + std::string(std::strerror(errno)));
}

void print_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace pequod::app
