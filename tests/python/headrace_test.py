"""The Python package: HEADRACE_PROGRAM is the program whose bytes it must have, PYTHONPATH holds the package."""

import ast
import inspect
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import headrace as hr

PROGRAM = os.environ["HEADRACE_PROGRAM"]
SETS = {"/cluster/pools/0/nodes": 1, "/jobs/0/loader/workers": 6}
FLAGS = ["--set", "/cluster/pools/0/nodes=1", "--set", "/jobs/0/loader/workers=6"]


def program(*arguments):
    """With the line ends as they are printed."""
    told = subprocess.run([PROGRAM, *arguments], capture_output=True, check=False)
    return subprocess.CompletedProcess(told.args, told.returncode, told.stdout.decode(), told.stderr.decode())


def small():
    return hr.load("image-node").set(SETS)


class Descriptions(unittest.TestCase):
    def test_parameters_are_those_of_the_command_line(self):
        told = json.loads(program("explain", "/jobs/0/loader/workers", "--json").stdout)
        one = {each.name: each for each in hr.parameters("/jobs/0/loader")}["/jobs/*/loader/workers"]
        self.assertIn(one.meaning, json.dumps(told))
        self.assertEqual(hr.parameters("/nowhere"), [])
        self.assertIn("/jobs/*/loader/workers: " + one.meaning, hr.parameters.__doc__)
        self.assertLess(len(hr.parameters("/jobs/0/loader")), len(hr.parameters("/jobs")))

    def test_docstrings_name_every_metric(self):
        for metric in small().bound()["metrics"]:
            self.assertIn(f"    {metric} [", hr.Outcome.value.__doc__, metric)


class SameBytes(unittest.TestCase):
    def test_bound_and_estimate(self):
        self.assertEqual(small().bound().json, program("bound", "image-node", "--json", *FLAGS).stdout)
        self.assertEqual(small().estimate(seed=5).json,
                         program("bound", "image-node", "--level", "estimate", "--seed", "5", "--json", *FLAGS).stdout)

    def test_simulate(self):
        outcome = small().simulate(steps=400, seed=3, replications=2, threads=2)
        told = program("simulate", "image-node", "--steps", "400", "--seed", "3", "--replications", "2", "--json", *FLAGS)
        self.assertEqual(outcome.json, told.stdout)

    def test_input_ranges(self):
        self.assertEqual(small().bound(input_ranges=True).json,
                         program("bound", "image-node", "--inputs", "ranges", "--json", *FLAGS).stdout)

    def test_validate(self):
        self.assertEqual(small().validate().json, program("validate", "image-node", "--json", *FLAGS).stdout)
        self.assertEqual(hr.validate("image-node", sets={"/jobs/0/loader/wokers": 1}).json,
                         program("validate", "image-node", "--json", "--set", "/jobs/0/loader/wokers=1").stdout)

    def test_plan(self):
        told = []
        plan = small().set("/prices/gpu_hour", "$3/h").plan(
            decide={"/jobs/0/loader/workers": "4:8"}, input_ranges=False, progress=told.append)
        said = program("plan", "image-node", "--inputs", "nominal", "--decide", "/jobs/0/loader/workers=4:8", "--json",
                       *FLAGS, "--set", "/prices/gpu_hour=$3/h")
        self.assertEqual(plan.json, said.stdout)
        self.assertTrue(told and isinstance(told[0], hr.Progress) and told[0].phase)
        self.assertEqual(set(plan.recommended), {"/jobs/0/loader/workers"})
        small().set(plan.sets).bound()

    def test_sweep(self):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "results.db")
            program("sweep", "loader-workers", "--level", "bound", "-o", store)
            swept = hr.sweep("loader-workers", level="bound")
            self.assertEqual(swept.csv(), program("report", store, "--format", "csv").stdout)
            self.assertEqual(swept.ndjson(["step_time_s"]),
                             program("report", store, "--format", "ndjson", "--metrics", "step_time_s").stdout)
            self.assertEqual(len(swept.rows()), swept["points"])
            self.assertEqual(hr.sweep("loader-workers", level="bound", store=store)["reused"], swept["points"])


class Mappings(unittest.TestCase):
    def test_an_outcome_is_a_mapping(self):
        outcome = small().bound()
        self.assertEqual(dict(outcome), json.loads(outcome.json))
        self.assertEqual(outcome.value("step_time_s"), outcome["metrics"]["step_time_s"]["mean"])
        self.assertIn(outcome.verdict, repr(outcome))
        with self.assertRaises(KeyError):
            outcome.value("no_such_metric")

    def test_values_of_every_type_are_set(self):
        scenario = small().set({"/stores/0/latency": {"lognormal": {"mean": "6 ms", "cv": 0.5}}})
        self.assertNotEqual(scenario.sha256, small().sha256)
        self.assertEqual(small().set("/jobs/0/loader/workers=7").resolved["jobs"][0]["loader"]["workers"], 7)
        self.assertEqual(small().set("/stores/0/bandwidth", "9 GB/s").resolved["stores"][0]["bandwidth"], "9 GB/s")
        with self.assertRaises(TypeError):
            small().set(SETS, 3)

    def test_frames(self):
        try:
            frame = small().bound().frame()
        except ImportError as error:
            self.assertIn("pandas or polars", str(error))
            self.skipTest("neither pandas nor polars is installed")
        self.assertEqual(len(frame), len(small().bound()["metrics"]))
        swept = hr.sweep("loader-workers", level="bound")
        self.assertEqual(len(swept.frame(["step_time_s"])), swept["points"])

    def test_frames_without_their_libraries(self):
        """A stand-in takes what a real library would."""
        class Pandas:
            @staticmethod
            def DataFrame(columns):
                return columns
        before = sys.modules.get("pandas")
        sys.modules["pandas"] = Pandas
        try:
            columns = small().bound().frame()
            swept = hr.sweep("loader-workers", level="bound").frame(["step_time_s"])
        finally:
            del sys.modules["pandas"]
            if before is not None:
                sys.modules["pandas"] = before
        self.assertEqual({len(column) for column in columns.values()}, {len(columns["metric"])})
        self.assertIn("step_time_s", columns["metric"])
        self.assertTrue(all(value > 0 for value in swept["step_time_s"]))
        self.assertIn("workers", swept)


class Figures(unittest.TestCase):
    class Axes:
        """Takes what matplotlib's would."""
        def __init__(self):
            self.calls = []

        def __getattr__(self, name):
            return lambda *values, **named: self.calls.append((name, values, named))

        def of(self, name):
            return [(values, named) for called, values, named in self.calls if called == name]

    def test_outcome(self):
        outcome = small().bound()
        axes = outcome.figure(self.Axes())
        widths = [values[1][0] for values, _ in axes.of("barh")]
        self.assertAlmostEqual(sum(widths), 100.0 * sum(outcome["gpu_states"].values()))
        self.assertTrue(all(width > 0.0 for width in widths))

    def test_sweep(self):
        swept = hr.sweep("loader-workers", level="bound")
        axes = swept.figure("gpu_idle_fraction", axes=self.Axes())
        self.assertEqual(sum(len(values[0]) for values, _ in axes.of("plot")), swept["points"])
        self.assertEqual(axes.of("set_xlabel")[0][0], ("workers",))
        self.assertEqual(swept.figure(over="prefetch", axes=self.Axes()).of("set_xlabel")[0][0], ("prefetch",))
        with self.assertRaises(hr.InputError):
            swept.figure("no_such_metric", axes=self.Axes())
        with self.assertRaises(KeyError):
            swept.figure(over="no_such_axis", axes=self.Axes())

    def test_with_matplotlib(self):
        try:
            import matplotlib
        except ImportError:
            with self.assertRaisesRegex(ImportError, "matplotlib"):
                small().bound().figure()
            self.skipTest("matplotlib is not installed")
        matplotlib.use("agg")
        for axes in (small().bound().figure(), hr.sweep("loader-workers", level="bound").figure()):
            with tempfile.TemporaryDirectory() as folder:
                file = os.path.join(folder, "figure.png")
                axes.figure.savefig(file)
                self.assertGreater(os.path.getsize(file), 5000)


class Mistakes(unittest.TestCase):
    def test_code_place_and_fix(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"extends": "image-node",\n "jbos": []}')
            with self.assertRaises(hr.Error) as caught:
                hr.load(path)
            error = caught.exception
            self.assertIsInstance(error, ValueError)
            self.assertEqual((error.code, error.fix), ("E0203", "did you mean 'jobs'?"))
            self.assertTrue(error.place.endswith("mine.json:2:2"), error.place)
            self.assertEqual(str(error) + "\n", program("validate", path).stderr)

    def test_options(self):
        with self.assertRaisesRegex(hr.InputError, "replications"):
            small().simulate(replications=0)
        with self.assertRaisesRegex(hr.InputError, "unknown level"):
            hr.sweep("loader-workers", level="guess")


class Running(unittest.TestCase):
    def test_other_threads_go_on(self):
        counted, over = [], threading.Event()

        def count():
            while not over.wait(0.01):
                counted.append(None)

        counter = threading.Thread(target=count)
        counter.start()
        small().simulate(steps=500_000_000, relief=False, max_wall_s=0.5)
        over.set()
        counter.join()
        self.assertGreater(len(counted), 5)

    def test_interrupt(self):
        begun = time.monotonic()
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            small().simulate(steps=500_000_000, relief=False, max_wall_s=60)
        self.assertLess(time.monotonic() - begun, 30)
        small().bound()

    def test_a_callback_that_raises_ends_the_question(self):
        def fail(progress):
            raise LookupError(progress.phase)
        with self.assertRaises(LookupError):
            small().simulate(steps=500_000_000, relief=False, max_wall_s=60, progress=fail)


class Description(unittest.TestCase):
    def test_everything_public_says_what_it_is(self):
        for name in hr.__all__:
            self.assertTrue(inspect.getdoc(getattr(hr, name)), name)
        for kind in (hr.Scenario, hr.Outcome, hr.Plan, hr.Sweep):
            for name, member in inspect.getmembers(kind, inspect.isfunction):
                if not name.startswith("_") and name in vars(kind):
                    self.assertTrue(inspect.getdoc(member) or name == "title", f"{kind.__name__}.{name}")

    def test_stubs_name_what_the_module_has(self):
        folder = os.path.dirname(hr.__file__)
        with open(os.path.join(folder, "_core.pyi"), encoding="utf-8") as file:
            stubs = ast.parse(file.read())
        named = {node.name for node in stubs.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual(named, {name for name in vars(hr._core) if not name.startswith("_")})
        for node in stubs.body:
            if isinstance(node, ast.ClassDef):
                members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
                held = {name for name in vars(getattr(hr._core, node.name)) if not name.startswith("_")}
                self.assertEqual(members, held, node.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
