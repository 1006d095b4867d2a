"""Small DXF files that tests draw on: written by ezdxf, or by hand where they must be broken."""

import math
from pathlib import Path

import ezdxf
from ezdxf.document import Drawing
from ezdxf.enums import TextEntityAlignment


def new(units: int = 4, version: str = "R2010") -> Drawing:
    """An empty drawing; units 4 are millimetres."""
    return ezdxf.new(version, setup=True, units=units)


def workshop(version: str = "R2010") -> Drawing:
    """A drawing with most kinds of entities, nested blocks, layers off and frozen, and a layout with two viewports."""
    document = new(version=version)
    space = document.modelspace()
    document.layers.add("OUTLINE", color=7, lineweight=50)
    document.layers.add("HIDDEN", color=2, linetype="DASHED")
    document.layers.add("OFF").off()
    document.layers.add("FROZEN").freeze()
    corners = [(0, 0), (200, 0), (200, 100), (0, 100)]
    space.add_polyline2d(corners, close=True, dxfattribs={"layer": "OUTLINE"})
    space.add_circle((50, 50), 20, {"layer": "OUTLINE"})
    space.add_line((0, 50), (200, 50), {"layer": "HIDDEN"})
    space.add_line((0, 80), (200, 80), {"layer": "OFF"})
    space.add_text("unseen", height=5, dxfattribs={"layer": "FROZEN"}).set_placement((10, 85))
    space.add_text("%%c40 %%p0.1 %%d \\U+2205", height=5).set_placement((80, 60))
    space.add_text("RIGHT", height=5).set_placement((190, 10), align=TextEntityAlignment.RIGHT)
    space.add_text("FIT", height=5).set_placement((100, 20), (150, 20), align=TextEntityAlignment.FIT)
    if version != "R12":
        _modern(document)
    plain = {"dimlfac": 1}  # ezdxf's own style counts in hundredths
    space.add_linear_dim(base=(0, -20), p1=(0, 0), p2=(200, 0), override=plain).render()
    space.add_diameter_dim(center=(50, 50), radius=20, angle=45, override=plain).render()
    upright = space.add_linear_dim(base=(-20, 0), p1=(0, 0), p2=(0, 100), angle=90, text="H = <>", override=plain)
    upright.render()
    bolt = document.blocks.new("BOLT")
    bolt.add_circle((0, 0), 4)
    bolt.add_attdef("SIZE", (0, 5), height=3)
    pair = document.blocks.new("PAIR")
    pair.add_blockref("BOLT", (0, 0))
    pair.add_blockref("BOLT", (20, 0), {"xscale": 2, "yscale": 1, "rotation": 30})
    space.add_blockref("PAIR", (100, 40))
    space.add_blockref("BOLT", (170, 30)).add_attrib("SIZE", "M8", (170, 36), {"height": 3})
    space.add_blockref("BOLT", (10, 10), {"row_count": 2, "column_count": 3, "row_spacing": 10, "column_spacing": 10})
    return document


def _modern(document: Drawing) -> None:
    """What R12 has not."""
    space = document.modelspace()
    space.add_mtext(r"Two\Plines {\H0.7x;\S+0.1^-0.2;}", {"insert": (100, 95), "char_height": 5})
    hatch = space.add_hatch(color=1)
    hatch.set_pattern_fill("ANSI31", scale=2)
    hatch.paths.add_polyline_path([(150, 60), (190, 60), (190, 90), (150, 90)], is_closed=True)
    layout = document.layouts.get("Layout1")
    layout.page_setup(size=(297, 210), margins=(10, 10, 10, 10))
    layout.add_viewport(center=(80, 80), size=(100, 60), view_center_point=(100, 50), view_height=120)
    layout.add_viewport(center=(200, 80), size=(60, 60), view_center_point=(50, 50), view_height=60)
    layout.add_text("SHEET 1", height=5).set_placement((10, 170))


def hostile(folder: Path) -> dict[str, Path]:
    """Files that would hang, crash or lie if they were believed, by name."""
    files: dict[str, Path] = {}

    def keep(name: str, document: Drawing) -> None:
        files[name] = folder / f"{name}.dxf"
        document.saveas(files[name])

    document = new()
    block = document.blocks.new("SELF")
    block.add_line((0, 0), (10, 0))
    block.add_blockref("SELF", (1, 1))
    document.modelspace().add_blockref("SELF", (0, 0))
    keep("self", document)

    document = new()
    space = document.modelspace()
    space.add_line((0, 0), (100, 50))
    space.add_line((math.nan, 0), (1, 1))
    space.add_lwpolyline([(0, 0), (math.inf, 5), (5, 5)])
    space.add_text("good", height=5).set_placement((5, 5))
    space.add_text("lost", height=5).set_placement((math.nan, 5))
    keep("nan", document)

    document = new()
    space = document.modelspace()
    for step in range(20):
        space.add_line((step, 0), (step, 50))
    space.add_line((1e12, 1e12), (1e12 + 10, 1e12))
    space.add_line((0, 0), (1e12, 1e12), {"linetype": "DASHED"})
    keep("far", document)

    document = new()
    document.blocks.new("EMPTY")
    array = {"row_count": 30000, "column_count": 30000, "row_spacing": 1, "column_spacing": 1}
    document.modelspace().add_blockref("EMPTY", (0, 0), array)
    document.modelspace().add_line((0, 0), (5, 5))
    keep("array", document)

    document = new()
    hatch = document.modelspace().add_hatch()
    hatch.set_pattern_fill("ANSI31", scale=0.0005)
    hatch.paths.add_polyline_path([(0, 0), (1000, 0), (1000, 1000), (0, 1000)], is_closed=True)
    keep("hatch", document)

    files["trash"] = folder / "trash.dxf"
    files["trash"].write_bytes(b"0\nSECTION\n" + bytes(range(256)) * 50)
    files["short"] = folder / "short.dxf"
    files["short"].write_bytes(b"0\nSECTION\n2\nENTITIES\n0\nLINE\n")
    return files
