#!/usr/bin/env python3
"""Holds the tree against DEPS and the rules of its layout; prints file:line and what to do.

  tools/check_deps.py [ROOT]      ROOT is the repository, by default the one this script lies in

Checked: every #include between modules is an edge of DEPS (tests, fuzzers and benchmarks may also use the
TEST_DEPS of their CMakeLists.txt); nobody includes another module's internal/; DEPS has no cycle and knows every
folder; every module has a README.md of at most 40 lines; no file is named utils, helpers, common or misc.
Exit code: 0 nothing found, 1 something was, 2 DEPS cannot be read.
"""

import re
import sys
from pathlib import Path

README_LINES = 40
VAGUE_NAME = re.compile(r"(^|_)(utils?|helpers?|common|misc)(_(test|fuzz|bench))?$")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]headrace/([^/">]+)/([^">]+)[">]')
TEST_CODE = re.compile(r"(_(test|fuzz|bench)\.cc$)|(^|/)test/")


class DepsError(Exception):
    """DEPS itself is malformed."""


def read_deps(path):
    """Module -> (line number, set of modules it may include), in the order of the file."""
    table = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        match = re.fullmatch(r"([a-z]+):((?: +[a-z]+)*)", line)
        if not match:
            raise DepsError(f"{path.name}:{number}: cannot read '{line}'; write 'module: module module ...'")
        module = match[1]
        if module in table:
            raise DepsError(f"{path.name}:{number}: {module} stands twice; join the lines")
        table[module] = (number, set(match[2].split()))
    return table


def check_table(table):
    """The table names only modules that it has, and its edges have no cycle."""
    problems = []
    for module, (line, deps) in table.items():
        for dep in sorted(deps - table.keys()):
            problems.append(f"DEPS:{line}: {module} names {dep}, which has no line of its own; add '{dep}: ...'")
    done = set()

    def visit(module, path):
        if module in path:
            cycle = " -> ".join(path[path.index(module):] + [module])
            problems.append(f"DEPS:{table[module][0]}: the edges {cycle} form a cycle; take one of them out")
            return
        if module in done:
            return
        for dep in sorted(table[module][1] & table.keys()):
            visit(dep, path + [module])
        done.add(module)

    for module in table:
        visit(module, [])
    return problems


def test_deps(module_folder):
    """The modules that headrace_module(... TEST_DEPS ...) adds for tests."""
    listing = module_folder / "CMakeLists.txt"
    if not listing.exists():
        return set()
    text = re.sub(r"#.*", "", listing.read_text())
    calls = re.findall(r"headrace_module\(([^)]*)\)", text)
    words = [word for call in calls for word in call.split()]
    deps, inside = set(), False
    for word in words:
        if word.isupper():
            inside = word == "TEST_DEPS"
        elif inside:
            deps.add(word)
    return deps


def check_includes(root, module, table):
    folder = root / "headrace" / module
    allowed = table[module][1] | {module}
    allowed_in_tests = allowed | test_deps(folder)
    problems = []
    for source in sorted(folder.rglob("*")):
        if source.suffix not in (".h", ".cc"):
            continue
        name = source.relative_to(root).as_posix()
        is_test = TEST_CODE.search(source.relative_to(folder).as_posix()) is not None
        for number, line in enumerate(source.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            target, rest = match.groups()
            if target not in (allowed_in_tests if is_test else allowed):
                advice = f"TEST_DEPS of headrace/{module}/CMakeLists.txt" if is_test else "DEPS"
                problems.append(
                    f"{name}:{number}: {module} may not include {target}; turn the dependency round, or, if the "
                    f"design says so, add {target} to {advice} and say why in the commit")
            elif target != module and "internal/" in rest:
                problems.append(
                    f"{name}:{number}: {rest} is private to {target}; use a public header of {target}, or make what "
                    f"you need public there")
    return problems


def check_layout(root, table):
    problems = []
    for folder in sorted(path for path in (root / "headrace").iterdir() if path.is_dir()):
        name = f"headrace/{folder.name}"
        if not any(folder.rglob("*.*")):
            continue
        if folder.name not in table:
            problems.append(f"{name}: this module has no line in DEPS; add '{folder.name}: ...' there")
        readme = folder / "README.md"
        if not readme.exists():
            problems.append(f"{name}: README.md is missing; say what the module is for, which file to read first, "
                            f"its main types and how to test it, in at most {README_LINES} lines")
        elif (lines := len(readme.read_text().splitlines())) > README_LINES:
            problems.append(f"{name}/README.md:{README_LINES + 1}: {lines} lines; keep it to {README_LINES} and move the "
                            f"rest into the headers that it is about")
    for top in ("headrace", "include", "tools", "bench", "examples"):
        for path in sorted((root / top).rglob("*")):
            if VAGUE_NAME.search(path.stem) and "__pycache__" not in path.parts:
                problems.append(f"{path.relative_to(root).as_posix()}:1: '{path.stem}' says nothing; name the file for "
                                f"what it does")
    return problems


def check(root):
    """Every problem in the tree below `root`, one a line. Raises DepsError if there is nothing to check against."""
    table = read_deps(root / "DEPS")
    problems = check_table(table) + check_layout(root, table)
    for module in table:
        problems += check_includes(root, module, table)
    return problems


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    try:
        problems = check(root)
    except (DepsError, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} found; the rules are in CONTRIBUTING.md, 'Layers'")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
