"""Sheets into pictures: a DXF of 10,000 entities, beside ezdxf's PyMuPDF back end, a hatch of a million lines, a plan.

`python benchmarks/sheets.py [--entities N] [--ppi N] [--plan PLAN.pdf] [--no-peer]`. Every run is a process of its own
with an empty cache; wall time, processor time of all its processes, and the largest process's memory are printed.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import ezdxf
from ezdxf.enums import TextEntityAlignment

ROOT = Path(__file__).resolve().parents[1]
PEER = Path(__file__).resolve().parent / "peers" / "ezdxf_png.py"


@dataclass(frozen=True)
class Run:
    """Seconds of wall and processor time, and MB of the largest process."""

    wall: float
    cpu: float
    memory: float


def drawing(path: Path, count: int) -> None:
    """A drawing like a workshop's: lines, arcs, circles, texts, polylines, inserts, dimensions, a hatch."""
    document = ezdxf.new("R2010", setup=True, units=4)
    space = document.modelspace()
    for number, (name, linetype) in enumerate((("OUTLINE", "CONTINUOUS"), ("HIDDEN", "DASHED"), ("AXIS", "CENTER"))):
        document.layers.add(name, color=number + 1, linetype=linetype)
    block = document.blocks.new("BOLT")
    block.add_circle((0, 0), 3)
    block.add_line((-4, 0), (4, 0))
    side = math.ceil(math.sqrt(count / 10))
    made = 0
    for cell in range(side * side):
        x, y = cell % side * 40.0, cell // side * 30.0
        layer = {"layer": ("OUTLINE", "HIDDEN", "AXIS")[cell % 3]}
        space.add_line((x, y), (x + 35, y), layer)
        space.add_line((x, y), (x, y + 25), layer)
        space.add_circle((x + 10, y + 10), 6, layer)
        space.add_arc((x + 25, y + 10), 8, 20, 200, layer)
        space.add_lwpolyline([(x + 2, y + 2), (x + 30, y + 4, 0, 0, 0.4), (x + 28, y + 20)], dxfattribs=layer)
        space.add_text(f"P{cell} Ø{cell % 40}", height=2.5).set_placement((x + 3, y + 21))
        space.add_mtext(f"M{cell % 12 + 4}\\P{{\\H0.7x;\\S+0.1^-0.2;}}", {"insert": (x + 20, y + 24), "char_height": 2})
        space.add_blockref("BOLT", (x + 30, y + 20), {"rotation": cell % 90})
        space.add_ellipse((x + 15, y + 18), (5, 0), 0.5)
        space.add_text(f"{cell}", height=2).set_placement((x + 33, y + 2), align=TextEntityAlignment.RIGHT)
        made += 10
        if made >= count:
            break
    document.saveas(path)


def hatch(path: Path) -> None:
    """One hatch whose pattern has about a million lines."""
    document = ezdxf.new("R2010", setup=True, units=4)
    space = document.modelspace()
    entity = space.add_hatch()
    entity.set_pattern_fill("ANSI31", scale=0.0005)
    corners = [(0, 0), (1000, 0), (1000, 1000), (0, 1000)]
    entity.paths.add_polyline_path(corners, is_closed=True)
    space.add_lwpolyline(corners, close=True)
    document.saveas(path)


def run(*command: str) -> Run:
    """Run a command with an empty cache."""
    before = os.times()
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "DQGEN_CACHE": cache, "PYTHONPATH": str(ROOT)}
        start = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        most = [0.0]
        watch = threading.Thread(target=_watch, args=(process, most))
        watch.start()
        code = process.wait()
        wall = time.perf_counter() - start
        watch.join()
    if code:
        sys.exit(f"failed: {' '.join(command)}")
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Run(wall, cpu, most[0])


def _watch(process: "subprocess.Popen[bytes]", most: list[float]) -> None:
    """The largest resident size of the process and of those below it, in MB."""
    while process.poll() is None:
        waiting = [process.pid]
        while waiting:
            pid = waiting.pop()
            try:
                status = Path(f"/proc/{pid}/status").read_text()
                children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
            except OSError:
                continue
            waiting += map(int, children)
            peak = next((line for line in status.splitlines() if line.startswith("VmHWM")), "VmHWM: 0")
            most[0] = max(most[0], int(peak.split()[1]) / 1024)
        time.sleep(0.02)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=10_000)
    parser.add_argument("--ppi", type=int, default=100)
    parser.add_argument("--plan", type=Path)
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        drawing(folder / "big.dxf", options.entities)
        hatch(folder / "hatch.dxf")
        ours = [sys.executable, "-m", "dqgen", "render", "--ppi", str(options.ppi), "-o"]
        rows = [("DXF, ours", run(*ours, str(folder / "a.png"), str(folder / "big.dxf")))]
        if not options.no_peer:
            peer = [sys.executable, str(PEER), str(folder / "big.dxf"), str(folder / "b.png"), str(options.ppi)]
            rows.append(("DXF, ezdxf with PyMuPDF", run(*peer)))
        rows.append(("hatch of a million lines", run(*ours, str(folder / "c.png"), str(folder / "hatch.dxf"))))
        if options.plan:
            rows.append((options.plan.name, run(*ours, str(folder / "d.png"), str(options.plan))))
    print(f"{'':30} {'s':>7} {'cpu s':>7} {'MB':>6}   to ours")
    for name, one in rows:
        ratio = f"{one.wall / rows[0][1].wall:7.1f}" if name.startswith("DXF") else ""
        print(f"{name:30} {one.wall:7.2f} {one.cpu:7.2f} {one.memory:6.0f} {ratio}")


if __name__ == "__main__":
    main()
