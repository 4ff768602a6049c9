// Logs that were changed since the run wrote them: a resume says which, where, and what to do.
#include <algorithm>

#include "test/app/process.h"

namespace pequod::test {
namespace {

// Of a crate at the start of its slide.
Finished resume_crate(const Folder& folder, const char* duration) {
  return pequod(folder, {"run", "crate.yaml", "--output", "out", "--duration", duration, "--resume",
                         "--quiet"});
}

struct Rows {
  std::size_t last_begin = 0;  // of the last row
  std::ptrdiff_t count = 0;    // the head line included
};

Rows rows_of(const std::string& text) {
  return {text.rfind('\n', text.size() - 2) + 1, std::count(text.begin(), text.end(), '\n')};
}

// The error of a resume after one log was replaced by a text of as many bytes, and was put back.
std::string refusal(const Folder& folder, const std::string& log, const std::string& text) {
  const std::string whole = read_file(folder.path() / "out" / log);
  folder.write("out/" + log, text);
  const Finished finished = resume_crate(folder, "0.4");
  CHECK(finished.code == 2);
  CHECK(read_file(folder.path() / "out" / log) == text);  // nothing was changed
  folder.write("out/" + log, whole);
  return finished.err;
}

constexpr const char* kAdvice =
    ": the log was changed since the run wrote it; put it back as it was, or run without --resume "
    "to start afresh\n";

}  // namespace

TEST_CASE("a log that was overwritten by as many bytes is refused by a resume") {
  const Folder folder;
  folder.write("crate.yaml", std::string(kCrate) + "record: {steps: true}\n");
  REQUIRE(resume_crate(folder, "0.3").code == 0);
  for (const std::string log :
       {"state.csv", "energy.csv", "events.csv", "contacts.csv", "steps.csv"}) {
    CAPTURE(log);
    const std::string whole = read_file(folder.path() / "out" / log);
    const Rows rows = rows_of(whole);
    REQUIRE(rows.count > 2);
    const std::string last = "pequod: out/" + log + ":" + std::to_string(rows.count) + ":1: ";
    for (const char filling : {'0', '\0', ' '}) {
      std::string text = whole;
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(rows.last_begin), text.end() - 1,
                filling);
      CHECK(refusal(folder, log, text).starts_with(last + "1 cells in place of "));
      text.back() = filling;
      CHECK(refusal(folder, log, text) == last + "the last row does not end" + kAdvice);
    }
    std::string text = whole;
    text[text.size() - 2] = 'x';
    CHECK(refusal(folder, log, text).starts_with(last + "column "));
    text = whole;
    text[rows.last_begin] = '9';
    CHECK(refusal(folder, log, text).find(" s is not between 0 and 0.3 s: ") != std::string::npos);
    text = whole;
    text[0] = 'T';
    CHECK(refusal(folder, log, text) ==
          "pequod: out/" + log + ":1:1: the head line is not that of this run" + kAdvice);
    text = whole;
    text[text.find('\n') + 1] = ',';  // in the second line
    CHECK(refusal(folder, log, text).starts_with("pequod: out/" + log + ":2:1: "));
    CHECK(refusal(folder, log, whole.substr(0, rows.last_begin)) ==
          "pequod: out/" + log + ": holds " + std::to_string(rows.last_begin) +
              " bytes, the checkpoint counts " + std::to_string(whole.size()) + kAdvice);
  }
  CHECK(resume_crate(folder, "0.4").code == 0);  // all is as it was
}

// Only the end of a large log is looked at, and lines are counted from its start all the same.
TEST_CASE("damage near the end of a log of many rows is told with its line") {
  const Folder folder;
  folder.write("crate.yaml", std::string(kCrate) + "record: {steps: true}\n");
  const auto run = [&](const char* duration) {
    return pequod(folder, {"run", "crate.yaml", "--output", "out", "--duration", duration,
                           "--every", "1e-5", "--step", "1e-5", "--resume", "--quiet"});
  };
  REQUIRE(run("0.9").code == 0);
  const fs::path log = folder.path() / "out/state.csv";
  std::string text = read_file(log);
  REQUIRE(text.size() > (std::size_t{16} << 20));
  const Rows rows = rows_of(text);
  text[rows.last_begin - 2] = ',';
  folder.write("out/state.csv", text);
  const Finished finished = run("0.91");
  CHECK(finished.code == 2);
  CHECK(
      finished.err.starts_with("pequod: out/state.csv:" + std::to_string(rows.count - 1) + ":1: "));
}

}  // namespace pequod::test
