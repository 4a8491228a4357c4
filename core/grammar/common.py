"""The fixed phrases that are typed first: greetings, thanks, what one asks of a stranger."""

from __future__ import annotations

from collections.abc import Iterable

from core.grammar.english import contracted
from core.grammar.lexicon import table
from core.grammar.sentences import Sentence
from core.text.corpora import text_key


def common(phrases: Iterable[Sentence]) -> tuple[Sentence, ...]:
    """Those of `lexicon/phrases/common.tsv`, however they are spelled.

    They are few among the fixed phrases: alone, a recipe can show them more often.
    """
    first = {_key(row["english"]) for row in table("phrases/common")}
    return tuple(phrase for phrase in phrases if _key(phrase.english) in first)


def _key(english: str) -> str:
    return text_key(contracted(english))
