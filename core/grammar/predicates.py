"""What a sentence says of its subject, in both languages, before tense and mood."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from core.grammar.draw import Draw
from core.grammar.english import Subject, plural
from core.grammar.korean import with_particle
from core.grammar.lexicon import Adjective, Adverb, Noun, Verb
from core.grammar.nominals import (
    NUMBERS,
    Phrase,
    counted,
    described,
    owned,
    phrase,
    pointed,
    pointer,
)

_SLOT = re.compile(r"\{(\d)([!*?]?)\}")
_ONE_DEED: Final = re.compile(r"take an? (\w+)")  # a walk is no object
_DEFINITE = {"": "a", "!": "the", "*": "any", "?": "?"}


@dataclass(frozen=True)
class Predicate:
    """A stem with its complements.

    ``before`` are the Korean words before the stem; ``verb`` and ``rest`` the English base
    form and what follows it; ``pairs`` the word combinations that it is made of.
    """

    kind: str
    stem: str
    verb: str
    rest: str = ""
    before: tuple[str, ...] = ()
    like: str = "verb"
    mid: str = ""
    willed: bool = False
    features: frozenset[str] = frozenset()
    pairs: frozenset[tuple[str, str]] = frozenset()


def adverbial(noun: Noun, role: str) -> str:
    """A place as an English adverbial: to the cafe, at school, home, there; in the sea."""
    if "spot" in noun.features:
        return noun.english
    if "home" in noun.features:
        return "home" if role == "goal" else "at home"
    own = next(iter(noun.features & {"at", "in", "on"}), "at")
    preposition = {"goal": "to", "in": "in"}.get(role, own)
    article = "" if noun.features & {"bare", "inst"} else "the "
    return f"{preposition} {article}{noun.english}"


def mark(draw: Draw, korean: str, role: str, style: str) -> str:
    """A Korean noun phrase with the particle of its role, which casual speech may drop."""
    loose = 0.5 if style == "casual" else 0.1 if style == "polite" else 0.0
    if len(korean) == 1 and role == "goal":  # 산 갔어, 절 갔어: too short to stand alone
        loose /= 4
    if role == "obj":
        return korean if draw.loose(loose) else with_particle(korean, "object")
    if role == "goal":
        return korean if draw.loose(loose) else with_particle(korean, "place")
    if role == "about":
        return with_particle(korean, "place") + " 대해"
    if role == "with":
        kind = "with_casual" if style in ("casual", "polite") and draw.loose(0.6) else "with"
        return with_particle(korean, kind)
    if role == "to":
        return with_particle(korean, "to_casual" if style == "casual" else "to")
    names = {"loc": "place", "into": "place", "at": "at", "source": "from", "via": "via"}
    return with_particle(korean, names[role])


# How many of them one has to do with at once, by class: nobody buys six beds.
_MOST = {
    "drink": 2, "furniture": 2, "device": 2, "appliance": 1, "vehicle": 1, "bag": 2, "read": 3,
    "book": 3, "wear": 3, "shoe": 2, "hat": 2, "acc": 2, "animal": 3, "pet": 2,
}  # fmt: skip


def argument(
    draw: Draw, noun: Noun, definite: str, owner: Subject, style: str, features: frozenset[str]
) -> Phrase:
    """An argument noun, now and then counted, pointed at, owned or described.

    The verb's features say whether it takes numbers of things and is about what they cost.
    """
    titled = definite == "a" and noun.korean.endswith("님")  # one's own: the teacher, the boss
    base = phrase(noun, "the" if titled else definite, owner)
    if "kin" in noun.features or noun.features & {"own", "bare", "inst", "spot", "home"}:
        return base
    if "name" in noun.classes or definite == "any" or noun.classes & {"place", "room"}:
        return base
    counter = draw.counter(noun)
    if counter and "count" in features and draw.chance(0.12):
        most = next((most for kind, most in _MOST.items() if kind in noun.classes), 5)
        return counted(noun, counter, draw.one_of(NUMBERS[:most]))
    if draw.chance(0.05) and not noun.features & {"the", "mass"}:
        return pointed(noun, pointer(draw))
    mine = owner.english == "I" and "unowned" not in features
    if mine and draw.chance(0.1) and noun in draw.lexicon.members("ownable"):
        return owned(noun, style)
    fitting = [
        a
        for a in draw.lexicon.adjectives_of(noun)
        if ("price" in features if a.scale == "price" else a.value != "-")
    ]
    if fitting and not noun.classes & {"people", "job"} and draw.chance(0.12):
        return described(base, draw.word(fitting))
    return base


def act(
    draw: Draw, verb: Verb, owner: Subject, style: str, asked: str = "", *, several: bool = False
) -> Predicate:
    """A verb with its arguments filled in.

    Args:
        draw: the source of choices.
        verb: the verb.
        owner: the subject, for words such as "his hands".
        style: speech style, which decides on particles.
        asked: a role left out because a question word takes its place.
        several: whether it is told of things of a kind: to write letters, not a letter.

    Returns:
        The predicate.
    """
    words: list[str] = []
    english: dict[int, str] = {}
    pairs: set[tuple[str, str]] = set()
    flags = {int(slot): flag for slot, flag in _SLOT.findall(verb.english)}
    for number, (role, selection) in enumerate(verb.arguments):
        if role == asked:
            continue
        if selection == "human" or (selection == "human,transit" and draw.chance(0.6)):
            selection = _folk(draw, verb, owner)
        noun = _noun(draw, selection.removeprefix("human,"), owner)
        pairs.add((verb.name, f"{noun.korean}:{noun.english}"))
        if role in ("goal", "loc", "at"):
            words.append(mark(draw, noun.korean, role, style))
            english[number] = adverbial(noun, role)
            continue
        definite = _DEFINITE[flags.get(number, "")]
        if several and definite == "a" and role == "obj":
            definite = "any"
        filled = argument(draw, noun, definite, owner, style, verb.features)
        words.append(mark(draw, filled.korean, role, style))
        english[number] = filled.english
    told = verb.english.removeprefix("not ")  # 모르다: its group is negative already
    if several and (deed := _ONE_DEED.fullmatch(told)):
        told = f"take {plural(deed[1])}"
    text = _SLOT.sub(lambda match: english.get(int(match[1]), ""), told)
    head, _, rest = " ".join(text.split()).partition(" ")
    return Predicate(
        kind="weather" if verb.subject == "it" else "act",
        stem=verb.korean,
        verb=head,
        rest=rest,
        before=tuple(words),
        willed=verb.willed,
        features=verb.features,
        pairs=frozenset(pairs),
    )


# What one does with people whom one does not know as well.
_WITH_ANYBODY = (
    "wait for {0!}", "help {0}", "meet {0}", "talk with {0}", "have a conversation with {0}",
    "ask {0} a question", "ask {0} about {1!}", "ask {0} for a favor", "greet {0}", "call {0}",
)  # fmt: skip


def _is_mine(owner: Subject) -> bool:
    """Whether it is of my kin that I tell: 우리 아버지는 엄마와 has my mother, and not his."""
    return owner.english.startswith("my ")


def _noun(draw: Draw, selection: str, owner: Subject) -> Noun:
    others = draw.lexicon.pool(f"{selection},-kin") if _is_mine(owner) else ()
    return draw.word(others) if others else draw.noun(selection)


def _folk(draw: Draw, verb: Verb, owner: Subject) -> str:
    others = "served" if verb.english in _WITH_ANYBODY else "acquaintance"
    kin = 0 if _is_mine(owner) else 4
    return draw.weighted(("name", "kin", "acquaintance", others), (4, kin, 2, 1.5))


NEAR_BY = "=버스,=지하철,=택시,=차,=자전거"
_FAR_BY = "=버스,=기차,=차,=비행기,=고속버스"


def _is_far(draw: Draw, base: Predicate) -> bool:
    """Whether one goes to a city or a country."""
    goals = {goal for _, goal in base.pairs}
    return any(f"{n.korean}:{n.english}" in goals for n in draw.lexicon.pool("city,country"))


def with_adjuncts(draw: Draw, base: Predicate, verb: Verb, owner: Subject, style: str) -> Predicate:
    """Add where, with whom, by what and how, sometimes."""
    roles = {role for role, _ in verb.arguments}
    front: list[str] = []
    tail: list[str] = []
    social = (verb.places or "move" in verb.features) and not verb.features & {"solo", "bad"}
    if social and verb.subject == "human" and not roles & {"to", "with"} and draw.chance(0.15):
        ours = owner.english == "we"  # who is kin of us all?
        noun = draw.noun("name,=친구" if ours or _is_mine(owner) else "name,kin,=친구")
        mate = phrase(noun, "a", owner)
        front.append(_company(draw, mate.korean, style))
        tail.append(f"with {mate.english}")
    if verb.places and draw.chance(0.28):
        noun = draw.noun(verb.places)
        front.append(with_particle(noun.korean, "at"))
        tail.append(adverbial(noun, "in" if verb.english == "swim" else "at"))
    if "move" in verb.features and draw.chance(0.15):
        noun = draw.noun(_FAR_BY if _is_far(draw, base) else NEAR_BY)
        front.append(with_particle(noun.korean, "via"))
        tail.append(f"by {noun.english}")
    manner = manners_of(draw, verb, bool(social))
    if not (owner.plural or any(words.startswith("with ") for words in tail)):
        manner = [adverb for adverb in manner if adverb.english != "together"]
    if tail or owner.plural:
        manner = [adverb for adverb in manner if adverb.english != "alone"]
    if manner and "bad" not in verb.features and draw.chance(0.1):
        adverb = draw.word(manner)
        last = (*base.before, adverb.korean)
        if base.verb == "sleep" and adverb.english in ("early", "late"):
            base = replace(base, verb="go", rest="to bed")  # 일찍 자다
        base = replace(base, before=last, rest=f"{base.rest} {adverb.english}".strip())
    return replace(
        base, before=(*front, *base.before), rest=" ".join(filter(None, [base.rest, *tail]))
    )


def _company(draw: Draw, mate: str, style: str) -> str:
    if draw.loose(0.3):
        return mate + "하고"
    return mark(draw, mate, "with", style)


# Of a stem that has manners, what has none: 쓰다 is to write slowly, and 가다 to go early.
_ANYHOW: Final = ("wear {0}", "use {0}", "go on {0}", "take {0}")


def manners_of(draw: Draw, verb: Verb, social: bool) -> list[Adverb]:
    """Manner adverbs that go with a verb."""
    stem = verb.korean.split("/")[0]
    if verb.english in _ANYHOW:
        stem = ""
    return [
        a
        for a in draw.lexicon.adverbs_of("manner")
        if (a.verbs == "*" and social) or stem in a.verbs.split(",")
    ]


def feel(draw: Draw) -> Predicate:
    """How a person is: 배고프다, 친절하다."""
    adjective = draw.word(draw.lexicon.adjectives_for("human"))
    return quality(adjective, kind="feel")


def in_degree(base: Predicate, *degree: str) -> Predicate:
    """A quality in a degree: 더 커요, and what has a subject of its own 키가 더 커요."""
    head, _, last = base.stem.rpartition(" ")
    if not head.endswith(("이", "가")):
        return replace(base, before=(*base.before, *degree))
    return replace(base, stem=" ".join((head, *degree, last)))


# Adjectives that English says with a verb: 맛없다 is to taste bad.
VERBAL: Final = {"bad-tasting": ("taste", "bad")}


def quality(adjective: Adjective, kind: str = "describe") -> Predicate:
    """An adjective as a predicate."""
    verb, rest = VERBAL.get(adjective.english, ("be", adjective.english))
    return Predicate(
        kind=kind,
        stem=adjective.korean,
        verb=verb,
        rest=rest,
        like="verb" if adjective.korean.endswith("/VV") else "adjective",
        features=adjective.features,
    )
