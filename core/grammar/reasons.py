"""Why: one thing happened, and so another did, or could not, or has to."""

from __future__ import annotations

from dataclasses import replace

from core.grammar.clauses import Spoken, Turn, actor_for, tell, time_for
from core.grammar.english import Subject
from core.grammar.frames import Construction, Link
from core.grammar.lexicon import Reason
from core.grammar.nominals import IT, WE, Actor
from core.grammar.predicates import Predicate
from core.grammar.sentences import Sentence, Workshop, finish

# Connective -> its weight and the tenses of what follows.
_LINKS: dict[str, tuple[float, tuple[str, ...]]] = {
    "so": (6, ("past", "past", "present")),
    "because": (2, ("past", "present")),
    "since": (4, ("past", "present", "future")),
    "if": (3, ("present", "future")),
    "because_of": (3.5, ("past", "past", "present")),
}
# What happens to one, and is neither meant nor owed.
_HAPPENS = (
    "지각하/VV", "늦/VV", "걸리/VV", "찌/VV", "혼나/VV", "맞/VV-R", "늦게 일어나/VV", "울/VV",
    "성공하/VV", "시험을 잘 보/VV", "합격하/VV", "벌/VV", "긴장되/VV", "신나/VV",
)  # fmt: skip
_DEEDS = {
    "past": ("plain",),
    "present": ("must", "wish"),
    "future": ("plain", "promise", "lets", "shall"),
}


def reason_sentence(shop: Workshop) -> Sentence | None:
    """I caught a cold, so I couldn't go to school; because of the rain we stayed at home."""
    draw = shop.draw
    style = shop.style()
    reason = draw.word(draw.lexicon.reasons)
    name = draw.weighted(tuple(_LINKS), [weight for weight, _ in _LINKS.values()])
    if name == "because_of" and reason.noun is None:
        return None
    link = shop.frames.links[name]
    korean, words = draw.word(reason.effects)
    tense = draw.one_of(_LINKS[name][1])
    construction = _construction(shop, korean, words, tense, name)
    shared = ":" not in reason.english
    if name == "if" and reason.english.startswith(("like ", "live ")):
        return None
    if construction is None or (shared and construction.name in ("lets", "shall")):
        return None
    mood = construction.moods[0]
    turn = Turn(style, tense, mood)
    named = shared and name != "because_of"
    actor = Actor("", WE) if construction.name == "shall" else actor_for(
        draw, construction, "command" if mood == "command" else "statement", style,
        topical=named and name != "so",
    )  # fmt: skip
    if actor.subject.pronoun in ("they", "it") and actor.subject.person == 3:
        return None
    effect = _predicate(korean.removeprefix("!"), words, actor.subject)
    if name == "since" and effect.kind == "feel":
        return None  # -니까 gives the reason of a deed or a judgement; one feels -아서
    opening = _opening(shop, reason, link, actor, turn)
    if opening is None:
        return None
    # Who was named in the first clause is he or she in the second.
    follower = Actor("", _pronoun(actor.subject), actor.honored) if named else actor
    time = time_for(draw, construction, tense) if draw.chance(0.15) and named else None
    if time and time.kind in ("freq", "clock", "now", "hour"):
        time = None  # the cause was of one day, and so is what came of it
    second = tell(draw, shop.frames, effect, follower, construction, replace(turn, time=time))
    if second is None:
        return None
    joint = Spoken(
        f"{opening.korean} {second.korean}", link.english.format(opening.english, second.english)
    )
    kind = "feel" if effect.like == "adjective" else "act"
    frame = f"{name}:event>{kind}.{construction.name}.{tense}.{mood}"
    pairs = frozenset({(reason.korean, korean)})
    return finish(draw, joint, frame, mood, pairs)


# What nobody has to do.
_PLEASANT = ("watch", "play", "listen", "go on", "buy a lot", "eat out", "learn", "travel", "see")


def _construction(
    shop: Workshop, effect: str, words: str, tense: str, link: str
) -> Construction | None:
    """How the effect is said: what could not be, what one felt, what one did or has to do."""
    names: tuple[str, ...]
    if effect.startswith("!"):
        names = ("mot", "can_not") if tense != "future" else ()
    elif effect.endswith(("/VA", *_HAPPENS)):
        felt = effect.endswith("/VA")
        names = (
            ("plain",) if tense == "past" or (felt and tense == "present") or link == "if" else ()
        )
    else:
        names = _DEEDS[tense]
        if link == "if" and tense == "present":
            names = ("plain", "must", "wish", "wish")
        if link in ("so", "because", "because_of"):
            names = tuple(n for n in names if n in ("plain", "must"))
        if words.startswith(_PLEASANT):
            names = tuple(n for n in names if n != "must")
    if not names:
        return None
    chosen = shop.construction(tuple(dict.fromkeys(names)))
    return None if shop.draw.settled and chosen.same else chosen


def _opening(shop: Workshop, reason: Reason, link: Link, actor: Actor, turn: Turn) -> Spoken | None:
    """The cause, with the connective's ending."""
    if link.name == "because_of":
        assert reason.noun is not None
        return Spoken(f"{reason.noun[0]} {link.korean}", reason.noun[1])
    owner, _, words = reason.english.rpartition(": ")
    if owner:
        subject = IT if owner == "it" else Subject(owner, 3, owner == "the clothes")
        actor = Actor("", subject)
    base = _predicate(reason.korean, words, actor.subject)
    happened = base.like == "verb" and not words.startswith(("rain", "snow", "be ", "like", "live"))
    past = turn.tense == "past" or (happened and link.name != "if")
    if words.startswith(("rain", "snow")) and link.name != "if":
        base = replace(base, features=frozenset({"now"}))
    glue = "+었/EP" if link.tensed and past else ""
    plain = shop.frames.constructions["plain"]
    state = Turn(turn.style, "past" if past else "present", "statement")
    time = None
    if turn.tense == "past" and not owner and shop.draw.chance(0.3):
        time = shop.draw.adverb("past")
    return tell(
        shop.draw,
        shop.frames,
        base,
        actor,
        plain,
        replace(state, time=time),
        ending=glue + link.korean,
        front=not link.english.startswith(("because", "since", "if")),
    )


def _predicate(korean: str, words: str, owner: Subject) -> Predicate:
    *before, stem = korean.split()
    verb, _, rest = words.replace("{my}", owner.possessive).partition(" ")
    like = "verb" if "/VV" in stem else "adjective"
    kind = "act" if like == "verb" else "feel"
    return Predicate(kind, stem, verb, rest, tuple(before), like, willed=like == "verb")


def _pronoun(subject: Subject) -> Subject:
    return replace(subject, english=subject.pronoun) if subject.person == 3 else subject
