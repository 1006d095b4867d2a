import json

import pytest

from dqgen.errors import ReleaseError
from dqgen.release import originals
from dqgen.release.package import read_manifest, write
from dqgen.release.validate import check
from tests.support import assert_one_line, dqgen

from .drafts import drafts, sources


def test_a_fresh_package_is_whole(package):
    assert check(package)[1] == []
    done = dqgen("validate", package)
    assert done.returncode == 0
    assert done.stdout == "Small 1.0.0: whole, 24 questions\n"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("data/presence/test.parquet", "sha256 differs"),
        ("README.md", "sha256 differs"),
        ("csv/dimension.csv", "sha256"),
    ],
)
def test_a_changed_byte_is_found(package, name, said):
    data = bytearray((package / name).read_bytes())
    data[len(data) // 2] ^= 1
    (package / name).write_bytes(data)
    problems = check(package)[1]
    assert [problem.where for problem in problems] == [name]
    assert said in problems[0].what


def test_missing_and_foreign_files_are_found(package):
    (package / "preview.png").unlink()
    (package / "note.txt").write_text("hello")
    done = dqgen("validate", package, "--json")
    assert done.returncode == 11
    told = {problem["where"]: problem["what"] for problem in json.loads(done.stdout)["problems"]}
    assert told == {"preview.png": "is missing", "note.txt": "is not listed in the manifest"}


def test_hashes_cannot_be_bent_to_a_changed_answer(package):
    """Whoever changes an answer and all file hashes still has another content hash."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from dqgen.release.package import file_hash

    path = package / "data/presence/test.parquet"
    table = pq.read_table(path)
    answers = ["yes" if answer == "no" else "no" for answer in table["answer"].to_pylist()]
    pq.write_table(table.set_column(table.schema.get_field_index("answer"), "answer", pa.array(answers)), path)
    manifest = json.loads((package / "manifest.json").read_text())
    manifest["files"]["data/presence/test.parquet"] = {"sha256": file_hash(path), "bytes": path.stat().st_size}
    (package / "manifest.json").write_text(json.dumps(manifest))
    assert [problem.what for problem in check(package)[1]] == ["content_sha256 is not that of the questions"]


def test_no_package(tmp_path):
    assert_one_line(dqgen("validate", tmp_path), 11, "no package here")
    (tmp_path / "manifest.json").write_text("{")
    assert_one_line(dqgen("validate", tmp_path), 11, "is no manifest")


def test_a_path_that_leaves_the_package(package):
    manifest = json.loads((package / "manifest.json").read_text())
    manifest["files"]["../../etc/passwd"] = {"sha256": "0" * 64}
    (package / "manifest.json").write_text(json.dumps(manifest))
    assert any("leaves the package" in problem.what for problem in check(package)[1])


MODEL = """import cadquery as cq


def build(width: float = 10.0) -> cq.Workplane:
    return cq.Workplane().box(width, 10, 10)
"""


def test_code_is_never_run_from_a_package(tmp_path, monkeypatch):
    """It stays with its author, and a package that brings some is refused."""
    designs = [{"name": "block", "source": "model.py"}]
    (tmp_path / "model.py").write_text(MODEL)
    origin = sources(tmp_path, designs=designs)
    origin.file.write_text(originals.canonical(origin.spec))
    write(drafts(), origin.spec, origin, tmp_path / "out")
    manifest = read_manifest(tmp_path / "out")
    assert manifest.sources["model.py"].path is None
    assert not list((tmp_path / "out").rglob("*.py"))
    monkeypatch.chdir(tmp_path)
    assert originals.opened(tmp_path / "out", manifest, None).file.name == "benchmark.yaml"
    (tmp_path / "model.py").write_text(MODEL.replace("10.0", "11.0"))
    with pytest.raises(ReleaseError, match=r"is not the 'model\.py'"):
        originals.opened(tmp_path / "out", manifest, None)
    (tmp_path / "benchmark.yaml").unlink()
    with pytest.raises(ReleaseError, match="built by code"):
        originals.opened(tmp_path / "out", manifest, None)
    (tmp_path / "out/sources/model.py").write_text("raise SystemExit")
    bent = {name: entry for name, entry in manifest.sources.items() if name != "model.py"}
    with pytest.raises(ReleaseError, match="built by code"):
        originals.opened(tmp_path / "out", manifest.model_copy(update={"sources": bent}), None)
