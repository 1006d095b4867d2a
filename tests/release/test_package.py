import csv
import errno
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dqgen.errors import ReleaseError
from dqgen.generators.draft import Picture
from dqgen.release import numbering
from dqgen.release.package import read_manifest, write
from dqgen.scorer.package import read_questions
from tests.support import dqgen

from .drafts import drafts, png, sources


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_scorer_reads_the_same_questions(package):
    _, questions = read_questions(package)
    made = {draft.prompt: draft for draft in drafts()}
    assert len(questions) == len(made)
    for question in questions:
        draft = made[question.prompt]
        assert (question.kind, question.answer, tuple(question.synonyms)) == (draft.kind, draft.answer, draft.synonyms)
        assert question.explanation == draft.explanation
        assert question.tags == dict(draft.tags)


def test_same_drafts_same_bytes(package, tmp_path):
    origin = sources(tmp_path)
    write(iter(drafts()), origin.spec, origin, tmp_path / "again")
    assert bytes_of(tmp_path / "again") == bytes_of(package)


def test_moved_folder_loads_with_datasets(package, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    moved = tmp_path / "elsewhere" / "moved"
    moved.parent.mkdir()
    shutil.move(package, moved)
    loaded = datasets.load_dataset(str(moved), "presence", split="test", cache_dir=str(tmp_path / "cache"))
    assert isinstance(loaded.features["image"], datasets.Image)
    by_prompt = {draft.prompt: draft for draft in drafts()}
    for row in loaded:
        assert row["image"].size == (40, 30)
        assert row["answer"] == by_prompt[row["prompt"]].answer
    compiled = datasets.load_dataset(str(moved), "compilation", split="test", cache_dir=str(tmp_path / "cache"))
    assert sorted(compiled["answer"]) == sorted(d.answer for d in drafts() if d.kind == "compilation")
    texts = datasets.load_dataset(str(moved), "contexts", split="test", cache_dir=str(tmp_path / "cache"))
    assert {row["context_whole"] for row in compiled} <= {*texts["id"]}


def test_croissant_validates_and_gives_the_records(package):
    croissant = pytest.importorskip("mlcroissant")
    dataset = croissant.Dataset(jsonld=str(package / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    records = list(dataset.records("dimension"))
    assert len(records) == 4
    assert {record["dimension/answer"].decode() for record in records} == {"yes", "no"}
    assert isinstance(records[0]["dimension/image"], Image.Image)


def test_pictures_stand_in_table_and_folder_and_tell_nothing(package):
    table = pq.read_table(package / "data/presence/test.parquet").to_pylist()
    rows = {row["id"]: row for row in csv.DictReader((package / "csv/presence.csv").open(encoding="utf-8"))}
    for row in table:
        path = package / "images/presence" / rows[row["id"]]["image"]
        assert path.read_bytes() == row["image"]["bytes"]
        assert path.stem == row["id"]
        for word in ("yes", "no", "presence 1", "design"):
            assert word not in row["id"].removeprefix("presence-")


def test_withheld_truths_lie_in_one_folder(tmp_path):
    origin = sources(tmp_path)
    manifest = write(drafts(), origin.spec, origin, tmp_path / "out", withhold=True)
    assert manifest.key == "private/key.jsonl"
    assert len(read_questions(tmp_path / "out")[1]) == 24
    shutil.rmtree(tmp_path / "out/private")
    with pytest.raises(Exception, match="withheld"):
        read_questions(tmp_path / "out")
    for path in (tmp_path / "out").rglob("*.parquet"):
        if path.parent.name != "contexts":
            for row in pq.read_table(path).to_pylist():
                assert row["answer"] is None
                assert row.get("explanation") is None
                assert row.get("synonyms") is None
    for path in (tmp_path / "out/csv").iterdir():
        assert all(row["ground_truth"] == "" for row in csv.DictReader(path.open(encoding="utf-8")))
    done = dqgen("validate", tmp_path / "out")
    assert done.returncode == 11
    assert "withheld" in done.stdout


def test_splits_keep_clusters_together(tmp_path):
    origin = sources(tmp_path, splits=[{"name": "dev", "share": 0.4}, {"name": "test", "share": 0.6}])
    manifest = write(drafts(40), origin.spec, origin, tmp_path / "out")
    places: dict[str, set[str]] = {}
    for entry in manifest.subsets.values():
        for row in pq.read_table(tmp_path / "out" / entry.questions).to_pylist():
            if row.get("cluster"):
                places.setdefault(row["cluster"], set()).add(entry.split)
    assert all(len(splits) == 1 for splits in places.values())
    assert {split for splits in places.values() for split in splits} == {"dev", "test"}
    assert "presence" in manifest.subsets
    assert "presence.dev" in manifest.subsets


def test_other_content_needs_another_version(package, tmp_path):
    origin = sources(tmp_path)
    before = bytes_of(package)
    changed = [replace(draft, prompt=draft.prompt + "!") for draft in drafts()]
    with pytest.raises(ReleaseError, match=r"version 1\.0\.0 with other content"):
        write(changed, origin.spec, origin, package)
    assert bytes_of(package) == before
    write(changed, origin.spec.model_copy(update={"version": "2.0.0"}), origin, package)
    assert read_manifest(package).version == "2.0.0"
    with pytest.raises(ReleaseError, match="this one is a part"):
        write(drafts(1), origin.spec, origin, package, partial=True)
    write(drafts(1), origin.spec, origin, tmp_path / "part", partial=True)
    write(drafts(2), origin.spec, origin, tmp_path / "part")
    assert read_manifest(tmp_path / "part").version == "1.0.0"


def test_a_full_disk_changes_nothing(package, tmp_path, monkeypatch):
    before = bytes_of(package)
    origin = sources(tmp_path, version="3.0.0")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("dqgen.release.package.write_csv", full)
    with pytest.raises(ReleaseError, match="the disk is full"):
        write(drafts(1), origin.spec, origin, package)
    assert bytes_of(package) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bracket.step", "out", "rules.md"]


def test_a_folder_of_other_things_is_left_alone(tmp_path):
    origin = sources(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("dear")
    with pytest.raises(ReleaseError, match="is no package and not empty"):
        write(drafts(1), origin.spec, origin, tmp_path / "mine")
    assert (tmp_path / "mine/thesis.txt").read_text() == "dear"


def test_a_stopped_exchange_is_taken_back(package, tmp_path):
    package.rename(tmp_path / ".out.old")
    origin = sources(tmp_path)
    write(drafts(), origin.spec, origin, package)
    assert not (tmp_path / ".out.old").exists()
    assert read_manifest(package).version == "1.0.0"


@pytest.mark.parametrize(
    ("made", "said"),
    [([], "no questions"), ([drafts(1)[0], drafts(1)[0]], "two questions have the name compilation-")],
)
def test_nothing_to_release(tmp_path, made, said):
    origin = sources(tmp_path)
    with pytest.raises(ReleaseError, match=said):
        write(made, origin.spec, origin, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_metadata_in_a_picture_is_refused(tmp_path):
    from PIL import PngImagePlugin

    origin = sources(tmp_path)
    info = PngImagePlugin.PngInfo()
    info.add_text("Title", "the answer is yes")
    path = tmp_path / "said.png"
    Image.new("RGB", (9, 9)).save(path, pnginfo=info)
    draft = replace(drafts(1)[1], pictures=(Picture(path.read_bytes(), {}),))
    with pytest.raises(ReleaseError, match="carries metadata"):
        write([draft], origin.spec, origin, tmp_path / "out")
    assert png(3) == png(3)


def test_the_manifest_tells_what_it_was_made_from(package):
    manifest = json.loads((package / "manifest.json").read_text())
    assert {*manifest["sources"]} == {"rules.md", "bracket.step", "benchmark.yaml"}
    assert all((package / entry["path"]).is_file() for entry in manifest["sources"].values())
    assert manifest["canary"] in (package / "README.md").read_text(encoding="utf-8")


@given(st.integers(0, 2**40), st.text(max_size=30), st.floats(0.05, 0.95))
def test_splits_and_names_follow_from_the_seed_alone(seed, key, share):
    shares = {"dev": share, "test": 1 - share}
    assert numbering.split_of(seed, key, shares) == numbering.split_of(seed, key, shares)
    assert numbering.split_of(seed, key, shares) in shares
    assert numbering.question_id(seed, "presence", key) == numbering.question_id(seed, "presence", key)
