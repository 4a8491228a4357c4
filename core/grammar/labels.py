"""What a sentence of the grammar is labelled with: how it sounds, what each word does, its topic.

A label is told by the parts that the sentence was made of, or there is none: sentences of which
the grammar does not know it for sure are left out.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final

from core.grammar import lexicon, names
from core.grammar.alignment import alignment
from core.grammar.generate import stream, unseen
from core.grammar.korean import PARTICLES, with_particle
from core.grammar.nominals import NUMBERS
from core.grammar.sentences import Sentence

HELDOUT_ROWS: Final = 1000

_NEGATED: Final = ("not_an", "not_ji")
_SAYING: Final = ("describe", "feel", "act", "think:describe", "think:feel", "seem:describe",
                  "seem:feel", "juxtaposed:act>describe")  # fmt: skip
_JUDGING: Final = re.compile("좋|싫")  # constructions: likes doing, had better do
_NEUTRAL: Final = ("act", "exist", "copula", "order", "price", "journey", "identity", "where", "at")

TOPICS: Final[Mapping[str, str]] = {
    "weather": "날씨",
    "feel": "기분",
    "price": "가격",
    "order": "주문",
    "journey": "교통",
    "identity": "소개",
    "ache": "건강",
    "day": "날짜",
}
"""By the first part of a frame's name."""

_TIMES: Final = ("past", "future", "near", "now", "clock", "hour", "month")
_ROLES: Final[Mapping[str, str]] = {
    "topic": "WHO",
    "subject": "WHO",
    "object": "WHAT",
    "place": "WHERE",
    "at": "WHERE",
    "from": "WHERE",
    "to": "WITH",
    "to_casual": "WITH",
    "with": "WITH",
    "with_casual": "WITH",
}
_PRONOUNS: Final = ("나", "저", "너", "우리", "그", "그녀")
_WORDS: Final = re.compile(rf"(?:(?:{'|'.join(korean for korean, _ in NUMBERS)}) )?\S+")
"""A word, or a number with what it counts, which tells what both do: 네 시에 when, 네 명 who."""
_DOES: Final = "DOES"
TAGS: Final = ("TIME", "HOW", "WHO", "WHAT", "WHERE", "WITH", _DOES)


def sentiment(sentence: Sentence) -> tuple[str, str] | None:
    """The sentence, and "positive", "negative" or "neutral" as its predicate is (polarity.tsv).

    A negated one is the other; a question says neither.
    """
    kind, *parts = sentence.frame.split(".")
    if kind not in _SAYING and kind not in _NEUTRAL:  # most of a stream: fixed phrases
        return None
    named = [first for first, _ in sentence.pairs]
    values = {
        value
        for name, value in _polarity().items()
        if any(f"{first} ".startswith(f"{name} ") for first in named)
    }
    if not values:
        judges = any("/VA" in first for first in named) or _JUDGING.search(sentence.korean)
        return (sentence.korean, "neutral") if kind in _NEUTRAL and not judges else None
    if len(values) > 1 or kind not in _SAYING:
        return None
    if sentence.korean.endswith("?"):
        return sentence.korean, "neutral"
    if parts[-1] != "statement" or parts[0] not in ("plain", "present", "past", *_NEGATED):
        return None
    (value,) = values
    if parts[0] in _NEGATED:
        if kind == "act" and value == "-":
            return None  # who did not fight has not made it up
        value = "-" if value == "+" else "+"
    return sentence.korean, "positive" if value == "+" else "negative"


def tags(sentence: Sentence) -> tuple[str, str] | None:
    """The sentence, and what each of its words does: one of `TAGS` each, with spaces between.

    Words are known by the lexicon and their particle; all that is left is the predicate, which
    comes last.
    """
    if sentence.frame.split(".")[0] not in ("act", "exist", "describe", "feel"):
        return None
    found = [
        tag
        for words in _WORDS.findall(sentence.korean.rstrip(".?"))
        for tag in [_uses().get(words, None if " " in words else _DOES)] * len(words.split())
    ]
    first = found.index(_DOES) if _DOES in found else len(found)
    if first == len(found) or set(found[first:]) != {_DOES} or None in found:
        return None
    return sentence.korean, " ".join(filter(None, found))


def topic(sentence: Sentence) -> tuple[str, str] | None:
    """The topic, and a sentence of it; who is tall or honest is in no mood."""
    kind = sentence.frame.split(".")[0]
    if kind not in TOPICS or (kind == "feel" and not _moods() & {a for a, _ in sentence.pairs}):
        return None
    return TOPICS[kind], sentence.korean


LABELLED: Final[Mapping[str, Callable[[Sentence], tuple[str, ...] | None]]] = {
    "alignment": alignment,
    "sentiment": sentiment,
    "tags": tags,
    "topic": topic,
}


def labelled(
    name: str, rows: int, seed: int = 0
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Rows to train on, and rows of words that those do not put together.

    Args:
        name: one of `LABELLED`. Of "sentiment", each label has a third of the rows.
        rows: to train on.

    Returns:
        Two lists in the order in which they were drawn, the second of 1,000, of topics none; a
        pure function of the arguments and the lexicon.
    """
    train: list[tuple[str, ...]] = []
    held: list[tuple[str, ...]] = []
    counts: Counter[str] = Counter()
    for pair, strange in _drawn(LABELLED[name], seed):
        strange = strange and name != "topic"  # all of one topic are one source
        part, limit = (held, HELDOUT_ROWS) if strange else (train, rows)
        counts[f"{pair[1]} {strange}"] += 1
        full = name == "sentiment" and counts[f"{pair[1]} {strange}"] > -(-limit // 3)
        if len(part) < limit and not full:
            part.append(pair)
        if len(train) == rows and (len(held) == HELDOUT_ROWS or name == "topic"):
            break
    return train, held


def _drawn(
    label: Callable[[Sentence], tuple[str, ...] | None], seed: int
) -> Iterator[tuple[tuple[str, ...], bool]]:
    for sentence in stream(seed):
        pair = label(sentence)
        if pair is not None:
            yield pair, any(unseen(words) for words in sentence.pairs)


@cache
def _polarity() -> Mapping[str, str]:
    """ "+" or "-" by a stem with its tag, or by a verb and the first of its English."""
    with (lexicon.DATA / "polarity.tsv").open(encoding="utf-8", newline="") as file:
        return {row["predicate"]: row["value"] for row in csv.DictReader(file, delimiter="\t")}


@cache
def _moods() -> frozenset[str]:
    """The stems of what one feels, with their tags."""
    return frozenset(a.korean for a in lexicon.load().adjectives if "feel" in a.features)


@cache
def _uses() -> Mapping[str, str | None]:
    """Tags by words as they stand in a sentence: nouns with their particles, and adverbs.

    None for what may be one or the other, and for what has no particle to tell it by.
    """
    table = lexicon.load()
    found: dict[str, str | None] = {}

    def add(word: str, tag: str | None) -> None:
        if found.setdefault(word, tag) != tag:
            found[word] = None

    for adverb in table.adverbs:
        for words in _WORDS.findall(adverb.korean):
            add(words, "TIME" if adverb.kind in _TIMES else "HOW")
    nouns = [noun.korean for noun in table.nouns]
    for noun in dict.fromkeys([*_PRONOUNS, *(word for one in nouns for word in one.split())]):
        add(noun, None)
        for particle in PARTICLES:
            add(with_particle(noun, particle), _ROLES.get(particle))
    for name in names.of_people():
        add(name.korean, None)
        for particle, form in names.with_particles(name.korean).items():
            add(form, _ROLES.get(particle))
    return found
