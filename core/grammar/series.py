"""Several deeds of one person in one sentence: and, before, after, while, in order to."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from core.grammar import english
from core.grammar.clauses import Spoken, Turn, actor_for, closing, group_of, tell, time_for
from core.grammar.frames import Construction
from core.grammar.korean import speak, with_particle
from core.grammar.lexicon import Adverb, Verb
from core.grammar.nominals import Actor, somebody, speaker
from core.grammar.occasions import occasions
from core.grammar.predicates import Predicate, act, adverbial, with_adjuncts
from core.grammar.sense import fits
from core.grammar.sentences import Sentence, Workshop, finish, verb_for
from core.grammar.spheres import errands, stem_of
from core.grammar.strangers import is_stranger, suits_stranger

_LINKS = ("and", "and_seo", "and_then", "before", "after", "after_daeum", "while")
_SHARED = ("plain", "wish", "must", "intend", "can", "lets", "shall", "do_polite", "decide")
# What one does first so that the other can be done: -어서, and not -고.
_FIRST = (
    "만나", "일어나", "앉", "나가", "돌아오", "들어가", "돌아가", "내리", "눕", "출근하",
    "올라가", "모으", "돌아다니", "들르", "방문하",
)  # fmt: skip
# What one does with half a mind.
_MEANWHILE = ("listen to {0}", "sing", "drink {0}", "walk", "watch {0}", "dance", "rest", "eat {0}")


def series_sentence(shop: Workshop) -> Sentence | None:
    """Two deeds of one person."""
    draw = shop.draw
    link = shop.frames.links[draw.weighted(_LINKS, (5, 4, 2, 3, 3, 2, 2))]
    construction, style, tense, mood = _manner(shop)
    able = shop.frames.constructions["can"]
    one = verb_for(shop, able, tense, "daily")
    two = _companion(shop, one, able, tense) if one and one.name not in _ELSEWHERE else None
    if one is None or two is None or not _sensible(one, two, link.name):
        return None
    if link.name in ("and", "and_then") and _stem(one) in _FIRST:
        link = shop.frames.links["and_seo"]
    if construction.name in ("lets", "shall") and "routine" in one.features | two.features:
        return None
    actor = actor_for(draw, construction, mood, style)
    first = act(draw, _local(one), actor.subject, style)
    second = act(draw, _local(two), actor.subject, style)
    if draw.chance(0.3):
        second = with_adjuncts(draw, second, two, actor.subject, style)
    if not suits_stranger(actor.subject, "act", stem_of(first.stem), construction.name):
        return None
    opening = (
        *first.before,
        speak(closing(first, shop.frames.constructions["plain"], link.korean)),
    )
    turn = Turn(style, tense, mood, _time(shop, construction, tense))
    if link.name.startswith("and"):
        joined = _joined(first, second, actor, construction, turn, link.english)
    else:
        gerund = f"{english.inflect(first.verb, 'ing')} {first.rest}".strip()
        construction = replace(
            construction, lead=f"{link.english} {gerund}, {construction.lead}".strip()
        )
        joined = second
    joined = replace(joined, before=(*opening, *second.before))
    spoken = tell(draw, shop.frames, joined, actor, construction, turn)
    if spoken is None:
        return None
    frame = f"{link.name}:act>act.{construction.name}.{tense}.{mood}"
    return finish(draw, spoken, frame, mood, first.pairs | second.pairs)


def _stem(verb: Verb) -> str:
    return verb.korean.split()[0].partition("/")[0]


@cache
def _beside(stem: str) -> frozenset[str]:
    """Stems of what one does on the same occasions."""
    stems: set[str] = set()
    for name, some in occasions().items():
        if name != "life" and stem in some:
            stems |= some
    return frozenset(stems)


# Of a stem that is of an occasion, what is of another: 쓰다 is to write, and 타다 to take.
_ELSEWHERE = (
    "쓰:wear {0}", "쓰:use {0}", "찾:withdraw {0}", "닦:brush {0}", "보:take {0}", "보:have {0}",
    "하:have {0}", "하:do {0}", "하:play {0}", "듣:take {0}",
)  # fmt: skip


def _companion(shop: Workshop, one: Verb, able: Construction, tense: str) -> Verb | None:
    """Another everyday verb of the same occasions."""
    stems = _beside(_stem(one))
    daily = [
        verb
        for verb in shop.draw.lexicon.verbs_with("daily")
        if _stem(verb) in stems and verb.name not in _ELSEWHERE
    ]
    found = [verb for verb in daily if fits(verb, able, tense)]
    return shop.draw.word(found) if found else None


# Of what a verb takes, what is of an ordinary day.
_LOCAL = {
    "place": "nearby",
    "goals": "nearby",
    "goods": "fruit,veg,snack,drink,wear,book,gift",
    "ride": "=자전거",
    "washbody": "washbody",
}


def _local(verb: Verb) -> Verb:
    """The verb with places that one goes to on an ordinary day."""
    arguments = tuple(
        (role, _LOCAL.get(selection.partition(",")[0], selection))
        for role, selection in verb.arguments
    )
    return replace(verb, arguments=arguments)


def _manner(shop: Workshop) -> tuple[Construction, str, str, str]:
    draw = shop.draw
    construction = shop.construction(_SHARED)
    tense = draw.weighted(construction.tenses, (2, 4, 2)[: len(construction.tenses)])
    if construction.name == "can":
        tense = "present"  # what one could do yesterday is told of one deed
    mood = draw.weighted(construction.moods, (5, 1)[: len(construction.moods)])
    return construction, shop.style(), tense, mood


def _sensible(one: Verb, two: Verb, link: str) -> bool:
    if one.subject != "human" or two.subject != "human":
        return False
    if one.english.split()[0] == two.english.split()[0]:
        return False
    if link != "before" and _stem(one) in ("자", "쉬", "놀"):
        return False
    if link == "and_seo":
        return one.korean.split("/")[0] in _FIRST
    return link != "while" or one.english in _MEANWHILE


def _time(shop: Workshop, construction: Construction, tense: str) -> Adverb | None:
    return time_for(shop.draw, construction, tense) if shop.draw.chance(0.5) else None


def _joined(
    first: Predicate,
    second: Predicate,
    actor: Actor,
    construction: Construction,
    turn: Turn,
    link: str,
) -> Predicate:
    asked = turn.mood == "question"
    form = "base"
    if group_of(construction, second, turn).pattern == "{verb}" and not asked:
        third = actor.subject.person == 3 and not actor.subject.plural
        form = "past" if turn.tense == "past" else "third" if third else "base"
    later = f"{english.inflect(second.verb, form)} {second.rest}".strip()
    return replace(second, verb=first.verb, rest=f"{first.rest} {link} {later}".strip())


_GET = ("buy {0}", "make {0}", "order {0}", "borrow {0}", "choose {0}", "bake {0}")
_USE = ("eat {0}", "drink {0}", "read {0}", "wear {0}", "use {0}", "watch {0}", "put on {0}")


def thing_sentence(shop: Workshop) -> Sentence | None:
    """One gets something and uses it: I bought bread and ate it."""
    draw = shop.draw
    lexicon = draw.lexicon
    construction, style, tense, mood = _manner(shop)
    get = draw.word([v for v in lexicon.verbs if v.english in _GET])
    noun = draw.noun(get.arguments[0][1])
    uses = [
        v for v in lexicon.verbs if v.english in _USE and noun in lexicon.members(v.arguments[0][1])
    ]
    if not uses or noun.features & {"the", "own"}:
        return None
    use = draw.word(uses)
    actor = actor_for(draw, construction, mood, style)
    named = replace(get, arguments=(("obj", f"={noun.korean}:{noun.english}"),))
    first = act(draw, named, actor.subject, style)
    one = re.search(rf"\b{re.escape(noun.english)}(?!\w)", first.rest)
    several = "plural" in noun.features or one is None
    many = several or re.search(r"\b(two|three|four|five|six) ", first.rest)
    second = act(draw, use, actor.subject, style, asked="obj")
    put_on = use.english.partition(" ")[2].replace("{0}", "").strip()
    second = replace(second, rest=f"{'them' if many else 'it'} {put_on}".strip())
    turn = Turn(style, tense, mood, _time(shop, construction, tense))
    plain = shop.frames.constructions["plain"]
    joined = _joined(first, second, actor, construction, turn, "and")
    opening = speak(closing(first, plain, "+어서/EC"))
    joined = replace(joined, before=(*first.before, opening))
    spoken = tell(draw, shop.frames, joined, actor, construction, turn)
    if spoken is None:
        return None
    frame = f"and_seo:act>it.{construction.name}.{tense}.{mood}"
    pairs = first.pairs | {(use.name, f"{noun.korean}:{noun.english}")}
    return finish(draw, spoken, frame, mood, pairs)


def errand_sentence(shop: Workshop) -> Sentence | None:
    """One goes somewhere to do something, or goes there and does it."""
    draw = shop.draw
    construction, style, tense, mood = _manner(shop)
    verb = draw.word([v for v in draw.lexicon.verbs_with("daily") if v.name in errands()])
    there = [n for n in draw.lexicon.pool(errands()[verb.name]) if n.classes & {"place", "home"}]
    if not there:
        return None
    place = draw.word(there)
    here = "home" in place.features and draw.chance(0.5)
    go_korean, go_english = ("오/VV", "come") if here else ("가/VV", "go")
    actor = actor_for(draw, construction, mood, style)
    deed = act(draw, verb, actor.subject, style)
    if is_stranger(actor.subject) and "home" in place.features:
        return None
    if not suits_stranger(actor.subject, "act", stem_of(deed.stem), construction.name):
        return None
    loose = style == "casual" and draw.chance(0.4) and len(place.korean) > 1
    where = place.korean if loose else with_particle(place.korean, "place")
    turn = Turn(style, tense, mood, _time(shop, construction, tense))
    if draw.chance(0.5):
        name = "to"
        last = deed.stem.rpartition(" ")
        purpose = (*deed.before, speak(f"{last[0]} {last[2]}+으러/EC"))
        goal = adverbial(place, "goal")
        before = (where, *purpose) if draw.loose(0.5) else (*purpose, where)
        rest = f"{goal} to {deed.verb} {deed.rest}".strip()
        whole = Predicate("act", go_korean, go_english, rest, before, willed=True)
    else:
        name = "and_there"
        go = Predicate("act", go_korean, go_english, adverbial(place, "goal"), willed=True)
        whole = _joined(go, deed, actor, construction, turn, "and")
        whole = replace(whole, before=(where, "와서" if here else "가서", *deed.before))
    spoken = tell(draw, shop.frames, whole, actor, construction, turn)
    if spoken is None:
        return None
    frame = f"{name}:act>act.{construction.name}.{tense}.{mood}"
    pairs = deed.pairs | {(verb.name, f"at {place.korean}")}
    return finish(draw, spoken, frame, mood, pairs)


# What one tells people apart by.
_TOLD_APART = (
    "eat {0}", "have {0}", "drink {0}", "watch {0}", "read {0}", "listen to {0}", "study {0}",
    "learn {0}", "play {0}", "wear {0}", "buy {0}", "order {0}", "go {0}", "cook {0}", "ride {0}",
    "make {0}", "meet {0}", "take {0}", "learn to play {0}", "do {0}", "bake {0}", "grill {0}",
)  # fmt: skip


def both_sentence(shop: Workshop) -> Sentence | None:
    """I drink coffee, and Minsu drinks tea."""
    draw = shop.draw
    style = shop.style()
    tense = draw.weighted(("present", "past", "future"), (2, 3, 1))
    able = shop.frames.constructions["can"]
    verb = verb_for(shop, able, tense, "daily")
    if verb is None or verb.subject != "human" or not verb.arguments:
        return None
    plain = shop.frames.constructions["plain"]
    one, two = speaker(draw, style, dropped=0.0), somebody(draw, style)
    if draw.chance(0.3):
        one = somebody(draw, style)
    if one.subject.english == two.subject.english:
        return None
    first, second = (act(draw, verb, who.subject, style) for who in (one, two))
    if first.pairs & second.pairs:
        return None
    if verb.english not in _TOLD_APART or is_stranger(one.subject) or is_stranger(two.subject):
        return None
    link = shop.frames.links[draw.one_of(("and", "but", "but_neunde"))]
    time = time_for(draw, plain, tense) if draw.chance(0.4) else None
    glue = "+었/EP" if link.tensed and tense == "past" else ""
    if tense == "future" and link.tensed:
        return None
    start = tell(
        draw,
        shop.frames,
        first,
        one,
        plain,
        Turn(style, tense, "statement", time),
        ending=glue + link.korean,
    )
    end = tell(draw, shop.frames, second, two, plain, Turn(style, tense, "statement"))
    if start is None or end is None:
        return None
    joiner = "and" if link.name == "and" else "but"
    joint = Spoken(f"{start.korean} {end.korean}", f"{start.english}, {joiner} {end.english}")
    return finish(
        draw,
        joint,
        f"{link.name}:act>others.plain.{tense}.statement",
        "statement",
        first.pairs | second.pairs,
    )
