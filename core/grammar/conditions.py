"""If you have time, call me; I want to go, but I have no time; to lose weight, one exercises."""

from __future__ import annotations

from dataclasses import replace

from core.grammar.clauses import Spoken, Turn, actor_for, closing, tell, time_for
from core.grammar.english import Subject
from core.grammar.korean import speak
from core.grammar.lexicon import Adverb
from core.grammar.nominals import IT, WE, YOU, Actor, I, pronoun
from core.grammar.occasions import is_far
from core.grammar.predicates import Predicate, act
from core.grammar.sense import fits
from core.grammar.sentences import Maker, Sentence, Workshop, finish
from core.grammar.spheres import RECENT
from core.grammar.tables import Obstacle, conditions, deeds, obstacles, predicate, purposes


def _state_ending(base: Predicate) -> str:
    """-는데 after a state or a deed."""
    return "+는데/EC" if base.like == "verb" or "iss" in base.features else "+은데/EC"


def condition_sentence(shop: Workshop) -> Sentence | None:
    """If you have time, let's go together; I am hungry, so shall we eat?"""
    draw = shop.draw
    style = shop.style((0.5, 4, 4.5, 0.5))
    condition = draw.word(conditions())
    name, korean, words = draw.word(condition.follows)
    end = _follow(shop, name, korean, words, style)
    if end is None:
        return None
    spoken, mood = end
    base = predicate(draw, condition.korean, condition.english)
    link = _state_ending(base) if condition.link == "given" else "+으면/EC"
    plain = shop.frames.constructions["plain"]
    opening = " ".join([*base.before, speak(closing(base, plain, link))])
    if condition.link == "given" and style in ("plain", "casual"):
        opening = opening.replace("제 ", "내 ")
    owner = f"{condition.owner or 'you'} {condition.english}"
    joined = {"if": "if {}, {}", "when": "when {}, {}", "given": "{}, so {}"}[condition.link]
    told = joined.format(owner, spoken.english)
    who = "you" if not condition.owner else "i" if condition.owner == "I" else "it"
    pairs = frozenset({(condition.korean, korean)})
    joint = Spoken(f"{opening} {spoken.korean}", told, spoken.clear)
    return finish(draw, joint, f"{condition.link}:{who}>{name}.{mood}", mood, pairs)


def _follow(
    shop: Workshop, name: str, korean: str, words: str, style: str
) -> tuple[Spoken, str] | None:
    """What is said to a condition, and its mood."""
    draw = shop.draw
    if name == "say":
        polite, _, casual = korean.partition("|")
        if style not in ("polite", "casual"):
            return None
        asked = words.split()[0] in ("do", "may", "can", "shall", "what", "is")
        text = polite if style == "polite" else casual
        return Spoken(text, words), "question" if asked else "statement"
    construction = shop.frames.constructions[name]
    mood = construction.moods[0]
    base = predicate(draw, korean, words)
    actor = Actor("", WE if name.startswith(("lets", "shall")) else YOU)
    turn = Turn(style, construction.tenses[0], mood)
    spoken = tell(draw, shop.frames, base, actor, construction, turn, front=False)
    return None if spoken is None else (spoken, mood)


def obstacle_sentence(shop: Workshop) -> Sentence | None:
    """I want to watch a movie, but I have no time; I wanted to, but had no time, so I couldn't."""
    draw = shop.draw
    style = shop.style()
    name = draw.weighted(("wish", "must", "intend"), (5, 2, 2))
    construction = shop.frames.constructions[name]
    tense = draw.weighted(("present", "past"), (3, 2))
    actor = actor_for(draw, construction, "statement", style)
    if actor.subject not in (I, WE):
        return None
    base, obstacle = _hindered(shop, tense, style)
    if base is None:
        return None
    state = predicate(draw, obstacle.korean, obstacle.english)
    if obstacle.english.startswith("be raining"):
        state = replace(state, verb="rain", rest="", features=frozenset({"now"}))
    time = None if tense == "present" and obstacle.owner == "it" else _time(shop, tense)
    turn = Turn(style, tense, "statement", time)
    link = "+었/EP+는데/EC" if tense == "past" else "+은데/EC" if name == "wish" else "+는데/EC"
    start = tell(
        draw, shop.frames, base, actor, construction, turn, ending=link
    )  # fmt: skip
    subject = IT if obstacle.owner == "it" else actor.subject
    plain = shop.frames.constructions["plain"]
    state_turn = Turn(style, tense, "statement")
    couldnt = tense == "past" and draw.chance(0.5)
    ending = "+어서/EC" if couldnt else ""
    middle = tell(
        draw, shop.frames, state, Actor("", subject), plain, state_turn, ending=ending
    )  # fmt: skip
    if start is None or middle is None:
        return None
    korean, words = f"{start.korean} {middle.korean}", f"{start.english}, but {middle.english}"
    frame = f"hindered:{name}.{'thing' if obstacle.owner == 'it' else 'self'}.{tense}.statement"
    if couldnt:
        last = tell(
            draw, shop.frames, replace(base, before=(), rest=""),
            Actor("", actor.subject, actor.honored), shop.frames.constructions["mot"], state_turn,
        )  # fmt: skip
        if last is None:
            return None
        korean, words = f"{korean} {last.korean}", f"{words}, so {actor.subject.english} couldn't"
        frame = f"hindered_so:{name}.{tense}.statement"
    return finish(draw, Spoken(korean, words), frame, "statement", base.pairs)


def _hindered(shop: Workshop, tense: str, style: str) -> tuple[Predicate | None, Obstacle]:
    """What one would do, and what hinders it: something of its own, or what hinders all."""
    draw = shop.draw
    obstacle = draw.one_of(obstacles())
    if not obstacle.verbs:
        pool = [d for d in deeds() if d.scene in ("weekend", "friend") and "long" in d.features]
        if obstacle.english.endswith(("tired", "sick")):  # which are what one rests for
            pool = [d for d in pool if not d.english.startswith("rest")]
        deed = draw.one_of(pool)
        return predicate(draw, deed.korean, deed.english), obstacle
    verb = draw.word([v for v in draw.lexicon.verbs if v.english in obstacle.verbs])
    fine = fits(verb, shop.frames.constructions["wish"], tense) and verb.subject == "human"
    return (act(draw, verb, I, style) if fine else None), obstacle


def _time(shop: Workshop, tense: str) -> Adverb | None:
    draw = shop.draw
    if not draw.chance(0.4):
        return None
    time = draw.adverb("past") if tense == "past" else draw.adverb("future")
    return None if time.english in RECENT or is_far(time) else time


_MEANS = ("plain", "progressive", "must", "intend", "plan")
_TOWARDS = ("must", "had_better", "only_have_to")


def purpose_sentence(shop: Workshop) -> Sentence | None:
    """I exercise to lose weight; to lose weight, you have to exercise."""
    draw = shop.draw
    style = shop.style()
    purpose = draw.word(purposes())
    korean, words = draw.word(purpose.means)
    advice = draw.chance(0.4)
    plain = shop.frames.constructions["plain"]
    if advice:
        construction = shop.construction(_TOWARDS)
        tense, mood = construction.tenses[0], construction.moods[0]
        actor, ending, time = Actor("", YOU), "+으려면/EC", None
    else:
        construction = shop.construction(_MEANS)
        tense, mood = draw.one_of(construction.tenses), "statement"
        if construction.name == "plain" and tense == "present":
            return None
        actor = actor_for(draw, construction, mood, style)
        endings = ("+으려고/EC", "+기/ETN 위해서")
        ending = endings[1] if construction.name == "intend" else draw.variant(endings)
        time = time_for(draw, construction, tense) if draw.chance(0.4) else None
        if time and time.kind in ("clock", "hour", "freq", "now"):
            time = None
    goal = predicate(draw, purpose.korean, purpose.english, actor.subject)
    base = predicate(draw, korean, words, actor.subject)
    opening = (*goal.before, speak(closing(goal, plain, ending)))
    base = replace(base, before=(*opening, *base.before))
    aim = f"to {goal.verb} {goal.rest}".strip()
    if not advice:
        base = replace(base, rest=f"{base.rest} {aim}".strip())
    spoken = tell(draw, shop.frames, base, actor, construction, Turn(style, tense, mood, time))
    if spoken is None:
        return None
    if advice:
        spoken = replace(spoken, english=f"{aim}, {spoken.english}")
    kind = "towards" if advice else "in_order"
    pairs = frozenset({(purpose.korean, korean)})
    return finish(draw, spoken, f"{kind}:{construction.name}.{tense}.{mood}", mood, pairs)


# Connective -> its Korean, its English, whether it bears its past, and its weight.
_YET = {
    "yet": ("+지만/EC", "{0}, but {1}", True, 3),
    "yet_neunde": ("+는데/EC", "{0}, but {1}", True, 2),
    "although": ("+는데도/EC", "although {0}, {1}", True, 2),
    "even_if": ("+어도/EC", "even if {0}, {1}", False, 2),
}


def yet_sentence(shop: Workshop) -> Sentence | None:
    """It rained, but I went out; I caught a cold, but I didn't take medicine."""
    draw = shop.draw
    style = shop.style()
    name = draw.weighted(tuple(_YET), [weight for *_, weight in _YET.values()])
    if draw.settled and name == "yet_neunde":
        name = "yet"
    ending, pattern, tensed, _ = _YET[name]
    reason = draw.word(draw.lexicon.reasons)
    korean, words = draw.word(reason.effects)
    tense = "future" if name == "even_if" else draw.weighted(("past", "present"), (3, 1))
    could_not = korean.startswith("!")
    base = predicate(draw, korean.removeprefix("!"), words)
    if base.like == "adjective" and tense == "future":
        return None
    constructions = shop.frames.constructions
    construction = constructions["plain" if could_not else "not_ji"]
    owner, _, cause = reason.english.rpartition(": ")
    plain = constructions["plain"]
    actor = actor_for(draw, plain, "statement", style)
    if actor.subject.person == 3 and actor.subject.pronoun in ("they", "it"):
        return None
    base = predicate(draw, korean.removeprefix("!"), words, actor.subject)
    subject = actor.subject
    if owner:
        subject = IT if owner == "it" else Subject(owner, 3, owner == "the clothes")
    state = predicate(draw, reason.korean, cause, subject)
    lasts = cause.startswith(("rain", "snow", "be ", "like", "live"))
    happened = state.like == "verb" and not lasts
    if happened and tense == "present":
        return None
    if name == "even_if":
        state = replace(state, features=state.features - {"now"})
    past = tense == "past"
    link = f"+었/EP{ending}" if tensed and past else ending
    if tensed and not past and state.like == "adjective" and "iss" not in state.features:
        link = {"+는데/EC": "+은데/EC", "+는데도/EC": "+은데/EC+도/JX"}.get(link, link)
    if tense == "present" and base.like == "verb":
        if words.startswith(("stay", "be ")) or not base.willed:
            return None
        base = replace(base, features=base.features | {"now"})
    first = tell(
        draw, shop.frames, state, Actor("" if owner else actor.korean, subject), plain,
        Turn(style, "past" if past else "present", "statement"), ending=link, front=False,
    )  # fmt: skip
    who = actor if owner else Actor("", pronoun(actor.subject), actor.honored)
    second = tell(draw, shop.frames, base, who, construction, Turn(style, tense, "statement"))
    if first is None or second is None:
        return None
    joint = Spoken(f"{first.korean} {second.korean}", pattern.format(first.english, second.english))
    frame = f"{name}:event>{base.kind}.{construction.name}.{tense}.statement"
    return finish(draw, joint, frame, "statement", frozenset({(reason.korean, korean)}))


MAKERS: tuple[tuple[Maker, float], ...] = (
    (condition_sentence, 10),
    (obstacle_sentence, 6),
    (purpose_sentence, 5),
    (yet_sentence, 5),
)
