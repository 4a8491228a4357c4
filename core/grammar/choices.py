"""Only this, nothing but that, both, and one or the other."""

from __future__ import annotations

from dataclasses import replace

from core.grammar.clauses import Spoken, Turn, actor_for, tell, time_for
from core.grammar.draw import Draw
from core.grammar.existence import scene, there
from core.grammar.korean import final_consonant, is_noun, with_particle
from core.grammar.lexicon import Noun, Verb
from core.grammar.nominals import Actor, I, Phrase, phrase, speaker
from core.grammar.predicates import Predicate, adverbial
from core.grammar.sentences import Maker, Sentence, Workshop, finish

_CHOSEN = (
    "eat {0}", "drink {0}", "read {0}", "buy {0}", "watch {0}", "study {0}", "like {0*}",
    "make {0}", "listen to {0}", "learn {0}", "wear {0}", "order {0}",
)  # fmt: skip


def _verb(draw: Draw) -> Verb:
    return draw.word([v for v in draw.lexicon.verbs if v.english in _CHOSEN])


def _things(draw: Draw, verb: Verb, count: int) -> list[Noun] | None:
    """Different nouns of one class that the verb takes."""
    pool = draw.lexicon.pool(verb.arguments[0][1])
    one = draw.word(pool)
    found = [one]
    while len(found) < count:
        alike = [n for n in pool if n.classes == one.classes and n not in found]
        if not alike:
            return None
        found.append(draw.word(alike))
    odd = any(n.features & {"the", "own", "kin"} for n in found)
    # Wine is alcohol: one does not choose between a sort and what is of it.
    broad = count > 1 and any(n.korean in _BROAD for n in found)
    return None if odd or broad else found


_BROAD = (
    "술", "별", "음악", "음식", "옷", "과일", "야채", "외국어", "한국 음식", "일본 음식",
    "중국 음식", "매운 음식", "고기", "닭고기", "책", "물", "수업", "이야기", "설명", "소식",
    "글", "영상", "디저트", "음료수", "강의", "반찬", "해산물", "간식", "따뜻한 물", "찬물",
    "속옷",
)  # fmt: skip


def _said(verb: Verb, noun: Noun, *, alone: bool = False) -> Phrase:
    """A thing, or its kind where one likes it, or has nothing else."""
    kind = alone and not noun.classes & {"wear", "hat", "acc", "read"}
    kind = kind or "*" in verb.english
    return phrase(noun, "any" if kind else "a", I)


def _made(verb: Verb, korean: str, rest: str, nouns: list[Noun]) -> Predicate:
    head, _, more = verb.english.replace("{0*}", "{0}").replace("{0}", rest).partition(" ")
    pairs = frozenset((verb.name, f"{n.korean}:{n.english}") for n in nouns)
    return Predicate(
        "act", verb.korean, head, more, (korean,), features=verb.features, pairs=pairs,
        willed=verb.willed,
    )  # fmt: skip


def only_sentence(shop: Workshop) -> Sentence | None:
    """I only drink coffee; I drank nothing but water."""
    draw = shop.draw
    style = shop.style()
    verb = _verb(draw)
    nouns = _things(draw, verb, 1)
    if nouns is None:
        return None
    noun, said = nouns[0], _said(verb, nouns[0], alone=True)
    plain = shop.frames.constructions["plain"]
    tense = draw.weighted(("present", "past"), (1, 1))
    if "state" in verb.features:
        tense = "present"
    name = draw.weighted(("only", "nothing_but"), (1, 1))
    actor = actor_for(draw, plain, "statement", style)
    if name == "only":
        base = replace(_made(verb, f"{noun.korean}만", said.english, nouns), mid="only")
        construction = plain
    else:
        base = _made(verb, f"{noun.korean}밖에", f"nothing but {said.english}", nouns)
        construction = replace(plain, before="안")
        if "state" in verb.features or verb.english.startswith("wear"):
            return None
    time = draw.adverb("past") if tense == "past" and draw.chance(0.4) else None
    turn = Turn(style, tense, "statement", time)
    spoken = tell(draw, shop.frames, base, actor, construction, turn)
    if spoken is None:
        return None
    return finish(draw, spoken, f"{name}:act.{tense}.statement", "statement", base.pairs)


# Where little may be; elsewhere there is always more.
_INSIDE = ("room", "home", "appliance", "study", "work")


def but_for_sentence(shop: Workshop) -> Sentence | None:
    """There is nothing but water in the refrigerator; I only have water."""
    draw = shop.draw
    style = shop.style()
    tense = draw.weighted(("present", "past"), (3, 1))
    plain = shop.frames.constructions["plain"]
    if draw.chance(0.6):
        place, thing = scene(shop)
        if thing.classes & {"people", "job", "animal", "pet"} or place.classes.isdisjoint(_INSIDE):
            return None
        said = phrase(thing, "any", I).english
        base = Predicate(
            "exist", "없/VA", "be", f"nothing but {said} {adverbial(place, 'loc')}",
            (with_particle(place.korean, "place"), f"{thing.korean}밖에"), "adjective",
        )  # fmt: skip
        actor, name, pair = Actor("", there(False)), "there", (place.korean, thing.korean)
    else:
        thing = draw.noun("=물,=빵,=라면,=밥,=커피,=우유,=김치,=현금,=과자")
        base = Predicate(
            "have", "없/VA", "have", f"nothing but {phrase(thing, 'any', I).english}",
            (f"{thing.korean}밖에",), "adjective",
        )  # fmt: skip
        actor = speaker(draw, style, topical=True)
        name, pair = "have", ("있다", thing.korean)
    spoken = tell(draw, shop.frames, base, actor, plain, Turn(style, tense, "statement"))
    if spoken is None:
        return None
    frame = f"nothing_but:{name}.{tense}.statement"
    return finish(draw, spoken, frame, "statement", frozenset({pair}))


def _or(one: Noun) -> str:
    return f"{one.korean}{'이나' if final_consonant(one.korean) else '나'}"


def both_or_sentence(shop: Workshop) -> Sentence | None:
    """I like both coffee and tea; I want to eat bread or rice; I ate bread and eggs."""
    draw = shop.draw
    style = shop.style()
    verb = _verb(draw)
    nouns = _things(draw, verb, 2)
    if nouns is None:
        return None
    one, two = (_said(verb, n).english for n in nouns)
    name = draw.weighted(("or", "both", "with", "neither"), (3, 2, 3, 1))
    likes = "state" in verb.features
    names = ("plain",) if likes or name in ("both", "neither") else (
        "plain", "wish", "must", "intend", "can", "do_polite", "lets"
    )  # fmt: skip
    construction = shop.construction(names)
    tense, mood = draw.one_of(construction.tenses), construction.moods[0]
    if name == "or" and construction.name in ("plain", "can") and tense != "future":
        tense = "future" if construction.name == "plain" else "present"
    if likes and (tense != "present" or name == "or"):
        return None
    first, second = nouns
    if name == "or":
        korean, rest = f"{_or(first)} {with_particle(second.korean, 'object')}", f"{one} or {two}"
    elif name == "with":
        joint = with_particle(first.korean, "with")
        if not draw.settled and style in ("casual", "polite") and draw.chance(0.5):
            joint = f"{first.korean}하고"
        korean, rest = f"{joint} {with_particle(second.korean, 'object')}", f"{one} and {two}"
    elif name == "both":
        korean, rest = f"{first.korean}도 {second.korean}도", f"both {one} and {two}"
    else:
        korean, rest = f"{first.korean}도 {second.korean}도", f"neither {one} nor {two}"
        construction = replace(construction, before="안")
        if likes:
            return None
    base = _made(verb, korean, rest, nouns)
    actor = actor_for(draw, construction, mood, style)
    time = time_for(draw, construction, tense) if draw.chance(0.3) else None
    if time and (likes or time.kind in ("now", "freq")):
        time = None
    spoken = tell(draw, shop.frames, base, actor, construction, Turn(style, tense, mood, time))
    if spoken is None:
        return None
    frame = f"{name}:things.{construction.name}.{tense}.{mood}"
    return finish(draw, spoken, frame, mood, base.pairs)


def either_sentence(shop: Workshop) -> Sentence | None:
    """Coffee or tea, anything is fine; is this coffee or tea?"""
    draw = shop.draw
    style = shop.style()
    verb = draw.one_of([v for v in draw.lexicon.verbs if v.english in ("eat {0}", "drink {0}")])
    nouns = _things(draw, verb, 2)
    if nouns is None:
        return None
    first, second = nouns
    one, two = (phrase(n, "a", I).english for n in nouns)
    pairs = frozenset({(verb.name, f"{first.korean}:{first.english}")})
    if draw.chance(0.5) or any("plural" in n.features for n in nouns):
        fine = {"plain": "좋다", "casual": "좋아", "polite": "좋아요", "formal": "좋습니다"}[style]
        tail = ["든지" if not final_consonant(n.korean) else "이든지" for n in nouns]
        korean = f"{first.korean}{tail[0]} {second.korean}{tail[1]} 다 {fine}"
        joint = Spoken(korean, f"{one} or {two}, anything is fine")
        return finish(draw, joint, "either:fine.statement", "statement", pairs)
    this = {"plain": "이것은", "casual": "이건", "polite": "이건", "formal": "이것은"}[style]
    asked = [is_noun(n.korean, style, question=True) for n in nouns]
    joint = Spoken(f"{this} {asked[0]}, {asked[1]}", f"is this {one} or {two}", clear=False)
    return finish(draw, joint, "either:this.question", "question", pairs)


MAKERS: tuple[tuple[Maker, float], ...] = (
    (only_sentence, 3),
    (but_for_sentence, 2),
    (both_or_sentence, 4),
    (either_sentence, 1),
)
