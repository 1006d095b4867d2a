"""Many files at once: order, failures, replaced workers."""

import pytest

from dqgen.errors import LoadError, RenderError
from dqgen.renderers import batch
from dqgen.renderers.batch import Task, render_all
from dqgen.schemas.render import RenderOptions, RenderSummary
from tests.loaders.test_sandbox import wait_for_end


def tasks(*files: str) -> list[Task]:
    return [Task(file, f"{file}.png", RenderOptions(), None, None) for file in files]


@pytest.fixture(autouse=True)
def _fake_renderer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "TARGET", "tests.loaders.sandbox_targets:draw_or_crash")


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order_and_a_dead_worker_is_replaced(jobs: int) -> None:
    files = ("a", "crash", "b", "refuse", "c", "crash again", "d")
    results = list(render_all(tasks(*files), jobs, 60, 2048))
    kinds = [RenderSummary, RenderError, RenderSummary, LoadError, RenderSummary, RenderError, RenderSummary]
    assert [type(result) for result in results] == kinds
    drawn = [result for result in results if isinstance(result, RenderSummary)]
    assert [result.file for result in drawn] == ["a", "b", "c", "d"]
    assert "crashed (SIGSEGV)" in str(results[1])
    workers = {int(result.evidence) for result in drawn}
    assert all(wait_for_end(pid) for pid in workers)


def test_one_worker_draws_one_file_after_another() -> None:
    results = list(render_all(tasks("a", "b", "c"), 1, 60, 2048))
    assert len({result.evidence for result in results if isinstance(result, RenderSummary)}) == 1


def test_workers_end_when_results_are_no_longer_wanted() -> None:
    results = render_all(tasks("a", "b", "c"), 1, 60, 2048)
    first = next(results)
    assert isinstance(first, RenderSummary)
    results.close()  # type: ignore[attr-defined]
    assert wait_for_end(int(first.evidence))
