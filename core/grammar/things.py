"""A thing, or a whole kind of things, as the subject of a description."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.grammar import english
from core.grammar.english import Subject
from core.grammar.korean import with_particle
from core.grammar.lexicon import Noun
from core.grammar.nominals import (
    PERSONS,
    Actor,
    I,
    owned,
    phrase,
    pointed,
    pointer,
    third_person,
)

if TYPE_CHECKING:
    from core.grammar.sentences import Workshop

_KINDS: Final = frozenset({"animal", "food", "drink"})
_COMPARED: Final = _KINDS | {
    "vehicle", "device", "appliance", "furniture", "wear", "shoe", "hat", "acc", "bag", "read",
    "book", "job", "stationery", "kitchenware", "instrument",
}  # fmt: skip


def is_kind(noun: Noun, *, compared: bool = False) -> bool:
    """Whether one says something of all of them: of dogs and coffee; ``compared``, of chairs."""
    named = noun.features & {"the", "own", "kin", "bare", "spot", "home"}
    return bool(noun.classes & (_COMPARED if compared else _KINDS)) and not named


def all_of(noun: Noun) -> Subject:
    """A whole kind as a subject: dogs, coffee."""
    mass = "mass" in noun.features
    many = not mass
    name = noun.english if noun.features & {"mass", "plural"} else english.plural(noun.english)
    return Subject(name, 3, many, "their" if many else "its", "they" if many else "it")


# What is said of all of a kind: of bears and lemons, not of this soup.
INBORN: Final = (
    "cute", "scary", "dangerous", "delicious", "spicy", "sweet", "sour", "bitter", "greasy",
    "expensive", "cheap", "pretty",
)  # fmt: skip


def thing_actor(
    shop: Workshop, selection: str, style: str, *, kinds: bool = False, pointing: float = 0.35
) -> tuple[Actor, str]:
    """A thing as the subject of a description, and its Korean name.

    Args:
        shop: what every maker needs.
        selection: which nouns.
        style: speech style.
        kinds: whether what is said may hold of the whole kind: 곰은 무서워요, bears are scary.
        pointing: how often it is this one or that.
    """
    draw = shop.draw
    noun = draw.noun(selection)
    base = phrase(noun, "the", I)
    subject = third_person(noun)
    plain = (
        not noun.features & {"bare", "the", "own", "kin", "spot", "home"}
        and "name" not in noun.classes
    )
    if "kin" in noun.features and draw.settled:
        ours = "kin" in noun.classes and noun not in draw.lexicon.members("lovers,=룸메이트")
        base = replace(base, korean=f"{'우리' if ours else '제'} {noun.korean}")
    if kinds and is_kind(noun) and draw.chance(0.5):
        return Actor(with_particle(noun.korean, "topic"), all_of(noun)), noun.korean
    if plain and draw.chance(pointing):
        base = pointed(noun, pointer(draw))
    elif plain and noun in draw.lexicon.members("ownable") and draw.chance(0.2):
        base = owned(noun, style)
    subject = replace(subject, english=base.english, plural=base.plural)
    if style == "casual" and draw.chance(0.3):
        return Actor(base.korean, subject), noun.korean
    particles = ("topic", "subject")
    if draw.settled and base.korean == noun.korean and not noun.classes & PERSONS:
        particles = ("subject", "topic")
    if kinds and is_kind(noun) and base.korean == noun.korean:
        particles = ("subject", "subject")  # 은 would be said of the kind
    spoken = with_particle(base.korean, draw.variant(particles))
    return Actor(spoken, subject, "honor" in noun.features), noun.korean
