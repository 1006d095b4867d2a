"""A small design for tests of pictures: a plate with posts, a wheel on an axle, a box with a core that nothing shows.

A parametric source: `build(**parameters)` makes it.
"""

import cadquery as cq


def build(post_gap: float = 100.0, post_height: float = 60.0) -> cq.Assembly:
    """The bench; lengths in mm."""
    bench = cq.Assembly(name="Bench")
    parts = {
        "Base plate": (cq.Workplane().box(240, 140, 10), (0, 0, 5)),
        "Post L": (cq.Workplane().box(12, 20, post_height), (-post_gap / 2, 30, 10 + post_height / 2)),
        "Post R": (cq.Workplane().box(12, 20, post_height), (post_gap / 2, 30, 10 + post_height / 2)),
        "Axle": (cq.Workplane("YZ").circle(5).extrude(post_gap + 60), (-post_gap / 2 - 30, 30, 50)),
        "Wheel": (cq.Workplane("YZ").circle(35).circle(5).extrude(14), (post_gap / 2 + 12, 30, 50)),
        "Cover": (cq.Workplane().box(60, 50, 40).faces("<Z").shell(-3), (-70, -35, 30)),
        "Core": (cq.Workplane().box(20, 20, 20), (-70, -35, 22)),
        "Knob": (cq.Workplane().sphere(9), (60, -40, 22)),
        "Rail": (cq.Workplane().box(70, 8, 12), (60, -58, 16)),
    }
    for name, (shape, place) in parts.items():
        bench.add(shape, name=name, loc=cq.Location(cq.Vector(*place)))
    return bench
