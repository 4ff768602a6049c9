"""What a page says that a command prints, beside what it prints."""
import re


def pattern_of(line):
    """… within a line stands for anything; blanks at the end do not count."""
    return re.compile(".*".join(re.escape(part) for part in line.rstrip().split("…")) + r"\s*")


def difference(expected, printed):
    """None if the lines expected are printed in this order, with nothing between them but where a line
    that is … alone stands; else the first that is not."""
    at, gap = 0, False
    for line in expected:
        if line.strip() == "…":
            gap = True
            continue
        pattern = pattern_of(line)
        found = next((i for i in range(at, len(printed)) if pattern.fullmatch(printed[i])), None)
        if found is None or (found != at and not gap):
            return f"  {line}\nprinted:\n" + "\n".join(f"  {one}" for one in printed[at:at + 12])
        at, gap = found + 1, False
    if at < len(printed) and not gap:
        return f"  (nothing more)\nprinted:\n  {printed[at]}"
    return None
