"""Sentences of two clauses that a word joins: because, if, when; but."""

from __future__ import annotations

from dataclasses import replace

from core.grammar.clauses import Spoken, Turn, actor_for, tell
from core.grammar.frames import Construction, Link
from core.grammar.lexicon import Link as Cause
from core.grammar.lexicon import Verb
from core.grammar.nominals import IT, WE, Actor
from core.grammar.predicates import Predicate, act, quality, with_adjuncts
from core.grammar.sentences import Sentence, Workshop, finish
from core.grammar.things import thing_actor


def _predicate_of(cause: Cause) -> tuple[Predicate, bool]:
    verb, _, rest = cause.english.rpartition(": ")[2].partition(" ")
    features: frozenset[str] = frozenset()
    if verb == "not":
        verb, _, rest = rest.partition(" ")
        features = frozenset({"negword"})
    weather = cause.kind == "weather"
    like = "verb" if cause.korean.endswith("/VV") else "adjective"
    kind = "weather" if weather else "feel"
    if verb in ("rain", "snow"):
        features |= {"now"}
    return Predicate(kind, cause.korean, verb, rest, like=like, features=features), weather


# Connective -> its weight, and the constructions and tenses of what follows from the cause.
_PLANS: dict[str, tuple[float, tuple[str, ...], tuple[str, ...]]] = {
    "so": (4, ("plain", "wish", "must"), ("past", "present")),
    "because": (2, ("plain", "wish", "must"), ("past", "present")),
    "since": (3, ("plain", "lets", "shall", "wish", "must", "intend"), ("future", "present")),
    "if": (4, ("plain", "wish", "intend", "must", "can"), ("future", "present")),
    "when": (2, ("plain",), ("past", "present")),
    "whenever": (1.5, ("plain",), ("past", "present")),
}
_PREVENTED = ("mot", "can_not")
# What one does in such a mood, nobody has to.
_MOODS = (
    "심심하/VA",
    "목마르/VA",
    "한가하/VA",
    "돈이 있/VA",
    "돈이 많/VA",
    "슬프/VA",
    "기쁘/VA",
    "행복하/VA",
    "외롭/VA",
    "우울하/VA",
    "화나/VV",
)


def cause_sentence(shop: Workshop) -> Sentence | None:
    """A state of affairs and what one does: so, because, since, if, when."""
    draw = shop.draw
    style = shop.style()
    link = shop.frames.links[draw.weighted(tuple(_PLANS), [plan[0] for plan in _PLANS.values()])]
    cause = draw.word(draw.lexicon.links)
    plan = _plan(shop, link.name, cause)
    if plan is None:
        return None
    construction, turn = plan[0], Turn(style, plan[1], plan[0].moods[0])
    weather = cause.kind == "weather"
    actor = Actor("", WE)
    if turn.mood == "statement":
        # 형은 아플 때 자요: in 형이 아플 때, whoever sleeps is somebody else.
        shared = not weather and link.name != "so"
        actor = actor_for(draw, construction, "statement", style, topical=shared)
    if not weather and actor.subject.person == 3 and actor.subject.pronoun in ("they", "it"):
        return None
    verb = draw.word(_effects(shop, cause, construction))
    effect = act(draw, verb, actor.subject, style)
    if draw.chance(0.4):
        effect = with_adjuncts(draw, effect, verb, actor.subject, style)
    opening = _cause_clause(shop, cause, actor, link, turn)
    second = tell(draw, shop.frames, effect, _follower(actor, weather), construction, turn)
    if second is None or opening is None:
        return None
    joint = Spoken(
        f"{opening.korean} {second.korean}", link.english.format(opening.english, second.english)
    )
    kind = "weather" if weather else "feel"
    frame = f"{link.name}:{kind}>act.{construction.name}.{turn.tense}.{turn.mood}"
    return finish(draw, joint, frame, turn.mood, effect.pairs)


def _plan(shop: Workshop, link: str, cause: Cause) -> tuple[Construction, str] | None:
    """The construction and tense of what follows, or None where cause and link do not go."""
    _, names, tenses = _PLANS[link]
    if cause.kind == "busy":
        if link in ("if", "whenever"):
            return None
        names, tenses = _PREVENTED, ("past", "present")
    if cause.korean in _MOODS:
        names = tuple(name for name in names if name != "must")
    construction = shop.construction(names)
    fitting = [tense for tense in construction.tenses if tense in tenses]
    if not fitting:
        return None
    tense = shop.draw.one_of(fitting)
    lasting = link in ("if", "when", "whenever")
    if construction.name == "plain" and tense == "present" and not lasting:
        return None
    if cause.kind == "free" and link == "when" and tense == "past":
        return None
    return construction, tense


def _effects(shop: Workshop, cause: Cause, construction: Construction) -> list[Verb]:
    """What one does then; who is busy or ill does nothing of what one does every day."""
    if cause.kind == "busy":
        return [v for v in shop.draw.lexicon.verbs_with("daily") if v.subject == "human"]
    effects = [v for v in shop.draw.lexicon.verbs if v.name in cause.effects]
    plain = construction.name == "plain"
    return [v for v in effects if v.willed or (plain and v.features <= {"invol", "solo"})]


def _follower(actor: Actor, weather: bool) -> Actor:
    """Who acts in the second clause: one who was named already is he or she from now on."""
    if weather:
        return actor
    if actor.subject.person == 3:
        named = replace(actor.subject, english=actor.subject.pronoun)
        return Actor("", named, actor.honored)
    return Actor("", actor.subject)


def _cause_clause(
    shop: Workshop, cause: Cause, actor: Actor, link: Link, turn: Turn
) -> Spoken | None:
    """The first clause, in the past where the second is."""
    tense = "past" if turn.tense == "past" else "present"
    first, weather = _predicate_of(cause)
    if link.name in ("if", "whenever"):
        first = replace(first, features=first.features - {"now"})
    named = cause.english.rpartition(": ")[0]  # the weather
    sky = replace(IT, english=named) if named else IT
    who = Actor("", sky) if weather else actor
    glue = "+었/EP" if link.tensed and tense == "past" else ""
    plain = shop.frames.constructions["plain"]
    state = Turn(turn.style, tense, "statement")
    return tell(shop.draw, shop.frames, first, who, plain, state, ending=glue + link.korean)


def contrast_sentence(shop: Workshop) -> Sentence | None:
    """A thing is this, but it is that."""
    draw = shop.draw
    style = shop.style()
    link = shop.frames.links[draw.one_of(("but", "but_neunde"))]
    adjectives = [a for a in draw.lexicon.adjectives if a.subject != "human"]
    one = draw.word(adjectives)
    noun = draw.noun(one.subject)
    others = [a for a in draw.lexicon.adjectives_of(noun) if a.scale != one.scale]
    others = [a for a in others if {a.value, one.value} == {"+", "-"}]
    if not others or noun.classes & {"people", "kin", "job", "infant", "animal", "pet"}:
        return None
    two = draw.word(others)
    actor, _ = thing_actor(shop, f"={noun.korean}:{noun.english}", style)
    tense = draw.weighted(("present", "past"), (3, 1))
    plain = shop.frames.constructions["plain"]
    construction = shop.construction(("plain", "plain", "plain", "not_ji"))
    glue = "+었/EP" if tense == "past" else ""
    ending = link.korean
    if link.name == "but_neunde":
        attributive = "+는데/EC" if tense == "past" or "iss" in one.features else "+은데/EC"
        ending = attributive
    turn = Turn(style, tense, "statement")
    first = tell(draw, shop.frames, quality(one), actor, plain, turn, ending=glue + ending)
    pronoun = "they" if actor.subject.plural else "it"
    follower = Actor("", replace(actor.subject, english=pronoun))
    second = tell(draw, shop.frames, quality(two), follower, construction, turn)
    if first is None or second is None:
        return None
    joint = Spoken(
        f"{first.korean} {second.korean}", link.english.format(first.english, second.english)
    )
    frame = f"{link.name}:describe>describe.{construction.name}.{tense}.statement"
    pairs = frozenset({(one.korean, noun.korean), (two.korean, noun.korean)})
    return finish(draw, joint, frame, "statement", pairs)
