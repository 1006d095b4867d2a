"""Children that crash, hang, eat memory or outlive their parent; nothing of it reaches us."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dqgen.errors import LoadError, SetupError
from dqgen.loaders.sandbox import Child, ChildDiedError, Limits, run

TARGETS = "tests.loaders.sandbox_targets:"
LIMITS = Limits(seconds=60, memory_mb=2048)


def is_alive(pid: int) -> bool:
    """Whether a process runs (a zombie that awaits its parent does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for_end(pid: int, seconds: float = 30) -> bool:
    """Wait until a process that need not be ours has ended; false if it does not."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def test_answers_come_back_whatever_is_printed() -> None:
    assert run(TARGETS + "echo", LIMITS, name="Винт", values=[1, None])["name"] == "Винт"


def test_one_child_answers_many_requests() -> None:
    with Child(TARGETS + "echo", LIMITS) as child:
        answers = [child.call(number=number) for number in range(5)]
    assert [answer["number"] for answer in answers] == list(range(5))
    assert len({answer["pid"] for answer in answers}) == 1
    assert not is_alive(answers[0]["pid"])


def test_errors_for_the_user_keep_their_kind_and_parts() -> None:
    with pytest.raises(SetupError) as caught:
        run(TARGETS + "refuse", LIMITS, what="no driver")
    assert (caught.value.what, caught.value.where, caught.value.mend) == ("no driver", "somewhere", "mend it")


def test_a_segmentation_fault_is_survived() -> None:
    with pytest.raises(ChildDiedError) as caught:
        run(TARGETS + "segfault", LIMITS)
    assert caught.value.how == "crashed (SIGSEGV)"


def test_last_words_are_kept() -> None:
    with pytest.raises(ChildDiedError) as caught:
        run(TARGETS + "abort", LIMITS)
    assert caught.value.how == "crashed (SIGABRT)"


def test_an_early_exit_is_told() -> None:
    with pytest.raises(ChildDiedError, match="ended with code 3"):
        run(TARGETS + "leave", LIMITS, code=3)


def test_a_hang_ends_at_the_limit() -> None:
    with pytest.raises(ChildDiedError, match=r"gave no answer in 0\.5 s"):
        run(TARGETS + "hang", Limits(seconds=0.5))


def test_memory_is_limited() -> None:
    with pytest.raises(LoadError, match="needs more memory than 512 MB"):
        run(TARGETS + "eat", Limits(seconds=60, memory_mb=512), megabytes=4096)
    assert run(TARGETS + "eat", Limits(seconds=60, memory_mb=512), megabytes=16) == 16 << 20


def test_a_defect_is_carried_over() -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError: a defect of ours"):
        run(TARGETS + "defect", LIMITS)


def test_a_missing_library_is_a_matter_of_setup() -> None:
    with pytest.raises(SetupError, match="cannot be loaded"):
        run("tests.loaders.no_such_module:nothing", LIMITS)


def test_what_a_child_started_ends_with_it() -> None:
    with Child(TARGETS + "parent_a_sleeper", LIMITS) as child:
        sleeper = child.call()
        assert is_alive(sleeper)
    assert wait_for_end(sleeper)


def test_a_child_dies_with_a_parent_that_is_killed() -> None:
    code = (
        "import sys; from dqgen.loaders.sandbox import *\n"
        f"child = Child('{TARGETS}echo', Limits())\n"
        "print(child.call()['pid'], flush=True); sys.stdin.read()"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert is_alive(pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert wait_for_end(pid)
