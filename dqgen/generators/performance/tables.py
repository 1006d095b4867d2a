"""A check's table: numbers as they are printed decide; all others are drawn from the seed."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from dqgen.errors import SpecError
from dqgen.generators.draft import Picture
from dqgen.generators.performance.result import ATTEMPTS, Aim, Result, aim, source
from dqgen.renderers.charts.style import encoded
from dqgen.renderers.charts.table import Table, draw_table
from dqgen.schemas.performance import TableChart, TableLayout
from dqgen.schemas.spec import FunctionalCheck, Limit

Columns = tuple[list[str], ...]
Layout = Callable[[TableChart, Aim, np.random.Generator], Columns]
LAYOUTS: dict[TableLayout, Layout] = {}
FOUND: dict[TableLayout, str] = {
    "total": "The values in the table add up to {value}.",
    "share": "The upper half of the rows makes up {value} of the total.",
    "difference": "The largest change in the table is {value}.",
    "quotient": "The smallest quotient of strength and stress in the table is {value}.",
    "specific": "The lowest resistance in the table, divided by the highest voltage, is {value}.",
    "levels": "The deciding value in the table is {value}.",
}


def _layout(name: TableLayout) -> Callable[[Layout], Layout]:
    def register(layout: Layout) -> Layout:
        assert name not in LAYOUTS, name
        LAYOUTS[name] = layout
        return layout

    return register


def make_table(check: FunctionalCheck, limit: Limit, keeps: bool, seed: tuple[object, ...], size: int) -> Result:
    """A table that keeps or breaks a limit.

    Raises:
        SpecError: its numbers, as printed, cannot.
    """
    wanted = check.table
    assert wanted is not None
    given = None if wanted.given is None else round(wanted.given * float(source(*seed, "given").uniform(0.95, 1.0)))
    wanted = wanted.model_copy(update={"given": given})
    for attempt in range(ATTEMPTS):
        draw = source(*seed, keeps, attempt)
        goal = aim(limit, keeps, check.percent, draw)
        columns = LAYOUTS[wanted.layout](wanted, goal, draw)
        rows = tuple(zip(wanted.rows, *columns, strict=True))
        note = wanted.note.replace("{given}", f"{given}")
        values = evaluate(wanted.layout, [list(row) for row in rows], note)
        if goal.met_by(values):
            break
    else:
        raise SpecError(f"no table of layout '{wanted.layout}' shows {goal.value:.4g} {limit.unit}")
    image, evidence = draw_table(Table(check.title, wanted.columns, rows, note), size)
    decisive = min(values, key=limit.margin)
    return Result(
        Picture(encoded(image), evidence),
        (decisive, *(value for value in values if value != decisive)),
        FOUND[wanted.layout],
        {"layout": wanted.layout},
    )


def evaluate(layout: str, rows: list[list[Any]], note: str) -> tuple[float, ...]:
    """What a table says, from its printed cells alone: all values that must keep the limit."""
    numbers = [[float(cell.replace("−", "-")) for cell in row[1:]] for row in rows]
    first = [row[0] for row in numbers]
    if layout == "total":
        return (sum(first),)
    if layout == "share":
        return (100 * sum(first[: len(first) // 2]) / sum(first),)
    if layout == "difference":
        return (max(abs(row[1] - row[0]) for row in numbers),)
    if layout == "quotient":
        return (min(row[1] / row[0] for row in numbers),)
    if layout == "specific":
        voltage = re.search(r"(\d+(?:\.\d+)?) V\b", note)
        assert voltage is not None
        return (min(first) * 1000 / float(voltage[1]),)
    if layout == "levels":
        return tuple(first)
    raise ValueError(f"unknown layout '{layout}'")


def _split(total: float, parts: np.ndarray) -> list[float]:
    return [float(total * part) for part in parts / parts.sum()]


@_layout("total")
def _total(wanted: TableChart, goal: Aim, draw: np.random.Generator) -> Columns:
    """Values that add up."""
    return ([f"{one:.1f}" for one in _split(goal.value, draw.uniform(0.92, 1.08, len(wanted.rows)))],)


@_layout("share")
def _share(wanted: TableChart, goal: Aim, draw: np.random.Generator) -> Columns:
    """Values whose first half makes up a share in % of them all."""
    count = len(wanted.rows)
    total = (wanted.given or 100.0) * float(draw.uniform(0.94, 1.06))
    halves = (goal.value / 100 * total, (1 - goal.value / 100) * total)
    values = [one for half, many in zip(halves, (count // 2, count - count // 2), strict=True)
              for one in _split(half, draw.uniform(0.95, 1.05, many))]  # fmt: skip
    return ([f"{one:.1f}" for one in values],)


@_layout("difference")
def _difference(wanted: TableChart, goal: Aim, draw: np.random.Generator) -> Columns:
    """Values before and after, of which the largest change decides."""
    count = len(wanted.rows)
    before = np.round((wanted.given or 0.0) + draw.uniform(-0.8, 0.8, count), 1)
    change = goal.value * draw.uniform(0.25, 0.88, count)
    change[draw.integers(count)] = goal.value
    return [f"{one:.1f}" for one in before], [f"{one:.1f}" for one in before + change]


@_layout("quotient")
def _quotient(wanted: TableChart, goal: Aim, draw: np.random.Generator) -> Columns:
    """Stresses and strengths, of which the smallest quotient decides."""
    count = len(wanted.rows)
    strength = np.round((wanted.given or 300.0) * draw.choice([0.8, 0.9, 1.0, 1.15, 1.3], count) / 5) * 5
    factor = goal.value * draw.uniform(1.1, 2.0, count)
    factor[draw.integers(count)] = goal.value
    return [f"{one:.0f}" for one in strength / factor], [f"{one:.0f}" for one in strength]


@_layout("specific")
def _specific(wanted: TableChart, goal: Aim, draw: np.random.Generator) -> Columns:
    """Resistances in kΩ, of which the lowest one over a voltage decides."""
    count = len(wanted.rows)
    factor = draw.uniform(1.06, 1.9, count)
    factor[draw.integers(count)] = 1.0
    return ([f"{one:.0f}" for one in goal.value * (wanted.given or 1.0) / 1000 * factor],)


@_layout("levels")
def _levels(wanted: TableChart, goal: Aim, draw: np.random.Generator) -> Columns:
    """Values of which each must keep the limits."""
    count = len(wanted.rows)
    low, high = (end if end is not None else goal.value for end in goal.limit.bounds)
    inner = (low + 0.12 * (high - low), high - 0.12 * (high - low))
    values = draw.uniform(*inner, count)
    values[draw.integers(count)] = goal.value
    return ([f"{one:.1f}" for one in values],)
