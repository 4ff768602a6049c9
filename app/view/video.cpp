#include "app/view/video.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "app/interrupt.h"
#include "app/program.h"
#include "app/view/local_server.h"
#include "simulation/record/csv.h"
#include "simulation/record/run_folder.h"

namespace pequod::app {
namespace {

namespace fs = std::filesystem;

// A browser that has drawn nothing for so long will not any more. (The first picture of a scene
// with shadows, by the processor alone, takes some seconds.)
constexpr std::chrono::seconds kStuck{60};

fs::path find_browser() {
  const char* named = std::getenv("PEQUOD_CHROMIUM");
  if (named != nullptr && *named != '\0') return named;
  return on_path({"chromium", "chromium-browser", "google-chrome"});
}

std::vector<std::string> browser_words(const std::string& address, const fs::path& profile) {
  std::vector<std::string> words = {"--headless=new",
                                    "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader",
                                    "--ignore-gpu-blocklist",
                                    "--no-first-run",
                                    "--user-data-dir=" + profile.string(),
                                    address};
  if (::geteuid() == 0) words.insert(words.begin(), "--no-sandbox");  // it refuses root one
  return words;
}

// x264 and others ask for even sides.
std::vector<std::string> encoder_words(const fs::path& file, int frames) {
  return {"-loglevel",
          "error",
          "-y",
          "-f",
          "image2pipe",
          "-framerate",
          std::to_string(frames),
          "-c:v",
          "mjpeg",
          "-i",
          "-",
          "-vf",
          "crop=trunc(iw/2)*2:trunc(ih/2)*2",
          "-pix_fmt",
          "yuv420p",
          fs::absolute(file).string()};
}

// A folder for a browser's profile, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "pequod-video-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw FileError(name + ": cannot be made");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code code;
    fs::remove_all(path_, code);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// What a page draws on its way to the encoder.
class Recording {
 public:
  Recording(std::string page, Program& encoder) : page_(std::move(page)), encoder_(encoder) {}

  WebReply answer(const WebRequest& request) {
    if (request.method == "GET" && request.path.empty())
      return {.type = "text/html; charset=utf-8", .body = page_};
    if (request.method == "POST" && request.path == "frame") return take(request.body);
    if (request.method == "POST" && request.path == "end") return finish(request.body);
    return {.status = 404, .body = "there is nothing here\n"};
  }

  /// Until the page has sent all. @return what was wrong, empty: nothing
  std::string wait(Program& browser) {
    std::unique_lock lock(mutex_);
    for (long before = -1; !outcome_;) {
      before = pictures_;
      const auto moved = [&] { return outcome_ || pictures_ > before || interrupted(); };
      const auto end = std::chrono::steady_clock::now() + kStuck;
      while (!moved() && std::chrono::steady_clock::now() < end && !browser.ended())
        changed_.wait_for(lock, std::chrono::milliseconds(100));
      if (interrupted()) return "interrupted";
      if (!moved()) return browser.ended() ? "the browser ended" : "the browser draws nothing";
    }
    return *outcome_;
  }

 private:
  WebReply take(const std::string& picture) {
    encoder_.write(picture);
    const std::lock_guard lock(mutex_);
    ++pictures_;
    changed_.notify_all();
    return {};
  }

  WebReply finish(const std::string& error) {
    const std::lock_guard lock(mutex_);
    outcome_ = error;
    changed_.notify_all();
    return {};
  }

  std::string page_;
  Program& encoder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  long pictures_ = 0;
  std::optional<std::string> outcome_;
};

}  // namespace

void require_video_programs() {
  if (find_browser().empty())
    throw RunFolderRefused(
        "view: --video needs chromium (of Debian's package of that name), and it is not on the "
        "PATH; PEQUOD_CHROMIUM may name another one");
  if (on_path({"ffmpeg"}).empty())
    throw RunFolderRefused(
        "view: --video needs ffmpeg (of Debian's package of that name), and it is not on the PATH");
}

void write_video(const std::string& page, const fs::path& file, int frames) {
  Program encoder(on_path({"ffmpeg"}), encoder_words(file, frames), Program::Streams::fed);
  Recording recording(page, encoder);
  std::string wrong;
  {
    const LocalServer server([&](const WebRequest& request) { return recording.answer(request); });
    const TemporaryFolder profile;
    Program browser(find_browser(), browser_words(server.address(), profile.path()),
                    Program::Streams::silent);
    wrong = recording.wait(browser);
  }
  const int code = encoder.wait();
  if (wrong.empty() && code != 0) wrong = fmt::format("ffmpeg ended with code {}", code);
  if (!wrong.empty()) throw FileError(fmt::format("{}: no video: {}", file.string(), wrong));
}

}  // namespace pequod::app
