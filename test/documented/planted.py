"""Mistakes planted into a page, each of which has to be found."""
import pathlib
import tempfile

HEAD = "# Tests\n\n## Commands that the tests cut short or leave out\n\n| command | instead | why |\n|---|---|---|\n"
CASES = [
    ("a command that fails", "```sh\npequod run nowhere.yaml\n```\n", "exit code 2"),
    ("one that fails within a pipe", "```sh\npequod run nowhere.yaml | cat\n```\n", "exit code 2"),
    ("one that is told to fail and does not", "```sh\npequod list   # exit code 2\n```\n", "exit code 0"),
    ("another output", "```sh\necho 1.25 m\n```\n```output\n1.26 m\n```\n", "not what stands here"),
    ("more output than is told", "```sh\nprintf 'a\\nb\\n'\n```\n```output\na\n```\n", "nothing more"),
    ("Python that raises", "```python\nassert 1 == 2\n```\n", "AssertionError"),
    ("a block without a language", "```\npequod list\n```\n", "without a language"),
    ("a command outside of a block", "So:\n\n    pequod list\n", "outside of a block"),
    ("an option that is not there", "Use `pequod run --stepp 1`.\n", "no option --stepp"),
    ("an option in a synopsis", "```text\npequod run SCENE [--stepp 1]\n```\n", "no option --stepp"),
    ("a subcommand that is not there", "Use `pequod simulate`.\n", "no subcommand simulate"),
    ("an experiment that is not there", "Use `pequod experiment moon`.\n", "no experiment moon"),
    ("a scene that is not there", "Use `pequod run examples/no.yaml`.\n", "no examples/no.yaml"),
    ("a command of ./dev that is not there", "Use `./dev dance`.\n", "no command dance"),
]
RIGHT = ("```yaml ball.yaml\nduration: 0.1\nbodies: {b: {mass: 1, shape: {sphere: {radius: 1}}}}\n```\n"
         "```sh\npequod run ball.yaml \\\n  --quiet   # a comment\npequod run nowhere.yaml  # exit code 2\n"
         "echo 1.25 m; echo more\n```\n```output\n…\n1.2… m\n…\n```\nUse `pequod run --step 1 …`.\n")


def self_test(check, pequod):
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        (root / "docs").mkdir()
        (root / "dev").write_text("./dev run   it\n", encoding="utf-8")
        (root / "docs/testing.md").write_text(HEAD, encoding="utf-8")
        for what, text, asked in [*CASES, ("nothing", RIGHT, "")]:
            (root / "README.md").write_text(text, encoding="utf-8")
            wrong, _, _ = check(root, pequod, ["README.md"])
            if (asked == "") != (not wrong) or not any(asked in line for line in wrong or [""]):
                failed += 1
                print(f"planted: {what}; found: {wrong}")
        (root / "docs/testing.md").write_text(HEAD + "| `pequod dance` | not run | why not |\n")
        (root / "README.md").write_text("Nothing.\n", encoding="utf-8")
        wrong, _, _ = check(root, pequod, ["README.md", "docs/testing.md"])
        if not any("no page has the command" in line for line in wrong):
            failed += 1
            print(f"planted: an exception for no command; found: {wrong}")
    print(f"{len(CASES) + 1 - failed} of {len(CASES) + 1} planted mistakes found")
    return 1 if failed else 0
