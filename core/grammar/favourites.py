"""Of a sort of things, which one somebody likes, wants or does: the food I like is kimchi."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from core.grammar import english, lexicon
from core.grammar.clauses import Spoken
from core.grammar.english import Subject, VerbGroup
from core.grammar.korean import is_noun, speak, with_particle
from core.grammar.lexicon import Noun
from core.grammar.nominals import YOU, Actor, I, phrase, somebody
from core.grammar.opinions import as_subject
from core.grammar.sentences import Maker, Sentence, Workshop, finish


@dataclass(frozen=True)
class Sort:
    """A sort of things, the nouns that are of it, and what one does with it.

    A deed is its Korean stem, its English, and its tense (past, or now for what goes on).
    """

    korean: str
    english: str
    members: str
    deeds: tuple[tuple[str, str, str], ...]


@cache
def sorts() -> tuple[Sort, ...]:
    """Everything in ``sorts.tsv``."""
    return tuple(
        Sort(r["sort"], r["english"], r["members"], tuple(map(_deed, r["deeds"].split(";"))))
        for r in lexicon.table("sorts")
    )


def _deed(text: str) -> tuple[str, str, str]:
    korean, _, words = text.partition("=")
    stem, _, tense = korean.partition("+")
    return stem, words, tense or "present"


def _clause(
    shop: Workshop, sort: Sort, style: str, *, most: bool = False, you: bool = False
) -> tuple[str, str, str, tuple[str, str]]:
    """The sort with its relative clause, in both languages; the deed, and a word pair."""
    draw = shop.draw
    stem, words, tense = draw.word(sort.deeds)
    if most:
        stem, words, tense = draw.word([d for d in sort.deeds if d[1] in ("like", "dislike")])
    ending = "+은/ETM" if tense == "past" or stem.endswith(("/VX", "/VA")) else "+는/ETM"
    who = _doer(shop, style, you=you)
    top = draw.variant(("제일", "가장")) if most else ""
    korean = " ".join(filter(None, [who.korean, top, speak(f"{stem}{ending}"), sort.korean]))
    head, _, rest = words.partition(" ")
    mid = ""
    if head == "often":
        mid, (head, _, rest) = "often", rest.partition(" ")
    group = VerbGroup("{verb}", "past" if tense == "past" else "present", mid=mid)
    told = english.clause(who.subject, group, head, rest)
    if most:
        told = f"{told} the most"
    whom = "the person" if sort.english == "person" else f"the {sort.english}"
    pair = (f"{stem.partition('/')[0]}:{words}", sort.korean)
    return korean, f"{whom} {told}", words, pair


def _doer(shop: Workshop, style: str, *, you: bool) -> Actor:
    draw = shop.draw
    if you:
        return Actor("네가" if style == "casual" else "", YOU)
    if draw.chance(0.3):
        other = somebody(draw, style)
        return replace(other, korean=as_subject(shop, other, always=True))
    return Actor("제가" if style in ("polite", "formal") else "내가", I)


def _member(sort: Sort, noun: Noun, owner: Subject) -> str:
    """Which one it is: kimchi, bananas, a bag, my mother."""
    if sort.english in ("book", "thing", "person"):
        return phrase(noun, "a", owner).english
    if sort.english == "instrument":
        return f"the {noun.english}"
    if sort.english in ("animal", "fruit", "vegetable", "food", "flower"):
        return phrase(noun, "any", owner).english
    return noun.english


def _named(sort: Sort, noun: Noun) -> str:
    """The animal I like is the bear, and not bears."""
    if sort.english in ("animal", "flower") and "plural" not in noun.features:
        return f"the {noun.english}"
    return _member(sort, noun, I)


def favourite_sentence(shop: Workshop) -> Sentence | None:
    """The food I like is kimchi; the country I want to go to is Japan."""
    draw = shop.draw
    style = shop.style()
    sort = draw.word(sorts())
    most = draw.chance(0.25) and any(d[1] == "like" for d in sort.deeds)
    start, words, deed, pair = _clause(shop, sort, style, most=most)
    noun = draw.noun(sort.members)
    if f" {noun.english} " in f" {words} " or (sort.english == "person" and deed != "like"
                                              and " I " not in f"{words} "):  # fmt: skip
        return None
    negative = draw.chance(0.12)
    korean = noun.korean
    if "kin" in noun.features:
        korean = f"{'제' if style in ('polite', 'formal') else '내'} {korean}"
    if negative:
        ends = {"casual": "아니야", "polite": "아니에요", "formal": "아닙니다", "plain": "아니다"}
        last = f"{with_particle(korean, 'subject')} {ends[style]}"
    else:
        last = is_noun(korean, style)
    told = f"{words} {'is not' if negative else 'is'} {_named(sort, noun)}"
    kind = "most" if most else "not" if negative else "is"
    frame = f"favourite:{sort.english}.{kind}.statement"
    joint = Spoken(f"{with_particle(start, 'topic')} {last}", told)
    return finish(draw, joint, frame, "statement", frozenset({pair, (pair[0], noun.korean)}))


def favourite_question(shop: Workshop) -> Sentence | None:
    """What is the food you like? What food do you like the most?"""
    draw = shop.draw
    style = shop.style((0, 1, 1.5, 0))
    sort = draw.word(sorts())
    if any(d[2] == "past" or d[1] in ("love", "respect", "trust") for d in sort.deeds):
        return None
    most = draw.chance(0.4) and any(d[1] == "like" for d in sort.deeds)
    start, words, _, pair = _clause(shop, sort, style, most=most, you=True)
    who = sort.english == "person"
    asks = is_noun("누구" if who else "뭐", style, question=True)
    joint = Spoken(
        f"{with_particle(start, 'subject')} {asks}",
        f"{'who' if who else 'what'} is {words}", clear=True,
    )  # fmt: skip
    frame = f"favourite:{sort.english}.{'most' if most else 'is'}.question"
    return finish(draw, joint, frame, "question", frozenset({pair}))


def prefer_sentence(shop: Workshop) -> Sentence | None:
    """I like kimchi more than bread; of fruit I like apples the most."""
    draw = shop.draw
    style = shop.style()
    sort = draw.word([s for s in sorts() if any(d[1] == "like" for d in s.deeds)])
    if sort.english in ("person", "book", "thing"):
        return None
    one, two = draw.noun(sort.members), draw.noun(sort.members)
    if one is two:
        return None
    humble = style in ("polite", "formal")
    actor = Actor(with_particle("저" if humble else "나", "topic"), I)
    if draw.chance(0.3):
        actor = somebody(draw, style, topical=True)
    like = {"plain": "좋아한다", "casual": "좋아해", "polite": "좋아해요", "formal": "좋아합니다"}
    if actor.honored:
        like |= {"polite": "좋아하세요", "formal": "좋아하십니다"}
    kind = draw.weighted(("more", "best", "which"), (3, 2, 1.5))
    pairs = frozenset({("좋아하:like {0*}", f"{one.korean}:{one.english}")})
    first, second = _member(sort, one, I), _member(sort, two, I)
    if kind == "more":
        korean = f"{with_particle(two.korean, 'than')} {with_particle(one.korean, 'object')} 더"
        told = _likes(actor, f"{first} more than {second}")
    elif kind == "best":
        top = draw.variant(("제일", "가장"))
        korean = f"{sort.korean} 중에서 {with_particle(one.korean, 'object')} {top}"
        told = f"of all {_all(sort)}, {_likes(actor, f'{first} the most')}"
    else:
        if style in ("plain", "formal"):
            return None
        link = draw.variant(("하고", with_particle(one.korean, "with")[len(one.korean) :]))
        liking = "좋아해요" if style == "polite" else like[style]
        korean = f"{one.korean}{link} {two.korean} 중에서 뭘 더 {liking}?"
        told = f"which do you like more, {first} or {second}"
        spoken = Spoken(korean.rstrip("?"), told)
        return finish(draw, spoken, f"prefer:{sort.english}.which.question", "question", pairs)
    spoken = Spoken(f"{actor.korean} {korean} {like[style]}", told)
    return finish(draw, spoken, f"prefer:{sort.english}.{kind}.statement", "statement", pairs)


def _likes(actor: Actor, rest: str) -> str:
    return english.clause(actor.subject, VerbGroup("{verb}"), "like", rest)


def _all(sort: Sort) -> str:
    return sort.english if sort.english in ("food", "fruit") else english.plural(sort.english)


MAKERS: tuple[tuple[Maker, float], ...] = (
    (favourite_sentence, 4),
    (favourite_question, 1.5),
    (prefer_sentence, 3),
)
