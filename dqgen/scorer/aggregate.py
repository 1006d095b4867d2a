"""From items to a report: means, intervals, rates and breakdowns."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dqgen.errors import ScoreError
from dqgen.schemas.report import (
    Difference,
    Group,
    Interval,
    Overall,
    Problems,
    Profile,
    Report,
    Status,
    Subset,
)
from dqgen.scorer import designqa, robust
from dqgen.scorer.benchmark import Asked
from dqgen.scorer.item import ItemScore

SMALL = 30
"""Fewer independent units than this make a subset small: its interval is rough."""

_MAX_TAG_VALUES = 40  # a tag with more values, such as the rule asked for, is no group to report
_EXPLAINED = ("bleu2", "rouge_l", "similarity")


def score_all(asked: Asked, profile: Profile = "robust") -> list[ItemScore]:
    """Score every question that has a reply, or should have.

    Subsets without any reply are left out: they are absent, not wrong.

    Raises:
        ScoreError: a truth is malformed.
    """
    present = {question.subset for question in asked.questions if question.id in asked.replies}
    items: list[ItemScore] = []
    before: list[str] | None = None
    for question in asked.questions:
        if question.subset not in present:
            continue
        raw = asked.replies.get(question.id)
        if profile == "robust":
            items.append(
                robust.score_item(question, raw if raw is not None or question.id not in asked.replies else "")
            )
            continue
        items.append(designqa.score_item(question, raw, before))
        if question.kind == "compilation":
            before = designqa.compilation_pieces(raw) or before
    if profile == "designqa":
        items = _stopped_subsets(asked, items)
    return items


def _stopped_subsets(asked: Asked, items: list[ItemScore]) -> list[ItemScore]:
    """Mark the first item of each subset that stops the official scorer as a whole."""
    questions = {question.id: question for question in asked.questions}
    out: list[ItemScore] = []
    for subset, group in by_subset(items).items():
        why = ""
        if designqa.read_as_numbers([asked.replies.get(item.id) for item in group]):
            why = f"replies to {subset} that are all numbers stop the official scorer (AttributeError)"
        elif group[0].kind == "dimension" and all(item.bleu2 is None for item in group):
            why = "dimension rows without a direct one stop the official scorer (StatisticsError)"
        out += [designqa.stopped(questions[group[0].id], why), *group[1:]] if why else group
    return out


def refuse_stops(items: Sequence[ItemScore], places: dict[str, str]) -> None:
    """Say clearly where the official scorer would stop with an error.

    Raises:
        ScoreError: it would.
    """
    stopped = [item for item in items if item.stops]
    if stopped:
        first = stopped[0]
        more = f" (and {len(stopped) - 1} more)" if len(stopped) > 1 else ""
        raise ScoreError(
            f"{first.stops}{more}",
            where=places.get(first.id, f"question {first.id}"),
            mend="fill the row, or use --profile robust; --diff lists all such rows",
        )


def by_subset(items: Iterable[ItemScore]) -> dict[str, list[ItemScore]]:
    """Items grouped by subset, in order of first sight."""
    groups: dict[str, list[ItemScore]] = {}
    for item in items:
        groups.setdefault(item.subset, []).append(item)
    return groups


def mean(values: Sequence[float]) -> float:
    """Arithmetic mean, exactly summed."""
    return math.fsum(values) / len(values)


def report(
    asked: Asked,
    items: Sequence[ItemScore],
    profile: Profile,
    predictions: Sequence[str],
    resamples: int,
    seed: int,
    differences: list[Difference] | None = None,
) -> Report:
    """The report of a run.

    Args:
        asked: the questions and what did not fit.
        items: their scores, by `score_all`.
        profile: by which they were scored.
        predictions: names of the files.
        resamples: of the bootstrap; 0 for no intervals.
        seed: of the bootstrap.
        differences: between the profiles, if asked for.
    """
    draws: list[Any] = []
    subsets: dict[str, Subset] = {}
    for name, group in by_subset(items).items():
        subsets[name], means = _subset(name, group, resamples, seed)
        draws.append(means)
    return Report(
        profile=profile,
        benchmark=asked.name,
        version=asked.version,
        predictions=list(predictions),
        resamples=resamples,
        seed=seed,
        overall=_overall(asked, subsets, draws, profile),
        subsets=subsets,
        problems=Problems(missing=asked.missing, duplicate=asked.duplicate, unknown=asked.unknown),
        differences=differences,
        notes=list(asked.notes),
    )


def _overall(asked: Asked, subsets: dict[str, Subset], draws: list[Any], profile: Profile) -> Overall:
    names = list(subsets)
    absent = [name for name in asked.subsets if name not in subsets]
    scores = [subset.score for subset in subsets.values()]
    # The official scorer divides by six whatever is there.
    divisor = 6 if profile == "designqa" else len(scores)
    note = f"mean of {len(names)} of {len(names) + len(absent)} subsets"
    if profile == "designqa":
        note = f"sum of {len(names)} subsets divided by six, as the official scorer does"
    interval = None
    if draws and all(draw is not None for draw in draws):
        import numpy as np

        from dqgen.scorer.bootstrap import percentile_interval

        low, high = percentile_interval(np.sum(draws, axis=0) / divisor)
        interval = Interval(low=low, high=high)
    return Overall(score=math.fsum(scores) / divisor, interval=interval, subsets=names, absent=absent, note=note)


def _subset(name: str, items: list[ItemScore], resamples: int, seed: int) -> tuple[Subset, Any]:
    group, means = _group((name,), items, resamples, seed)
    rates = Counter(item.status for item in items)
    tags = {tag: None for item in items for tag in item.tags}
    by: dict[str, dict[str, Group]] = {}
    for tag in tags:
        values: dict[str, list[ItemScore]] = {}
        for item in items:
            if tag in item.tags:
                values.setdefault(item.tags[tag], []).append(item)
        if len(values) <= _MAX_TAG_VALUES:
            by[tag] = {v: _group((name, tag, v), values[v], resamples, seed)[0] for v in sorted(values)}

    def share(status: Status) -> float:
        return rates[status] / len(items)

    balance = _balance(items)
    return Subset(
        **group.model_dump(),
        kind=items[0].kind,
        metric=items[0].metric,
        unparsed=share("unparsed"),
        refused=share("refused"),
        empty=share("empty"),
        missing=share("missing"),
        hedged=sum(item.hedged for item in items) / len(items),
        balanced_accuracy=balance[0],
        share_yes=balance[1],
        share_yes_truth=balance[2],
        by=by,
    ), means


def _group(names: tuple[str, ...], items: list[ItemScore], resamples: int, seed: int) -> tuple[Group, Any]:
    scores = [item.score for item in items]
    clusters = [item.cluster for item in items]
    count = len(set(clusters))
    interval, means = None, None
    if resamples:
        from dqgen.scorer.bootstrap import bootstrap_means, percentile_interval, seed_of

        means = bootstrap_means(scores, clusters if count < len(items) else None, resamples, seed_of(seed, *names))
        low, high = percentile_interval(means)
        interval = Interval(low=low, high=high)
    explained = [item for item in items if item.bleu2 is not None]
    return Group(
        n=len(items),
        score=mean(scores),
        interval=interval,
        clusters=count,
        small=count < SMALL,
        explained=len(explained),
        **{name: _mean_of(explained, lambda item, n=name: getattr(item, n)) for name in _EXPLAINED},  # type: ignore[misc]
    ), means


def _mean_of(items: list[ItemScore], value: Callable[[ItemScore], float | None]) -> float | None:
    values = [found for item in items if (found := value(item)) is not None]
    return mean(values) if values else None


def _balance(items: list[ItemScore]) -> tuple[float | None, float | None, float | None]:
    """Balanced accuracy, share of yes among answers read, share of yes among truths.

    None where they mean nothing.
    """
    judged = [item for item in items if item.truth]
    if not judged:
        return None, None, None
    said = [item.read for item in judged if item.read in ("yes", "no")]
    recalls = [
        mean([item.score for item in judged if item.truth == truth])
        for truth in ("yes", "no")
        if any(item.truth == truth for item in judged)
    ]
    return (
        mean(recalls) if len(recalls) == 2 else None,
        said.count("yes") / len(said) if said else None,
        sum(item.truth == "yes" for item in judged) / len(judged),
    )


def differences(official: Sequence[ItemScore], sound: Sequence[ItemScore]) -> list[Difference]:
    """The questions on which the profiles differ, and why.

    Args:
        official: items of the `designqa` profile.
        sound: items of the `robust` profile, of the same questions in the same order.
    """
    found = []
    for one, other in zip(official, sound, strict=True):
        if one.stops or not math.isclose(one.score, other.score, abs_tol=1e-9):
            found.append(
                Difference(
                    id=one.id,
                    subset=one.subset,
                    designqa=None if one.stops else one.score,
                    robust=other.score,
                    why=_why(one, other),
                )
            )
    return found


def _why(official: ItemScore, sound: ItemScore) -> str:
    if official.stops:
        return official.stops
    if official.metric == "yes_no_accuracy":
        said = f"'{official.read}'" if official.read else "no answer"
        return f"official reads {said} ({official.why}); robust reads {_said(sound)}"
    if sound.status != "answered":
        return f"official scores the words of a reply that {_failing(sound)}"
    if official.metric == "rule_f1":
        return f"official compares pieces ({official.why}); robust compares rule ids, each once ({sound.why})"
    if official.metric == "character_f1":
        return (
            f"official takes the whole reply, and a lone truth with its capitals; robust reads "
            f"'{sound.read[:60]}' ({sound.why})"
        )
    return (
        f"words are cut differently: Unicode punctuation, hyphens, decimal points; robust reads the reply {sound.why}"
    )


def _said(item: ItemScore) -> str:
    return f"'{item.read}' ({item.why})" if item.read else f"no answer ({item.why})"


def _failing(item: ItemScore) -> str:
    return {"refused": "declines to answer", "empty": "is blank", "missing": "is missing"}.get(item.status, item.why)
