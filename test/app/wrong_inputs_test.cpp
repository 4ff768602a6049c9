// Whatever is wrong, in any file or word that the program reads, ends in one error that says what,
// where, and how to mend it, and in exit code 2.
#include <algorithm>
#include <set>
#include <sstream>

#include "test/app/process.h"
#include "test/app/wrong_bodies.h"
#include "test/app/wrong_files.h"
#include "test/app/wrong_folders.h"
#include "test/app/wrong_options.h"
#include "test/app/wrong_problems.h"
#include "test/app/wrong_robots.h"
#include "test/app/wrong_scenes.h"
#include "test/app/wrong_urdf.h"

namespace pequod::test {
namespace {

// What options and folders are tried on; each right.
void write_right_files(const Folder& folder) {
  folder.write("s.yaml", "duration: 0.01\nbodies: {b: {mass: 9, shape: {sphere: {radius: .1}}}}\n");
  folder.write("lcp/a.dat", "1\n0 1 1\n1 1\n1\n-1\n");
  folder.write("d.csv", "v, lambda\n1, 0\n2, 1\n3, 0\n");
  folder.write("q.yaml",
               "P: [[0, 1, 0], [1, 0, 0]]\nJ: [[1], [0]]\nmu: [0.5]\njoint_velocity: [0.1]\n"
               "d: [0, 0, -1, 0]\n");
}

// Lines that tell of an error: of a file, or of the command line.
std::vector<std::string> errors_in(const std::string& text) {
  std::vector<std::string> errors;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.find(": error: ") != std::string::npos || line.starts_with("pequod: "))
      errors.push_back(line);
  return errors;
}

void judge(const WrongInputs& inputs, bool with_right_files = false) {
  for (const WrongInput& input : inputs) {
    CAPTURE(input.what);
    const Folder folder;
    if (with_right_files) write_right_files(folder);
    for (const auto& [name, text] : input.files) folder.write(name, text);
    const Finished finished = pequod(folder, input.words);
    CHECK(finished.signal == 0);
    CHECK(finished.code == 2);
    // `check` prints what it finds as its result.
    const bool checks = !input.words.empty() && input.words.front() == "check";
    const std::vector<std::string> errors =
        errors_in(folder.relative(finished.err + (checks ? finished.out : "")));
    REQUIRE_MESSAGE(errors.size() == 1, finished.err);
    CHECK_MESSAGE(errors.front().starts_with(input.error), errors.front());
    CHECK(errors.front().size() < 400);
  }
}

}  // namespace

TEST_CASE("every wrong scene ends in one error at its place") {
  judge(wrong_scenes());
  judge(wrong_bodies());
}
TEST_CASE("every wrong robot ends in one error at its place") {
  judge(wrong_robots());
  judge(wrong_urdf());
}
TEST_CASE("every wrong mesh, height field and table ends in one error at its place") {
  judge(wrong_files());
}
TEST_CASE("every wrong problem ends in one error at its place") { judge(wrong_problems()); }
TEST_CASE("every wrong folder ends in one error") { judge(wrong_folders(), true); }
TEST_CASE("every wrong word of the command line ends in one error") {
  judge(wrong_options(), true);
}

TEST_CASE("two hundred wrong inputs and more are tried, no two alike, files with line and column") {
  std::set<std::string> all;
  std::size_t count = 0;
  for (const WrongInputs* inputs :
       {&wrong_scenes(), &wrong_bodies(), &wrong_robots(), &wrong_urdf(), &wrong_files(),
        &wrong_problems(), &wrong_folders(), &wrong_options()})
    for (const WrongInput& input : *inputs) {
      std::string key;
      for (const std::string& word : input.words) key += word + " ";
      for (const auto& [name, text] : input.files) key += name + text;
      all.insert(key);
      ++count;
    }
  MESSAGE(count, " wrong inputs");
  CHECK(all.size() == count);
  CHECK(count >= 200);
  for (const WrongInputs* inputs :
       {&wrong_scenes(), &wrong_bodies(), &wrong_robots(), &wrong_urdf(), &wrong_files()})
    for (const WrongInput& input : *inputs) {
      const std::string place = input.error.substr(0, input.error.find(": error: "));
      CHECK_MESSAGE(std::ranges::count(place, ':') == 2, input.error);
    }
}

}  // namespace pequod::test
