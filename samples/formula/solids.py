"""Shapes that several subsystems need, and placing them by points. Lengths in millimetres.

Only planes, cylinders, cones, spheres and tori come out of here, which keeps the STEP file small and its
features exact.
"""

import math
from collections.abc import Sequence
from typing import TypeAlias

import cadquery as cq
from OCP.BRepOffsetAPI import BRepOffsetAPI_MakePipe

Point: TypeAlias = cq.Vector
Point2: TypeAlias = tuple[float, float]

SIDES = (("L", 1.0), ("R", -1.0))  # the driver's left is +X


def point(x: float, y: float, z: float) -> Point:
    """A point, or a direction."""
    return cq.Vector(x, y, z)


def mirrored(p: Point, side: float) -> Point:
    """The point on the given side of the car: `side` is +1 (as it is) or -1 (X reversed)."""
    return cq.Vector(p.x * side, p.y, p.z)


def between(a: Point, b: Point, share: float) -> Point:
    """The point at `share` of the way from `a` to `b`."""
    return a + (b - a) * share


def at_y(a: Point, b: Point, y: float) -> Point:
    """The point of the line `a`-`b` at that Y."""
    return between(a, b, (y - a.y) / (b.y - a.y))


def at_z(a: Point, b: Point, z: float) -> Point:
    """The point of the line `a`-`b` at that Z."""
    return between(a, b, (z - a.z) / (b.z - a.z))


def moved(x: float = 0, y: float = 0, z: float = 0) -> cq.Location:
    """A placement that only moves."""
    return cq.Location(cq.Vector(x, y, z))


def along(start: Point, end: Point) -> cq.Location:
    """The placement that brings the local Z axis onto the line from `start` to `end`.

    Local X is kept level and mirrors with the line, so that left and right parts meet in mirror image.
    """
    axis = (end - start).normalized()
    side = axis.cross(point(0, 0, 1)) if abs(axis.z) < 0.999 else point(1, 0, 0)
    return cq.Plane(origin=start, xDir=side, normal=axis).location


def framed(origin: Point, x: Point, y: Point) -> cq.Location:
    """The placement with local X along `x` and local Y towards `y`."""
    return cq.Plane(origin=origin, xDir=x, normal=x.cross(y)).location


def one_solid(shape: cq.Workplane | cq.Shape) -> cq.Solid:
    """The single solid that a modelling step must have left."""
    solids = shape.solids().vals() if isinstance(shape, cq.Workplane) else shape.Solids()
    if len(solids) != 1:
        raise ValueError(f"expected one solid, got {len(solids)}: the parameters do not fit together")
    solid = solids[0]
    assert isinstance(solid, cq.Solid)
    return solid


def cylinder(radius: float, start: Point, end: Point) -> cq.Solid:
    """A round bar between two points."""
    return cq.Solid.makeCylinder(radius, (end - start).Length, start, end - start)


def tube(length: float, diameter: float, wall: float, capped: bool = False) -> cq.Solid:
    """A straight tube along +Z from the origin; `capped` closes its far end."""
    body = cq.Workplane().circle(diameter / 2).extrude(length)
    bore = cq.Workplane().circle(diameter / 2 - wall).extrude(length - (wall if capped else 0))
    return one_solid(body.cut(bore))


def bent_path(points: Sequence[Point], radius: float) -> cq.Wire:
    """An open centre line through `points` with every inner corner rounded to `radius`."""
    edges, last = [], points[0]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        u, w = (before - corner).normalized(), (after - corner).normalized()
        half = math.acos(u.dot(w)) / 2
        start, end = corner + u * (radius / math.tan(half)), corner + w * (radius / math.tan(half))
        middle = corner + (u + w).normalized() * (radius / math.sin(half) - radius)
        edges += [cq.Edge.makeLine(last, start), cq.Edge.makeThreePointArc(start, middle, end)]
        last = end
    edges.append(cq.Edge.makeLine(last, points[-1]))
    return cq.Wire.assembleEdges(edges)


def pipe(path: cq.Wire, section: cq.Wire) -> cq.Shape:
    """The solid that `section` sweeps along `path`.

    The kernel's plain pipe keeps straight and bent lengths analytic; cadquery's own sweep would not.
    """
    return cq.Shape.cast(BRepOffsetAPI_MakePipe(path.wrapped, cq.Face.makeFromWires(section).wrapped).Shape())


def bent_tube(points: Sequence[Point], radius: float, diameter: float, wall: float) -> cq.Solid:
    """A tube bent along a centre line; cylinders and tori only."""
    path = bent_path(points, radius)

    def drawn(radius: float) -> cq.Shape:
        return pipe(path, cq.Wire.makeCircle(radius, path.startPoint(), path.tangentAt(0)))

    return one_solid(drawn(diameter / 2).cut(drawn(diameter / 2 - wall)))


def bent_ring(corners: Sequence[Point], radius: float, diameter: float, wall: float) -> cq.Solid:
    """A closed, four-cornered tube frame; `corners` go round, the joint lies in the middle of two sides."""
    a, b, c, d = corners
    start, end = between(d, a, 0.5), between(b, c, 0.5)
    first = bent_tube([start, a, b, end], radius, diameter, wall)
    second = bent_tube([end, c, d, start], radius, diameter, wall)
    return one_solid(first.fuse(second).clean())


def plate(outline: Sequence[Point2], thickness: float, plane: str = "YZ") -> cq.Solid:
    """A flat plate with straight edges, centred on a plane through the origin.

    Points are (y, z) in "YZ", (x, z) in "XZ" and (x, y) in "XY".
    """
    work = cq.Workplane(plane).polyline(list(outline)).close()
    return one_solid(work.extrude(thickness / 2, both=True))


def hull(circles: Sequence[tuple[float, float, float]], thickness: float) -> cq.Solid:
    """A plate in the XY plane around circles (x, y, radius) in counter-clockwise order, centred on it."""
    work: cq.Workplane | None = None
    count = len(circles)
    first: Point2 | None = None
    for index in range(count):
        (x0, y0, r0), (x1, y1, r1) = circles[index], circles[(index + 1) % count]
        x2, y2, r2 = circles[(index + 2) % count]
        a0, a1 = _outer_tangent(x0, y0, r0, x1, y1, r1), _outer_tangent(x1, y1, r1, x2, y2, r2)
        start = (x0 + r0 * math.cos(a0), y0 + r0 * math.sin(a0))
        end = (x1 + r1 * math.cos(a0), y1 + r1 * math.sin(a0))
        turn = (a1 - a0) % (2 * math.pi)
        middle = (x1 + r1 * math.cos(a0 + turn / 2), y1 + r1 * math.sin(a0 + turn / 2))
        leave = (x1 + r1 * math.cos(a1), y1 + r1 * math.sin(a1))
        if work is None:
            work, first = cq.Workplane().moveTo(*start), start
        work = work.lineTo(*end).threePointArc(middle, first if index == count - 1 and first else leave)
    assert work is not None
    return one_solid(work.close().extrude(thickness / 2, both=True))


def bored(shape: cq.Solid, holes: Sequence[tuple[float, float, float]]) -> cq.Solid:
    """A plate in the XY plane with round holes (x, y, radius) through it."""
    body = cq.Workplane(shape)
    for x, y, radius in holes:
        body = body.cut(cq.Workplane(cylinder(radius, point(x, y, -50), point(x, y, 50))))
    return one_solid(body)


def _outer_tangent(x0: float, y0: float, r0: float, x1: float, y1: float, r1: float) -> float:
    """Where (radians) the right-hand tangent of two circles touches them, for a counter-clockwise outline."""
    heading = math.atan2(y1 - y0, x1 - x0)
    return heading - math.pi / 2 + math.asin((r0 - r1) / math.hypot(x1 - x0, y1 - y0))


def turned(profile: Sequence[Point2]) -> cq.Solid:
    """A turned part about Z: `profile` holds (radius, z) corners and is closed by itself."""
    work = cq.Workplane("XZ").polyline(list(profile)).close()
    return one_solid(work.revolve(360, (0, 0, 0), (0, 1, 0)))


def linkage(length: float, ball: float, radius: float, thread: float) -> cq.Solid:
    """A rod along +Z with a ball joint at each end, their centres at 0 and `length`."""
    stud = min(40.0, length / 4)
    rod = cylinder(radius, point(0, 0, stud), point(0, 0, length - stud))
    thin = cylinder(thread, point(0, 0, 0), point(0, 0, length))
    balls = [cq.Solid.makeSphere(ball, point(0, 0, z), angleDegrees1=-90) for z in (0.0, length)]
    return one_solid(rod.fuse(thin, *balls))
