"""The welded tube frame. Every tube ends on the axis of the tube that carries it, so no end stands out."""

import cadquery as cq

from samples.formula import palette
from samples.formula.layout import ACCUMULATOR_GAP, RING_BEND, RING_INSET, Hoop, Layout
from samples.formula.parameters import Parameters
from samples.formula.solids import (
    SIDES,
    Point,
    along,
    at_y,
    at_z,
    bent_ring,
    bent_tube,
    between,
    mirrored,
    point,
    tube,
)
from samples.products import Part, group, place


def frame(p: Parameters, at: Layout) -> cq.Assembly:
    """The whole frame, in the car's axes."""
    n = at.frame
    assembly = group("Frame")
    for part in _bent_parts(p, at):
        place(assembly, part)

    def tube_part(name: str, a: Point, b: Point, capped: bool = False) -> Part:
        return Part(name, tube((b - a).Length, p.tube_diameter, p.tube_wall, capped), palette.FRAME)

    def pair(name: str, a: Point, b: Point, capped: bool = False) -> None:
        part = tube_part(name, a, b, capped)
        for letter, side in SIDES:
            place(assembly, part, f"{name} {letter}", along(mirrored(a, side), mirrored(b, side)))

    def across(name: str, a: Point) -> None:
        part = tube_part(name, a, mirrored(a, -1))
        place(assembly, part, at=along(mirrored(a, -1), a))

    pair("Main hoop brace", n.main_hoop_brace, n.brace_foot)
    pair("Front hoop brace", n.front_hoop_brace, n.bulkhead_high)
    pair("Lower bulkhead support", n.bulkhead_low, n.front_hoop.low)
    pair("Upper bulkhead support", n.bulkhead_high, n.vertical_high)
    pair("Bulkhead support diagonal", n.bulkhead_low, n.vertical_high)
    # Verticals reach past their outermost nodes, so that every tube there ends within them.
    past = point(0, 0, p.tube_diameter / 2)
    pair("Front suspension vertical", n.vertical_low, n.vertical_high + past, capped=True)
    pair("Front upper rail", n.vertical_high, n.front_hoop.knee)
    pair("Front suspension diagonal", n.vertical_high, n.front_hoop.low)
    pair("Upper side impact tube", n.front_hoop.knee, n.main_hoop.knee)
    pair("Lower side impact tube", n.front_hoop.low, n.main_hoop.low)
    pair("Side impact diagonal", n.front_hoop.knee, n.main_hoop.low)
    pair("Cockpit rail", n.front_hoop.at(p.front_hoop_height - 150), n.main_hoop.knee)
    pair("Lower rear rail", n.main_hoop.low, n.rear_low)
    pair("Upper rear rail", n.main_hoop.knee, n.rear_high)
    pair("Rear diagonal", n.main_hoop.low, n.rear_high)
    pair("Rear suspension vertical", n.rear_low - past, n.rear_high + past, capped=True)
    pair("Lower tail rail", n.rear_low, n.tail_low)
    pair("Upper tail rail", n.rear_high, n.tail_high)

    across("Front lower cross tube", n.vertical_low)
    across("Front upper cross tube", n.vertical_high)
    across("Rack cross tube", at_y(n.bulkhead_low, n.front_hoop.low, at.front.link_inner.y))
    across("Front hoop cross tube", n.front_hoop.low)
    across("Column support tube", n.front_hoop.at(column_support_height(p)))
    for name, share in (("Front seat cross tube", 0.45), ("Rear seat cross tube", 0.8)):
        across(name, between(n.front_hoop.low, n.main_hoop.low, share))
    across("Main hoop cross tube", n.main_hoop.low)
    across("Harness bar", n.main_hoop.at(p.harness_bar_height))
    across("Head restraint bar", n.main_hoop.at(p.harness_bar_height + 0.9 * p.head_restraint_height))
    for name, y in zip(
        ("Front accumulator cross tube", "Rear accumulator cross tube"), accumulator_bars(p), strict=True
    ):
        across(name, at_y(n.main_hoop.low, n.rear_low, y))
    across("Rear lower cross tube", n.rear_low)
    across("Rear upper cross tube", n.rear_high)
    return assembly


def accumulator_bars(p: Parameters) -> tuple[float, float]:
    """Y of the two cross tubes that carry the accumulator."""
    front = p.main_hoop_position + ACCUMULATOR_GAP
    return front + 40, front + p.accumulator_length - 40


def column_support_height(p: Parameters) -> float:
    """Height of the axis of the tube under the steering column, where the column passes the front hoop."""
    return p.steering_wheel_height - 0.36 * p.steering_wheel_offset - 30


def _bent_parts(p: Parameters, at: Layout) -> list[Part]:
    n = at.frame

    half_tube = p.tube_diameter / 2

    def hoop(name: str, of: Hoop) -> Part:
        # The legs reach down to the underside of the floor tubes, so that those end within them.
        axis = of.axis()
        left = at_z(of.low, of.knee, of.low.z - half_tube)
        axis = [left, *axis[1:-1], mirrored(left, -1)]
        return Part(name, bent_tube(axis, of.bend, p.hoop_diameter, p.hoop_wall), palette.HOOP)

    def ring(name: str, low: Point, high: Point) -> Part:
        low, high = low + point(RING_INSET, 0, -RING_INSET), high + point(RING_INSET, 0, RING_INSET)
        corners = [low, high, mirrored(high, -1), mirrored(low, -1)]
        return Part(name, bent_ring(corners, RING_BEND, p.tube_diameter, p.tube_wall), palette.FRAME)

    return [
        ring("Front bulkhead", n.bulkhead_low, n.bulkhead_high),
        hoop("Front hoop", n.front_hoop),
        hoop("Main hoop", n.main_hoop),
        ring("Rear bulkhead", n.tail_low, n.tail_high),
    ]
