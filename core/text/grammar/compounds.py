"""Sentences of two clauses."""

from __future__ import annotations

from dataclasses import replace

from core.text.grammar import english
from core.text.grammar.clauses import Spoken, Turn, actor_for, closing, tell, time_for
from core.text.grammar.existence import many_predicate, scene, there
from core.text.grammar.korean import speak, with_particle
from core.text.grammar.lexicon import Link as Cause
from core.text.grammar.nominals import IT, Actor, speaker
from core.text.grammar.nominals import I as ME
from core.text.grammar.predicates import Predicate, act, adverbial, quality, with_adjuncts
from core.text.grammar.sentences import Sentence, Workshop, finish, thing_actor, verb_for


def visit_sentence(shop: Workshop) -> Sentence | None:
    """The notes' own: one went somewhere, and what it was like there."""
    draw = shop.draw
    style = draw.weighted(("casual", "polite", "plain", "formal"), (6, 2, 1, 1))
    place, thing = scene(shop)
    if "place" not in place.classes:
        return None
    lexicon = draw.lexicon
    go = next(v for v in lexicon.verbs if v.korean == "가/VV" and v.english == "go {0}")
    actor = speaker(draw, style, dropped=0.85)
    loose = style == "casual" and draw.chance(0.6) and len(place.korean) > 1
    korean = place.korean if loose else with_particle(place.korean, "place")
    first = Predicate("act", go.korean, "go", adverbial(place, "goal"), (korean,), willed=True)
    if draw.chance(0.25):
        mate = with_adjuncts(draw, replace(first, before=(), rest=""), replace(go, places=""), ME, style)
        first = replace(first, before=(*mate.before, korean), rest=f"{first.rest} {mate.rest}".strip())
    time = draw.adverb("past") if draw.chance(0.85) else None
    plain = shop.frames.constructions["plain"]
    spoken = tell(draw, shop.frames, first, actor, plain, Turn(style, "past", "statement", time))
    there_noun = lexicon.noun("거기")
    base, plural = many_predicate(shop, there_noun, thing, style)
    second = tell(
        draw, shop.frames, base, Actor("", there(plural)), plain, Turn(style, "past", "statement")
    )
    if spoken is None or second is None:
        return None
    joint = Spoken(f"{spoken.korean} {second.korean}", f"{spoken.english}, {second.english}")
    pairs = frozenset({(place.korean, thing.korean)})
    return finish(draw, joint, "juxtaposed:act>exist.many.past.statement", "statement", pairs)


def _predicate_of(cause: Cause) -> tuple[Predicate, bool]:
    verb, _, rest = cause.english.partition(" ")
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


def cause_sentence(shop: Workshop) -> Sentence | None:
    """A state of affairs and what one does: so, because, since, if, when."""
    draw = shop.draw
    frames, style = shop.frames, shop.style()
    link = frames.links[draw.weighted(("so", "because", "since", "if", "when"), (4, 2, 3, 4, 2))]
    cause = draw.word(draw.lexicon.links)
    names, tenses = ("plain",), ("past", "present")
    if cause.kind == "busy":
        names = ("mot", "can_not")
    elif link.name == "if":
        names, tenses = ("plain", "wish", "intend", "must", "can"), ("future", "present")
    elif link.name == "since":
        names, tenses = ("plain", "lets", "shall", "wish", "must", "intend"), ("future", "present")
    elif link.name in ("so", "because"):
        names, tenses = ("plain", "plain", "wish", "must"), ("past", "present")
    construction = shop.construction(names)
    fitting = [t for t in construction.tenses if t in tenses]
    if not fitting or (link.name == "if" and cause.kind == "busy"):
        return None
    tense = draw.one_of(fitting)
    if construction.name == "plain" and tense == "present" and link.name not in ("if", "when"):
        return None
    mood = construction.moods[0]
    if cause.kind == "free" and link.name == "when" and tense == "past":
        return None
    effects = [
        v for v in draw.lexicon.verbs
        if (v.name in cause.effects or cause.kind == "busy") and v.subject == "human"
        and (v.willed or (v.features <= {"invol"} and construction.name == "plain"))
    ]  # fmt: skip
    verb = draw.word(effects)
    first, weather = _predicate_of(cause)
    shared = mood != "statement"
    actor = Actor("", ME) if shared else actor_for(draw, construction, "statement", style)
    him = actor.subject.pronoun
    if him in ("they", "it") and not weather and actor.subject.person == 3:
        return None
    effect = act(draw, verb, actor.subject, style)
    if draw.chance(0.4):
        effect = with_adjuncts(draw, effect, verb, actor.subject, style)
    early = _early(link.name, tense)
    opening = _cause_clause(shop, first, weather, actor, link.korean, link.tensed, early, style, mood)
    follower = Actor(actor.korean if weather else "", actor.subject)
    if not weather and actor.subject.person == 3:
        follower = Actor("", replace(actor.subject, english=him))
    if mood == "question":
        follower = Actor("", actor_for(draw, construction, "question", style).subject)
    second = tell(draw, frames, effect, follower, construction, Turn(style, tense, mood))
    if second is None or opening is None:
        return None
    text = link.english.format(opening.english, second.english)
    kind = "weather" if weather else "feel"
    frame = f"{link.name}:{kind}>act.{construction.name}.{tense}.{mood}"
    joint = Spoken(f"{opening.korean} {second.korean}", text)
    return finish(draw, joint, frame, mood, effect.pairs)


def _early(link: str, tense: str) -> str:
    return "past" if tense == "past" else "present"


def _cause_clause(
    shop: Workshop, first: Predicate, weather: bool, actor: Actor, ending: str, tensed: bool,
    tense: str, style: str, mood: str,
) -> Spoken | None:  # fmt: skip
    subject = IT if weather else actor.subject
    if not weather and mood != "statement":
        subject = replace(ME, english="we", person=1, plural=True)
    korean = "" if weather else actor.korean
    glue = f"+었/EP{ending}" if tensed and tense == "past" else ending
    plain = shop.frames.constructions["plain"]
    turn = Turn(style, tense, "statement")
    if ending in ("+으면/EC",) and "now" in first.features:
        first = replace(first, features=first.features - {"now"})
    return tell(shop.draw, shop.frames, first, Actor(korean, subject), plain, turn, ending=glue)


def series_sentence(shop: Workshop) -> Sentence | None:
    """Two deeds of one person: and, and then, before, after, while."""
    draw, frames = shop.draw, shop.frames
    style = shop.style()
    link = frames.links[
        draw.weighted(("and", "and_then", "before", "after", "after_daeum"), (5, 2, 3, 3, 2))
    ]
    construction = shop.construction(("plain", "plain", "wish", "must", "intend", "can", "lets", "please"))
    tense = draw.one_of([t for t in construction.tenses])
    if construction.name == "plain" and tense == "present" and link.name.startswith("and"):
        tense = "past"
    mood = construction.moods[0]
    one, two = (verb_for(shop, frames.constructions["can"], tense) for _ in range(2))
    if one is None or two is None or one.english.split()[0] == two.english.split()[0]:
        return None
    if one.subject != "human" or two.subject != "human":
        return None
    actor = actor_for(draw, construction, mood, style)
    first = act(draw, one, actor.subject, style)
    second = act(draw, two, actor.subject, style)
    if not one.arguments and draw.chance(0.4):
        first = with_adjuncts(draw, first, one, actor.subject, style)
    plain = frames.constructions["plain"]
    time = time_for(draw, construction, tense, False) if draw.chance(0.5) else None
    turn = Turn(style, tense, mood, time)
    finals = tell(draw, frames, second, replace(actor, korean=""), construction, replace(turn, time=None))
    if finals is None:
        return None
    opening = speak(closing(first, plain, link.korean))
    lead = " ".join(filter(None, [time.korean if time else "", actor.korean, *first.before, opening]))
    korean = f"{lead} {finals.korean}"
    text = _series(first, second, actor, construction, turn, link.name, finals.english)
    if time:
        text = f"{time.english} {text}" if mood == "statement" and link.name.startswith("and") else f"{text} {time.english}"
    frame = f"{link.name}:act>act.{construction.name}.{tense}.{mood}"
    return finish(draw, Spoken(korean, text), frame, mood, first.pairs | second.pairs)


def _series(first, second, actor, construction, turn, name, spoken):  # type: ignore[no-untyped-def]
    if name.startswith("and"):
        from core.text.grammar.clauses import _english, group_of

        base = _english(first, actor, construction, replace(turn, time=None), "", False)
        pattern = group_of(construction, second, turn).pattern
        form = "base"
        if pattern == "{verb}":
            third = actor.subject.person == 3 and not actor.subject.plural
            form = "past" if turn.tense == "past" else "third" if third else "base"
        joiner = "and then" if name == "and_then" else "and"
        return f"{base} {joiner} {english.inflect(second.verb, form)} {second.rest}".strip()
    gerund = f"{english.inflect(first.verb, 'ing')} {first.rest}".strip()
    return f"{'before' if name == 'before' else 'after'} {gerund}, {spoken}"


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
    if not others:
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
