"""Faults below the files and databases of the program, by the shim that HEADRACE_SHIM names.

A full or broken disk, calls that are interrupted or cut short, and an end at any call that changes a file. Whatever
happens: the exit status is that of bad input, the message names place, cause and fix, a file is whole or not there, what
was there before stays, and no finished point of a sweep is lost.

faults_test.py [--kills N] [--seed S]     more ends at random calls, for the night
"""

import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["HEADRACE_PROGRAM"]
SHIM = os.environ["HEADRACE_SHIM"]
KILLS = 0
SEED = 22
PROFILE = pathlib.Path(__file__).parent.parent / "data/imports/kineto_gpu.json"
OLD = "what was here before\n"
SWEEP = ["sweep", "loader-workers", "--level", "bound", "--quiet", "-o", "all.db"]
SMALL = ["image-node", "--set", "/cluster/pools/0/nodes=1", "--set", "/prices/gpu_hour=$3/h"]


def call(folder, arguments, fault=None, count=None, binary=False):
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    if fault or count:
        environment["LD_PRELOAD"] = SHIM
    if fault:
        environment["HEADRACE_FAULT"] = fault
    if count:
        environment["HEADRACE_FAULT_COUNT"] = str(count)
    return subprocess.run([PROGRAM, *arguments], cwd=folder, env=environment, capture_output=True, text=not binary,
                          stdin=subprocess.DEVNULL, timeout=120, check=False)


def rows_of(store):
    """The results by key, as any reader sees them; {} where there is no store yet."""
    if not store.exists() or store.stat().st_size == 0:
        return {}
    connection = sqlite3.connect(store)
    try:
        return dict(connection.execute("SELECT key, outcome FROM results WHERE NOT failed"))
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return {}
        raise
    finally:
        connection.close()


class Case:
    """A call that writes one file."""

    def __init__(self, name, arguments, output, before=lambda folder: None, most_changes=None):
        self.name, self.arguments, self.output, self.before = name, arguments, output, before
        self.is_store = output.endswith(".db")
        self.most_changes = most_changes  # of a call with many that are alike, only so many from the end

    def prepared(self, parent):
        folder = pathlib.Path(tempfile.mkdtemp(dir=parent))
        self.before(folder)
        if not self.is_store:
            (folder / self.output).write_text(OLD)
        return folder


def must(folder, *arguments):
    told = call(folder, arguments)
    assert told.returncode == 0, told.stderr


def half_a_sweep(folder):
    must(folder, *SWEEP, "--limit", "16")


def shards(folder):
    for shard in ("1/2", "2/2"):
        must(folder, "sweep", "loader-workers", "--level", "bound", "--quiet", "--shard", shard)


def an_outcome(folder):
    must(folder, "bound", *SMALL, "--json", "-o", "outcome.json")


CASES = [
    Case("sweep", SWEEP, "all.db"),
    Case("sweep that continues", SWEEP, "all.db", half_a_sweep),
    Case("merge", ["merge", "results.1-of-2.db", "results.2-of-2.db", "-o", "all.db", "--quiet"], "all.db", shards),
    Case("merge into one of them", ["merge", "results.2-of-2.db", "-o", "results.1-of-2.db", "--quiet"], "results.1-of-2.db", shards),
    Case("plan", ["plan", *SMALL, "--inputs", "nominal", "--decide", "/jobs/0/loader/workers=7:8", "--json", "-o", "plan.json"],
         "plan.json"),
    Case("import", ["import", "kineto", str(PROFILE), "--job", "train", "--date", "2026-11-24", "-o", "steps.json"], "steps.json"),
    Case("report of an outcome", ["report", "outcome.json", "-o", "page.html"], "page.html", an_outcome),
    Case("report of a sweep", ["report", "all.db", "-o", "page.html"], "page.html", half_a_sweep),
    Case("calibrate", ["calibrate", "--path", ".", "--only", "metadata", "--size", "1MiB", "--window", "0.01s",
                       "--accept-noisy", "--quiet", "--json", "-o", "site.json"], "site.json", most_changes=12),
]


class Faults(unittest.TestCase):
    maxDiff = 2000

    @classmethod
    def setUpClass(cls):
        # In memory where that is possible: the program waits for the disk at every point.
        cls.parent = tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        cls.whole = {}  # what a call without faults leaves
        cls.calls = {}
        for case in CASES:
            folder = case.prepared(cls.parent)
            told = call(folder, case.arguments, count=folder / "count")
            assert told.returncode == 0, (case.name, told.stderr)
            cls.calls[case.name] = json.loads((folder / "count").read_text())
            cls.whole[case.name] = rows_of(folder / case.output) if case.is_store else (folder / case.output).read_bytes()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.parent)

    def folder(self, case):
        folder = case.prepared(self.parent)
        self.addCleanup(shutil.rmtree, folder, True)
        return folder

    def see_output(self, case, folder, before):
        """Whole or as it was; of a store, every point that was there, and none that is another one."""
        output = folder / case.output
        if case.is_store:
            rows, whole = rows_of(output), self.whole[case.name]
            for key in before:
                self.assertIn(key, rows, "a finished point is lost")
            for key, outcome in rows.items():
                self.assertEqual(outcome, whole[key], "a point is another one")
        elif output.read_bytes() != OLD.encode():
            if case.name == "calibrate":
                json.loads(output.read_text())
            else:
                self.assertEqual(output.read_bytes(), self.whole[case.name], "half a file")

    def see_refusal(self, told, fault):
        """Place, cause and fix."""
        self.assertEqual(told.returncode, 2, told.stderr)
        self.assertRegex(told.stderr, r"(?m)^error(\[E\d{4}\])?: .*'[^']+'.*:")
        self.assertRegex(told.stderr, r"(?m)^  = help: .*" + ("disk" if "ENOSPC" in fault or "write" in fault and "EIO" in fault else ""))
        self.assertNotIn("mistake in headrace", told.stderr)

    def repeat(self, case, folder):
        """The same call without a fault gets everything."""
        told = call(folder, case.arguments)
        self.assertEqual(told.returncode, 0, told.stderr)
        if case.is_store:
            self.assertEqual(rows_of(folder / case.output), self.whole[case.name])
        elif case.name != "calibrate":
            self.assertEqual((folder / case.output).read_bytes(), self.whole[case.name])

    def see_leftovers(self, folder):
        left = [name for name in os.listdir(folder) if re.match(r"\..*\.[A-Za-z0-9]{6}$", name) or name.startswith(".headrace")]
        self.assertEqual(left, [], "files that nobody asked for")

    def inject(self, case, fault, refused):
        folder = self.folder(case)
        before = rows_of(folder / case.output) if case.is_store else {}
        told = call(folder, case.arguments, fault)
        self.see_output(case, folder, before)
        if refused is True or (refused is None and told.returncode != 0):
            self.see_refusal(told, fault)
        elif refused is False:
            self.assertEqual(told.returncode, 0, told.stderr)
            if not case.is_store and case.name != "calibrate":
                self.assertEqual((folder / case.output).read_bytes(), self.whole[case.name])
        self.see_leftovers(folder)
        if case.is_store and refused is not False:
            self.repeat(case, folder)

    def kill(self, case, number):
        folder = self.folder(case)
        before = rows_of(folder / case.output) if case.is_store else {}
        told = call(folder, case.arguments, f"change:{number}:kill")
        self.assertIn(told.returncode, (-9, 0), told.stderr)  # 0: a run of several threads may need fewer calls
        self.see_output(case, folder, before)
        self.repeat(case, folder)
        self.see_output(case, folder, self.whole[case.name] if case.is_store else {})

    def some_calls(self, case, group, most):
        """First, last, and some between."""
        there = self.calls[case.name][group]
        if there <= most:
            return range(1, there + 1)
        return sorted({1, 2, there, *(1 + i * there // (most - 2) for i in range(most - 2))} - {there + 1})

    def test_a_full_disk(self):
        for case in CASES:
            for number in [1] if case.name == "calibrate" else self.some_calls(case, "write", 3):
                with self.subTest(case.name, number=number):
                    # calibrate does without the probes that a full disk prevents, but cannot write its file.
                    self.inject(case, f"write:{number}+:ENOSPC", True if number == 1 or not case.is_store else None)

    def test_a_broken_disk(self):
        for case in CASES:
            if case.name == "calibrate":
                continue
            for group in ("write", "sync"):
                for number in self.some_calls(case, group, 3):
                    with self.subTest(case.name, group=group, number=number):
                        self.inject(case, f"{group}:{number}:EIO", None)

    def test_files_that_cannot_be_read(self):
        for case in CASES:
            if case.name in ("calibrate", "sweep", "plan"):
                continue
            for number in self.some_calls(case, "read", 4):
                with self.subTest(case.name, number=number):
                    self.inject(case, f"read:{number}:EIO", None)

    def test_calls_that_are_interrupted_or_cut_short(self):
        for case in CASES:
            for group in ("write", "read"):
                for effect in ("EINTR", "short"):
                    if case.name == "calibrate" or (group == "read" and effect == "short" and not case.is_store):
                        continue
                    for number in self.some_calls(case, group, 2):
                        with self.subTest(case.name, group=group, effect=effect, number=number):
                            self.inject(case, f"{group}:{number}:{effect}", False)

    def test_an_end_at_a_change(self):
        for case in CASES:
            there = self.calls[case.name]["change"]
            numbers = range(there - 4, there + 1) if case.most_changes else self.some_calls(case, "change", 6)
            for number in list(numbers)[::2] if case.most_changes else numbers:
                with self.subTest(case.name, number=number):
                    self.kill(case, number)

    def test_ends_at_random_changes(self):
        if not KILLS:
            self.skipTest("ends at random: --kills N")
        draw, left = random.Random(SEED), KILLS
        weights = [1 if case.most_changes else 8 if case.is_store else 3 for case in CASES]
        for _ in range(left):
            case = draw.choices(CASES, weights)[0]
            there = self.calls[case.name]["change"]
            number = draw.randint(max(1, there - case.most_changes) if case.most_changes else 1, there)
            with self.subTest(case.name, number=number):
                self.kill(case, number)


if __name__ == "__main__":
    for name in ("--kills", "--seed"):
        if name in sys.argv:
            at = sys.argv.index(name)
            value = int(sys.argv[at + 1])
            del sys.argv[at:at + 2]
            if name == "--kills":
                KILLS = value
            else:
                SEED = value
    unittest.main(verbosity=1)
