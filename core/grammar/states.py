"""What state things are in, what one sees and hears, and whom one makes do what."""

from __future__ import annotations

from dataclasses import replace

from core.grammar.clauses import Turn, actor_for, closing, tell
from core.grammar.frames import Construction
from core.grammar.korean import speak, with_particle
from core.grammar.nominals import YOU, Actor, I, phrase, somebody
from core.grammar.predicates import Predicate
from core.grammar.sentences import Maker, Sentence, Workshop, finish
from core.grammar.tables import deeds, predicate
from core.grammar.things import thing_actor

# Stem, English and what is so.
_STATES = (
    ("열리/VV", "open", "opening2"),
    ("닫히/VV", "closed", "opening2"),
    ("켜지/VV", "on", "lights"),
    ("꺼지/VV", "off", "lights"),
    ("잠기/VV", "locked", "lockable"),
    ("깨지/VV", "broken", "breakable"),
    ("찢어지/VV", "torn", "tearing"),
    ("비/VV", "empty", "=냉장고,=상자:box,=컵,=지갑,=교실,=방,=자리,=병"),
)
_STAND = (
    ("앉/VV", "sit", "=의자,=소파,=벤치"),
    ("서/VV", "stand", "=문,=거울,=창문:window"),
    ("눕/VV-I", "lie", "=침대,=소파,=잔디"),
)
_WHERE = {"sit": "on the {}", "stand": "in front of the {}", "lie": "on the {}"}


def _lasting(negative: bool) -> Construction:
    """-아/어 있다."""
    korean = "+어/EC 있/VX" + ("+지/EC 않/VX" if negative else "")
    return Construction("lasting", korean, "{verb}", (), (), 0, stem="adjective",
                        negative=negative)  # fmt: skip


def state_sentence(shop: Workshop) -> Sentence | None:
    """The door is open; the light is not on; is the window closed?"""
    draw = shop.draw
    style = shop.style()
    stem, words, things = draw.word(_STATES)
    actor, noun = thing_actor(shop, things, style)
    tense = draw.weighted(("present", "past"), (3, 1))
    mood = draw.weighted(("statement", "question"), (3, 1))
    negative = mood == "statement" and draw.chance(0.2)
    base = Predicate("state", stem, "be", words, like="adjective")
    turn = Turn(style, tense, mood)
    spoken = tell(draw, shop.frames, base, actor, _lasting(negative), turn)
    if spoken is None:
        return None
    frame = f"state:{'not' if negative else 'plain'}.{tense}.{mood}"
    return finish(draw, spoken, frame, mood, frozenset({(f"{stem}:be {words}", noun)}))


def posture_sentence(shop: Workshop) -> Sentence | None:
    """My friend is sitting on the bench."""
    draw = shop.draw
    style = shop.style()
    stem, verb, things = draw.word(_STAND)
    seat = draw.noun(things)
    actor = actor_for(draw, shop.frames.constructions["plain"], "statement", style)
    if actor.honored:
        return None  # their being there is said in another word
    tense = draw.weighted(("present", "past"), (3, 2))
    spot = f"{seat.korean} 앞에" if verb == "stand" else with_particle(seat.korean, "place")
    base = Predicate(
        "act", stem, verb, _WHERE[verb].format(seat.english), (spot,), like="adjective",
    )  # fmt: skip
    construction = replace(_lasting(False), english="be {ing}")
    spoken = tell(draw, shop.frames, base, actor, construction, Turn(style, tense, "statement"))
    if spoken is None:
        return None
    frame = f"posture:{verb}.{tense}.statement"
    pairs = frozenset({(f"{stem.partition('/')[0]}:{verb}", f"{seat.korean}:{seat.english}")})
    return finish(draw, spoken, frame, "statement", pairs)


_SENSED = (
    ("보이/VV", "see", "=산,=바다,=하늘,=달,=별,=구름,=강,=섬,=새,=호수,=다리:bridge"),
    ("들리/VV", "hear", "=음악:music,=노래,=소리,=라디오"),
)


def sense_sentence(shop: Workshop) -> Sentence | None:
    """I can see the sea; can you hear the music?"""
    draw = shop.draw
    style = shop.style()
    stem, verb, things = draw.one_of(_SENSED)
    noun = draw.noun(things)
    tense = draw.weighted(("present", "past"), (3, 1))
    mood = draw.weighted(("statement", "question"), (3, 1))
    negative = mood == "statement" and draw.chance(0.3)
    base = Predicate(
        "sense", stem, verb, phrase(noun, "the", I).english,
        (with_particle(noun.korean, "subject"),),
    )  # fmt: skip
    actor = Actor("", YOU if mood == "question" else I)
    before = "안" if negative else ""
    construction = Construction("can_sense", "", "can {base}", (), (), 0, before=before,
                                negative=negative)  # fmt: skip
    spoken = tell(draw, shop.frames, base, actor, construction, Turn(style, tense, mood))
    if spoken is None:
        return None
    frame = f"sense:{verb}.{'not' if negative else 'plain'}.{tense}.{mood}"
    pairs = frozenset({(f"{stem.partition('/')[0]}:{verb}", f"{noun.korean}:{noun.english}")})
    return finish(draw, spoken, frame, mood, pairs)


def make_sentence(shop: Workshop) -> Sentence | None:
    """My mother made me clean the room; I had the child do their homework."""
    draw = shop.draw
    style = shop.style()
    pool = [d for d in deeds() if d.scene in ("morning", "evening", "weekend", "study")]
    deed = draw.one_of([d for d in pool if "arrive" not in d.features])
    who, child = somebody(draw, style), draw.noun("child,=학생,-=아기")
    tense = draw.weighted(("past", "future"), (3, 1))
    owner = phrase(child, "the", who.subject)
    if child.english in who.subject.english or deed.english.startswith(
        ("leave", "turn off", "sleep")
    ):
        return None
    theirs = {"female": "her", "male": "his"}.get(
        next(iter(child.features & {"female", "male"}), ""), "their"
    )
    base = predicate(draw, deed.korean, deed.english)
    rest = base.rest.replace("my ", f"{theirs} ")
    plain = shop.frames.constructions["plain"]
    whom = with_particle(child.korean, "to")
    words = speak(closing(base, plain, "+게/EC"))
    whole = Predicate(
        "act", "하/VV", "make", f"{owner.english} {base.verb} {rest}".strip(),
        (whom, *base.before, words), willed=True,
    )  # fmt: skip
    spoken = tell(draw, shop.frames, whole, who, plain, Turn(style, tense, "statement"))
    if spoken is None:
        return None
    pairs = frozenset({(deed.korean, child.korean)}) | base.pairs
    return finish(draw, spoken, f"make_do:deed.{tense}.statement", "statement", pairs)


MAKERS: tuple[tuple[Maker, float], ...] = (
    (state_sentence, 3),
    (posture_sentence, 1.5),
    (sense_sentence, 1.5),
    (make_sentence, 1),
)
