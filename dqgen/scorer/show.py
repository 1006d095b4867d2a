"""Tables for people."""

from collections.abc import Sequence

from dqgen.schemas.baseline import BaselineReport
from dqgen.schemas.comparison import Comparison
from dqgen.schemas.report import Difference, Group, Interval, Report
from dqgen.scorer.text import printable

_SHOWN = 20  # ids or differences listed before the rest is counted


def table(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Rows as aligned columns: the first `left` to the left, the others to the right."""
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            c.ljust(w) if i < left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _interval(interval: Interval | None) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}" if interval else ""


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _share(value: float) -> str:
    return f"{100 * value:.1f} %" if value else "0"


def report_lines(report: Report) -> list[str]:
    """A report as text."""
    title = printable(f"{report.benchmark} {report.version or ''}".strip())
    lines = [f"{title}, profile {report.profile}: {', '.join(report.predictions)}", ""]
    explained = any(subset.bleu2 is not None for subset in report.subsets.values())
    similar = any(subset.similarity is not None for subset in report.subsets.values())
    head = ["subset", "n", "score", "95 % interval", "unparsed", "refused", "empty", "missing"]
    head += ["BLEU-2", "ROUGE-L"] if explained else []
    head += ["similarity"] if similar else []
    rows = [head]
    for name, subset in report.subsets.items():
        mark = "*" if subset.small else ""
        row = [name + mark, str(subset.n), _number(subset.score), _interval(subset.interval)]
        row += [_share(subset.unparsed), _share(subset.refused), _share(subset.empty), _share(subset.missing)]
        row += [_number(subset.bleu2), _number(subset.rouge_l)] if explained else []
        row += [_number(subset.similarity)] if similar else []
        rows.append(row)
    overall = report.overall
    rows.append(["overall", "", _number(overall.score), _interval(overall.interval), *[""] * (len(head) - 4)])
    lines += table(rows)
    lines += [
        "",
        f"overall: {overall.note}" + (f"; absent: {', '.join(overall.absent)}" if overall.absent else ""),
    ]
    if any(subset.small for subset in report.subsets.values()):
        lines.append("* fewer than 30 independent questions: the interval is rough")
    lines += _balance_lines(report) + _tag_lines(report) + _problem_lines(report)
    if report.differences is not None:
        lines += _difference_lines(report.differences)
    return lines + [f"note: {note}" for note in report.notes]


def _balance_lines(report: Report) -> list[str]:
    rows = [["yes/no", "balanced accuracy", "says yes", "truth yes", "hedged"]]
    for name, subset in report.subsets.items():
        if subset.share_yes_truth is not None:
            shares = [
                _share(value) if value is not None else "" for value in (subset.share_yes, subset.share_yes_truth)
            ]
            rows.append([name, _number(subset.balanced_accuracy), *shares, _share(subset.hedged)])
    return ["", *table(rows)] if len(rows) > 1 else []


def _tag_lines(report: Report) -> list[str]:
    rows = [["subset", "tag", "value", "n", "score", "95 % interval"]]
    for name, subset in report.subsets.items():
        for tag, groups in subset.by.items():
            rows += [[name, tag, value, *_cells(group)] for value, group in groups.items()]
    return ["", *table(rows, left=3)] if len(rows) > 1 else []


def _cells(group: Group) -> list[str]:
    return [str(group.n) + ("*" if group.small else ""), _number(group.score), _interval(group.interval)]


def _problem_lines(report: Report) -> list[str]:
    lines = []
    told = {
        "missing": "without a reply",
        "duplicate": "with several replies",
        "unknown": "not in the benchmark",
    }
    for name, words in told.items():
        ids = getattr(report.problems, name)
        if ids:
            rest = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
            lines.append(f"{len(ids)} ids {words}: {printable(', '.join(ids[:_SHOWN]))}{rest}")
    return ["", *lines] if lines else []


def _difference_lines(found: list[Difference]) -> list[str]:
    if not found:
        return ["", "the profiles agree on every question"]
    rows = [["id", "designqa", "robust", "why"]]
    for one in found:
        rows.append([one.id, "stops" if one.designqa is None else f"{one.designqa:.3f}", f"{one.robust:.3f}", one.why])
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = [f"{a.ljust(widths[0])}  {b.rjust(widths[1])}  {c.rjust(widths[2])}  {why}" for a, b, c, why in rows]
    return ["", f"the profiles differ on {len(found)} questions", *map(printable, lines)]


def comparison_lines(comparison: Comparison) -> list[str]:
    """A comparison as text."""
    scopes = list(comparison.models[0].scores)
    rows = [["model", *scopes]]
    for model in comparison.models:
        rows.append([model.name, *(_with_interval(model.scores[s], model.intervals.get(s)) for s in scopes)])
    lines = [f"{comparison.benchmark}, profile {comparison.profile}", "", *table(rows)]
    rows = [["second - first", "on", "n", "difference", "95 % interval", "p", "q", "effect", "detectable"]]
    for pair in comparison.pairs:
        rows.append(
            [
                f"{pair.second} - {pair.first}",
                pair.scope,
                str(pair.n),
                f"{pair.difference:+.3f}",
                _interval(pair.interval),
                _p(pair.p),
                _p(pair.q),
                f"{pair.effect:+.2f}",
                _number(pair.detectable),
            ]
        )
    lines += ["", *table(rows, left=2)]
    for title, tests in (
        ("Friedman", comparison.friedman),
        (f"Page, {' < '.join(comparison.order)}", comparison.page),
    ):
        if tests:
            rows = [[title, "units", "statistic", "p", "W"]]
            rows += [[t.scope, str(t.clusters), f"{t.statistic:.2f}", _p(t.p), _number(t.effect)] for t in tests]
            lines += ["", *table(rows)]
    return lines + [f"note: {note}" for note in comparison.notes]


def _with_interval(value: float, interval: Interval | None) -> str:
    return f"{value:.3f}" + (f" [{interval.low:.3f}, {interval.high:.3f}]" if interval else "")


def _p(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def baseline_lines(report: BaselineReport) -> list[str]:
    """A baseline report as text."""
    rows = [["subset", "n", "mean", "sd", "lowest", "highest"]]
    for name, subset in [*report.subsets.items(), ("overall", report.overall)]:
        rows.append(
            [
                name,
                str(subset.n),
                *(_number(v) for v in (subset.mean, subset.sd, subset.lowest, subset.highest)),
            ]
        )
    title = f"{report.benchmark}, naive baseline, profile {report.profile}, {report.repeats} repeats"
    return [title, "", *table(rows), *(f"note: {note}" for note in report.notes)]
