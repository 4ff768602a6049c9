#include "app/machine.h"

#include <sys/utsname.h>

#include <fstream>
#include <string>
#include <thread>

namespace pequod::app {
namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string system_name() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return std::string(names.sysname) + " " + names.machine;
}

}  // namespace

nlohmann::ordered_json machine() {
#ifdef NDEBUG
  const char* build = ", without assertions";
#else
  const char* build = ", with assertions";
#endif
  return {{"processor", processor()},
          {"cores", std::thread::hardware_concurrency()},
          {"system", system_name()},
          {"compiler", std::string(__VERSION__) + build},
          {"pequod", PEQUOD_VERSION}};
}

}  // namespace pequod::app
