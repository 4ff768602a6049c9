"""Blocks of code on pages of Markdown, and commands named within their text."""
import dataclasses
import re

FENCE = re.compile(r"^(\s*)(```+)\s*(.*)$")
# A command that stands indented, where no block tells what it is.
LOOSE = re.compile(r"^ {4}(\./dev|pequod|python3|cmake|ctest|docs/|test/)\b")


@dataclasses.dataclass
class Block:
    page: str
    line: int       # of its first line of code
    language: str   # first word behind the fence
    name: str       # the words after it: a file to write the block to
    lines: list


@dataclasses.dataclass
class Command:
    page: str
    line: int
    text: str
    code: int = 0   # exit code that the page tells

    @property
    def where(self):
        return f"{self.page}:{self.line}"


def blocks_of(page, text):
    """(blocks, what is wrong with them)."""
    blocks, wrong, inside = [], [], None
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if inside is not None:
            if fence and not fence[3]:
                inside = None
            else:
                inside.lines.append(line)
        elif fence:
            language, _, name = fence[3].partition(" ")
            inside = Block(page, number + 1, language, name.strip(), [])
            blocks.append(inside)
            if not language:
                wrong.append(f"{page}:{number}: a block without a language: text if it is no code")
        elif LOOSE.match(line):
            wrong.append(f"{page}:{number}: a command outside of a block: put it between ```sh and ```")
    return blocks, wrong


def commands_of(block):
    """The commands of a block, lines that end with a backslash joined, comments taken off."""
    commands, text, start = [], "", block.line
    for number, line in enumerate(block.lines, block.line):
        code = re.search(r"#.*\bexit code (\d+)", line)
        line = re.sub(r"(^|\s)#.*$", "", line).strip()
        start = start if text else number
        text += line.removesuffix("\\")
        if line and not line.endswith("\\"):
            commands.append(Command(block.page, start, " ".join(text.split()),
                                    int(code[1]) if code else 0))
            text = ""
    return commands


def commands_in_text(page, text):
    """Commands between single backticks outside of blocks, and those that blocks of text explain."""
    found, inside = [], None
    for number, line in enumerate(text.splitlines(), 1):
        if fence := FENCE.match(line):
            inside = fence[3] if inside is None else None
        elif inside is None:
            found += [Command(page, number, " ".join(one.split()))
                      for one in re.findall(r"`((?:pequod|\./dev) [^`]+)`", line)]
        elif inside == "text" and re.match(r"(pequod|\./dev) ", line):
            found.append(Command(page, number, " ".join(re.split(r" {3,}", line)[0].split())))
    return found


def table_of(text, heading):
    """Rows of the first table below a heading, as lists of cells without backticks."""
    rows, below = [], False
    for line in text.splitlines():
        if line.startswith("#"):
            below = line.lstrip("# ") == heading
        elif below and line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            rows.append([cell.strip().strip("`") for cell in cells])
    return rows[2:]
