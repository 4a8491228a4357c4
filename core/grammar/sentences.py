"""Kinds of sentences: each maker draws one sentence of its kind, or None where it fits badly."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.grammar import english
from core.grammar.clauses import Spoken, Turn, actor_for, tell, time_for
from core.grammar.doers import holds_job
from core.grammar.draw import Draw
from core.grammar.frames import STYLES, Construction, Frames
from core.grammar.korean import is_noun, with_particle
from core.grammar.lexicon import Adverb, Verb
from core.grammar.nominals import (
    IT,
    YOU,
    Actor,
    phrase,
    pointer,
    somebody,
)
from core.grammar.nominals import I as ME
from core.grammar.occasions import is_far, timely
from core.grammar.predicates import Predicate, act, feel, quality, with_adjuncts
from core.grammar.sense import FORBIDDING, fits, is_rare, third_person_may
from core.grammar.strangers import may_be
from core.grammar.things import INBORN, thing_actor

STYLE_WEIGHTS = (2.0, 4.0, 4.5, 1.5)


@dataclass(frozen=True)
class Sentence:
    """A training pair with the frame, the word pairs and the values that the splits look at."""

    korean: str
    english: str
    frame: str
    pairs: frozenset[tuple[str, str]] = frozenset()
    values: frozenset[tuple[str, str]] = frozenset()

    @property
    def copies(self) -> bool:
        """Whether letters of it stand in both languages as they are."""
        return any(kind == "copy" for kind, _ in self.values)


@dataclass(frozen=True)
class Workshop:
    """What every maker needs."""

    draw: Draw
    frames: Frames

    def style(self, weights: Sequence[float] = STYLE_WEIGHTS) -> str:
        """A speech style, everyday ones first; polite, where Korean is settled."""
        return "polite" if self.draw.settled else self.draw.weighted(STYLES, weights)

    def construction(self, names: tuple[str, ...] = ()) -> Construction:
        """A construction by its weight, among some or all."""
        table = self.frames.constructions
        pool = [table[name] for name in names] if names else list(table.values())
        return self.draw.weighted(pool, [c.weight for c in pool])


def finish(
    draw: Draw, spoken: Spoken, frame: str, mood: str, pairs: frozenset[tuple[str, str]]
) -> Sentence:
    """Close a sentence in both languages.

    Args:
        draw: the source of choices.
        spoken: the clause or clauses.
        frame: the frame's name.
        mood: statement, question or command.
        pairs: word pairs.
    """
    asked = mood == "question"
    if asked:
        stop = "" if spoken.clear and draw.loose(0.25) else "?"
    else:
        stop = "" if draw.loose(0.4) else "."
    return Sentence(
        spoken.korean + stop, english.sentence(spoken.english, "?" if asked else "."), frame, pairs
    )


_NEGATIVE = ("not_an", "not_ji")


def verb_for(
    shop: Workshop, construction: Construction, tense: str, feature: str = ""
) -> Verb | None:
    """A verb that fits (and has a feature, where one is named), tried a few times."""
    for _ in range(12):
        verb = shop.draw.word(shop.draw.lexicon.verbs_with(feature))
        if is_rare(verb) and shop.draw.chance(0.6):
            continue
        if fits(verb, construction, tense):
            return verb
    return None


# Told of a deed without where, with whom and how.
_BARE = (
    "know_how", "begin", "try", "forget_to", "experience", "experience_not", "okay_not_to",
    "ever_tried", "never_tried",
)  # fmt: skip


# Told of things of a kind: I used to write postcards, I like reading books.
_OF_MANY = ("used_to", "like", "hate", "like_not")
# What is done well or not; nobody proposes to swim well.
_OF_SKILL = ("plain", "not_an", "not_ji", "can", "can_not", "mot", "wish", "seem")


def act_sentence(shop: Workshop) -> Sentence | None:
    """Somebody does something: the bulk of the corpus."""
    draw = shop.draw
    construction = shop.construction()
    style = shop.style()
    tense = draw.one_of(construction.tenses)
    mood = draw.weighted(construction.moods, (3, 1)[: len(construction.moods)])
    verb = verb_for(shop, construction, tense)
    if verb is None:
        return None
    if construction.name == "midst" and "move" in verb.features:
        return None  # who is going is on the way, and not in the middle of it
    if verb.subject == "it":
        actor = Actor("", IT)
    elif verb.subject != "human":
        actor = somebody(draw, style, verb.subject)
    else:
        actor = actor_for(draw, construction, mood, style)
    if verb.subject != "human" and not third_person_may(construction, mood):
        return None
    habit = construction.name == "plain" and tense == "present" and verb.willed
    often = habit and "daily" in verb.features and draw.chance(0.2)
    several = often or construction.name in _OF_MANY
    base = act(draw, verb, actor.subject, style, several=several)
    alone = construction.needs in ("mishap", "harm", "skill") or construction.name in _BARE
    if not (alone or construction.needs in ("request", "favor")):
        base = with_adjuncts(draw, base, verb, actor.subject, style)
    if construction.tail == "together" and re.search("together|alone|once more", base.rest):
        return None
    if mood == "command" and base.rest.endswith(" late"):
        return None  # nobody is told to come late
    time = time_for(draw, construction, tense)
    if time and not timely(time, verb, construction):
        time = None
    if draw.settled and time and time.kind == "now" and construction.name != "progressive":
        time = None  # "I am eating now" is 먹고 있어요 there
    if (
        time
        and time.english in ("soon", "later")
        and (construction.negative or construction.name in FORBIDDING)
    ):
        time = None
    if "well" in base.rest.split() and construction.name not in _OF_SKILL:
        return None
    if often:
        time, base = None, _often(draw, base)
    spoken = tell(draw, shop.frames, base, actor, construction, Turn(style, tense, mood, time))
    if spoken is None:
        return None
    frame = f"{base.kind}.{construction.name}.{tense}.{mood}"
    return finish(draw, spoken, frame, mood, base.pairs)


def _often(draw: Draw, base: Predicate) -> Predicate:
    adverb = draw.adverb("mid")
    return replace(base, before=(adverb.korean, *base.before), mid=adverb.english)


def degree_of(draw: Draw, mood: str, tense: str, *, praised: bool) -> Adverb:
    """How much so; what is known to be so, one does not ask: are you so extremely tired?

    Nothing is a little delicious (``praised``), and nobody knows how much it will be so.
    """
    degrees = list(draw.lexicon.adverbs_of("degree"))
    if praised:
        degrees = [a for a in degrees if a.english not in ("a little", "slightly")]
    if tense == "future":
        degrees = [a for a in degrees if a.english in ("very", "really", "a little")]
    if mood == "question":
        degrees = [a for a in degrees if a.english in ("very", "really", "a little")]
    return draw.word(degrees)


def feel_sentence(shop: Workshop) -> Sentence | None:
    """How somebody is."""
    draw = shop.draw
    construction = shop.construction(("plain", "plain", *_NEGATIVE))
    style, tense = shop.style(), draw.weighted(construction.tenses, (4, 3, 1))
    mood = draw.weighted(construction.moods, (3, 1))
    actor = actor_for(draw, construction, mood, style, topical=True)
    base = feel(draw)
    if not construction.negative and draw.chance(0.3):
        degree = degree_of(draw, mood, tense, praised=base.rest in PRAISED)
        base = replace(base, before=(degree.korean,), rest=f"{degree.english} {base.rest}")
    if construction.name == "not_an" and len(base.stem.split("/")[0]) > 3:
        return None
    passing = "feel" in base.features
    if tense == "future" and base.stem not in FORESEEN:
        return None
    time = None
    if passing and tense == "past" and draw.chance(0.5):
        time = draw.word([a for a in draw.lexicon.adverbs_of("past")[:18] if a.english in _LATELY])
    elif passing and tense == "present" and draw.chance(0.15):
        time = draw.lexicon.adverbs_of("near")[0]
    spoken = tell(draw, shop.frames, base, actor, construction, Turn(style, tense, mood, time))
    if spoken is None:
        return None
    frame = f"feel.{construction.name}.{tense}.{mood}"
    pairs = frozenset({(base.stem, actor.subject.english)})
    return finish(draw, spoken, frame, mood, pairs)


# Of people, what nobody is a little.
PRAISED = (
    "happy", "glad", "healthy", "pretty", "cool", "kind", "good-natured", "smart", "hardworking",
    "diligent", "brave", "honest", "humble", "polite", "young", "slim", "excellent",
)  # fmt: skip
# When one felt what passes.
_LATELY = (
    "yesterday", "a while ago", "the day before yesterday", "last night", "last weekend",
    "last Sunday", "last Saturday", "last Friday", "yesterday morning", "yesterday evening",
    "this morning", "last week",
)  # fmt: skip
# Feelings that one foresees.
FORESEEN = (
    "바쁘/VA",
    "행복하/VA",
    "피곤하/VA",
    "배고프/VA",
    "심심하/VA",
    "외롭/VA",
    "슬프/VA",
    "한가하/VA",
)


# What one foresees of a thing; what is fresh or famous, is so already.
FORESEEN_OF_THINGS = (
    "interesting", "delicious", "difficult", "easy", "expensive", "cheap", "hot", "cold", "warm",
    "cool", "boring", "fun", "far", "chilly", "humid", "clear", "cloudy", "convenient", "crowded",
    "comfortable", "uncomfortable", "important", "necessary", "useful", "helpful", "spicy",
    "sweet", "salty", "tough", "noisy", "dangerous", "beautiful", "bad-tasting", "sour", "heavy",
)  # fmt: skip


# When nobody tells of weather.
_VAGUE = ("later", "from now on", "soon", "just now")


def describe_sentence(shop: Workshop) -> Sentence | None:
    """What a thing is like."""
    draw = shop.draw
    construction = shop.construction(("plain", *_NEGATIVE))
    style, tense = shop.style(), draw.weighted(construction.tenses, (5, 3, 1))
    mood = draw.weighted(construction.moods, (3, 1))
    adjectives = [a for a in draw.lexicon.adjectives if a.subject != "human"]
    if tense == "present" and draw.chance(0.15):  # so that whole kinds are told of now and then
        adjectives = [a for a in adjectives if a.english in INBORN]
    adjective = draw.word(adjectives)
    foreseen = adjective.english in FORESEEN_OF_THINGS and adjective.korean != "멋있/VA"
    if tense == "future" and not foreseen:
        return None
    inborn = adjective.english in INBORN and tense == "present"
    actor, noun = thing_actor(shop, adjective.subject, style, kinds=inborn)
    if mood == "question" and actor.subject.english.startswith("my "):
        return None  # how one's own are, one does not ask others
    if actor.subject.english in ("the Korean", "the American"):
        return None
    if construction.name == "not_an" and len(adjective.korean.split("/")[0]) > 3:
        return None
    base = quality(adjective, kind="feel" if actor.honored else "describe")
    if not construction.negative and draw.chance(0.35):
        degree = degree_of(draw, mood, tense, praised=adjective.value == "+")
        base = replace(base, before=(degree.korean,), rest=f"{degree.english} {base.rest}")
    time = None
    if adjective.subject.startswith(("weather", "wind", "sky")) and noun in (
        "날씨",
        "하늘",
        "바람",
    ):
        kinds = {"past": ("past",), "present": ("near", "now"), "future": ("future",)}[tense]
        time = draw.adverb(*kinds) if draw.chance(0.6) else None
        time = None if time and (is_far(time) or time.english in _VAGUE) else time
    spoken = tell(draw, shop.frames, base, actor, construction, Turn(style, tense, mood, time))
    if spoken is None:
        return None
    frame = f"describe.{construction.name}.{tense}.{mood}"
    pairs = frozenset({(adjective.korean, noun)})
    return finish(draw, spoken, frame, mood, pairs)


def copula_sentence(shop: Workshop) -> Sentence | None:
    """What somebody or something is, or is not."""
    draw = shop.draw
    style = shop.style()
    asked, past, negative = draw.chance(0.25), draw.chance(0.2), draw.chance(0.25)
    mood = "question" if asked else "statement"
    construction = shop.frames.constructions["plain"]
    if draw.chance(0.5):
        actor = actor_for(draw, construction, mood, style, topical=True)
        selection = draw.weighted(("job", "identity"), (3, 1))
    else:
        word = pointer(draw)
        words = "this" if word == "이" else "that"
        short = style in ("casual", "polite") and draw.loose(0.6)
        korean = f"{word}거" if short else with_particle(f"{word}것", "topic")
        actor = Actor(korean, replace(IT, english=words))
        selection = "goods"
    noun = draw.noun(selection)
    if "kin" in noun.features or not may_be(actor.subject, noun.classes):
        return None
    if noun.korean.endswith("님") and noun.korean != "선생님" and actor.subject.person == 1:
        return None  # nobody honours oneself
    if noun.english == "president" and actor.subject.person != 3:
        return None
    if actor.subject.english == "my family":
        return None  # a family is no patient
    if holds_job(actor.subject.english):
        return None  # a lawyer is no judge
    base = phrase(noun, "?", ME)
    if actor.subject.plural:
        words = english.plural(noun.english) if "human" else base.english
    else:
        words = base.english
    if base.plural and not actor.subject.plural:
        return None
    tense = "past" if past else "present"
    group = english.VerbGroup("{verb}", tense, negative)
    text = english.clause(actor.subject, group, "be", words, asked=asked)
    if negative:
        ending = shop.frames.finals(construction, tense, mood, style, ("both", "adjective"))
        finals = [e for e in ending if not e.startswith("+으시")]
        if not finals:
            return None
        last = _not_noun(noun.korean, draw.variant(finals))
    else:
        last = is_noun(noun.korean, style, past=past, question=asked)
    korean = f"{actor.korean} {last}".strip()
    name = "not" if negative else "plain"
    frame = f"copula.{name}.{tense}.{mood}"
    return finish(draw, Spoken(korean, text), frame, mood, frozenset())


def _not_noun(noun: str, ending: str) -> str:
    from core.grammar.korean import speak

    word = speak("아니/VCN" + ending)
    word = {"아니어": "아니야", "아니어요": "아니에요"}.get(word, word)
    return f"{with_particle(noun, 'subject')} {word}"


Maker = Callable[[Workshop], Sentence | None]


__all__ = ["YOU", "Sentence", "Workshop"]
