from dataclasses import replace

import pytest

from dqgen.release.changes import compare, step
from dqgen.release.package import write
from tests.support import dqgen

from .drafts import drafts, sources


def released(folder, made, version):
    origin = sources(folder, version=version)
    write(made, origin.spec, origin, folder / version)
    return folder / version


@pytest.mark.parametrize(
    ("change", "needed", "comparable"),
    [
        (lambda made: made, "patch", "all"),
        (lambda made: made + drafts(5)[4::5], "minor", "common"),
        (lambda made: made[1:], "major", "no"),
        (lambda made: [replace(made[0], answer=["A.9"]), *made[1:]], "major", "no"),
        (lambda made: [*made[:-1], replace(made[-1], tags={"rule": "A.7"})], "minor", "common"),
    ],
)
def test_what_changed_asks_for_a_step(tmp_path, change, needed, comparable):
    old = released(tmp_path, drafts(), "1.2.3")
    new = released(tmp_path, change(drafts()), "2.0.0")
    changes = compare(old, new)
    assert (changes.needed, changes.comparable, changes.honest) == (needed, comparable, True)
    assert dqgen("release", "diff", old, new).returncode == 0


def test_too_small_a_step_is_refused(tmp_path):
    old = released(tmp_path, drafts(), "1.0.0")
    new = released(tmp_path, drafts()[1:], "1.0.1")
    done = dqgen("release", "diff", old, new)
    assert done.returncode == 11
    assert "a major step is needed" in done.stderr
    assert "1 removed" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "taken"),
    [
        ("1.0.0", "1.0.0", "none"),
        ("1.0.0", "0.9.9", "none"),
        ("1.9.0", "1.10.0", "minor"),
        ("1.9.3", "2.0.0", "major"),
        ("1.0.0", "1.0.1-dev", "patch"),
    ],
)
def test_steps_of_versions(old, new, taken):
    assert step(old, new) == taken
