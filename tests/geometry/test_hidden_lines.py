"""Hidden lines: kinds of curves, where they are cut, what is dropped, and agreement with the kernel."""

from pathlib import Path

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dqgen.geometry.hidden_lines import HiddenLines, LineOptions, hidden_lines
from dqgen.geometry.transforms import placed
from dqgen.geometry.view_curves import ViewCurve
from dqgen.loaders import mesh_features
from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.views import VIEWS
from dqgen.samples import sample
from tests.geometry import exact_hlr
from tests.geometry.shapes import assembly, leaves_of, plate, rotation, translation

FRONT, TOP, ISO = (VIEWS[name].rotation for name in ("front", "top", "iso"))
SINGLES = (
    "amr__MMP.02.00.00.001_Base.STEP",
    "amr__MMP.03.00.00.003_Motor_bracket.STEP",
    "amr__MMP.03.00.00.004_Drive_shaft.STEP",
    "draft__nist_ctc_01_asme1_ap242.stp",
    "draft__nist_ctc_03_asme1_ap242.stp",
    "stepcode__io1-cm-214.stp",
    "trimesh__base_interface_AP203.STEP",
    "trimesh__featuretype.STEP",
)
LIKE = 1e-3
"""Parts of a part's size within which a curve counts as the same."""


def lengths(curves: list[ViewCurve], visible: bool = True) -> float:
    return sum(curve.length for curve in curves if curve.visible == visible)


def test_a_box_from_the_front_is_four_lines_and_nothing_hidden() -> None:
    curves = hidden_lines(leaves_of(cq.Workplane().box(30, 20, 10)), FRONT)
    assert [(curve.kind, curve.visible) for curve in curves] == [("line", True)] * 4
    assert lengths(curves) == pytest.approx(80, abs=1e-9)


def test_a_box_from_a_corner_shows_nine_edges_and_hides_three() -> None:
    curves = hidden_lines(leaves_of(cq.Workplane().box(10, 10, 10)), ISO)
    assert sum(curve.visible for curve in curves) == 9
    assert sum(not curve.visible for curve in curves) == 3
    assert all(curve.length == pytest.approx(10 * np.sqrt(2 / 3), abs=1e-6) for curve in curves)


def test_a_circle_is_an_arc_face_on_a_line_edge_on_and_an_ellipse_tilted() -> None:
    leaves = leaves_of(cq.Workplane().circle(8).extrude(5))
    lines = HiddenLines(leaves)
    top = lines.view(TOP)
    assert {curve.kind for curve in top} == {"arc"}
    assert all(curve.radii[0] == pytest.approx(8, abs=1e-9) for curve in top)
    front = [curve for curve in lines.view(FRONT) if curve.visible]
    assert {curve.kind for curve in front} == {"line"}
    assert sorted(round(curve.length, 6) for curve in front) == [5, 5, 16, 16]
    tilted = [curve for curve in lines.view(ISO) if curve.kind == "ellipse"]
    assert all(curve.radii == pytest.approx([8, 8 / np.sqrt(3)], abs=1e-9) for curve in tilted)


def test_a_sphere_shows_its_outline_alone() -> None:
    curves = hidden_lines(leaves_of(cq.Workplane().sphere(7)), ISO)
    assert {curve.kind for curve in curves} == {"arc"}
    assert lengths(curves) == pytest.approx(2 * np.pi * 7, rel=1e-3)
    assert all(curve.radii[0] == pytest.approx(7, abs=1e-9) for curve in curves)


def test_a_pointed_cone_has_two_outlines_that_meet_at_its_apex() -> None:
    cone = cq.Workplane(cq.Solid.makeCone(6, 0, 10))
    outlines = [curve for curve in hidden_lines(leaves_of(cone), FRONT) if curve.edge < 0]
    assert [round(curve.length, 6) for curve in outlines] == [round(float(np.hypot(6, 10)), 6)] * 2
    assert all(np.abs(curve.points - [0, 10]).sum(axis=1).min() < 1e-6 for curve in outlines)


def test_a_ring_shows_both_outlines_face_on_and_a_long_oval_edge_on() -> None:
    ring = cq.Workplane(cq.Solid.makeTorus(20, 4))
    top = [curve for curve in hidden_lines(leaves_of(ring), TOP) if curve.visible]
    assert {curve.kind for curve in top} == {"arc"}
    assert sorted({round(float(curve.radii[0]), 6) for curve in top}) == [16, 24]
    front = [curve for curve in hidden_lines(leaves_of(ring), FRONT) if curve.visible]
    assert sorted(curve.kind for curve in front) == ["arc"] * 4 + ["line"] * 2
    assert all(curve.radii[0] == pytest.approx(4, abs=1e-9) for curve in front if curve.kind == "arc")
    assert lengths(front) == pytest.approx(80 + 2 * np.pi * 4, rel=1e-3)  # no piece twice
    outline = np.concatenate([curve.points for curve in front])
    beyond = np.maximum(np.abs(outline[:, 0]) - 20, 0)
    assert np.hypot(beyond, outline[:, 1]) == pytest.approx(np.full(len(outline), 4.0), abs=1e-6)


def test_a_bent_tube_seen_edge_on_is_straight_lines_and_its_bend() -> None:
    path = cq.Workplane("XZ").moveTo(0, 0).lineTo(0, 40).radiusArc((20, 60), 20).lineTo(60, 60)
    tube = cq.Workplane("XY").circle(3).sweep(path)
    side = [curve for curve in hidden_lines(leaves_of(tube), VIEWS["left"].rotation) if curve.visible]
    assert {curve.kind for curve in side} == {"line", "arc"}
    assert sum(curve.length for curve in side if curve.kind == "line") == pytest.approx(2 * 60 + 6, abs=1e-3)
    assert lengths([curve for curve in side if curve.kind == "arc"]) == pytest.approx(3 * np.pi, rel=1e-3)


def test_a_line_is_cut_where_something_begins_to_hide_it() -> None:
    design = assembly(
        ("Bar", cq.Workplane().box(100, 2, 2), np.eye(4)),
        ("Post", cq.Workplane().box(10, 2, 60), translation(3, -20, 0)),
    )
    bar = [curve for curve in hidden_lines(placed(design), FRONT) if curve.leaf == 0]
    shown = sorted({round(float(x), 3) for curve in bar if curve.visible for x in curve.points[:, 0]})
    assert shown == [-50, -2, 8, 50]
    assert lengths(bar, visible=False) == pytest.approx(20, abs=1e-3)


def test_hidden_lines_and_tangent_edges_are_options() -> None:
    lines = HiddenLines(leaves_of(plate()))
    assert all(curve.visible for curve in lines.view(ISO, LineOptions(hidden=False)))
    assert not any(curve.tangent for curve in lines.view(ISO))
    tangent = [curve for curve in lines.view(ISO, LineOptions(tangent=True)) if curve.tangent]
    assert {curve.kind for curve in tangent} == {"line"}


def test_only_what_lies_behind_a_depth_is_drawn() -> None:
    shell = cq.Workplane().box(20, 20, 20).faces(">Y").workplane().hole(8, 10)
    curves = hidden_lines(leaves_of(shell), FRONT, LineOptions(depth=0.0))
    visible = [curve for curve in curves if curve.visible and curve.kind == "arc"]
    assert not visible  # the hole opens at the back, and its bottom lies in the cut
    open_end = hidden_lines(leaves_of(shell), VIEWS["back"].rotation, LineOptions(depth=5.0))
    assert [round(float(curve.radii[0]), 6) for curve in open_end if curve.kind == "arc" and curve.visible] == [4.0]


def test_other_leaves_can_hide_without_being_drawn() -> None:
    design = assembly(
        ("Far", cq.Workplane().box(10, 2, 10), translation(0, 20, 0)),
        ("Near", cq.Workplane().box(40, 2, 40), np.eye(4)),
    )
    far, near = placed(design)
    assert not any(curve.visible for curve in HiddenLines([far], [near]).view(FRONT))


@given(
    st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda axis: np.linalg.norm(axis) > 0.1),
    st.floats(0, 360),
    st.sampled_from([FRONT, TOP, ISO]),
)
@settings(max_examples=12, deadline=None)
def test_turning_design_and_viewer_together_changes_nothing(
    axis: tuple[float, float, float], degrees: float, looking: np.ndarray
) -> None:
    still = hidden_lines(placed(assembly(("Plate", plate(), np.eye(4)))), looking)
    turn = rotation(axis, degrees)
    turned = hidden_lines(placed(assembly(("Plate", plate(), np.eye(4)), frame=turn)), looking @ turn[:3, :3].T)
    for visible in (True, False):
        assert lengths(turned, visible) == pytest.approx(lengths(still, visible), rel=1e-3)


def test_the_same_view_gives_the_same_curves() -> None:
    first, second = (hidden_lines(leaves_of(plate()), ISO) for _ in range(2))
    assert len(first) == len(second)
    assert all((a.points == b.points).all() and a.kind == b.kind for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("name", ["bracket", "flange", "shaft"])
@pytest.mark.parametrize("looking", ["front", "top", "iso"])
def test_samples_agree_with_the_kernel(name: str, looking: str) -> None:
    compare(sample(name), looking, 0.99, 0.97)


@pytest.mark.corpus
@pytest.mark.parametrize("name", SINGLES)
@pytest.mark.parametrize("looking", ["front", "top", "iso"])
def test_single_parts_agree_with_the_kernel(corpus: Path, name: str, looking: str) -> None:
    compare(corpus / "step" / name, looking, 0.99, 0.97)


def compare(path: Path, looking: str, least: float, least_on_mesh: float) -> None:
    """Visible length both ways, on exact geometry and on a mesh of it."""
    design = load(path, LoadOptions())
    leaves = placed(design)
    size = float(np.linalg.norm(design.bounds[1] - design.bounds[0]))
    view = VIEWS[looking].rotation
    kernel = exact_hlr.visible(exact_hlr.read(path), view, LIKE * size / 20)
    found = exact_hlr.ours(hidden_lines(leaves, view), LIKE * size)
    assert exact_hlr.coverage(found, kernel, LIKE * size) >= least
    assert exact_hlr.coverage(kernel, found, LIKE * size) >= least
    meshed = [as_mesh(leaf) for leaf in leaves]
    found = exact_hlr.ours(hidden_lines(meshed, view), LIKE * size)
    assert exact_hlr.coverage(found, kernel, LIKE * size) >= least_on_mesh
    assert exact_hlr.coverage(kernel, found, LIKE * size) >= least_on_mesh


def as_mesh(leaf):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    vertices = leaf.solid.vertices.astype(np.float32).astype(np.float64)
    return replace(leaf, solid=mesh_features.solid("mesh", vertices, leaf.solid.triangles))
