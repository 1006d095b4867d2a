"""Work shared by two processes gives what a loop gives, whatever becomes of the second process."""

import subprocess
import sys
from pathlib import Path

import pytest

from dqgen.rulebook.document import parse
from tests.rulebook.sheets import flowing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no second process elsewhere")
# A program of its own: a test runner has threads, and then nothing is forked.
START = """
import os, sys, time
from dqgen.rulebook.forked import in_two
caller = os.getpid()
os.sched_getaffinity = lambda process: {0, 1}
"""


def _run(program: str, *arguments: str) -> str:
    command = [sys.executable, "-c", START + program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path.cwd()).stdout


def test_two_processes_share_the_pieces() -> None:
    said = _run("""
def work(n):
    time.sleep(0.002)
    return n * n, os.getpid()
done = in_two(60, work)
print([square for square, _ in done] == [n * n for n in range(60)], len({pid for _, pid in done}))
""")
    assert said.split() == ["True", "2"]


@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 9)", "os._exit(1)", "raise ValueError", "return lambda: 0"])
def test_what_a_lost_process_had_is_done_again(end: str) -> None:
    said = _run(f"""
def work(n):
    time.sleep(0.002)
    if os.getpid() != caller and n > 20:
        {end}
    return n
print(in_two(60, work) == list(range(60)))
""")
    assert said.split() == ["True"]


def test_an_error_reaches_the_caller_and_no_process_is_left() -> None:
    said = _run("""
def work(n):
    time.sleep(0.002)
    return 1 // (n - 30)
try:
    in_two(60, work)
except ZeroDivisionError:
    print("raised")
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("none left")
""")
    assert said.split("\n")[:2] == ["raised", "none left"]


def test_a_long_document_reads_the_same(tmp_path: Path) -> None:
    entries = [(f"A{n}.{m}", f"The part {n} must be at least {m} mm wide.") for n in range(1, 60) for m in range(1, 30)]
    path = flowing(tmp_path / "long.pdf", entries)
    said = _run(
        """
from pathlib import Path
from dqgen.rulebook.document import parse
print(parse(Path(sys.argv[1])).model_dump_json())
""",
        str(path),
    )
    book = parse(path)
    assert book.source.pages >= 24
    assert said.strip() == book.model_dump_json()
    assert len(book.rules) == 59 * 29
