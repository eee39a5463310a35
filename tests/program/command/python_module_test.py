# SPDX-License-Identifier: Apache-2.0
"""scripts/python/acesim.py against the built program; run by tests/program/command/python.sh.

Expected values are closed forms, or what the program prints when it is asked by other means.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
MODULE = ROOT / "scripts/python/acesim.py"
sys.path.insert(0, str(MODULE.parent))
import acesim  # noqa: E402  (found by the line above)

PROGRAM = os.environ["ACESIM"]
MIB = 1 << 20
SMALL = {"topology": "2x2x1", "size": "64KiB"}


class Folder(unittest.TestCase):
    """Tests that write something."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def fake(self, text, name="acesim"):
        """A program that is not acesim."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return acesim.Program(path)

    def refused(self, status, words, call, *args, **options):
        """The AcesimError that the call raises."""
        with self.assertRaises(acesim.AcesimError) as caught:
            call(*args, **options)
        self.assertEqual(caught.exception.status, status, caught.exception.message)
        self.assertIn(words, caught.exception.message)
        return caught.exception


class Training(Folder):
    """acesim train and search: the same numbers as by the command line."""

    MODEL, CLUSTER = "models/gpt2-345m.yaml", "clusters/torus-4x2x2.yaml"
    SIZE = {"layers": 2, "sequence": 128, "endpoint": "ideal"}

    def test_an_iteration_is_that_of_the_command_line(self):
        one = acesim.train(self.MODEL, self.CLUSTER, "tp4.dp4.fused", **self.SIZE)
        words = [PROGRAM, "train", self.MODEL, "--cluster", self.CLUSTER, "--strategy",
                 "tp4.dp4.fused", "--layers", "2", "--sequence", "128", "--endpoint", "ideal",
                 "--quiet", "--format", "json"]
        said = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
        self.assertEqual(one.cycles, said["cycles"])
        self.assertEqual(one.data["stages"], said["stages"])
        self.assertAlmostEqual(one.cycles, one.compute_cycles + one.exposed_communication_cycles
                               + one.bubble_cycles, delta=2)
        one.save(self.folder / "one.json")
        text = acesim.command("explain", self.folder / "one.json")
        self.assertIn(f"{one.cycles:,} cycles", text)

    def test_a_search_has_the_best_first(self):
        found = acesim.search(self.MODEL, self.CLUSTER, batch=16, **self.SIZE)
        times = [one.training.cycles for one in found if one.training]
        self.assertGreater(len(times), 3)
        self.assertEqual(times, sorted(times))
        for one in found:
            self.assertEqual(one.state == "done", one.training is not None)
            if one.training:
                self.assertGreaterEqual(one.training.cycles, one.bound_cycles)
        again = acesim.train(self.MODEL, self.CLUSTER, found[0].strategy, **self.SIZE)
        self.assertEqual(again.cycles, times[0])

    def test_what_is_refused(self):
        self.refused(2, "tp3", acesim.train, self.MODEL, self.CLUSTER, "tp3.dp4", **self.SIZE)
        with self.assertRaises(TypeError):
            acesim.train(self.MODEL, self.CLUSTER, "dp16", format="csv")


class Words(Folder):
    """Commands by their words."""

    def test_json_and_text(self):
        words = ["plan", "footprint", "models/gpt2-345m.yaml", "tp2.dp2"]
        said = acesim.command(*words, format="json")
        text = subprocess.run([PROGRAM, *words, "--format=json"], check=True, capture_output=True,
                              text=True).stdout
        self.assertEqual(said, json.loads(text))
        self.assertEqual(acesim.command(*words),
                         subprocess.run([PROGRAM, *words], check=True, capture_output=True,
                                        text=True).stdout)


class Collective(Folder):
    def test_bytes_follow_the_closed_form(self):
        result = acesim.collective("all-reduce", topology="4x1x1", size=MIB)
        self.assertEqual(result.bytes_sent_per_npu, 2 * 3 * MIB // 4)
        self.assertEqual(result.check, "passed")
        self.assertEqual(result.iterations, ())

    def test_a_result_is_what_the_command_line_prints(self):
        result = acesim.collective("all-reduce", memory_bandwidth="64GB/s", **SMALL)
        printed = subprocess.run(
            [PROGRAM, "collective", "all-reduce", "--topology", "2x2x1", "--size", "64KiB",
             "--memory-bandwidth", "64GB/s", "--format", "json"],
            capture_output=True, check=True).stdout
        self.assertEqual(result.data, json.loads(printed))
        self.assertEqual(result.cycles, result.data["cycles"])
        self.assertEqual(result.config_digest, result.data["config_digest"])

    def test_flags_lists_and_words_of_python(self):
        result = acesim.collective("all-reduce", payload="random", check=True, seed=None,
                                   algorithm=["one-way-ring", "ring"], **SMALL)
        self.assertEqual(result.data["checks"]["payload"], "passed")
        self.assertEqual(result.data["algorithms"], "one-way-ring,ring")
        sent = acesim.collective("send-receive", from_=2, to=1, **SMALL)
        self.assertIn("--from=2", sent.data["command"])

    def test_what_a_collective_does_not_have_is_none(self):
        result = acesim.collective("barrier", topology="2x2x1")
        self.assertIsNone(result.compute_cycles)
        self.assertNotIn("compute_cycles", result.data)

    def test_what_is_refused_says_what_the_terminal_says(self):
        error = self.refused(2, "a scratchpad too small", acesim.collective, "all-reduce",
                             bank_rows=512)
        self.assertEqual(error.command[:3], (PROGRAM, "collective", "all-reduce"))
        self.assertIsNone(error.result)
        self.refused(2, "--size: found '-3'", acesim.collective, "all-reduce", size=-3)

    def test_a_check_that_fails_has_status_1(self):
        # Two bits of one codeword are flipped again and again in the first rows of a partition,
        # while chunks pass. Sooner or later a row is read that the code cannot correct.
        upsets = [f"scratchpad:1.0.{256 + k % 12}.{word}.{1 << k // 12:#x}@{400 + 12 * k + at}"
                  for k in range(300) for at, word in ((0, 3), (6, 66))]
        error = self.refused(1, "scratchpad could not be corrected", acesim.collective,
                             "all-reduce", topology="2x2x1", size=300000, faults=upsets)
        self.assertIsNone(error.result)

    def test_options_that_say_nothing_are_refused(self):
        with self.assertRaisesRegex(TypeError, "contention=False"):
            acesim.run("c", "w", contention=False)
        with self.assertRaisesRegex(TypeError, "format"):
            acesim.collective("all-reduce", format="csv")
        with self.assertRaisesRegex(TypeError, "a call for each endpoint"):
            acesim.collective("all-reduce", compare="ace,ideal")


class Training(unittest.TestCase):
    def test_iterations(self):
        result = acesim.run(ROOT / "workloads/clusters/torus-4x2x2.yaml",
                            ROOT / "workloads/resnet50.yaml", iterations=3, endpoint="ideal")
        self.assertEqual([i.iteration for i in result.iterations], [0, 1, 2])
        self.assertEqual(sum(i.cycles for i in result.iterations), result.cycles)
        for i in result.iterations:
            self.assertEqual(i.compute_cycles + i.exposed_communication_cycles, i.cycles)
        self.assertEqual(sum(i.compute_cycles for i in result.iterations), result.compute_cycles)


class Sweep(Folder):
    GRID = {"name": "small", "command": ["collective all-reduce", "collective all-gather"],
            "options": {"topology": "2x2x1"}, "grid": {"size": ["64KiB", 100001]}}

    def test_each_point_is_its_collective(self):
        points = acesim.sweep(self.GRID, jobs=2)
        self.assertEqual(len(points), 4)
        for point in points:
            kind = point.command.split("collective ")[1].split()[0]
            alone = acesim.collective(kind, topology="2x2x1", size=point.options["size"])
            self.assertEqual(point.state, "done")
            self.assertEqual(point.result, alone)

    def test_a_database_is_gone_on_with_and_read(self):
        database = self.folder / "small.sqlite"
        file = self.folder / "small.yaml"
        file.write_text(json.dumps(self.GRID), encoding="utf-8")
        first = acesim.sweep(file, database=database)
        again = acesim.sweep(self.GRID, database=database)
        self.assertEqual(first, again)
        with contextlib.closing(sqlite3.connect(database)) as connection:
            (runs,) = connection.execute("SELECT count(*) FROM runs").fetchone()
        self.assertEqual(runs, 4)
        read = acesim.read_sweep(database)
        self.assertEqual({(p.options["size"], p.result.config_digest) for p in read},
                         {(p.options["size"], p.result.config_digest) for p in first})
        self.assertEqual({p.options["topology"] for p in read}, {"2x2x1"})
        self.assertEqual(set(read[0].options), {"topology", "size"})

    def test_a_point_that_is_refused_leaves_the_others(self):
        grid = {"name": "holes", "command": "collective all-reduce", "options": SMALL,
                "grid": {"bank-rows": [4096, 64]}}
        error = self.refused(1, "1 without a result", acesim.sweep, grid)
        self.assertEqual([p.state for p in error.result], ["done", "refused"])
        self.assertIsNone(error.result[1].result)
        self.assertIn("a scratchpad too small", error.result[1].message)

    def test_a_sweep_that_is_wrong(self):
        self.refused(2, "found unknown option 'sise'", acesim.sweep,
                     {"name": "n", "command": "collective all-reduce", "grid": {"sise": [1]}})

    def test_reading_makes_no_file(self):
        missing = self.folder / "none.sqlite"
        self.refused(None, "expected a database of acesim sweep", acesim.read_sweep, missing)
        self.assertFalse(missing.exists())
        other = self.folder / "other"
        other.write_text("no database", encoding="utf-8")
        self.refused(None, "expected a database of acesim sweep", acesim.read_sweep, other)


class Files(Folder):
    def test_a_result_goes_to_a_file_and_back(self):
        result = acesim.collective("all-gather", **SMALL)
        result.save(self.folder / "run.json")
        self.assertEqual(acesim.load(self.folder / "run.json").data, result.data)
        report = subprocess.run([PROGRAM, "report", self.folder / "run.json", "--output",
                                 self.folder / "page.html"], capture_output=True, check=False)
        self.assertEqual(report.returncode, 0, report.stderr)

    def test_other_files(self):
        other = self.folder / "other.json"
        self.refused(None, "No such file", acesim.load, other)
        for text, words in (("{", "not JSON"), ("[]", "another tool"),
                            ('{"tool": "acesim"}', "without all its keys")):
            other.write_text(text, encoding="utf-8")
            self.assertIn(str(other), self.refused(None, words, acesim.load, other).message)


class Programs(Folder):
    def test_version(self):
        self.assertTrue(acesim.version().startswith("acesim "))

    def test_a_signal(self):
        killed = self.fake("kill -9 $$\n")
        self.refused(-signal.SIGKILL, "ended by SIGKILL", killed.collective, "all-reduce")

    def test_what_is_no_acesim(self):
        self.refused(0, "not what it should print", self.fake("echo hello\n").collective, "all-reduce")
        self.refused(None, "No such file", acesim.Program(self.folder / "none").version)

    def test_the_program_beside_the_module_is_found(self):
        folder = self.folder / "share/acesim/python"
        folder.mkdir(parents=True)
        shutil.copy(MODULE, folder)
        self.fake("echo acesim of the prefix\n", "bin/acesim")
        environment = {k: v for k, v in os.environ.items() if k not in ("ACESIM", "PYTHONPATH")}
        said = subprocess.run([sys.executable, "-c", "import acesim; print(acesim.version())"],
                              cwd=folder, env=environment, capture_output=True, text=True,
                              check=True).stdout
        self.assertEqual(said, "acesim of the prefix\n")


if __name__ == "__main__":
    unittest.main()
