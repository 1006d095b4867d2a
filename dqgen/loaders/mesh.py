"""STL, 3MF, OBJ and GLB files through trimesh into the same `Design` that STEP files give, in a child process."""

import gc
import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

from dqgen.errors import LoadError
from dqgen.loaders import archive, mesh_features
from dqgen.loaders.tree import Node, finish
from dqgen.loaders.units import MM_PER_UNIT
from dqgen.schemas.design import Colour, Solid, Source

MANY_TRIANGLES = 100_000
"""A mesh of more is worth the time that a search for unused memory takes."""
_TRIMESH_UNITS = {
    "millimeter": "millimetre",
    "millimeters": "millimetre",
    "centimeter": "centimetre",
    "meter": "metre",
}
_TRIMESH_UNITS |= {"meters": "metre", "micron": "micrometre", "inches": "inch", "feet": "foot"}


def load(path: str, output: str, version: str, rung: str, failures: list[str], kind: str, unit: str) -> dict[str, Any]:
    """Read a mesh file and write the design's archive to `output`.

    Args:
        path: the file.
        output: where the archive goes.
        version: the loader's name and version, for the record.
        rung: the ladder's only rung, `trimesh`.
        failures: always empty, since there is no rung above.
        kind: `stl`, `3mf`, `obj` or `glb`.
        unit: length unit of the numbers, for formats that carry none.

    Raises:
        LoadError: the file cannot be parsed or holds no triangles.
    """
    file = Path(path)
    if kind == "stl":
        _check_stl(file)
    try:
        with file.open("rb") as stream:
            scene = trimesh.load_scene(stream, file_type=kind, process=False)
    except Exception as error:  # trimesh's readers raise whatever their parsing trips over
        found = _commented_stl(file.read_bytes()) if kind == "stl" else None
        if found is None:
            reason = " ".join(str(error).split())[:120] or type(error).__name__
            raise LoadError(f"cannot be parsed as {kind.upper()} ({reason})", file.name, "export it again") from error
        scene = found
    own = _TRIMESH_UNITS.get(str(scene.units), str(scene.units)) if kind in ("3mf", "glb") and scene.units else ""
    units = own if own in MM_PER_UNIT else unit
    scale = MM_PER_UNIT[units]
    solids: list[Solid] = []
    rows: dict[str, int | None] = {}
    warnings: list[str] = []
    colours: dict[str, Colour | None] = {}
    for name in list(scene.geometry):
        geometry = scene.geometry.pop(name)  # the reader's copy is let go before ours grows
        rows[name] = None
        if not isinstance(geometry, trimesh.Trimesh):
            continue
        colours[name] = _colour(geometry)
        vertices = np.asarray(geometry.vertices, dtype=np.float64)
        triangles = np.asarray(geometry.faces, dtype=np.int32)
        del geometry
        if len(triangles) > MANY_TRIANGLES:
            gc.collect()  # trimesh's objects refer to each other in rings
        if scale != 1:
            vertices = vertices * scale
        solid = mesh_features.solid(name, vertices, triangles)
        if solid is not None:
            rows[name] = len(solids)
            solids.append(solid)
    if not solids:
        raise LoadError("holds no triangles with an area", file.name)
    open_shapes = sum(not solid.bodies for solid in solids)
    if open_shapes:
        warnings.append(f"{open_shapes} of {len(solids)} meshes are not closed: volume unknown")
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    root = _tree(scene, rows, colours, scale, file.stem)
    source = Source(file.name, digest, kind, "", units, scale, version, rung, "z")
    design = finish(file.stem, source, root, solids, [], warnings)
    Path(output).write_bytes(archive.dump(design))
    return {}


def _check_stl(file: Path) -> None:
    """Refuse what is neither text nor as long as its header says, before a reader tries to make sense of it."""
    size = file.stat().st_size
    with file.open("rb") as stream:
        head = stream.read(1024)
    if b"\0" not in head:
        return  # text: the reader will tell
    count = int.from_bytes(head[80:84], "little")
    if len(head) < 84 or size < 84 + 50 * count or (count == 0 and size > 84):
        announced = f"it announces {count} triangles, which would take {84 + 50 * count} bytes, and has {size}"
        raise LoadError(f"is no whole STL: {announced}", file.name, "export it again")


_VERTEX = re.compile(rb"^\s*vertex\s+(\S+)\s+(\S+)\s+(\S+)", re.M | re.I)


def _commented_stl(data: bytes) -> trimesh.Scene | None:
    """An ASCII STL with comments or other stray text, by its vertex lines alone; None if they make no triangles."""
    try:
        points = np.array([[float(number) for number in line] for line in _VERTEX.findall(data)])
    except ValueError:
        return None
    if not len(points) or len(points) % 3:
        return None
    return trimesh.Scene(trimesh.Trimesh(points, np.arange(len(points)).reshape(-1, 3), process=False))


def _tree(scene: Any, rows: dict[str, int | None], colours: dict[str, Colour | None], scale: float, stem: str) -> Node:
    """The scene's graph as raw nodes; nodes without triangles below them are left out."""
    graph = scene.graph.transforms
    base = scene.graph.base_frame

    def node(name: str, parent: str | None) -> Node | None:
        transform = np.eye(4)
        if parent is not None:
            matrix = graph.edge_data[(parent, name)].get("matrix")
            transform = np.eye(4) if matrix is None else np.array(matrix, dtype=np.float64)
            transform[:3, 3] *= scale
        geometry = graph.node_data[name].get("geometry")
        row = rows.get(geometry) if geometry else None
        children = [child for below in graph.children.get(name, ()) if (child := node(below, name))]
        # A reader that finds no name for a shape gives it the file's or numbers it.
        product = "" if not geometry or Path(geometry).stem in (stem, "geometry_0") else geometry
        instance = "" if name in (base, geometry) or Path(name).stem == stem else name
        if row is not None and children:
            own = Node("", product or instance, np.eye(4), colours[geometry], row)
            return Node(instance, instance, transform, None, None, [own, *children])
        if row is not None:
            return Node(instance, product, transform, colours[geometry], row)
        return Node(instance, instance, transform, None, None, children) if children else None

    root = node(base, None)
    assert root is not None, "a scene with solids has a node for them"
    root.product = root.product or stem
    return root


def _colour(geometry: trimesh.Trimesh) -> Colour | None:
    visual = geometry.visual
    if not visual.defined:
        return None
    if visual.kind == "texture":
        colour, linear = (
            getattr(visual.material, "main_color", None),
            hasattr(visual.material, "baseColorFactor"),
        )
    else:
        colour, linear = visual.main_color, False
    if colour is None:
        return None
    # glTF states factors in linear light; trimesh passes them on.
    red, green, blue = (_srgb(int(value)) if linear else int(value) for value in colour[:3])
    return red, green, blue


def _srgb(linear: int) -> int:
    """One channel from linear light to sRGB, 0 to 255 (IEC 61966-2-1)."""
    value = linear / 255
    return round(255 * (12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))
