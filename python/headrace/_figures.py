"""Figures of answers, where matplotlib is there."""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

_STATES = {
    "compute": "compute",
    "ingest_wait_own": "wait for own data",
    "ingest_wait_peer": "wait for data of others",
    "h2d": "copy to the GPU",
    "collective": "collectives",
    "overhead": "overhead",
    "checkpoint": "checkpoints",
    "failure": "failures",
    "start_up": "start-up",
}


def axes_or_new(axes: Any) -> Any:
    """The axes given, or those of a new figure."""
    if axes is not None:
        return axes
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("a figure needs matplotlib: install it, or read the figures of the mapping itself") from None
    return pyplot.subplots()[1]


def draw_states(states: Mapping[str, float], title: str, axes: Any) -> Any:
    """The time of the GPUs as one bar, parted by what they do."""
    axes = axes_or_new(axes)
    left = 0.0
    for state, share in states.items():
        if share > 0.0:
            axes.barh([0], [100.0 * share], left=[left], label=f"{_STATES.get(state, state)} {100.0 * share:.1f} %")
            left += 100.0 * share
    axes.set_yticks([])
    axes.set_xlim(0.0, 100.0)
    axes.set_xlabel("time of the GPUs, %")
    axes.set_title(title)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncol=2)
    return axes


def draw_rows(rows: Sequence[Mapping[str, Any]], metric: str, over: Optional[str], axes: Any) -> Any:
    """A metric over one coordinate of the points: a line, with the 95 % interval as a band, for each of the others."""
    answered = [row for row in rows if metric in (row.get("metrics") or {})]
    if not answered:
        raise ValueError("no point has an answer")
    names = list(answered[0]["coordinates"])
    x = names[0] if over is None else over
    if x not in names:
        raise KeyError(f"the points have no coordinate {x!r}: choose one of {', '.join(names)}")
    lines: Dict[Tuple[Any, ...], List[Mapping[str, Any]]] = {}
    for row in answered:
        lines.setdefault(tuple(row["coordinates"][name] for name in names if name != x), []).append(row)
    axes = axes_or_new(axes)
    others = [name for name in names if name != x]
    for values, points in lines.items():
        at = [point["coordinates"][x] for point in points]
        figures = [point["metrics"][metric] for point in points]
        label = ", ".join(f"{name} {value}" for name, value in zip(others, values))
        axes.plot(at, [figure["mean"] for figure in figures], marker="o", label=label or metric)
        if all(figure.get("ci95") for figure in figures):
            axes.fill_between(at, [figure["ci95"][0] for figure in figures], [figure["ci95"][1] for figure in figures],
                              alpha=0.2)
    unit = answered[0]["metrics"][metric]["unit"]
    axes.set_xlabel(x)
    axes.set_ylabel(metric if unit == "1" else f"{metric} ({unit})")
    if others:
        axes.legend()
    return axes
