#include "app/completion/completion.h"

namespace pequod::app {

std::vector<std::string> shell_names() { return {"bash", "zsh", "fish"}; }

std::string completion_script(const CommandTree& tree, const std::string& shell) {
  if (shell == "zsh") return zsh_completion(tree);
  if (shell == "fish") return fish_completion(tree);
  return bash_completion(tree);
}

}  // namespace pequod::app
