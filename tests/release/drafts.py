"""Questions of all six kinds on a small rulebook, for tests of what is done with finished questions."""

import io
from pathlib import Path

import numpy as np
from PIL import Image

from dqgen.generators.draft import Draft, Picture
from dqgen.generators.sources import Sources
from dqgen.schemas.spec import Spec

RULEBOOK = """# A Frame

## A.1 Hoops

A.1.1 The main hoop must be at least 500 mm wide.

A.1.2 The front hoop must be made of one piece of tube.
"""
SPEC = {
    "name": "Small",
    "seed": 3,
    "rulebook": {"file": "rules.md"},
    "designs": [{"name": "bracket", "file": "bracket.step", "title": "bracket"}],
}
BRACKET = Path(__file__).parents[2] / "samples/parts/bracket.step"


def sources(folder: Path, **changes: object) -> Sources:
    """A spec with its files in a folder."""
    (folder / "rules.md").write_text(RULEBOOK)
    (folder / "bracket.step").write_bytes(BRACKET.read_bytes())
    return Sources(Spec.model_validate({**SPEC, **changes}), folder / "benchmark.yaml")


def png(shade: int) -> bytes:
    """A small picture."""
    pixels = np.full((30, 40, 3), 255, np.uint8)
    pixels[5:20, 5:30] = (shade % 200, 90, 160)
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return stream.getvalue()


def drafts(count: int = 4) -> list[Draft]:
    """`count` questions of each kind, in the order of kind and key."""
    contexts = {"whole": RULEBOOK, "empty": ""}
    made = []
    for at in range(count):
        made.append(
            Draft(
                kind="compilation",
                key=f"term {at}",
                prompt=f"All rules about `term {at}`?",
                answer=["A.1", f"A.1.{at}"],
                contexts=contexts,
                proof={"method": "scan"},
            )
        )
    for kind in ("definition", "dimension", "functional", "presence", "retrieval"):
        for at in range(count):
            shown = kind != "retrieval"
            made.append(
                Draft(
                    kind=kind,
                    key=f"{kind} {at}",
                    prompt=f"{kind} question {at}?",
                    answer={"retrieval": f"Text {at}.", "definition": f"part {at}"}.get(kind, ("yes", "no")[at % 2]),
                    synonyms=("thing",) if kind == "definition" and at % 2 else (),
                    explanation=f"It is {at} mm." if kind in ("dimension", "functional") else None,
                    cluster=f"design {at // 2}",
                    tags={
                        "definition": {"mentions": "mentioned"},
                        "presence": {"mentions": "definition"},
                        "dimension": {"dimension_type": "direct"},
                        "retrieval": {"rule": f"A.1.{at}"},
                    }.get(kind, {}),
                    pictures=(Picture(png(7 * at + len(kind)), {"size": [40, 30]}),) if shown else (),
                    contexts=contexts if kind == "retrieval" else {},
                    proof={"method": "pixels", "count": at},
                )
            )
    return made
