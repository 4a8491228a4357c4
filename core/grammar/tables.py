"""What people do, want, and say, in whole predicates: the tables behind sentences of clauses.

A predicate is written as Korean words, the last with its tag, and its English; ``[class]`` in both
stands for a noun of that class, ``{my}`` for the subject's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from core.grammar import lexicon
from core.grammar.draw import Draw
from core.grammar.english import Subject
from core.grammar.korean import with_particle
from core.grammar.nominals import I, phrase
from core.grammar.predicates import Predicate

_SLOT: Final = re.compile(r"\[(\w+)\]")
_PARTICLES: Final = {"를": "object", "에": "place", "가": "subject"}
# What the slots of a table stand for, where that is no class or group of its own.
_SLOTS: Final = {
    "friend": "name,=친구,=선배,=동료",
    "dish": "=김밥,=비빔밥,=불고기,=잡채,=김치찌개,=된장찌개,=볶음밥,=파전,=떡볶이,=만두",
    "book": "=책,=소설,=만화책,=잡지,=신문,=동화책,=한국어 책,=시집",
    "coffee": "=커피,=녹차,=주스,=유자차,=아메리카노,=홍차",
}


@dataclass(frozen=True)
class Deed:
    """Something that one does in a scene of the day, and where among its deeds it comes."""

    scene: str
    korean: str
    english: str
    features: frozenset[str]


@dataclass(frozen=True)
class Purpose:
    """What one wants, and the means to it."""

    korean: str
    english: str
    means: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Course:
    """What one was doing, and what came of it or came between, after "!" what could not be."""

    korean: str
    english: str
    follows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Condition:
    """A state of things, how it is linked, and what is said to it: ``construction:stem=english``.

    ``owner`` is the English subject, "" for the listener; "say" is what stands as it is, politely
    and to friends.
    """

    link: str
    korean: str
    owner: str
    english: str
    follows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Obstacle:
    """What one lacks for a deed, by the English of the verbs that it hinders (all, if none)."""

    korean: str
    owner: str
    english: str
    verbs: frozenset[str]


@cache
def deeds() -> tuple[Deed, ...]:
    """Everything in ``deeds.tsv``, in the order of the day."""
    return tuple(
        Deed(r["scene"], r["korean"], r["english"], frozenset(r["features"].split(",")))
        for r in lexicon.table("deeds")
    )


@cache
def purposes() -> tuple[Purpose, ...]:
    """Everything in ``purposes.tsv``."""
    return tuple(
        Purpose(r["purpose"], r["english"], tuple(map(_pair, r["means"].split(";"))))
        for r in lexicon.table("purposes")
    )


@cache
def absorbed() -> tuple[Course, ...]:
    """Everything in ``absorbed.tsv``: what one was doing, and so did not do."""
    return _courses("absorbed", "so")


@cache
def interrupted() -> tuple[Course, ...]:
    """Everything in ``interrupted.tsv``: "while ..." or "on the way ...", and what came between."""
    return _courses("interrupted", "then")


def _courses(name: str, column: str) -> tuple[Course, ...]:
    return tuple(
        Course(r["deed"], r["english"], tuple(map(_pair, r[column].split(";"))))
        for r in lexicon.table(name)
    )


@cache
def conditions() -> tuple[Condition, ...]:
    """Everything in ``conditions.tsv``."""
    found = []
    for row in lexicon.table("conditions"):
        owner, _, words = row["english"].rpartition(": ")
        follows = [follow.partition(":") for follow in row["follows"].split(";")]
        told = tuple((name, *_pair(rest)) for name, _, rest in follows)
        found.append(Condition(row["link"], row["state"], owner, words, told))
    return tuple(found)


@cache
def obstacles() -> tuple[Obstacle, ...]:
    """Everything in ``obstacles.tsv``."""
    found = []
    for row in lexicon.table("obstacles"):
        owner, _, words = row["english"].partition(": ")
        verbs = frozenset(filter(None, row["verbs"].split(";")))
        found.append(Obstacle(row["obstacle"], owner, words, verbs))
    return tuple(found)


def _pair(text: str) -> tuple[str, str]:
    korean, _, english = text.partition("=")
    return korean, english


def predicate(draw: Draw, korean: str, words: str, owner: Subject = I) -> Predicate:
    """A predicate of a table, its slots filled."""
    pairs: set[tuple[str, str]] = set()
    for name in dict.fromkeys(_SLOT.findall(korean)):
        noun = draw.noun(_SLOTS.get(name, name))
        pairs.add((f"{words}", f"{noun.korean}:{noun.english}"))
        for mark, role in _PARTICLES.items():
            korean = korean.replace(f"[{name}]{mark}", with_particle(noun.korean, role))
        words = words.replace(f"[{name}]", phrase(noun, "a", owner).english)
    *before, stem = korean.split()
    verb, _, rest = words.replace("{my}", owner.possessive).partition(" ")
    features: frozenset[str] = frozenset()
    if verb == "not":
        verb, _, rest = rest.partition(" ")
        features = frozenset({"negword"})
    if verb in ("rain", "snow"):
        features |= {"now"}
    like = "verb" if stem.endswith(("/VV", "/VV-I", "/VV-R")) else "adjective"
    if stem.partition("/")[0].endswith(("있", "없")):
        features |= {"iss"}
    kind = "act" if like == "verb" else "feel"
    return Predicate(
        kind, stem, verb, rest, tuple(before), like, willed=like == "verb", features=features,
        pairs=frozenset(pairs),
    )  # fmt: skip
