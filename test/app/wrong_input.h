// An input that is wrong, and what it must end in.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace pequod::test {

struct WrongInput {
  std::string what;                                        ///< is wrong
  std::vector<std::string> words;                          ///< of the command line
  std::vector<std::pair<std::string, std::string>> files;  ///< name and text
  std::string error;  ///< how its one line begins, place included
};
using WrongInputs = std::vector<WrongInput>;

}  // namespace pequod::test
