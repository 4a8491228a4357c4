"""Noun phrases and subjects in both languages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from core.grammar import english
from core.grammar.draw import Draw
from core.grammar.english import Subject
from core.grammar.korean import speak, with_particle
from core.grammar.lexicon import Adjective, Counter, Noun

I = Subject("I", 1, False, "my", "I")  # noqa: E741 - the English word
YOU = Subject("you", 2, False, "your", "you")
WE = Subject("we", 1, True, "our", "we")
IT = Subject("it", 3, False, "its", "it")
_PRONOUNS = (
    ("그", Subject("he", 3, False, "his", "he")),
    ("그녀", Subject("she", 3, False, "her", "she")),
    ("그들", Subject("they", 3, True, "their", "they")),
)
NUMBERS = (
    ("한", "one"), ("두", "two"), ("세", "three"), ("네", "four"), ("다섯", "five"),
    ("여섯", "six"), ("일곱", "seven"), ("여덟", "eight"), ("아홉", "nine"), ("열", "ten"),
)  # fmt: skip


PERSONS = frozenset({"name", "kin", "people", "job"})


@dataclass(frozen=True)
class Phrase:
    """A noun phrase without its particle, and its English."""

    korean: str
    english: str
    plural: bool = False


@dataclass(frozen=True)
class Actor:
    """A sentence subject: Korean words ("" when dropped) and the English subject."""

    korean: str
    subject: Subject
    honored: bool = False


# An older brother of hers and an older sister of his have names of their own.
_KIN_OF: Final = {("형", "her"): "오빠", ("언니", "his"): "누나"}


def phrase(noun: Noun, definite: str, owner: Subject) -> Phrase:
    """A noun with the article that its place in the sentence asks for.

    Args:
        noun: the noun.
        definite: ``a``, ``the``, ``any`` (kinds of things: apples) or ``?`` (a, even for places).
        owner: whose hands, whose mother, where the noun is someone's own.

    Returns:
        The phrase in both languages.
    """
    if "kin" in noun.features:
        mine = "my" if owner.possessive == "its" else owner.possessive
        called = _KIN_OF.get((noun.korean, owner.possessive), noun.korean)
        return Phrase(called, f"{mine} {noun.english}", "plural" in noun.features)
    return Phrase(noun.korean, _english(noun, definite, owner), "plural" in noun.features)


def kin_free(noun: Noun, definite: str = "a") -> Phrase:
    """A phrase in which kin are not yet anybody's: a younger brother."""
    return phrase(replace(noun, features=noun.features - {"kin", "the"}), definite, I)


# Of these one eats or buys several.
_SEVERAL: Final = frozenset(("귤", "자두", "키위", "딸기", "체리", "감", "계란", "만두", "쿠키"))


def _english(noun: Noun, definite: str, owner: Subject) -> str:
    """The English of a noun that is no kin; of vegetables one has to do with several."""
    if noun.features & {"bare", "spot", "home"} or "name" in noun.classes:
        return noun.english
    if "own" in noun.features:
        return f"{owner.possessive} {noun.english}"
    place = bool(noun.classes & {"place", "room"}) and definite == "a"
    if "the" in noun.features or definite == "the" or place:
        return f"the {noun.english}"
    if noun.features & {"mass", "plural"}:
        return noun.english
    many = "veg" in noun.classes or noun.korean in _SEVERAL
    if definite == "any" or (definite == "a" and many):
        return english.plural(noun.english)
    return f"{english.article(noun.english)} {noun.english}"


def counted(noun: Noun, counter: Counter, number: tuple[str, str]) -> Phrase:
    """A noun with a number and counter: 사과 세 개, three apples."""
    korean, many = number
    one = many == "one"
    if counter.english:
        unit, _, of = counter.english.partition(" ")
        things = (
            noun.english
            if unit == "piece" or noun.features & {"mass", "plural", "bare"}
            else english.plural(noun.english)
        )
        amount = f"a {unit}" if one else f"{many} {english.plural(unit)}"
        words = f"{amount} {of} {things}"
    else:
        words = f"{many} {noun.english if one else english.plural(noun.english)}"
    return Phrase(f"{noun.korean} {korean} {counter.korean}", words, not one)


def described(base: Phrase, adjective: Adjective) -> Phrase:
    """Put an adjective before a noun phrase with an article or none."""
    ending = "+는/ETM" if "iss" in adjective.features else "+은/ETM"
    first, _, rest = base.english.partition(" ")
    if first in ("a", "an"):
        words = f"{english.article(adjective.english)} {adjective.english} {rest}"
    elif first in ("the", "this", "that", "these", "those"):
        words = f"{first} {adjective.english} {rest}"
    else:
        words = f"{adjective.english} {base.english}"
    return replace(base, korean=f"{speak(adjective.korean + ending)} {base.korean}", english=words)


def pointed(noun: Noun, word: str) -> Phrase:
    """A noun after 이, 그 or 저: this bag, those shoes."""
    many = "plural" in noun.features
    pointer = {"이": ("this", "these"), "그": ("that", "those"), "저": ("that", "those")}[word][
        many
    ]
    return Phrase(f"{word} {noun.korean}", f"{pointer} {noun.english}", many)


def pointer(draw: Draw) -> str:
    """이, 그 or 저; settled, "that" is always 그."""
    word = draw.one_of(("이", "그", "저"))
    return "그" if draw.settled and word == "저" else word


def owned(noun: Noun, style: str) -> Phrase:
    """My thing, in the speaker's style: 내 가방, 제 가방."""
    mine = "제" if style in ("polite", "formal") else "내"
    return Phrase(f"{mine} {noun.korean}", f"my {noun.english}", "plural" in noun.features)


def third_person(noun: Noun) -> Subject:
    """The English subject for a person or thing as a topic."""
    base = phrase(noun, "the", I)
    possessive, pronoun = "its", "it"
    if "male" in noun.features:
        possessive, pronoun = "his", "he"
    elif "female" in noun.features:
        possessive, pronoun = "her", "she"
    elif base.plural or noun.classes & {"job", "people", "kin"}:
        possessive, pronoun = "their", "they"
    return Subject(base.english, 3, base.plural, possessive, pronoun)


def pronoun(subject: Subject) -> Subject:
    """The subject once it was named: he, she, they."""
    if subject.person != 3:
        return subject
    many = subject.plural or subject.pronoun == "they"
    return replace(subject, english=subject.pronoun, plural=many)


def speaker(draw: Draw, style: str, *, dropped: float = 0.5, topical: bool = False) -> Actor:
    """The first person, dropped or not, humble with polite endings."""
    if draw.loose(dropped):
        return Actor("", I)
    humble = style in ("polite", "formal")
    particle = "subject" if not topical and draw.loose(0.15) else "topic"
    return Actor(with_particle("저" if humble else "나", particle), I)


def listener(draw: Draw, style: str) -> Actor:
    """The second person: dropped, or 너 among friends."""
    if style in ("plain", "casual") and draw.chance(0.25):
        return Actor(with_particle("너", "topic"), YOU)
    return Actor("", YOU)


def ourselves(draw: Draw, *, topical: bool = False) -> Actor:
    """우리, or dropped where the construction says so."""
    particle = "subject" if not topical and draw.loose(0.4) else "topic"
    return Actor(with_particle("우리", particle), WE)


# Of nobody one tells as "the Korean".
_COUNTRYMEN: Final = "-=한국인,-=미국인,-=중국인,-=일본인"


def somebody(
    draw: Draw, style: str, selection: str = "human", *, topical: bool = False, kin: bool = True
) -> Actor:
    """A third person (or thing) as an overt subject; one asks others about no ``kin`` of one's."""
    human = selection == "human"
    if human and style != "formal" and draw.chance(0.08):
        korean, subject = draw.one_of(_PRONOUNS)
        return Actor(with_particle(korean, "topic"), subject)
    kinds = ("name", "kin", f"people,{_COUNTRYMEN}", "job")
    pool = draw.lexicon.pool(
        draw.weighted(kinds, (6, 6 if kin else 0, 1.2, 1.2)) if human else selection
    )
    noun = draw.word(pool if kin else [one for one in pool if "kin" not in one.features])
    korean, subject = noun.korean, third_person(noun)
    if "kin" in noun.features and (draw.settled or draw.chance(0.3)):
        own = "제" if style in ("polite", "formal") else "내"
        family = "kin" in noun.classes and noun not in draw.lexicon.members("lovers,=룸메이트")
        korean = f"{'우리' if family else own} {korean}"
    elif (
        human
        and noun.classes & {"people", "job"}
        and "kin" not in noun.features
        and draw.chance(0.6)
    ):
        base = pointed(noun, pointer(draw))
        korean, subject = base.korean, replace(subject, english=base.english)
    if style == "casual" and draw.chance(0.06):
        return Actor(korean, subject)
    topical = topical or (human if draw.settled else draw.chance(0.5))
    particle = "topic" if topical else "subject"
    return Actor(with_particle(korean, particle), subject, "honor" in noun.features)
