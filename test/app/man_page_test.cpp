// docs/pequod.1 is what --help says, as a man page; PEQUOD_WRITE_DOCS=1 writes it.
#include <sstream>

#include "app/command_words.h"
#include "test/app/process.h"

namespace pequod::test {
namespace {

// Plain text for troff: no backslash, no word that begins a line with a dot, and minus signs.
std::string troff(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(".") || line.starts_with("'")) out += "\\&";
    for (const char c : line) {
      if (c == '\\')
        out += "\\e";
      else if (c == '-')
        out += "\\-";
      else
        out += c;
    }
    out += '\n';
  }
  return out;
}

std::string section(const std::string& name, const std::string& text) {
  return name + "\n.nf\n" + troff(text) + ".fi\n";
}

std::string man_page() {
  const Folder folder;
  const auto help = [&](std::vector<std::string> words) {
    words.emplace_back("--help");
    return pequod(folder, words).out;
  };
  std::string page =
      ".\\\" Written by test_app with PEQUOD_WRITE_DOCS=1.\n.TH PEQUOD 1\n.SH NAME\n"
      "pequod \\- event\\-driven impulse simulator for rigid and articulated bodies in contact\n";
  page += section(".SH SYNOPSIS", help({}));
  page += ".SH COMMANDS\n";
  app::Commands commands;
  app::declare(commands);
  for (const CLI::App* command : commands.app.get_subcommands({}))
    page += section(".SS " + command->get_name(), help({command->get_name()}));
  page += section(".SH FILES",
                  "share/pequod/examples      scenes, robots and problems\n"
                  "share/pequod/pequod.schema.json  JSON Schema of scenes, for editors\n");
  return page;
}

}  // namespace

TEST_CASE("the man page says what --help says") {
  const std::string page = man_page();
  if (std::getenv("PEQUOD_WRITE_DOCS") != nullptr)
    std::ofstream("docs/pequod.1", std::ios::binary) << page;
  CHECK(read_file("docs/pequod.1") == page);
}

}  // namespace pequod::test
