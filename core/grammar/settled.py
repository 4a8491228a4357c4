"""One Korean for one English: what is left of words and patterns where Korean is settled.

Many Korean sentences have one English, by ending, register, particle or synonym. A model
from English cannot know which is meant, so its corpus always says the same one, as a teacher
would: polite -요, "I" said and "you" not, every particle in place, and of synonyms the first.
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.grammar.frames import Construction, Frames
from core.grammar.lexicon import Adjective, Adverb, Lexicon, Noun, Verb

_REGISTERS = ("settled", "polite", "formal", "casual", "plain")
_FLAG = re.compile(r"[!*?]\}")
_DATES = re.compile(r"^(지난|다음|이번)|(년|아침|저녁|밤|오후|말)$")
_OURS = {"lets": "같이", "lets_not": "우리"}
_POLITE = re.compile(r"(요|죠|니다)[.!?]?( [ㅋㅎㅠㅜ]+)?$")  # 갑시다 is formal, 가요 is not


def settled_frames(frames: Frames) -> Frames:
    """Frames with one construction, link and own ending for each English."""
    told = [c for c in frames.constructions.values() if not c.loose]
    constructions = {c.name: _said(frames, c) for c in told}
    links = {k.name: frames.links[k.same or k.name] for k in frames.links.values()}
    return replace(frames, constructions=constructions, links=links)


def _said(frames: Frames, construction: Construction) -> Construction:
    said = frames.constructions[construction.same or construction.name]
    own = next((said.final[name] for name in _REGISTERS if name in said.final), None)
    if construction.name in _OURS:  # 가요 alone says that somebody goes, 가지 마요 forbids it
        said = replace(said, adverb=_OURS[construction.name])
    return replace(said, final={"polite": own}) if own else said


def settled_words(lexicon: Lexicon) -> Lexicon:
    """A lexicon in which no two words of one kind and context have the same English."""
    nouns: list[Noun] = []
    for noun in lexicon.nouns:
        if not any(n.english == noun.english and n.classes & noun.classes for n in nouns):
            nouns.append(noun)
    verbs: list[Verb] = []
    for verb in lexicon.verbs:
        if not any(_same(lexicon, verb, earlier) for earlier in verbs):
            verbs.append(verb)
    adverbs = {(a.english, a.kind): a for a in reversed(lexicon.adverbs)}
    return replace(
        lexicon,
        nouns=tuple(nouns),
        verbs=tuple(verbs),
        adjectives=tuple(
            a
            for at, a in enumerate(lexicon.adjectives)
            if not any(_covers(earlier, a) for earlier in lexicon.adjectives[:at])
        ),
        adverbs=tuple(_dated(a) for a in lexicon.adverbs if a in adverbs.values()),
        phrases=_settled_phrases(lexicon.phrases),
        _pools={},
        _verbs={},
        _sets={},
    )


def _settled_phrases(phrases: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """The first polite Korean of each phrase; a bare command borrows that of its "please"."""
    polite = {english: korean for korean, english in reversed(phrases) if _POLITE.search(korean)}
    first = {english: korean for korean, english in reversed(phrases)}
    return tuple(
        (polite.get(english) or polite.get(f"Please {_lower(english)}") or first[english], english)
        for english in dict.fromkeys(english for _, english in phrases)
    )


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _dated(adverb: Adverb) -> Adverb:
    """A day, week or year with the particle that learners are shown: 지난주에, 오늘 아침에."""
    takes = adverb.kind in ("past", "future", "near") and _DATES.search(adverb.korean)
    return replace(adverb, korean=f"{adverb.korean}에") if takes else adverb


def _covers(earlier: Adjective, other: Adjective) -> bool:
    """Whether an adjective says the same of all that the other is said of."""
    things = (set(a.subject.split(",")) for a in (other, earlier))
    return earlier.english == other.english and next(things) <= next(things)


def _same(lexicon: Lexicon, one: Verb, other: Verb) -> bool:
    """Whether two verbs have one English and may take one and the same word."""
    if (_FLAG.sub("}", one.english), one.subject) != (_FLAG.sub("}", other.english), other.subject):
        return False
    pairs = zip(one.arguments, other.arguments, strict=True)
    return all(lexicon.members(a) & lexicon.members(b) for (_, a), (_, b) in pairs)
