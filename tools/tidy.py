#!/usr/bin/env python3
"""Runs clang-tidy on the units that changed since a commit; prints only what it finds.

  tools/tidy.py [BASE] [--build DIR] [--jobs N]

BASE is a commit, or `all` for every unit. By default it is where this branch left origin/main; where there is no
origin/main, or nothing differs from it, every unit is checked. A changed header stands for the units that include
it. A unit that passed is not run again until something that it sees changes: passes are remembered, under a hash of
the preprocessed unit and the checks, in $XDG_CACHE_HOME/headrace/tidy (by default ~/.cache). DIR is a configured
build folder, by default build/.
"""

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIDY, CLANG = "clang-tidy-19", "clang++-19"
# The build's commands are GCC's. libstdc++ 12's own stable_sort uses what C++17 deprecated.
FOR_CLANG = ["-Wno-unknown-warning-option", "-Wno-deprecated-declarations"]
PASSED = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "headrace" / "tidy"


def git(*arguments):
    """The lines that git prints, or nothing where it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files(base):
    """Paths that differ from `base`, those that git does not know yet included; None stands for every file."""
    if base == "all":
        return None
    if base is None:
        base = next(iter(git("merge-base", "HEAD", "origin/main")), None)
        if base is None:
            return None
        changed = git("diff", "--name-only", base) + git("ls-files", "--others", "--exclude-standard")
        return set(changed) or None
    if not git("rev-parse", "--verify", f"{base}^{{commit}}"):
        sys.exit(f"tidy: there is no commit '{base}'; give one that git knows, or 'all'")
    return set(git("diff", "--name-only", base) + git("ls-files", "--others", "--exclude-standard"))


def units(build):
    """Path from the root -> entry of compile_commands.json, for our own units."""
    database = build / "compile_commands.json"
    if not database.exists():
        sys.exit(f"tidy: {database} is missing; run 'make build' first")
    ours = {}
    for entry in json.loads(database.read_text()):
        path = Path(entry["file"])
        if path.is_relative_to(ROOT / "headrace"):
            ours[path.relative_to(ROOT).as_posix()] = entry
    return ours


def affected(path, changed):
    includes = re.findall(r'#include "(headrace/[^"]+)"', (ROOT / path).read_text())
    return path in changed or ".clang-tidy" in changed or any(header in changed for header in includes)


def fingerprint(entry, checks):
    """A hash of all that decides the outcome for this unit; the same in every clone."""
    command = shlex.split(entry["command"])
    while not Path(command[0]).name.startswith(("c++", "g++", "clang")):
        command.pop(0)  # the compiler launcher
    output = command.index("-o")
    arguments = command[1:output] + command[output + 2:]
    arguments.remove("-c")
    unit = subprocess.run([CLANG, "-E", "-C", "-w", *arguments], cwd=entry["directory"], capture_output=True, check=False)
    text = (unit.stdout + unit.stderr).replace(str(ROOT).encode(), b"")
    return hashlib.sha256(checks + text).hexdigest()


def check(path, entry, build, checks):
    """What clang-tidy says of one unit; empty if it passes."""
    stamp = PASSED / fingerprint(entry, checks)
    if stamp.exists():
        return ""
    done = subprocess.run([TIDY, "-p", build, "--quiet", *(f"--extra-arg={flag}" for flag in FOR_CLANG), ROOT / path],
                          capture_output=True, text=True, check=False)
    if done.returncode == 0:
        stamp.touch()
        return ""
    return done.stdout or done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", nargs="?")
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()

    changed = changed_files(arguments.base)
    chosen = {path: entry for path, entry in sorted(units(arguments.build).items())
              if changed is None or affected(path, changed)}
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    checks = version + (ROOT / ".clang-tidy").read_bytes()
    PASSED.mkdir(parents=True, exist_ok=True)

    failures = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for text in pool.map(lambda item: check(*item, arguments.build, checks), chosen.items()):
            if text:
                failures += 1
                print(text, flush=True)
    print(f"tidy: {len(chosen)} units checked, {failures} with findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
