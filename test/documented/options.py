"""Whether the subcommands, options, experiments and files that a text names are there."""
import functools
import re
import subprocess


class Options:
    def __init__(self, root, pequod):
        self.root, self.pequod = root, pequod
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
        wrong = [f"{name} has no option {option}" for option in re.findall(r"(?<=[\s\[])--[a-z][a-z-]*", text)
                 if option != "--help" and option not in page]
        if name == "experiment" and re.fullmatch(r"[a-z-]+", words[2]):
            known = re.findall(r"^  ([a-z-]+) ", page, re.M) + ["list", "all"]
            wrong += [] if words[2] in known else [f"there is no experiment {words[2]}"]
        return wrong + [f"there is no {word}" for word in words
                        if word.startswith("examples/") and not (self.root / word).exists()]


def short_run(text):
    """A command of a text that runs a scene of the examples, cut to some steps; None for others."""
    match = re.match(r"(\./dev run|pequod run|pequod compare) examples/\S+\.yaml", text)
    if not match or "…" in text:
        return None
    seconds = 0.05 if match[1] == "pequod compare" else 0.002
    return re.sub(r" --duration \S+", "", text) + f" --duration {seconds}"
