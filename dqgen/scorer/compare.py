"""Models side by side on the same questions."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from dqgen.errors import ScoreError, UsageError
from dqgen.schemas.comparison import Comparison, ModelScore, Pair, Screening
from dqgen.schemas.report import Interval, Profile
from dqgen.scorer.aggregate import mean, refuse_stops, score_all
from dqgen.scorer.bootstrap import RESAMPLES, bootstrap_means, percentile_interval, seed_of
from dqgen.scorer.item import ItemScore
from dqgen.scorer.package import read_package
from dqgen.scorer.statistics import (
    Screen,
    benjamini_hochberg,
    detectable_at,
    friedman,
    page_trend,
    standard_error,
    wilcoxon_signed_rank,
)
from dqgen.scorer.tables import as_reply, read_table
from dqgen.scorer.text import printable

OVERALL = "overall"


def read_models(
    files: Sequence[str], package: Path | None, profile: Profile = "robust", key: Path | None = None
) -> tuple[dict[str, list[ItemScore]], dict[str, str], str]:
    """Items of each model by its name; file by name; the benchmark's name.

    Args:
        files: `FILE` or `NAME=FILE`: predictions with a package, otherwise items that `dqgen score --items`
            wrote.
        package: the package that the predictions answer; None for items.
        profile: by which predictions are scored.
        key: a key file, where the package withholds its truths.

    Raises:
        UsageError: two models have one name.
        ScoreError: a file cannot be read or scored.
    """
    models: dict[str, list[ItemScore]] = {}
    paths: dict[str, str] = {}
    benchmark = "items"
    profiles: dict[str, str] = {}
    for entry in files:
        name, path = _named(entry)
        if name in models:
            raise UsageError(f"two models are called '{name}'", mend="name them: NAME=FILE")
        if package is None:
            models[name], scored_by = _read_items(path)
            if scored_by:
                profiles.setdefault(scored_by, name)
            if len(profiles) > 1:
                told = ", ".join(f"{model} by {kind}" for kind, model in profiles.items())
                raise ScoreError(f"scored by different profiles ({told})", mend="score all by the same --profile")
        else:
            asked = read_package(package, path, key)
            benchmark = f"{asked.name} {asked.version}"
            models[name] = score_all(asked, profile)
            if profile == "designqa":
                refuse_stops(models[name], asked.places)
        paths[name] = path.name
    return models, paths, benchmark


def _named(entry: str) -> tuple[str, Path]:
    name, sign, path = entry.partition("=")
    if sign and name and path and not Path(entry).exists():
        return name, Path(path)
    return Path(entry).stem, Path(entry)


def _read_items(path: Path) -> tuple[list[ItemScore], str]:
    """Items, and the profile they were scored by; empty if the file does not say."""
    table = read_table(path)
    missing = {"id", "subset", "kind", "score"} - set(table.columns)
    if missing:
        raise ScoreError(
            f"no '{min(missing)}' in it",
            where=str(path),
            mend="give files from 'dqgen score --items', or --package",
        )
    items: dict[str, ItemScore] = {}
    for row, place in zip(table.rows, table.places, strict=True):
        score, ident, cluster = row.get("score"), as_reply(row.get("id")) or "", as_reply(row.get("cluster"))
        if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
            raise ScoreError("no score from 0 to 1", where=f"{path}, {place}")
        if ident in items:
            raise ScoreError(f"question '{printable(ident[:60])}' twice", where=f"{path}, {place}")
        subset, kind, metric = (as_reply(row.get(name)) or "" for name in ("subset", "kind", "metric"))
        items[ident] = ItemScore(ident, subset, kind, metric, float(score), "answered", cluster=cluster or ident)
    profiles = {as_reply(row.get("profile")) or "" for row in table.rows}
    return list(items.values()), profiles.pop() if len(profiles) == 1 else ""


def compare(
    models: Mapping[str, Sequence[ItemScore]],
    files: Mapping[str, str] | None = None,
    benchmark: str = "",
    profile: str = "robust",
    order: Sequence[str] = (),
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Comparison:
    """Compare models on the questions that all of them have.

    Args:
        models: two or more, each with its items.
        files: their files, for the report.
        benchmark, profile: for the report.
        order: names of three models or more in the order in which scores are expected to rise; for Page's
            test.
        resamples, seed: of the bootstrap.

    Raises:
        UsageError: fewer than two models, or an order with unknown names.
        ScoreError: the models share no question.
    """
    names = list(models)
    if len(names) < 2:
        raise UsageError("two models or more are needed", mend="give two files")
    unknown = [name for name in order if name not in models]
    if unknown or (order and (len(order) < 3 or len(set(order)) < len(order))):
        what = f"no model '{unknown[0]}'" if unknown else "an order needs three different models or more"
        raise UsageError(what, where="--order", mend=f"choose from {', '.join(names)}")
    scores = {name: {item.id: item.score for item in items} for name, items in models.items()}
    shared = [item for item in models[names[0]] if all(item.id in scores[name] for name in names)]
    if not shared:
        raise ScoreError("the models share no question", mend="check that they answer the same benchmark")
    scopes: dict[str, list[ItemScore]] = {}
    for item in shared:
        scopes.setdefault(item.subset, []).append(item)
    return Comparison(
        profile=profile,
        benchmark=benchmark,
        resamples=resamples,
        seed=seed,
        models=[_model(name, (files or {}).get(name, ""), scores[name], scopes, resamples, seed) for name in names],
        pairs=_pairs(names, scores, scopes, resamples, seed),
        friedman=_screenings(friedman, names, scores, scopes) if len(names) > 2 else [],
        page=_screenings(page_trend, order, scores, scopes) if order else [],
        order=list(order),
        notes=_notes(models, len(shared)),
    )


def _notes(models: Mapping[str, Sequence[ItemScore]], shared: int) -> list[str]:
    return [
        f"{len(i) - shared} questions of {name} left out: not every model has them"
        for name, i in models.items()
        if len(i) > shared
    ]


def _intervals(
    values: Mapping[str, list[float]],
    scopes: Mapping[str, list[ItemScore]],
    resamples: int,
    seed: int,
    label: str,
) -> tuple[dict[str, float], dict[str, Interval]]:
    """Means and intervals by subset, and overall as the mean of the subsets."""
    import numpy as np

    means: dict[str, float] = {}
    intervals: dict[str, Interval] = {}
    draws = []
    for scope, items in scopes.items():
        means[scope] = mean(values[scope])
        if resamples:
            draws.append(
                bootstrap_means(values[scope], [i.cluster for i in items], resamples, seed_of(seed, scope, label))
            )
            low, high = percentile_interval(draws[-1])
            intervals[scope] = Interval(low=low, high=high)
    means[OVERALL] = mean(list(means.values()))
    if resamples:
        low, high = percentile_interval(np.mean(draws, axis=0))
        intervals[OVERALL] = Interval(low=low, high=high)
    return means, intervals


def _model(
    name: str,
    file: str,
    scores: Mapping[str, float],
    scopes: Mapping[str, list[ItemScore]],
    resamples: int,
    seed: int,
) -> ModelScore:
    values = {scope: [scores[item.id] for item in items] for scope, items in scopes.items()}
    means, intervals = _intervals(values, scopes, resamples, seed, "score")
    return ModelScore(name=name, file=file, scores=means, intervals=intervals)


def _pairs(
    names: Sequence[str],
    scores: Mapping[str, Mapping[str, float]],
    scopes: Mapping[str, list[ItemScore]],
    resamples: int,
    seed: int,
) -> list[Pair]:
    found: list[Pair] = []
    for first, second in combinations(names, 2):
        values = {s: [scores[second][i.id] - scores[first][i.id] for i in items] for s, items in scopes.items()}
        means, intervals = _intervals(values, scopes, resamples, seed, "difference")
        errors = {s: standard_error(values[s], [i.cluster for i in items]) for s, items in scopes.items()}
        for scope in [OVERALL, *scopes]:
            inside = list(scopes) if scope == OVERALL else [scope]
            # Units are told apart by subset too: overall weighs subsets alike, the test weighs units alike.
            flat = [value for s in inside for value in values[s]]
            labels = [f"{s}\0{item.cluster}" for s in inside for item in scopes[s]]
            test = wilcoxon_signed_rank(_unit_means(flat, labels))
            found.append(
                Pair(
                    first=first,
                    second=second,
                    scope=scope,
                    family="overall" if scope == OVERALL else "subsets",
                    n=len(flat),
                    clusters=len(set(labels)),
                    difference=means[scope],
                    interval=intervals.get(scope),
                    p=test.p,
                    q=test.p,
                    effect=test.effect,
                    detectable=detectable_at(_joint_error([errors[s] for s in inside])),
                )
            )
    for family in ("overall", "subsets"):
        places = [index for index, pair in enumerate(found) if pair.family == family]
        for index, q in zip(places, benjamini_hochberg([found[index].p for index in places]), strict=True):
            found[index] = found[index].model_copy(update={"q": q})
    return found


def _joint_error(errors: Sequence[float | None]) -> float | None:
    """Standard error of a mean of independent subsets' means."""
    known = [error for error in errors if error is not None]
    return math.sqrt(math.fsum(e * e for e in known)) / len(errors) if len(known) == len(errors) else None


def _unit_means(values: Sequence[float], labels: Sequence[str]) -> list[float]:
    groups: dict[str, list[float]] = {}
    for value, label in zip(values, labels, strict=True):
        groups.setdefault(label, []).append(value)
    return [mean(group) for group in groups.values()]


def _screenings(
    test: Callable[[Sequence[Sequence[float]]], Screen],
    names: Sequence[str],
    scores: Mapping[str, Mapping[str, float]],
    scopes: Mapping[str, list[ItemScore]],
) -> list[Screening]:
    found = []
    for scope in [OVERALL, *scopes]:
        inside = list(scopes) if scope == OVERALL else [scope]
        labels = [f"{s}\0{item.cluster}" for s in inside for item in scopes[s]]
        columns = [_unit_means([scores[name][i.id] for s in inside for i in scopes[s]], labels) for name in names]
        result = test(list(zip(*columns, strict=True)))
        found.append(
            Screening(
                scope=scope,
                clusters=len(columns[0]),
                statistic=result.statistic,
                p=result.p,
                effect=result.effect,
            )
        )
    return found


def comparison_json(comparison: Comparison) -> str:
    """The comparison as `dqgen compare --json` prints it."""
    return json.dumps(comparison.model_dump(mode="json"), ensure_ascii=False, indent=1)
