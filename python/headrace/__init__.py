"""Headrace in Python: where do the GPUs of a training cluster wait for data, and why.

    import headrace as hr

    outcome = hr.load("imagenet-1250-nodes").set("/jobs/0/loader/workers", 16).simulate()
    outcome["verdict"], outcome.value("gpu_idle_fraction")
    outcome.frame()                      # with pandas or polars
    outcome.figure()                     # with matplotlib

Documents have the bytes of the command line (`outcome.json` is what `headrace simulate --json` prints). The interpreter
is free while a question is worked on; Ctrl-C ends it with KeyboardInterrupt. Mistakes raise `headrace.Error` with code,
place, cause and fix.
"""

import json as _json
import os as _os
from collections.abc import Mapping as _Mapping
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import _core, _figures
from ._errors import Error, InputError, InternalError

__all__ = [
    "Description", "Document", "Error", "InputError", "InternalError", "Outcome", "Plan", "Progress", "Scenario",
    "Sweep", "load", "metrics", "parameters", "shipped_scenarios", "sweep", "validate",
]
__version__ = _core.version()
model_version = _core.model_version()

Path = Union[str, "_os.PathLike[str]"]


class Progress(NamedTuple):
    """How far a question is."""

    fraction: float  #: of the work that is known to be needed, 0 to 1
    eta_s: float  #: seconds left by that measure; 0: not known
    phase: str  #: "steady state", "sweeping", ...
    count: int  #: steps simulated, configurations run, or points answered


class Description(NamedTuple):
    """What a parameter of a scenario or a metric of an outcome is, as `headrace explain` says it."""

    name: str  #: "/jobs/*/loader/workers", where * is any element; "step_time_s"
    unit: str  #: base unit in documents; empty where it has none
    default: str  #: of a parameter; empty without one
    meaning: str


OnProgress = Optional[Callable[[Progress], object]]


def _told(progress: OnProgress) -> Optional[Callable[[float, float, str, int], object]]:
    if progress is None:
        return None
    tell = progress
    return lambda *told: tell(Progress(*told))


def _assignment(pointer: str, value: Any) -> str:
    """As --set takes it: a text is written as it is, everything else as JSON."""
    return f"{pointer}={value if isinstance(value, str) else _json.dumps(value)}"


def _assignments(values: Union[None, Mapping[str, Any], Sequence[str]]) -> List[str]:
    if values is None:
        return []
    if isinstance(values, _Mapping):
        return [_assignment(pointer, value) for pointer, value in values.items()]
    if isinstance(values, str):
        return [values]
    return list(values)


def _frame(columns: Dict[str, List[Any]]) -> Any:
    try:
        import pandas
    except ImportError:
        pass
    else:
        return pandas.DataFrame(columns)
    try:
        import polars
    except ImportError:
        raise ImportError("a frame needs pandas or polars: install one of them, or read the mapping itself") from None
    return polars.DataFrame(columns, strict=False)


class Document(_Mapping):
    """A JSON document as a mapping; `json` has its bytes."""

    def __init__(self, text: str):
        self.json = text
        self._members: Dict[str, Any] = _json.loads(text)

    def __getitem__(self, key: str) -> Any:
        return self._members[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        return f"<headrace.{type(self).__name__} with {', '.join(list(self)[:8])}, ...>"


class Outcome(Document):
    """What a bound, an estimate or a simulation says (schema: `headrace schema outcome`)."""

    @property
    def verdict(self) -> str:
        """ "fed", "ingest_bound", ... """
        return str(self["verdict"])

    def value(self, metric: str) -> float:
        """Mean of a metric by its name, such as "step_time_s"; KeyError where the outcome does not have it."""
        return self["metrics"][metric]["mean"]

    def frame(self) -> Any:
        """One row for each metric: name, unit, mean, 95 % interval, range over the inputs, kind. Needs pandas or polars."""
        metrics = self["metrics"]

        def ends(member: str, end: int) -> List[Optional[float]]:
            return [metric[member][end] if metric.get(member) else None for metric in metrics.values()]

        return _frame({
            "metric": list(metrics),
            "unit": [metric["unit"] for metric in metrics.values()],
            "mean": [metric["mean"] for metric in metrics.values()],
            "ci95_low": ends("ci95", 0),
            "ci95_high": ends("ci95", 1),
            "p10": ends("input_range", 0),
            "p90": ends("input_range", 1),
            "kind": [metric["kind"] for metric in metrics.values()],
        })

    def figure(self, axes: Any = None) -> Any:
        """What the GPUs do with their time, as a bar on `axes` or on those of a new figure, which it returns. Needs
        matplotlib."""
        return _figures.draw_states(self["gpu_states"], self.verdict.replace("_", "-"), axes)

    def __repr__(self) -> str:
        return f"<headrace.Outcome {self.verdict}, step_time_s {self.value('step_time_s'):.4g}>"


class Plan(Document):
    """The cheapest configuration that keeps the GPUs fed (document of `headrace plan --json`)."""

    def __init__(self, text: str, sets: List[str]):
        super().__init__(text)
        self.sets = sets  #: what makes the recommended configuration: Scenario.set takes it

    @property
    def recommended(self) -> Optional[Dict[str, str]]:
        """The recommended values by JSON pointer; None where there is no recommendation."""
        found = self["recommended"]
        return None if found is None else dict(found["configuration"])


class Sweep(Document):
    """The points of a space, answered; as a mapping, how the sweep ended (document of `headrace sweep --json`)."""

    def __init__(self, core: "_core.Sweep"):
        super().__init__(core.json())
        self._core = core

    def csv(self, metrics: Sequence[str] = ()) -> str:
        """As `headrace report STORE --format csv` prints it; `metrics`: names, or "all"."""
        return self._core.csv(_assignments(metrics))

    def ndjson(self, metrics: Sequence[str] = ()) -> str:
        """As `headrace report STORE --format ndjson` prints it."""
        return self._core.ndjson(_assignments(metrics))

    def rows(self, metrics: Sequence[str] = ()) -> List[Dict[str, Any]]:
        """One mapping for each point: coordinates, verdict, metrics with intervals."""
        return [_json.loads(line) for line in self.ndjson(metrics).splitlines()]

    def frame(self, metrics: Sequence[str] = ()) -> Any:
        """One row for each point: coordinates, status, verdict, and the mean of each metric. Needs pandas or polars."""
        rows = [
            {
                **row["coordinates"],
                "status": row["status"],
                "verdict": row.get("verdict"),
                **{name: metric["mean"] for name, metric in (row.get("metrics") or {}).items()},
            }
            for row in self.rows(metrics)
        ]
        names = list(dict.fromkeys(name for row in rows for name in row))
        return _frame({name: [row.get(name) for row in rows] for name in names})

    def figure(self, metric: str = "step_time_s", *, over: Optional[str] = None, axes: Any = None) -> Any:
        """A metric over one coordinate (the first unless `over` names another), with a line and the 95 % interval as a band
        for each value of the others; on `axes` or on those of a new figure, which it returns. Needs matplotlib."""
        return _figures.draw_rows(self.rows([metric]), metric, over, axes)


class Scenario:
    """A scenario without mistakes. It does not change: `set` gives another one."""

    def __init__(self, core: "_core.Scenario"):
        self._core = core

    def set(self, pointer: Union[str, Mapping[str, Any], Sequence[str]], value: Any = None) -> "Scenario":
        """The scenario with values laid over it.

        set("/jobs/0/loader/workers", 16), set({"/stores/0/bandwidth": "2 TB/s", ...}) for several that are valid only
        together, or set(plan.sets). A text is read as --set reads it: a quantity, a name, or JSON.
        """
        if isinstance(pointer, str) and "=" not in pointer:
            return Scenario(self._core.set([_assignment(pointer, value)]))
        if value is not None:
            raise TypeError("give a pointer and a value, or a mapping, or texts /pointer=value")
        return Scenario(self._core.set(_assignments(pointer)))

    @property
    def title(self) -> str:
        return self._core.title()

    @property
    def sha256(self) -> str:
        """Fingerprint of all resolved values."""
        return self._core.sha256()

    @property
    def resolved(self) -> Document:
        """Every value with its unit."""
        return Document(self._core.resolved())

    def validate(self) -> Document:
        """Fingerprint, and values outside their plausible ranges (document of `headrace validate --json`)."""
        return Document(self._core.validate())

    def bound(self, *, input_ranges: bool = False, seed: int = 1) -> Outcome:
        """Lower bound of the step time, in microseconds to milliseconds: `headrace bound`."""
        return Outcome(self._core.bound(input_ranges, seed, False))

    def estimate(self, *, input_ranges: bool = False, seed: int = 1) -> Outcome:
        """With varying batches, without queueing at what they share: `headrace bound --level estimate`."""
        return Outcome(self._core.bound(input_ranges, seed, True))

    def simulate(
        self, *, seed: int = 1, replications: int = 1, precision: Optional[float] = None, steps: int = 0,
        input_ranges: bool = False, contention: bool = True, relief: bool = True, max_wall_s: float = 0.0,
        threads: int = 0, progress: OnProgress = None,
    ) -> Outcome:
        """`headrace simulate`.

        seed, replications  random draws, independent repetitions
        precision           relative half-width of the step time's interval (default 0.01)
        steps               exactly so many; 0: until precise
        input_ranges        draw assumed figures over their plausible ranges
        contention          False: every request has the system for itself
        relief              False: skip the runs for the gain if a stage is removed
        max_wall_s          stop after so many seconds with what is known by then; 0: no limit
        threads             0: all cores; never changes an answer
        progress            called with Progress at most ten times a second
        """
        return Outcome(self._core.simulate(seed, replications, precision, steps, input_ranges, contention, relief,
                                           max_wall_s, threads, _told(progress)))

    def plan(
        self, *, decide: Union[None, Mapping[str, Any], Sequence[str]] = None, input_ranges: bool = True,
        confidence_fed: Optional[float] = None, seed: int = 1, max_points: int = 400, max_wall_s: float = 0.0,
        threads: int = 0, progress: OnProgress = None,
    ) -> Plan:
        """The cheapest configuration that keeps the GPUs fed: `headrace plan`.

        decide          {"/jobs/0/loader/workers": "1:32"}, values as --decide takes them, before the scenario's own
        input_ranges    False: the inputs as stated
        confidence_fed  share of the input ranges in which the recommendation is fed
        max_points      simulate at most so many configurations
        """
        return Plan(*self._core.plan(_assignments(decide), input_ranges, confidence_fed, seed, max_points, max_wall_s,
                                     threads, _told(progress)))

    def __repr__(self) -> str:
        return f"<headrace.Scenario {self.title!r}>"


def _layers(layers: Union[Path, Sequence[Path]]) -> List[str]:
    if isinstance(layers, (str, _os.PathLike)):
        layers = [layers]
    return [_os.fspath(layer) for layer in layers]


def load(name: Path, *layers: Path, sets: Union[None, Mapping[str, Any], Sequence[str]] = None) -> Scenario:
    """The scenario of a file, or of a shipped name, with layers over it from left to right, and `sets` over all."""
    return Scenario(_core.load(_os.fspath(name), _layers(layers), _assignments(sets)))


def validate(name: Path, *layers: Path, sets: Union[None, Mapping[str, Any], Sequence[str]] = None) -> Document:
    """The document of `headrace validate --json`, whether or not the scenario has mistakes."""
    return Document(_core.validate(_os.fspath(name), _layers(layers), _assignments(sets)))


def sweep(
    space: Path, *, sets: Union[None, Mapping[str, Any], Sequence[str]] = None, store: Path = ":memory:",
    level: str = "simulate", limit: int = 0, seed: int = 1, replications: int = 1, precision: Optional[float] = None,
    steps: int = 0, contention: bool = True, threads: int = 0, progress: OnProgress = None,
) -> Sweep:
    """Every point of a space, a file or a shipped name: `headrace sweep`.

    store  file of results, which continues where it was; ":memory:" keeps nothing
    level  "bound", "estimate" or "simulate"
    limit  compute at most so many points; 0: all
    """
    return Sweep(_core.sweep(_os.fspath(space), _assignments(sets), _os.fspath(store), level, limit, seed, replications,
                             precision, steps, contention, threads, _told(progress)))


def shipped_scenarios() -> List[str]:
    """Names of the scenarios that ship."""
    return _core.shipped_scenarios()


def parameters(below: str = "") -> List[Description]:
    """Parameters that a scenario can have, below a pointer such as "/jobs/0/loader"; without one all of them."""
    steps = ["*" if step.isdigit() else step for step in below.split("/") if step]
    found = [Description(*row) for row in _core.described_parameters()]
    return [one for one in found if one.name.split("/")[1:len(steps) + 1] == steps]


def metrics() -> List[Description]:
    """Metrics that an outcome can have; which of them depends on the scenario and on how it was answered."""
    return [Description(*row) for row in _core.described_metrics()]


def _with_descriptions(text: Optional[str], rows: List[Description]) -> str:
    lines = (f"    {one.name}{f' [{one.unit}]' if one.unit else ''}: {one.meaning}" for one in rows)
    return "\n".join([(text or "").rstrip(), "", *lines])


# What help() says of them is what the command line says, from the same descriptions.
Outcome.value.__doc__ = _with_descriptions(Outcome.value.__doc__, metrics())
parameters.__doc__ = _with_descriptions(parameters.__doc__, parameters())
