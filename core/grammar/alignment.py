"""Which Korean word says what which English word says, as far as the lexicon tells.

A link is told only where nothing else could be meant: the lexicon's word stands once in the Korean
sentence and its translation once in the English one. What is left (articles, endings, whatever
stands for nothing) has no link.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final

from core.grammar import english, lexicon, names
from core.grammar.korean import PARTICLES, with_particle
from core.grammar.sentences import Sentence

Span = range
"""Words that stand beside each other, counted from 0."""
Phrase = tuple[str, ...]

_MARKS: Final = re.compile(r"[.,?!]+$")
_FORMS: Final = ("base", "past", "pp", "ing", "third")
_BARE: Final = (
    "이에요",
    "예요",
    "입니다",
    "도",
    "만",
    "밖에",
    "만큼",
    "께",
    "께서",
    "께서는",
    "하고",
)
"""What may stand behind a noun that is no particle of the table."""


def alignment(sentence: Sentence) -> tuple[str, str, str] | None:
    """The sentence, its translation, and links "0-1 2-3": a Korean word and an English one each.

    None where the lexicon tells of fewer than two words.
    """
    korean = [_MARKS.sub("", word) for word in sentence.korean.split()]
    told = [_MARKS.sub("", word).lower() for word in sentence.english.split()]
    links: dict[int, set[int]] = {}
    for here, there in _spans(sentence, korean, told):
        told_of = {at for others in links.values() for at in others}
        if links.keys().isdisjoint(here) and told_of.isdisjoint(there):
            for one, other in product(here, there):
                links.setdefault(one, set()).add(other)
    if len(links) < 2:
        return None
    pairs = sorted((one, other) for one, others in links.items() for other in others)
    return sentence.korean, sentence.english, " ".join(f"{i}-{j}" for i, j in pairs)


def _spans(sentence: Sentence, korean: list[str], told: list[str]) -> Iterator[tuple[Span, Span]]:
    """What translates what, the longest first: nouns and adverbs, then the predicates."""
    found: list[tuple[Span, Span]] = []
    phrases = [words for word in dict.fromkeys(korean) for words in _beginning_with().get(word, ())]
    for words in phrases:
        here, translations = _once(korean, words), _lexical()[words]
        if here is None:
            continue
        for translation in translations:
            there = _once(told, translation)
            if there is not None:
                found.append((here, there))
    found.sort(key=lambda spans: (-len(spans[0]), -len(spans[1]), spans[0].start))
    clear = [
        spans
        for spans in found
        if not any(_rival(spans, other) for other in found if other != spans)
    ]
    yield from clear
    yield from _predicates(sentence, korean, told)


def _rival(spans: tuple[Span, Span], other: tuple[Span, Span]) -> bool:
    """Whether another, as long, claims one side for something else."""
    (here, there), (mine, its) = spans, other
    same = set(here) & set(mine) if set(there) != set(its) else set()
    back = set(there) & set(its) if set(here) != set(mine) else set()
    return bool(same or back) and len(mine) + len(its) >= len(here) + len(there)


def _once(words: list[str], phrase: Phrase) -> Span | None:
    """Where a phrase stands, if that is one place alone."""
    size = len(phrase)
    places = [at for at in range(len(words) - size + 1) if tuple(words[at : at + size]) == phrase]
    return range(places[0], places[0] + size) if len(places) == 1 else None


@cache
def _beginning_with() -> dict[str, list[Phrase]]:
    """The phrases of `_lexical` by their first word."""
    found: dict[str, list[Phrase]] = {}
    for words in _lexical():
        found.setdefault(words[0], []).append(words)
    return found


@cache
def _lexical() -> dict[Phrase, tuple[Phrase, ...]]:
    """Korean words as they stand in sentences, and what they may be in English, longest first."""
    table = lexicon.load()
    found: dict[Phrase, set[str]] = {}
    for noun in table.nouns:
        forms = {noun.korean, *(with_particle(noun.korean, name) for name in PARTICLES)}
        forms |= {noun.korean + ending for ending in _BARE}
        said = {noun.english, english.plural(noun.english)}
        for form in forms:
            found.setdefault(tuple(form.split()), set()).update(said)
    for name in names.of_people():
        endings = [name.korean + ending for ending in _BARE]
        for form in (name.korean, *names.with_particles(name.korean).values(), *endings):
            found.setdefault((form,), set()).add(name.english)
    for adverb in table.adverbs:
        found.setdefault(tuple(adverb.korean.split()), set()).add(adverb.english)
    return {
        words: tuple(sorted((tuple(one.lower().split()) for one in said), key=len, reverse=True))
        for words, said in found.items()
    }


def _predicates(
    sentence: Sentence, korean: list[str], told: list[str]
) -> Iterator[tuple[Span, Span]]:
    """The verbs and adjectives that a sentence was made of."""
    adjectives = _adjectives()
    for named in sorted({first for first, _ in sentence.pairs}):
        stem, _, said = named.partition(":")
        if stem in adjectives:
            forms = {adjectives[stem]}
        elif said:
            head = said.split()[0]
            forms = {english.inflect(head, form) for form in _FORMS}
        else:
            continue
        begin = _beginning(stem.partition("/")[0].split()[-1])
        here = [at for at, word in enumerate(korean) if _letters(word).startswith(begin)]
        there = [at for at, word in enumerate(told) if word in {form.lower() for form in forms}]
        if len(here) == len(there) == 1:
            yield range(here[0], here[0] + 1), range(there[0], there[0] + 1)


@cache
def _adjectives() -> dict[str, str]:
    return {one.korean: one.english for one in lexicon.load().adjectives}


def _beginning(stem: str) -> str:
    """What no ending changes of a stem: all but its last syllable, of one its open part."""
    return _letters(stem[:-1]) or _letters(stem)[:2]


def _letters(text: str) -> str:
    return unicodedata.normalize("NFD", text)
