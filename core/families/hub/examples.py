"""Sentences to start from, in a language that a Hugging Face model's vocabulary was made for."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from core.families.hub.tokenizer import HubTokenizer

_MOST_PREFIXES: Final = 3
_LONGEST_PREFIX: Final = 80


class _Language(NamedTuple):
    """Sentences of a language, whole ones and such as are gone on with.

    Attributes:
        codes: what tokenizers call it.
        pieces: how many a letter takes at most of a vocabulary that was made for it: Hangul's are
            syllables. Made of bytes alone, English takes one for each letter, Korean three.
    """

    codes: tuple[str, ...]
    pieces: float
    whole: tuple[str, ...]
    begun: tuple[str, ...]


_LANGUAGES: Final = (
    _Language(
        ("ko", "kor"),
        1.0,
        (
            "어제 카페 갔었어 거기 사람 많더라",
            "오늘 날씨가 좋아요",
            "저는 한국어를 공부하고 있어요",
        ),
        ("어제 친구하고 카페에 갔는데", "대한민국의 수도는", "옛날 옛적에"),
    ),
    _Language(
        ("en", "eng"),
        0.5,
        (
            "The animal didn't cross the street because it was too tired.",
            "Yesterday I went to the cafe, and there were many people there.",
            "The weather is good today.",
        ),
        (
            "The animal didn't cross the street because it",
            "The capital of France is",
            "Once upon a time there was",
        ),
    ),
)
_CODE: Final = re.compile(r"[a-z]{2}|[a-z]{2}_[A-Z]{2}|[a-z]{3}_[A-Z][a-z]{3}")
"""As Marian, mBART and NLLB call languages."""


def examples_of(tokenizer: HubTokenizer, config: Any, head: str) -> tuple[str, ...]:
    """Sentences of the languages that it knows; none where it knows none of ours.

    Args:
        config: whose prefixes say what is to be done, as T5's.
        head: as `core.families.hub.loading.HubFolder.head`.
    """
    told = tokenizer.source_language
    known = [one for one in _LANGUAGES if told.split("_")[0] in one.codes]
    if not known and not _CODE.fullmatch(told):
        known = [one for one in _LANGUAGES if _knows(tokenizer, one)]
    prefixed = [
        prefix + one.whole[0]
        for prefix in _prefixes(config)
        for one in known
        if "en" in one.codes  # the prefixes are English themselves
    ]
    own = (one.begun if head == "goes on" else one.whole for one in known)
    return (*prefixed, *(text for texts in own for text in texts))


def _knows(tokenizer: HubTokenizer, language: _Language) -> bool:
    found = tokenizer.encode_all(language.whole)
    if any(tokenizer.unknown_id in ids for ids in found):
        return False
    letters = sum(len(text.replace(" ", "")) for text in language.whole)
    return sum(map(len, found)) <= language.pieces * letters


def _prefixes(config: Any) -> list[str]:
    """What its configuration puts before a source, task by task."""
    tasks = getattr(config, "task_specific_params", None)
    own = tasks.values() if isinstance(tasks, dict) else ()
    given = [task.get("prefix") for task in own if isinstance(task, dict)]
    texts = [one for one in given if isinstance(one, str) and 0 < len(one) <= _LONGEST_PREFIX]
    return texts[:_MOST_PREFIXES]
