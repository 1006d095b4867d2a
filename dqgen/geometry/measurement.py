"""What a measure comes to: a number with its unit, its witness points, and where it comes from."""

from dataclasses import dataclass
from typing import Literal

from dqgen.schemas.design import Floats

Unit = Literal["mm", "deg", "", "mm²", "1/mm"]


@dataclass(frozen=True)
class Measurement:
    """What an expression came to.

    Attributes:
        expression: its text, in canonical form.
        kind: `distance`, `extent`, `clearance`, `diameter`, `radius`, `thickness`, `angle`, `count`, `number`, `sum`,
            `difference`, `product`, `ratio`, `minimum` or `maximum`.
        value: in `unit`; `extent`, `distance`, … are never negative, sums and differences may be.
        unit: `mm`, `deg`, or empty for counts, ratios and numbers.
        witnesses: (2, 3) the two points of the design that it was taken between, mm; None where there are none
            (counts, numbers, sums).
        direction: (3,) unit, along which a length was measured: (witnesses[1] - witnesses[0]) · direction = value;
            None for angles and what has no witnesses.
        centre: (3,) middle of a round feature, or the vertex of an angle (where the two lines come nearest).
        axis: (3,) unit axis of a round feature, or the normal of an angle's plane.
        arms: (2, 3) unit directions of an angle's sides, from its vertex.
        leaves: rows of the leaves (of `placed(design)`) that it was taken on, each side's in order.
        exact: on exact geometry, not fitted to a mesh.
        parts: the measurements that a sum, difference, product, ratio, minimum or maximum is made of.
    """

    expression: str
    kind: str
    value: float
    unit: Unit
    witnesses: Floats | None
    direction: Floats | None
    centre: Floats | None
    axis: Floats | None
    arms: Floats | None
    leaves: tuple[int, ...]
    exact: bool
    parts: tuple["Measurement", ...]
