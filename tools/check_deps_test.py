#!/usr/bin/env python3
"""Tests of check_deps.py: each builds a small tree, breaks one rule and reads the message."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import check_deps  # noqa: E402


class CheckDepsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("DEPS", "# a comment\ncore:\ntensor: core\nio: core\ndata: tensor io\n")
        for module in ("core", "tensor", "io", "data"):
            self.write(f"headrace/{module}/README.md", f"# {module}\n")
            self.write(f"headrace/{module}/CMakeLists.txt", f"headrace_module({module})\n")

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def assert_one_problem(self, *parts):
        problems = check_deps.check(self.root)
        self.assertEqual(len(problems), 1, problems)
        for part in parts:
            self.assertIn(part, problems[0])

    def test_a_tree_in_order_passes(self):
        self.write("headrace/data/reader.h", '#pragma once\n#include "headrace/io/store.h"\n#include <vector>\n')
        self.write("headrace/data/reader.cc", '#include "headrace/data/internal/csv.h"\n')
        self.assertEqual(check_deps.check(self.root), [])

    def test_an_edge_that_deps_lacks_is_named_with_its_line(self):
        self.write("headrace/tensor/shape.h", '#pragma once\n\n#include "headrace/io/store.h"\n')
        self.assert_one_problem("headrace/tensor/shape.h:3: tensor may not include io", "add io to DEPS")

    def test_edges_are_not_transitive(self):
        self.write("headrace/data/reader.cc", '#include "headrace/core/status.h"\n')
        self.assert_one_problem("data may not include core")

    def test_a_commented_include_is_no_edge(self):
        self.write("headrace/tensor/shape.h", '// #include "headrace/io/store.h"\n')
        self.assertEqual(check_deps.check(self.root), [])

    def test_tests_may_use_test_deps_and_code_may_not(self):
        self.write("headrace/tensor/CMakeLists.txt", "headrace_module(tensor LIBS fmt::fmt TEST_DEPS io\n TEST_LIBS x)\n")
        for name in ("shape_test.cc", "shape_fuzz.cc", "shape_bench.cc", "test/cases.h"):
            self.write(f"headrace/tensor/{name}", '#include "headrace/io/store.h"\n')
        self.assertEqual(check_deps.check(self.root), [])
        self.write("headrace/tensor/shape.cc", '#include "headrace/io/store.h"\n')
        self.assert_one_problem("headrace/tensor/shape.cc:1", "add io to DEPS")

    def test_a_test_without_test_deps_is_told_where_they_go(self):
        self.write("headrace/tensor/shape_test.cc", '#include "headrace/io/store.h"\n')
        self.assert_one_problem("shape_test.cc:1", "TEST_DEPS of headrace/tensor/CMakeLists.txt")

    def test_internal_headers_stay_internal(self):
        self.write("headrace/data/reader.cc", '#include "headrace/io/internal/mmap.h"\n')
        self.assert_one_problem("headrace/data/reader.cc:1: internal/mmap.h is private to io")

    def test_a_cycle_is_spelled_out(self):
        self.write("DEPS", "core: data\ntensor: core\nio: core\ndata: tensor io\n")
        self.assertTrue(any("core -> data -> io -> core form a cycle" in p for p in check_deps.check(self.root)))

    def test_an_unknown_module_in_the_table(self):
        self.write("DEPS", "core:\ntensor: core net\nio: core\ndata: tensor io\n")
        self.assert_one_problem("DEPS:2: tensor names net")

    def test_a_folder_that_the_table_lacks(self):
        self.write("headrace/graph/README.md", "# graph\n")
        self.assert_one_problem("headrace/graph: this module has no line in DEPS")

    def test_readme_missing_or_long(self):
        (self.root / "headrace/io/README.md").unlink()
        self.assert_one_problem("headrace/io: README.md is missing")
        self.write("headrace/io/README.md", "line\n" * 41)
        self.assert_one_problem("headrace/io/README.md:41: 41 lines")
        self.write("headrace/io/README.md", "line\n" * 40)
        self.assertEqual(check_deps.check(self.root), [])

    def test_vague_file_names(self):
        for name in ("utils.h", "string_utils.h", "helpers.cc", "common_test.cc", "misc.h", "common_subexpressions.cc"):
            self.write(f"headrace/core/{name}", "")
        problems = check_deps.check(self.root)
        self.assertEqual([p.split(":")[0] for p in problems],
                         [f"headrace/core/{n}" for n in ("common_test.cc", "helpers.cc", "misc.h", "string_utils.h", "utils.h")])

    def test_a_broken_table_ends_with_2(self):
        self.write("DEPS", "core -> tensor\n")
        script = Path(check_deps.__file__)
        done = subprocess.run([sys.executable, script, self.root], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("DEPS:1: cannot read 'core -> tensor'", done.stderr)

    def test_the_script_ends_with_1_when_something_is_found(self):
        self.write("headrace/tensor/shape.h", '#include "headrace/io/store.h"\n')
        script = Path(check_deps.__file__)
        done = subprocess.run([sys.executable, script, self.root], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 found", done.stdout)


if __name__ == "__main__":
    unittest.main()
