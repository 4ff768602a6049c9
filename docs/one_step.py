#!/usr/bin/env python3
"""Prints the sources of simulation/ in the order in which one quiet step goes through them.

    docs/one_step.py [PROGRAM [SCENE]]    by default build/dev/pequod and examples/quadruped/trot.yaml

The program runs under gdb to its 1000th step, and on to the first after it in which nothing is settled and no row
written. There each call of a function of one source by another is noted. They are read as a newcomer reads: along the
calls, each function once, where it is called first. A file is left when another one is gone into, and come back to
when it is gone into once more. To read on in a caller is no coming back; nor do functions count that a header has, of
a few lines each, or other rooms. Exit code 1 if a file is come back to more than twice. Needs gdb, and a program with
debug information.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOM = f"{ROOT}/simulation/"
MOST = 2
FIRST = 1000
EVENTFUL = ["settle/", "record/csv"]  # what is not gone into in a quiet step


def inside_gdb():
    """Prints a line for each function when it is read first: how deep, file, name, and 1 where the file changes."""
    import gdb  # there is one in gdb alone

    def functions():
        """File and name of each function of the room that other files can call."""
        file = ""
        for line in gdb.execute("info functions -q -n pequod::", to_string=True).splitlines():
            if line.startswith("File "):
                file = line[5:-1]
            found = re.match(r"\d+:\s+(?!static )\S+ (pequod::.*);$", line)
            if found and file.startswith(ROOM) and file.endswith(".cpp"):
                yield file, found[1]

    def stack():
        """(file, name, line) of the functions of the room that are running, EventLoop::step first."""
        frames, frame = [], gdb.newest_frame()
        while frame is not None:
            function = frame.function()
            if function and function.symtab.filename.startswith(ROOM):
                name = re.split(r"[(<]", function.name.replace("(anonymous namespace)::", ""))[0].split("::")[-1]
                frames.append((function.symtab.filename[len(ROOM):], name, function.line))
            frame = frame.older()
        frames.reverse()
        starts = [i for i, (file, name, _) in enumerate(frames)
                  if (file, name) == ("loop/event_loop.cpp", "step")]
        return [frame for frame in frames[starts[0]:] if frame[0].endswith(".cpp")] if starts else []

    def note(frames, read, lines):
        """Adds what is not read yet."""
        for depth, (caller, callee) in enumerate(zip(frames, frames[1:]), 1):
            if callee not in read:
                read.add(callee)
                lines.append(f"{depth} {callee[0]} {callee[1]} {int(callee[0] != caller[0])}")

    gdb.execute("set confirm off")
    step = gdb.Breakpoint("pequod::EventLoop::step")
    step.ignore_count = FIRST
    gdb.execute("run", to_string=True)
    for file, name in functions():
        gdb.Breakpoint(source=file, function=name)
    read, lines = set(), []
    while True:
        gdb.execute("continue", to_string=True)
        frames = stack()
        if len(frames) == 1:  # the next step begins
            if lines and not any(f" {part}" in line for line in lines for part in EVENTFUL):
                break
            read, lines = set(), []
        note(frames, read, lines)
    print("\n".join(["trace"] + lines))
    gdb.execute("kill", to_string=True)


def trace(program, scene):
    with tempfile.TemporaryDirectory() as folder:
        found = subprocess.run(
            ["gdb", "-batch", "-nx", "-x", __file__, "--args", program, "run", scene, "--quiet", "--output", folder,
             "--overwrite"], capture_output=True, text=True, check=False)
    lines = found.stdout.splitlines()
    if "trace" not in lines:
        sys.exit(found.stdout + found.stderr)
    return [line.split() for line in lines[lines.index("trace") + 1:]]


def main():
    given = sys.argv[1:]
    program = given[0] if given else ROOT / "build/dev/pequod"
    scene = given[1] if len(given) > 1 else ROOT / "examples/quadruped/trot.yaml"
    visits, now = collections.Counter({"simulation.cpp": 1}), "simulation.cpp"
    for depth, file, name, enters in trace(program, scene):
        if enters == "1" and file != now:
            visits[file] += 1
            now = file
        again = f" ({visits[file]}.)" if enters == "1" and visits[file] > 1 else ""
        print("  " * int(depth) + f"{file} {name}{again}")
    back = {file: count - 1 for file, count in visits.most_common() if count > 1}
    print(f"\n{len(visits)} files; come back to: "
          + (", ".join(f"{file} {count} times" for file, count in back.items()) or "none"))
    sys.exit(1 if any(count > MOST for count in back.values()) else 0)


if "gdb" in sys.modules:
    inside_gdb()
elif __name__ == "__main__":
    main()
