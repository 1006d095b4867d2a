"""Random parts whose sizes are known, as machinists make them: plates, brackets, shafts, flanges, blocks."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import cadquery as cq

HoleSize = tuple[float, float | None, tuple[float, float] | None, tuple[float, float] | None]
"""Diameter, depth (None: through), counterbore (diameter, depth), countersink (diameter, angle)."""
SIZES = (2.5, 3.3, 4.2, 5.0, 5.5, 6.6, 8.0, 8.5, 9.0, 11.0)
TURNS = (((0, 1, 2), (1, 1, 1)), ((0, 2, 1), (1, -1, 1)), ((2, 1, 0), (1, 1, -1)), ((1, 0, 2), (-1, 1, 1)))
"""Right-handed ways to lay a part: which of its axes comes to lie along x, y and z, and its sign there."""


@dataclass
class Part:
    """A body and all that a drawing may say about it.

    Attributes:
        places: by axis, the coordinates of faces, centres and ends.
        centres: by axis, the coordinates of holes' centres and of faces that a sheet must tell.
        holes: how many there are of each size.
        diameters, radii, chamfers: sizes of other round shapes, and lengths of bevels.
        angles: in degrees.
    """

    body: cq.Workplane
    family: str
    places: tuple[set[float], set[float], set[float]] = field(default_factory=lambda: (set(), set(), set()))
    centres: tuple[set[float], set[float], set[float]] = field(default_factory=lambda: (set(), set(), set()))
    holes: Counter[HoleSize] = field(default_factory=Counter)
    diameters: set[float] = field(default_factory=set)
    radii: set[float] = field(default_factory=set)
    chamfers: set[float] = field(default_factory=set)
    angles: set[float] = field(default_factory=lambda: {45.0, 90.0})

    def at(self, told: bool = True, **where: float) -> None:
        """Note coordinates; `told` where a sheet must give them."""
        for name, value in where.items():
            for table in (self.places, self.centres) if told else (self.places,):
                table["xyz".index(name)].add(round(value, 6))

    def laid(self, rng: Random) -> Part:
        """The part turned in one of four ways, and moved."""
        order, sign = rng.choice(TURNS)
        body = self.body.val()
        plane = cq.Plane(
            (0, 0, 0),
            tuple(float(sign[order.index(0)] * (row == order.index(0))) for row in range(3)),
            tuple(float(sign[order.index(2)] * (row == order.index(2))) for row in range(3)),
        )
        moved = body.moved(cq.Location(plane)).moved(
            cq.Location(cq.Vector(*(shift := [rng.choice((0.0, 12.5, -30.0)) for _ in range(3)])))
        )

        def turned(table: tuple[set[float], set[float], set[float]]) -> tuple[set[float], set[float], set[float]]:
            a, b, c = ({sign[k] * value + shift[k] for value in table[order[k]]} for k in range(3))
            return a, b, c

        return Part(
            cq.Workplane(obj=moved),
            self.family,
            turned(self.places),
            turned(self.centres),
            self.holes,
            self.diameters,
            self.radii,
            self.chamfers,
            self.angles,
        )


def random_part(seed: int) -> Part:
    """The part of a seed: always the same."""
    rng = Random(seed)
    family = (plate, block, shaft, flange, bracket)[seed % 5]
    return family(rng).laid(rng)


def _hole_size(rng: Random, thick: float, room: float) -> HoleSize:
    """A hole for material of a thickness, whose mouth is no wider than `room`."""
    fits = [size for size in SIZES if 2.2 * size <= room] or [SIZES[0]]
    diameter = rng.choice(fits)
    kind = rng.choice(("through", "through", "blind", "counterbore", "countersink"))
    if kind == "blind":
        return diameter, round(thick * rng.choice((0.4, 0.55, 0.7)), 1), None, None
    if kind == "counterbore" and 2 * diameter <= room and thick > 4:
        return diameter, None, (round(1.8 * diameter, 1), round(0.4 * thick, 1)), None
    if kind == "countersink" and 0.5 * diameter < thick:
        return diameter, None, None, (2 * diameter, 90.0)
    return diameter, None, None, None


def _drilled(
    part: Part, size: HoleSize, at: tuple[float, float, float], into: tuple[int, int, int], deep: float
) -> None:
    """Cut a hole that opens at a point; `deep` reaches through."""
    diameter, depth, bore, sink = size
    point, way = cq.Vector(*at), cq.Vector(*into)
    solids = cq.Solid
    tool = solids.makeCylinder(diameter / 2, depth or deep, point, way)
    if bore:
        tool = tool.fuse(solids.makeCylinder(bore[0] / 2, bore[1], point, way))
    if sink:
        tool = tool.fuse(solids.makeCone(sink[0] / 2, 0.0, sink[0] / 2, point, way))  # 90°
    part.body = part.body.cut(cq.Workplane(obj=tool))
    part.holes[size] += 1


def _features(part: Part, rng: Random, top: float, thick: float, cells: list[tuple[float, float, float]]) -> None:
    """Put one thing or none into each square cell (x, y, side) of a face at z = top."""
    shared = _hole_size(rng, thick, min(side for _, _, side in cells) * 0.8) if cells else None
    for x, y, side in cells:
        room = 0.8 * side
        what = rng.choice(("hole", "hole", "shared", "shared", "slot", "pocket", "boss", "nothing"))
        if what in ("hole", "shared"):
            size = shared if what == "shared" and shared else _hole_size(rng, thick, room)
            _drilled(part, size, (x, y, top), (0, 0, -1), thick + 1)
            part.at(x=x, y=y)
        elif what == "slot" and room > 12:
            wide, long = round(room / 3), round(room)
            tool = cq.Workplane(origin=(x, y, top)).slot2D(long, wide, rng.choice((0, 90))).extrude(-thick - 1)
            ends = {edge.Center().toTuple()[:2] for edge in tool.faces("<Z").edges("%CIRCLE").vals()}
            part.body = part.body.cut(tool)
            box = tool.val().BoundingBox()
            part.at(False, x=box.xmin, y=box.ymin)
            part.at(False, x=box.xmax, y=box.ymax)
            along_x = box.xlen > box.ylen
            reach = (long - wide) / 2
            for sense in (-1, 1):
                part.at(x=x + sense * reach * along_x, y=y + sense * reach * (not along_x))
            assert len(ends) == 2
            part.radii.add(wide / 2)
        elif what == "pocket" and room > 12 and thick > 4:
            deep, wide, high = round(0.5 * thick, 1), round(room), round(0.7 * room)
            radius = rng.choice((0.0, 2.0))
            tool = cq.Workplane(origin=(x, y, top)).rect(wide, high).extrude(-deep)
            if radius:
                tool = tool.edges("|Z").fillet(radius)
                part.radii.add(radius)
            part.body = part.body.cut(tool)
            part.at(x=x - wide / 2, y=y - high / 2, z=top - deep)
            part.at(x=x + wide / 2, y=y + high / 2)
        elif what == "boss":
            wide, high = round(0.6 * room, 1), rng.choice((3.0, 5.0, 8.0))
            part.body = part.body.union(cq.Workplane(origin=(x, y, top)).circle(wide / 2).extrude(high))
            part.at(x=x, y=y, z=top + high)
            part.at(False, x=x - wide / 2, y=y - wide / 2)
            part.at(False, x=x + wide / 2, y=y + wide / 2)
            part.diameters.add(wide)


def _grid(rng: Random, wide: float, high: float, margin: float) -> list[tuple[float, float, float]]:
    columns, rows = rng.randint(1, 4), rng.randint(1, 3)
    side = min((wide - 2 * margin) / columns, (high - 2 * margin) / rows)
    pitch_x, pitch_y = round((wide - 2 * margin) / columns, 1), round((high - 2 * margin) / rows, 1)
    return [
        (round((i - (columns - 1) / 2) * pitch_x, 2), round((j - (rows - 1) / 2) * pitch_y, 2), side)
        for i in range(columns)
        for j in range(rows)
        if side >= 8
    ]


def plate(rng: Random) -> Part:
    """A flat plate, its corners rounded or cut, with things in a grid."""
    wide, high, thick = rng.randint(50, 220), rng.randint(40, 140), rng.choice((4.0, 6.0, 10.0, 12.7, 16.0))
    part = Part(cq.Workplane().box(wide, high, thick, centered=(True, True, False)), "plate")
    corner = rng.choice(("sharp", "round", "cut"))
    margin = 6.0
    if corner == "round":
        radius = rng.choice((3.0, 5.0, 8.0))
        part.body = part.body.edges("|Z").fillet(radius)
        part.radii.add(radius)
        part.at(False, x=wide / 2 - radius, y=high / 2 - radius)
        part.at(False, x=radius - wide / 2, y=radius - high / 2)
    elif corner == "cut":
        length = rng.choice((2.0, 4.0, 6.0))
        part.body = part.body.edges("|Z").chamfer(length)
        part.chamfers.add(length)
        part.at(False, x=wide / 2 - length, y=high / 2 - length)
        part.at(False, x=length - wide / 2, y=length - high / 2)
    part.at(x=wide / 2, y=high / 2, z=0)
    part.at(x=-wide / 2, y=-high / 2, z=thick)
    _features(part, rng, thick, thick, _grid(rng, wide, high, margin))
    if rng.random() < 0.3 and thick >= 10:
        _drilled(part, (4.2, 10.0, None, None), (wide / 2, 0.0, thick / 2), (-1, 0, 0), 10.0)
        part.at(y=0.0, z=thick / 2)
    return part


def block(rng: Random) -> Part:
    """A thick block with a step, and holes from several sides that may cross."""
    wide, high, tall = rng.randint(50, 120), rng.randint(40, 90), rng.randint(30, 70)
    part = Part(cq.Workplane().box(wide, high, tall, centered=(True, True, False)), "block")
    part.at(x=wide / 2, y=high / 2, z=0)
    part.at(x=-wide / 2, y=-high / 2, z=tall)
    step = rng.choice((0, 0, 1))
    low = -wide / 2
    if step:
        long, deep = round(0.25 * wide), round(0.35 * tall)
        part.body = part.body.cut(cq.Workplane(origin=(-wide / 2, 0, tall)).rect(2 * long, high + 2).extrude(-deep))
        low += long
        part.at(x=low, z=tall - deep)
    bevel = rng.choice((0, 0, 3))
    if bevel:
        part.body = part.body.edges(">X and >Z").chamfer(bevel)
        part.chamfers.add(bevel)
        part.at(False, x=wide / 2 - bevel, z=tall - bevel)
    middle = round((low + wide / 2) / 2, 1)
    crossing = rng.choice((True, False))
    if crossing:  # two through holes of different size whose axes meet
        a, b = rng.sample((8.0, 10.0, 12.0, 14.0), 2)
        level = round(0.4 * tall)
        _drilled(part, (a, None, None, None), (middle, 0, tall), (0, 0, -1), tall + 1)
        _drilled(part, (b, None, None, None), (middle, -high / 2, level), (0, 1, 0), high + 1)
        part.at(x=middle, y=0, z=level)
    else:
        shifted = [(middle + x, y, side) for x, y, side in _grid(rng, 2 * (wide / 2 - middle) - 2 * bevel, high, 5.0)]
        _features(part, rng, tall, 0.45 * tall, shifted) if False else None
        for x, y, side in shifted:
            if rng.random() < 0.7:
                size = _hole_size(rng, 0.45 * tall, 0.8 * side)
                _drilled(part, size, (x, y, tall), (0, 0, -1), tall + 1)
                part.at(x=x, y=y)
    if rng.random() < 0.5 and not crossing:
        _drilled(part, (5.0, 6.0, None, None), (wide / 2, round(high / 2 - 6, 1), 6.0), (-1, 0, 0), 6.0)
        part.at(y=round(high / 2 - 6, 1), z=6.0)
    return part


def shaft(rng: Random) -> Part:
    """A stepped shaft along x with bevelled ends, perhaps bored, cross drilled, with a keyway or groove."""
    part = Part(cq.Workplane("YZ"), "shaft")
    diameters = rng.sample((12.0, 16.0, 20.0, 25.0, 30.0, 36.0, 45.0), rng.randint(1, 5))
    at = 0.0
    body: cq.Workplane | None = None
    spans = []
    for diameter in diameters:
        long = rng.choice((12.0, 18.0, 25.0, 40.0))
        piece = cq.Workplane("YZ", origin=(at, 0, 0)).circle(diameter / 2).extrude(long)
        body = piece if body is None else body.union(piece)
        spans.append((at, at + long, diameter))
        part.at(x=at)
        at += long
        part.diameters.add(diameter)
    assert body is not None
    part.at(x=at)
    bevel = rng.choice((0.0, 1.0, 2.0))
    if bevel:
        body = body.faces("<X or >X").edges().chamfer(bevel)
        part.chamfers.add(bevel)
        part.at(False, x=bevel)
        part.at(False, x=at - bevel)
    part.body = body
    bore = rng.choice((0.0, 0.0, 5.0, 6.6))
    longest = max(spans, key=lambda span: span[1] - span[0])
    place = round((longest[0] + longest[1]) / 2, 1)
    if bore:
        through = rng.choice((True, False))
        depth = None if through else round(0.6 * at, 1)
        part.at(False, x=depth or 0.0)  # its floor is told as a face where a cross hole meets it
        _drilled(part, (bore, depth, None, None), (0, 0, 0), (1, 0, 0), at + 1)
    extra = rng.choice(("none", "cross", "key"))
    if extra == "cross":
        size = rng.choice((3.0, 4.0))
        tool = cq.Workplane("XY", origin=(place, 0, -50)).circle(size / 2).extrude(100)
        part.body = part.body.cut(tool)
        part.holes[size, None, None, None] += 1
        part.at(x=place)
    elif extra == "key" and longest[2] >= 20:
        wide, deep, long = 6.0, 3.5, 10.0
        top = longest[2] / 2
        tool = cq.Workplane("XY", origin=(place, 0, top)).slot2D(long, wide).extrude(-deep)
        part.body = part.body.cut(tool)
        part.at(x=place - 2, z=top - deep)
        part.at(x=place + 2)
        part.at(False, x=place - 5, y=-3)
        part.at(False, x=place + 5, y=3)
        part.radii.add(3.0)
    reach = max(diameters) / 2
    part.at(False, y=0, z=0)
    for diameter in diameters:
        for sense in (-1, 1):
            part.at(False, y=sense * diameter / 2, z=sense * diameter / 2)
    part.at(False, y=reach, z=reach)
    return part


def flange(rng: Random) -> Part:
    """A disc with a hub, a bore and a circle of holes."""
    outer, thick = rng.choice((80.0, 100.0, 125.0, 160.0)), rng.choice((8.0, 10.0, 14.0))
    hub, tall = round(0.4 * outer), rng.choice((0.0, 15.0, 25.0))
    bore = round(0.2 * outer)
    part = Part(cq.Workplane().circle(outer / 2).extrude(thick), "flange")
    part.at(z=0)
    part.at(z=thick)
    part.at(False, x=0, y=0)
    part.diameters.add(outer)
    for sense in (-1, 1):
        part.at(False, x=sense * outer / 2, y=sense * outer / 2)
    if tall:
        part.body = part.body.union(cq.Workplane().circle(hub / 2).extrude(thick + tall))
        part.at(z=thick + tall)
        part.diameters.add(hub)
        if rng.random() < 0.4:
            radius = 3.0
            part.body = (
                part.body.faces("<Z[-2]").edges("%CIRCLE").edges(cq.selectors.RadiusNthSelector(0)).fillet(radius)
            )
            part.radii.add(radius)
    if rng.random() < 0.5:
        part.body = part.body.faces("<Z").edges("%CIRCLE").chamfer(1.5)
        part.chamfers.add(1.5)
        part.at(False, z=1.5)
    deep = round(thick * 0.5, 1)
    wide = rng.choice((None, (bore + 8.0, deep)))
    _drilled(part, (float(bore), None, wide, None), (0, 0, thick + tall), (0, 0, -1), thick + tall + 1)
    count = rng.choice((3, 4, 6, 8))
    circle = round(0.75 * outer, 1)
    size = _hole_size(rng, thick, 0.18 * outer)
    turn = rng.choice((0.0, 30.0))
    for k in range(count):
        angle = math.radians(360 * k / count + turn)
        _drilled(
            part,
            size,
            (circle / 2 * math.cos(angle), circle / 2 * math.sin(angle), thick),
            (0, 0, -1),
            thick + 1,
        )
        part.at(False, x=circle / 2 * math.cos(angle), y=circle / 2 * math.sin(angle))
    part.diameters.add(circle)
    least = min((360 * k / count + turn) % 90 for k in range(count))
    part.angles |= {round(least, 6), round((360 / count - least) % 90, 6)}  # seen from either side
    return part


def bracket(rng: Random) -> Part:
    """Two plates at right angles, holes in both, the inner corner rounded or with a sloping edge above."""
    wide, deep, tall = rng.randint(40, 120), rng.randint(40, 80), rng.randint(40, 90)
    thick = rng.choice((5.0, 6.0, 8.0, 10.0))
    part = Part(cq.Workplane().box(wide, deep, thick, centered=(True, False, False)), "bracket")
    part.body = part.body.union(cq.Workplane().box(wide, thick, tall, centered=(True, False, False)))
    part.at(x=wide / 2, y=deep, z=tall)
    part.at(x=-wide / 2, y=0, z=0)
    part.at(y=thick, z=thick)
    if rng.random() < 0.5:
        radius = rng.choice((2.0, 4.0))
        part.body = part.body.edges(cq.selectors.NearestToPointSelector((0, thick, thick))).fillet(radius)
        part.radii.add(radius)
        part.at(False, y=thick + radius, z=thick + radius)
    if rng.random() < 0.5:
        cut = round(0.25 * wide)
        rise = round(cut * rng.choice((1.0, 0.5)), 1)
        points = [(wide / 2 - cut, tall), (wide / 2, tall), (wide / 2, tall - rise)]
        part.body = part.body.cut(cq.Workplane("XZ", origin=(0, -1, 0)).polyline(points).close().extrude(-thick - 2))
        part.at(rise != cut, x=wide / 2 - cut, z=tall - rise)
        part.chamfers.add(float(cut))
        part.angles.add(round(math.degrees(math.atan2(rise, cut)), 6))
        part.angles.add(round(math.degrees(math.atan2(cut, rise)), 6))
    room = deep - thick - 6
    x = round(wide / 4, 1)
    size = _hole_size(rng, thick, min(room, wide / 3) * 0.8)
    middle = round(thick + 4 + room / 2, 1)
    for sense in (-1, 1):
        _drilled(part, size, (sense * x, middle, thick), (0, 0, -1), thick + 1)
        part.at(x=sense * x, y=middle)
    size = _hole_size(rng, thick, min(wide, tall - thick) * 0.3)
    level = round(thick + (tall - thick) / 2, 1)
    _drilled(part, size, (0, thick, level), (0, -1, 0), thick + 1)
    part.at(x=0, z=level)
    return part
