// What shells offer for the words of the command line, against the program's own options.
#include "app/completion/completion.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "app/command_words.h"
#include "test/app/process.h"

namespace pequod::test {
namespace {

using Lines = std::vector<std::string>;

app::CommandTree whole_tree() {
  app::Commands commands;
  app::declare(commands);
  return app::command_tree(commands.app);
}

Lines sorted_lines(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

Lines sorted_names(const app::CommandTree& command) {
  Lines names;
  for (const app::OptionWords& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  std::sort(names.begin(), names.end());
  return names;
}

/// What a command of a shell prints; files are in the folder, where it runs.
std::string printed(const Folder& folder, const std::string& command) {
  const std::string in_folder = "cd '" + folder.path().string() + "' && " + command;
  REQUIRE(std::system((in_folder + " > printed.txt").c_str()) == 0);
  return read_file(folder.path() / "printed.txt");
}

bool there_is(const char* shell) {
  return std::system((std::string("command -v ") + shell + " >/dev/null").c_str()) == 0;
}

/// A line of words, of which the last is to be completed: what bash offers for it.
class Bash {
 public:
  explicit Bash(const app::CommandTree& tree) {
    folder_.write("completion.bash", app::bash_completion(tree));
    folder_.write("offer.bash",
                  "source completion.bash\nCOMP_WORDS=(\"$@\") COMP_CWORD=$(($# - 1))\n"
                  "_pequod\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
  }
  Lines offers(const std::string& words) {
    return sorted_lines(printed(folder_, "bash offer.bash pequod " + words));
  }
  const Folder& folder() const { return folder_; }

 private:
  Folder folder_;
};

}  // namespace

TEST_CASE("bash offers every subcommand, every option of each, and nothing else") {
  const app::CommandTree tree = whole_tree();
  Bash bash(tree);
  Lines commands;
  for (const app::CommandTree& command : tree.commands) {
    commands.push_back(command.name);
    CHECK_MESSAGE(bash.offers(command.name + " -") == sorted_names(command), command.name);
  }
  std::sort(commands.begin(), commands.end());
  CHECK(commands.size() >= 13);
  CHECK(bash.offers("''") == commands);
  CHECK(bash.offers("-") == sorted_names(tree));
}

TEST_CASE("bash offers the words that an option takes, also behind = and behind a comma") {
  Bash bash(whole_tree());
  CHECK(bash.offers("run --model no") == Lines{"no-slip"});
  CHECK(bash.offers("run --model = no") == Lines{"no-slip"});
  CHECK(bash.offers("run --integrator =") == Lines{"dopri5", "rk4", "symplectic-euler"});
  CHECK(bash.offers("run scene.yaml --step 1e-3 --integrator rk") == Lines{"rk4"});
  CHECK(bash.offers("compare --models no-slip,cou") == Lines{"no-slip,coulomb"});
  CHECK(bash.offers("plot --format p") == Lines{"pdf", "png"});
  CHECK(bash.offers("experiment sim") == Lines{"simbenchmark"});
  CHECK(bash.offers("completion ''") == Lines{"bash", "fish", "zsh"});
  CHECK(bash.offers("run --step ''").empty());
}

TEST_CASE("bash offers files where a file is meant, and folders alone where a folder is") {
  Bash bash(whole_tree());
  bash.folder().write("sc_one.yaml", "");
  fs::create_directory(bash.folder().path() / "sc_two");
  CHECK(bash.offers("run sc_") == Lines{"sc_one.yaml", "sc_two"});
  CHECK(bash.offers("view sc_") == Lines{"sc_two"});
  CHECK(bash.offers("run --output sc_") == Lines{"sc_two"});
  CHECK(bash.offers("solve --plot sc_") == Lines{"sc_one.yaml", "sc_two"});
}

TEST_CASE("every option that takes a name offers the names there are") {
  for (const app::CommandTree& command : whole_tree().commands)
    for (const app::OptionWords& option : command.options) {
      const bool named = option.unit == "NAME" || option.unit == "KIND" ||
                         option.unit.starts_with("A,B") || option.unit.starts_with("C,D");
      CHECK_MESSAGE(named == !option.choices.empty(), command.name << " " << option.names.front());
    }
}

TEST_CASE(
    "the scripts for zsh and fish name every subcommand and option, and the shells read them") {
  const app::CommandTree tree = whole_tree();
  const std::string zsh = app::zsh_completion(tree), fish = app::fish_completion(tree);
  for (const app::CommandTree& command : tree.commands) {
    const std::size_t part = zsh.find("        " + command.name + ")\n");
    REQUIRE(part != std::string::npos);
    const std::string own = zsh.substr(part, zsh.find(";;", part) - part);
    for (const std::string& name : sorted_names(command))
      CHECK_MESSAGE(own.find("'" + name + "[") != std::string::npos, command.name << " " << name);
  }
  const Folder folder;
  folder.write("completion.zsh", zsh);
  folder.write("completion.fish", fish);
  if (there_is("zsh")) CHECK(printed(folder, "zsh -n completion.zsh").empty());
  if (!there_is("fish")) return;
  for (const app::CommandTree& command : tree.commands) {
    const std::string offered = printed(
        folder, "fish -c 'source completion.fish; complete -C \"pequod " + command.name + " -\"'");
    for (const std::string& name : sorted_names(command))
      CHECK_MESSAGE(offered.find(name + "\t") != std::string::npos, command.name << " " << name);
  }
}

TEST_CASE("completion asks for a shell that it knows") {
  const Folder folder;
  CHECK(pequod(folder, {"completion", "bash"}).out == app::bash_completion(whole_tree()));
  const Finished wrong = pequod(folder, {"completion", "bsh"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err.find("completion: unknown name \"bsh\"; did you mean \"bash\"?") !=
        std::string::npos);
  CHECK(pequod(folder, {"completion"}).code == 2);
}

}  // namespace pequod::test
