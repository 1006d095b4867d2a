"""A picture of scores with their intervals."""

import io
from pathlib import Path

from dqgen.errors import ScoreError
from dqgen.schemas.comparison import Comparison
from dqgen.scorer.run import write_whole

_FORMATS = (".png", ".svg", ".pdf")


def plot_comparison(comparison: Comparison, path: Path) -> None:
    """Draw each model's score and 95 % interval, a row a subset; the format follows the suffix.

    The same comparison gives the same bytes.

    Raises:
        ScoreError: the suffix is none of .png, .svg, .pdf, or the file cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in _FORMATS:
        raise ScoreError(f"cannot draw a '{path.suffix}'", where=str(path), mend=f"use {', '.join(_FORMATS)}")
    import matplotlib as mpl
    from matplotlib.figure import Figure

    scopes = list(comparison.models[0].scores)
    count = len(comparison.models)
    with mpl.rc_context({"font.family": "DejaVu Sans", "svg.hashsalt": "dqgen", "svg.fonttype": "path"}):
        figure = Figure(figsize=(8, 1.2 + 0.35 * len(scopes) * (0.6 + 0.4 * count)), layout="constrained")
        axes = figure.subplots()
        for number, model in enumerate(comparison.models):
            heights = [row + (number - (count - 1) / 2) * 0.7 / count for row in range(len(scopes))]
            values = [model.scores[scope] for scope in scopes]
            bars = [model.intervals.get(scope) for scope in scopes]
            below = [max(0.0, value - bar.low) if bar else 0.0 for value, bar in zip(values, bars, strict=True)]
            above = [max(0.0, bar.high - value) if bar else 0.0 for value, bar in zip(values, bars, strict=True)]
            axes.errorbar(
                values,
                heights,
                xerr=[below, above],
                fmt="o",
                capsize=3,
                markersize=5,
                label=_plain(model.name),
            )
        axes.set_yticks(range(len(scopes)), [_plain(scope) for scope in scopes])
        axes.set_ylim(len(scopes) - 0.5, -0.5)
        axes.set_xlim(-0.02, 1.02)
        axes.set_xlabel("score, with 95 % bootstrap interval")
        axes.set_title(_plain(f"{comparison.benchmark}, profile {comparison.profile}"), fontsize="medium")
        axes.grid(axis="x", alpha=0.3)
        figure.legend(loc="outside lower center", ncols=min(count, 3), frameon=False)
        stream = io.BytesIO()
        kind = path.suffix.lower()[1:]
        metadata = {"png": {"Software": "dqgen"}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
        figure.savefig(stream, format=kind, dpi=150, metadata=metadata)
    write_whole(path, stream.getvalue())


def _plain(text: str) -> str:
    # A dollar sign would start a formula.
    return text.replace("$", r"\$")
