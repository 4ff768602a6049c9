#include "simulation/record/csv.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "simulation/record/digits.h"

namespace pequod {
namespace {

constexpr std::size_t kFlushAt = 1 << 16;  // bytes

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int code) {
  throw FileError(fmt::format("{}: cannot {}: {}", path.string(), what, std::strerror(code)));
}

// write() until all is out. @return how many bytes went out; errno says why it is less than all
std::size_t write_all(int descriptor, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) break;
    done += static_cast<std::size_t>(n);
  }
  return done;
}

// Files that no disk backs cannot be synced; that is no error.
bool synced(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

// The new name itself is on disk once its folder is.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  synced(descriptor);
  ::close(descriptor);
}

}  // namespace

void append_number(std::string& line, double x) {
  std::array<char, 32> digits;  // sign, 17 digits, point, e-308
  line.append(digits.data(), write_number(x, digits.data()));
}

void append_number(std::string& line, std::int64_t x) {
  fmt::format_to(std::back_inserter(line), "{}", x);
}

LineFile::LineFile(const std::filesystem::path& path, std::int64_t keep)
    : path_(path), size_(keep) {
  const int flags = O_WRONLY | O_CLOEXEC | (keep == 0 ? O_CREAT | O_TRUNC : 0);
  descriptor_ = ::open(path.c_str(), flags, 0666);
  if (descriptor_ < 0) fail("open");
  if (keep == 0) return;
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("read the size");
  if (status.st_size < keep)
    throw FileError(fmt::format("{}: holds {} bytes, the checkpoint counts {}", path.string(),
                                status.st_size, keep));
  if (::ftruncate(descriptor_, keep) != 0) fail("cut");
  if (::lseek(descriptor_, keep, SEEK_SET) < 0) fail("seek");
}

LineFile::~LineFile() {
  if (descriptor_ < 0) return;
  try {
    flush();
  } catch (const FileError&) {  // close() is there for those who want to know
  }
  ::close(descriptor_);
}

LineFile::LineFile(LineFile&& other) noexcept { *this = std::move(other); }

LineFile& LineFile::operator=(LineFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(pending_, other.pending_);
  std::swap(size_, other.size_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(dirty_, other.dirty_);
  return *this;
}

void LineFile::append(std::string_view lines) {
  pending_ += lines;
  size_ += static_cast<std::int64_t>(lines.size());
  if (pending_.size() >= kFlushAt) flush();
}

void LineFile::flush() {
  if (pending_.empty()) return;
  const std::size_t done = write_all(descriptor_, pending_);
  if (done < pending_.size()) {
    const int code = errno;
    // Half a line is of no use to a reader.
    const std::size_t newline = done == 0 ? std::string::npos : pending_.rfind('\n', done - 1);
    const std::size_t whole = newline == std::string::npos ? 0 : newline + 1;
    const std::int64_t before = size_ - static_cast<std::int64_t>(pending_.size());
    pending_.clear();
    size_ = before + static_cast<std::int64_t>(whole);
    if (done > whole && ::ftruncate(descriptor_, size_) != 0) fail("cut");
    errno = code;
    fail("write");
  }
  pending_.clear();
  dirty_ = true;
}

void LineFile::sync() {
  flush();
  if (dirty_ && !synced(descriptor_)) fail("write");
  dirty_ = false;
}

void LineFile::close() {
  if (descriptor_ < 0) return;
  sync();
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("close");
}

void LineFile::fail(const char* what) const { pequod::fail(path_, what, errno); }

void replace_file(const std::filesystem::path& path, std::string_view content, bool durable) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  const int descriptor = ::open(temporary.c_str(), flags, 0666);
  if (descriptor < 0) fail(path, "write", errno);
  bool good = write_all(descriptor, content) == content.size() && (!durable || synced(descriptor));
  int code = errno;
  if (::close(descriptor) != 0 && good) {
    good = false;
    code = errno;
  }
  if (good && ::rename(temporary.c_str(), path.c_str()) != 0) {
    good = false;
    code = errno;
  }
  if (!good) {
    ::unlink(temporary.c_str());
    fail(path, "write", code);
  }
  if (durable) sync_folder(path.parent_path().empty() ? "." : path.parent_path());
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail(path, "read", errno);
  std::string content(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad()) fail(path, "read", EIO);
  return content;
}

}  // namespace pequod
