"""Data of studies that are given none: sentences that the grammar draws, of words that no training
of everyday sentences has put together (`core.grammar.generate.unseen`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from core.errors import HeadlightError, wrong
from core.reasons import because
from core.text.corpora import Pair

if TYPE_CHECKING:
    from core.grammar.sentences import Sentence
    from core.model import ModelCard

DRAWN: Final = "grammar"
"""What results say of such data."""
_COUNT: Final = 300
_SENTENCES: Final = 8  # of a long text
_LABELLED: Final = 2000


def pairs(card: ModelCard) -> Sequence[Pair]:
    """Sentences and their translations, in the languages of a model.

    Raises:
        HeadlightError: parameter_invalid, where the grammar knows other languages alone.
    """
    match card.source_language, card.target_language:
        case "ko", "en":
            return [Pair(one.korean, one.english) for one in islice(_unseen("en"), _COUNT)]
        case "en", "ko":
            return [Pair(one.english, one.korean) for one in islice(_unseen("ko"), _COUNT)]
    raise _unknown(card)


def texts(card: ModelCard) -> list[str]:
    """Long texts of a language model's language.

    Raises:
        HeadlightError: as `pairs`.
    """
    from core.grammar.passages import long

    if card.source_language != "ko":
        raise _unknown(card, korean=True)
    return [one.korean for one in long(list(islice(_unseen("en"), _COUNT)), _SENTENCES)]


def links(language: str) -> list[str]:
    """Korean sentences, their translations, and which words belong together, a line each.

    Raises:
        HeadlightError: parameter_invalid for another first language.
    """
    if language != "ko":
        raise wrong("--language", language, because("one_of", known="ko"))
    from core.grammar.alignment import alignment

    rows = (alignment(one) for one in _unseen("en"))
    return ["\t".join(row) for row in islice((row for row in rows if row is not None), _COUNT)]


def labelled(card: ModelCard) -> tuple[list[Pair], list[Pair]]:
    """Korean sentences and what they tell: to teach, and never taught.

    Raises:
        HeadlightError: as `pairs`.
    """
    if card.source_language != "ko":
        raise _unknown(card, korean=True)
    from core.grammar.labels import labelled as rows

    taught, tested = rows("sentiment", _LABELLED)
    return [Pair(*row) for row in taught], [Pair(*row) for row in tested]


def _unseen(into: str) -> Iterator[Sentence]:
    from core.grammar.generate import stream, unseen

    return (one for one in stream(0, into) if any(unseen(words) for words in one.pairs))


def _unknown(card: ModelCard, *, korean: bool = False) -> HeadlightError:
    """What to raise for languages of which nothing is drawn, or nothing that is not Korean."""
    told = [one for one in (card.source_language, card.target_language) if one]
    if not told:
        return wrong("--data", "", because("data_untold"))
    if korean:
        return wrong("--data", "", because("data_korean", language=told[0]))
    return wrong("--data", "", because("data_needed", languages="-".join(told)))
