"""What is typed before a sentence is: one word, or a few that have no verb of their own.

Neither has a stop, and English nouns and what stands before them begin with a small letter, as in
a dictionary; into Korean a verb or an adjective alone is its dictionary form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from typing import Final

from core.grammar import english, lexicon
from core.grammar.draw import Draw
from core.grammar.korean import speak, with_particle
from core.grammar.lexicon import Noun
from core.grammar.nominals import I, described, phrase, pointed, pointer
from core.grammar.predicates import VERBAL, adverbial, mark
from core.grammar.sentences import Maker, Sentence, Workshop


@dataclass(frozen=True)
class Word:
    """A word as a dictionary has it, in both languages, and other ways to write its English."""

    korean: str
    english: str
    also: tuple[str, ...] = ()


# --- a word ---------------------------------------------------------------------------------------

_OBJECT: Final = re.compile(r" \{0[!*?]?\}$")  # the one slot of "eat {0}", behind its verb
_ONE_ONLY: Final = frozenset({"mass", "plural", "bare", "the", "own", "kin", "spot", "home"})


def _nouns() -> Iterator[Word]:
    for noun in lexicon.load().nouns:
        told = noun.english
        if "name" not in noun.classes:
            kinds = (f"{english.article(told)} {told}", f"the {told}", english.plural(told))
            yield Word(noun.korean, told, () if noun.features & _ONE_ONLY else kinds)


def _verbs() -> Iterator[Word]:
    for verb in lexicon.load().verbs:
        told = _OBJECT.sub("", verb.english)
        if "{" not in told and not {"negword", "weather"} & verb.features:
            yield Word(speak(f"{verb.korean}+다/EF"), f"to {told}", (told,))


def _adjectives() -> Iterator[Word]:
    for adjective in lexicon.load().adjectives:
        told, korean = adjective.english, speak(f"{adjective.korean}+다/EF")
        if told in VERBAL:
            yield Word(korean, f"to {' '.join(VERBAL[told])}")
        else:
            yield Word(korean, told, (f"to be {told}",))


def _adverbs() -> Iterator[Word]:
    adverbs = lexicon.load().adverbs
    return (Word(a.korean, a.english) for a in adverbs if a.kind != "hour")


@cache
def words(*, settled: bool) -> tuple[Word, ...]:
    """Every word of the lexicon with what it is first thought to mean.

    Args:
        settled: each English with one Korean; else each Korean with one English.
    """
    found: dict[str, Word] = {}
    for word in chain(_nouns(), _adjectives(), _adverbs(), _verbs()):
        found.setdefault(word.english if settled else word.korean, word)
    free = {also for word in found.values() for also in word.also} - found.keys()
    kept: list[Word] = []
    for word in found.values():  # "work" is the noun's, "play" the verb's that comes first
        kept.append(replace(word, also=tuple(also for also in word.also if also in free)))
        free -= set(word.also)
    return tuple(kept)


def word_alone(shop: Workshop) -> Sentence:
    """School; pretty; to cut."""
    draw = shop.draw
    word = draw.one_of(words(settled=draw.settled))
    text = draw.told((word.english, word.english, *word.also))
    return Sentence(word.korean, _cased(draw, text), "bare.word")


def _cased(draw: Draw, text: str) -> str:
    """With a small letter, or what people type with a large one."""
    return draw.told((text, text, text[0].upper() + text[1:]))


# --- a few words ----------------------------------------------------------------------------------

_PAIRED: Final = (
    "food", "drink", "fruit", "veg", "animal", "pet", "wear", "acc", "stationery", "furniture",
    "kitchenware", "daily", "instrument", "sport", "subject", "language", "country", "city",
    "dish", "vehicle", "book", "colors", "plant", "job",
)  # fmt: skip
_TRAITS: Final = "=사람,=남자,=여자,=아이,=학생,=선생님,=손님:guest"
_APART: Final = frozenset({"the", "bare", "kin", "spot", "home", "own"})


@cache
def _plain(nouns: tuple[Noun, ...]) -> tuple[Noun, ...]:
    """Nouns that take an article and are nobody's name."""
    return tuple(n for n in nouns if "name" not in n.classes and not n.features & _APART)


def _with_adjective(draw: Draw) -> Sentence | None:
    """A pretty flower."""
    noun = draw.noun(_TRAITS) if draw.chance(0.15) else draw.one_of(_plain(draw.lexicon.nouns))
    fitting = draw.lexicon.adjectives_of(noun)
    if noun in draw.lexicon.members(_TRAITS):
        fitting = (*fitting, *draw.lexicon.adjectives_for("human"))
    fitting = tuple(a for a in fitting if a.english != "far" and a.english not in VERBAL)
    if not fitting:
        return None
    adjective = draw.word(fitting)
    made = described(phrase(noun, "?", I), adjective)
    without = re.sub(r"^an? ", "", made.english)
    text = draw.told((made.english, without, f"the {without}"))
    pairs = frozenset({(adjective.korean, noun.korean)})
    return Sentence(made.korean, _cased(draw, text), "bare.described", pairs)


def _pointed_at(draw: Draw) -> Sentence | None:
    """This book."""
    noun = draw.noun("goods,animal,=사람,=아이,=학생,=남자,=여자,place,read,watch,-city,-country")
    if noun.features & _APART:
        return None
    made = pointed(noun, pointer(draw))
    return Sentence(made.korean, _cased(draw, made.english), "bare.pointed")


_OURS: Final = "=집:house,=학교,=회사,=교실"


def _owned(draw: Draw) -> Sentence:
    """My bag; our house; my younger brother."""
    if draw.chance(0.15):
        noun = draw.noun(_OURS)
        return Sentence(f"우리 {noun.korean}", _cased(draw, f"our {noun.english}"), "bare.owned")
    noun = draw.noun("ownable,kin,=친구,=방,=머리:hair,=손,=눈:eyes,-=학교,-=회사")
    family = "kin" in noun.classes and noun not in draw.lexicon.members("lovers,=룸메이트")
    if draw.settled:
        mine = "우리" if family else "제"
    else:
        mine = draw.one_of(("제", "내", "우리") if family else ("제", "내"))
    return Sentence(f"{mine} {noun.korean}", _cased(draw, f"my {noun.english}"), "bare.owned")


def _of_somebody(draw: Draw) -> Sentence:
    """Minsu's bag; my mother's hands."""
    noun = draw.noun(
        "wear,shoe,bag,device,book,vehicle,furniture,=방,=집:house,=생일,=이름,=목소리"
    )
    if draw.chance(0.6):
        who = draw.noun("name")
        ways: tuple[str, ...] = (f"{who.korean} 씨의", f"{who.korean}의", who.korean)
        owner = who.english
    else:
        who = draw.noun("kin")
        ways = (f"제 {who.korean}의", who.korean, f"우리 {who.korean}")
        owner = f"my {who.english}"
    told = f"{owner}'" if "plural" in who.features else f"{owner}'s"
    korean = f"{draw.variant(ways)} {noun.korean}"
    return Sentence(korean, _cased(draw, f"{told} {noun.english}"), "bare.of")


def _both(draw: Draw) -> Sentence | None:
    """Coffee and bread; dogs and cats."""
    kind = draw.one_of(_PAIRED)
    one, two = draw.noun(kind), draw.noun(kind)
    if one is two or one.english in two.english or two.english in one.english:
        return None
    link = draw.variant(("with", "with_casual", ""))
    first = with_particle(one.korean, link) if link else f"{one.korean}하고"
    named = [_kind_of(noun) for noun in (one, two)]
    return Sentence(f"{first} {two.korean}", _cased(draw, " and ".join(named)), "bare.both")


def _kind_of(noun: Noun) -> str:
    """Coffee, dogs, Korea: a thing as a kind."""
    if noun.features & _ONE_ONLY:
        return noun.english
    return english.plural(noun.english)


def _somewhere(draw: Draw) -> Sentence | None:
    """At the library."""
    noun = draw.noun("place,room,=집:home,=학교,=여기")
    if "spot" in noun.features:
        return None
    return Sentence(with_particle(noun.korean, "at"), adverbial(noun, "at"), "bare.at")


def _with_somebody(draw: Draw) -> Sentence:
    """With a friend."""
    noun = draw.noun("name,kin,=친구,=동료,=이웃,=강아지,=고양이")
    korean = mark(draw, noun.korean, "with", draw.one_of(("casual", "formal")))
    return Sentence(korean, f"with {phrase(noun, 'a', I).english}", "bare.with")


def _by_vehicle(draw: Draw) -> Sentence:
    """By bus."""
    noun = draw.noun("vehicle,=지하철,=버스,=비행기")
    return Sentence(with_particle(noun.korean, "via"), f"by {noun.english}", "bare.by")


_FEW: Final[tuple[tuple[Callable[[Draw], Sentence | None], float], ...]] = (
    (_with_adjective, 8), (_pointed_at, 2), (_owned, 2), (_of_somebody, 2), (_both, 4),
    (_somewhere, 1), (_with_somebody, 1), (_by_vehicle, 0.3),
)  # fmt: skip


def few_words(shop: Workshop) -> Sentence | None:
    """A few words that are no sentence."""
    made: Sentence | None = shop.draw.weighted(*zip(*_FEW, strict=True))(shop.draw)
    return made


MAKERS: Final[tuple[tuple[Maker, float], ...]] = ((word_alone, 10), (few_words, 22))
