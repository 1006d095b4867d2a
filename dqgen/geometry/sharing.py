"""Variants of one design in little memory: what they have in common is there once."""

import dataclasses
from typing import Any

import numpy as np

from dqgen.schemas.design import Design


def sharing(design: Design, other: Design) -> Design:
    """A design with the solids of another in place of its own where the two are equal.

    Work that is done once a solid then serves both. All else is copied, so that the block of memory that the design was
    read into can go.
    """
    known = {solid.key: solid for solid in other.solids}
    solids = tuple(
        known[solid.key] if solid.key in known and _equal(solid, known[solid.key]) else _copied(solid)
        for solid in design.solids
    )
    bare: Design = _copied(dataclasses.replace(design, solids=()))
    return dataclasses.replace(bare, solids=solids)


def _equal(one: Any, other: Any) -> bool:
    if dataclasses.is_dataclass(one):
        return all(_equal(getattr(one, field.name), getattr(other, field.name)) for field in dataclasses.fields(one))
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else bool(one == other)


def _copied(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _copied(getattr(value, field.name)) for field in dataclasses.fields(value)}
        return dataclasses.replace(value, **fields)
    if isinstance(value, tuple):
        return tuple(_copied(item) for item in value)
    return value.copy() if isinstance(value, np.ndarray) else value
