"""The outside files: what they hold, what they are called, what their pictures show."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import moderngl
import numpy as np
import pytest

from dqgen.errors import LoadError
from dqgen.geometry.transforms import placed
from dqgen.loaders.inspection import inspection
from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.render import draw
from dqgen.renderers.shaded import Frame, Stage
from dqgen.renderers.views import view
from dqgen.schemas.design import Design, walk
from dqgen.schemas.export import json_schema
from dqgen.schemas.render import RenderOptions
from tests.conftest import Loader
from tests.rays import disagreements, open_part
from tests.support import SIX, assert_one_line, dqgen, everything, leaves

pytestmark = pytest.mark.corpus

# name: leaf occurrences, where the reference counts a nameless shape below its part as a leaf of its own.
MERGED = {
    "draft__nist_ctc_01_asme1_ap203.stp": 1,
    "draft__nist_ctc_01_asme1_ap242.stp": 1,
    "draft__nist_ctc_03_asme1_ap242.stp": 1,
    "o3dv__as1_pe_203.stp": 18,
}
CRASHES = "draft__nist_ctc_02_asme1_ap242.stp"
HOLD_NOTHING = (
    "stepcode__ATS1-out.stp",
    "stepcode__FOOT.stp",
    "stepcode__missing_and_required.p21",
    "stepcode__testfile.step",
)
STEP = (
    "amr__MMP.01.00.00.000_Cover_assembly.STEP",
    "amr__MMP.02.00.00.001_Base.STEP",
    "amr__MMP.03.00.00.003_Motor_bracket.STEP",
    "amr__MMP.03.00.00.004_Drive_shaft.STEP",
    "amr__PT1.00.00.240_Magnetic_encoder.STEP",
    "b123d__M6-1x12-countersunk-screw.step",
    *MERGED,
    "external-refs/FOOT.stp",
    "external-refs/FOOT_BACK_000.stp",
    "external-refs/FOOT_FRONT_000.stp",
    "mayo__cube.step",
    "stepcode__FOOT_BACK_000.stp",
    "stepcode__FOOT_FRONT_000.stp",
    "stepcode__as1-oc-214.stp",
    "stepcode__dm1-id-214.stp",
    "stepcode__io1-cm-214.stp",
    "trimesh__base_interface_AP203.STEP",
    "trimesh__base_interface_AP214.STEP",
    "trimesh__box_sides.STEP",
    "trimesh__featuretype.STEP",
)
MESHES = (
    "gharel__scrap-cart.stl",
    "o3dv__single_triangle_with_comments.stl",
    "trimesh__1002_tray_bottom.STL",
    "trimesh__P_XPM_0331_01.3mf",
    "trimesh__busted.STL",
    "trimesh__counter.unitsmm.STL",
    "trimesh__featuretype.3MF",
    "trimesh__featuretype.STL",
    "trimesh__multibody.stl",
    "trimesh__nested.glb",
    "trimesh__plate_holes.STL",
    "trimesh__soup.stl",
    "trimesh__wallhole.obj",
)
EMPTY_MESHES = ("trimesh__empty.stl", "trimesh__stl_empty_ascii.stl", "trimesh__stl_empty_bin.stl")


@pytest.fixture(scope="session")
def truth(corpus: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((corpus / "step" / "truth.json").read_text())
    return found


@pytest.fixture(scope="session")
def outside(corpus: Path, design: Loader) -> Callable[..., Design]:
    """Loads an outside file by its path in the corpus."""
    return lambda file, **options: design(corpus / file, **options)


def test_every_file_is_tried(corpus: Path) -> None:
    files = {str(path.relative_to(corpus / "step")) for path in (corpus / "step").rglob("*") if path.is_file()}
    assert files - {"truth.json"} == {*STEP, CRASHES, *HOLD_NOTHING}
    assert {path.name for path in (corpus / "mesh").iterdir()} == {*MESHES, *EMPTY_MESHES}


@pytest.mark.parametrize("file", STEP)
def test_a_step_file_holds_what_the_reference_says(
    outside: Callable[..., Design], truth: dict[str, Any], file: str
) -> None:
    design, wanted = outside(f"step/{file}"), truth[file]
    report = inspection(file, design)
    assert report.leaf_occurrences == MERGED.get(file, wanted["leaves"])
    assert report.solid_instances == wanted["solids"]
    assert report.faces == wanted["faces"]
    assert report.bounding_box_mm == pytest.approx(wanted["bbox_mm"], rel=1e-3)
    assert report.volume_mm3 > 0


@pytest.mark.parametrize("file", [*STEP, CRASHES])
def test_no_leaf_has_a_placeholder_for_a_name(outside: Callable[..., Design], file: str) -> None:
    design = outside(f"step/{file}")
    nodes = list(walk(design.root))
    assert len({node.path for node in nodes}) == len(nodes)
    for node in nodes:
        for name in (node.label, node.product):
            assert name.strip()
            assert not name.upper().startswith("NAUO")
            assert name.upper() not in ("SOLID", "COMPOUND", "SHELL")
            assert "\ufffd" not in name
            assert "~dq" not in name


@pytest.mark.parametrize("file", [*STEP, CRASHES])
def test_a_step_file_yields_a_sheet(outside: Callable[..., Design], context: moderngl.Context, file: str) -> None:
    picture, evidence = draw(context, outside(f"step/{file}"), RenderOptions(size=400))
    assert max(picture.size) == 400
    jsonschema.validate(json.loads(evidence.model_dump_json(by_alias=True)), json_schema("evidence"))
    for one in evidence.views:
        assert one.silhouette_pixels == sum(leaf.views[one.id].pixels for leaf in evidence.occurrences) > 0


@pytest.mark.parametrize("file", HOLD_NOTHING)
def test_a_file_without_geometry_is_one_clear_line(corpus: Path, tmp_path: Path, file: str) -> None:
    done = dqgen("render", corpus / "step" / file, "--size", "400", cwd=tmp_path)
    assert_one_line(done, LoadError.exit_code, file, "holds no")
    assert everything(tmp_path) == set()


def test_what_crashes_the_kernel_comes_by_a_lower_rung(outside: Callable[..., Design]) -> None:
    design = outside(f"step/{CRASHES}")
    assert design.source.rung == "plain"
    assert any("crashed" in warning for warning in design.warnings)
    assert any("names, colours and PMI are lost" in warning for warning in design.warnings)
    assert sum(len(leaf.solid.faces) for leaf in placed(design)) > 600


def test_external_references_bring_both_parts(outside: Callable[..., Design], context: moderngl.Context) -> None:
    design = outside("step/external-refs/FOOT.stp")
    assert [leaf.occurrence.product for leaf in placed(design)] == ["FOOT_FRONT_000", "FOOT_BACK_000"]
    _, evidence = draw(context, design, RenderOptions(size=400))
    for one in evidence.occurrences:
        assert one.views["top"].pixels > 500


def test_pmi_is_kept(outside: Callable[..., Design]) -> None:
    pmi = outside("step/draft__nist_ctc_01_asme1_ap242.stp").pmi
    # Counted in the file's text: DIMENSIONAL_SIZE 9, DIMENSIONAL_LOCATION 2, ANGULAR_LOCATION 1; tolerances 2 of
    # position, 2 of profile, 1 of flatness, 1 of perpendicularity; three datums.
    dimensions = [item for item in pmi if item.kind == "dimension"]
    assert len(dimensions) == 12
    assert sorted(item.type for item in pmi if item.kind == "tolerance") == [
        "Flatness",
        "Perpendicularity",
        "Position",
        "Position",
        "ProfileOfSurface",
        "ProfileOfSurface",
    ]
    assert [item.name for item in pmi if item.kind == "datum"] == ["A", "B", "C"]
    # The kernel gives 0 for these; the file states them.
    sizes = {item.name: item.values[0] for item in pmi if item.kind == "tolerance"}
    assert sizes["Position.1"] == pytest.approx(0.75)
    assert sizes["Flatness.1"] == pytest.approx(0.2)
    assert {round(item.values[0], 6) for item in dimensions if item.values} == {60, 35, 20, 34.8, 25}


def labels(design: Design) -> set[str]:
    return {leaf.occurrence.label for leaf in placed(design)}


def test_cyrillic_names_in_raw_code_pages(outside: Callable[..., Design]) -> None:
    cover = labels(outside("step/amr__MMP.01.00.00.000_Cover_assembly.STEP"))
    assert any(label.startswith("Винт DIN 7985") for label in cover)
    assert any(label.startswith("Гайка DIN 934") for label in cover)
    assert any(label.startswith("Шайба DIN 125") for label in cover)
    assert "Шайба DIN 7980 (пружинная)_Шайба 3 ГОСТ 6402-70" in cover  # one string, two code pages
    encoder = labels(outside("step/amr__PT1.00.00.240_Magnetic_encoder.STEP"))
    assert any(label.startswith("Плата магнитного энкодера") for label in encoder)


@pytest.mark.parametrize("file", MESHES)
def test_a_mesh_renders(outside: Callable[..., Design], context: moderngl.Context, file: str) -> None:
    design = outside(f"mesh/{file}")
    _, evidence = draw(context, design, RenderOptions(size=400))
    assert all(one.silhouette_pixels >= 0 for one in evidence.views)
    assert sum(one.silhouette_pixels for one in evidence.views) > 500
    report = inspection(file, design)
    assert report.fitted
    assert max(report.bounding_box_mm) > 0


@pytest.mark.parametrize("file", EMPTY_MESHES)
def test_an_empty_mesh_is_one_clear_line(corpus: Path, tmp_path: Path, file: str) -> None:
    done = dqgen("render", corpus / "mesh" / file, "--size", "400", cwd=tmp_path)
    assert_one_line(done, LoadError.exit_code, file)
    assert everything(tmp_path) == set()


def test_one_part_from_three_formats_is_the_same(outside: Callable[..., Design], context: moderngl.Context) -> None:
    parts = {
        "step": outside("step/trimesh__featuretype.STEP"),
        "stl": outside("mesh/trimesh__featuretype.STL", unit="inch"),
        "3mf": outside("mesh/trimesh__featuretype.3MF"),
    }
    exact = parts["step"].bounds
    silhouettes: dict[str, dict[str, np.ndarray]] = {}
    for name, part in parts.items():
        assert part.bounds[1] - part.bounds[0] == pytest.approx(exact[1] - exact[0], rel=1e-3), name
        centre = np.asarray(part.bounds.mean(axis=0))
        stage = Stage(context, placed(part), centre, float(np.linalg.norm(exact[1] - exact[0])) / 2)
        silhouettes[name] = {one: stage.ids(Frame(view(one), centre, 4.0, 560, 560), [0]) > 0 for one in SIX}
    for name in ("stl", "3mf"):
        for one in SIX:
            here, there = silhouettes["step"][one], silhouettes[name][one]
            assert (here & there).sum() / (here | there).sum() > 0.99, (name, one)


@pytest.mark.parametrize("file", ["stepcode__as1-oc-214.stp", "stepcode__dm1-id-214.stp", "trimesh__box_sides.STEP"])
def test_pixels_agree_with_rays(outside: Callable[..., Design], context: moderngl.Context, file: str) -> None:
    design = outside(f"step/{file}")
    for options in (RenderOptions(size=800), RenderOptions(size=500, views=("iso-left", "iso-back", "right"))):
        _, evidence = draw(context, design, options)
        assert disagreements(design, evidence) == []
        assert open_part(design, evidence) < 0.02


def test_a_real_run_is_the_same_bytes_with_one_job_and_two(corpus: Path, tmp_path: Path) -> None:
    files = [corpus / "step" / name for name in ("stepcode__as1-oc-214.stp", "trimesh__box_sides.STEP")]
    folders = {}
    for jobs in ("1", "2"):
        done = dqgen("render", *files, "--size", "500", "--jobs", jobs, "-o", f"{tmp_path / jobs}/", "--json")
        assert done.returncode == 0, done.stderr
        jsonschema.validate(json.loads(done.stdout), json_schema("render"))
        folders[jobs] = {path.name: path.read_bytes() for path in (tmp_path / jobs).iterdir()}
    assert len(folders["1"]) == 4
    assert folders["1"] == folders["2"]


def test_inspect_json_of_many_files(corpus: Path) -> None:
    files = [corpus / "step" / name for name in ("mayo__cube.step", "stepcode__testfile.step")]
    done: subprocess.CompletedProcess[str] = dqgen("inspect", *files, corpus / "mesh/trimesh__nested.glb", "--json")
    assert done.returncode == LoadError.exit_code
    report = json.loads(done.stdout)
    jsonschema.validate(report, json_schema("inspect"))
    assert [entry.get("leaf_occurrences") for entry in report] == [1, None, 3]
    assert len(list(leaves(report[2]["tree"]))) == 3


def test_a_damaged_copy_is_refused(corpus: Path, tmp_path: Path) -> None:
    data = (corpus / "step" / "stepcode__as1-oc-214.stp").read_bytes()
    (tmp_path / "cut.stp").write_bytes(data[:200_000])
    with pytest.raises(LoadError, match="cut short"):
        load(tmp_path / "cut.stp", LoadOptions())
