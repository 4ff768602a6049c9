"""Whether the subcommands and options that a text names are there, by what --help says."""
import functools
import re
import subprocess


class Options:
    def __init__(self, root, pequod):
        self.pequod = pequod
        usage = (root / "dev").read_text(encoding="utf-8")
        self.dev = set(re.findall(r"^\./dev ([a-z]+)", usage, re.M)) | {"COMMAND"}

    @functools.cache  # one object a check
    def help_of(self, *words):
        return subprocess.run([self.pequod, *words, "--help"], capture_output=True, text=True,
                              check=False).stdout

    @functools.cached_property
    def commands(self):
        below = self.help_of().split("Subcommands:")[-1]
        return set(re.findall(r"^  ([a-z]+) ", below, re.M))

    def unknown(self, text):
        """What a command names that is not there; words in capitals or with … stand for others."""
        words = text.split()
        if words[0] == "./dev":
            name = words[1]
            if re.fullmatch(r"[a-z-]+", name) and name not in self.dev:
                return [f"./dev has no command {name}"]
            if name != "run":
                return []
            words = ["pequod", *([] if words[2:3] and words[2] in self.commands else ["run"]), *words[2:]]
        name = words[1]
        if re.fullmatch(r"[a-z]+", name) and name not in self.commands:
            return [f"there is no subcommand {name}"]
        page = self.help_of(name) if name in self.commands else self.help_of()
        return [f"{name} has no option {option}" for option in re.findall(r"(?<=\s)--[a-z][a-z-]*", text)
                if option != "--help" and option not in page]
