"""Elders: what they do, told with respect, and what one does for them. Into English alone.

English shows none of it, so where Korean is settled it has nothing to tell it from.
"""

from __future__ import annotations

from core.grammar.clauses import Turn, tell, time_for
from core.grammar.korean import with_particle
from core.grammar.lexicon import Noun
from core.grammar.nominals import Actor, I, phrase, third_person
from core.grammar.predicates import Predicate, act, adverbial, feel
from core.grammar.sentences import Maker, Sentence, Workshop, finish, verb_for

_ELDERS = "=어머니,=아버지,=할머니,=할아버지,=부모님,=선생님,=교수님,=사장님,=시어머니"
_MANNERS = (0, 0, 4, 2)
# Verbs that elders have words of their own for.
_OWN = ("먹/VV", "마시/VV", "자/VV", "낮잠을 자/VV")


def _elder(shop: Workshop) -> tuple[Noun, str]:
    """One's elder, as a topic or subject with respect."""
    draw = shop.draw
    noun = draw.noun(_ELDERS)
    ours = "우리 " if "kin" in noun.classes and draw.chance(0.3) else ""
    return noun, f"{ours}{noun.korean}께서{'는' if draw.chance(0.4) else ''}"


def elder_sentence(shop: Workshop) -> Sentence | None:
    """할머니께서 주무세요: my grandmother sleeps."""
    draw = shop.draw
    if draw.settled:
        return None
    style = shop.style(_MANNERS)
    names = ("plain", "not_ji", "progressive", "can", "intend", "must", "wish_of")
    construction = shop.construction(names)
    tense = draw.one_of(construction.tenses)
    mood = draw.weighted(construction.moods, (3, 1)[: len(construction.moods)])
    noun, korean = _elder(shop)
    if mood == "question" and "kin" in noun.classes:
        return None  # one asks others about no kin of one's
    actor = Actor(korean, third_person(noun), honored=True)
    if draw.chance(0.2) and construction.name in ("plain", "not_ji"):
        base = feel(draw)
        if tense == "future" or base.rest in ("hungry", "full", "young", "cool"):
            return None
        name = "feel"
    else:
        verb = verb_for(shop, construction, tense, "daily")
        if draw.chance(0.4):
            verb = draw.word([v for v in draw.lexicon.verbs if v.korean in _OWN])
        if verb is None or verb.subject != "human":
            return None
        base = act(draw, verb, actor.subject, style)
        name = "own" if verb.korean in _OWN else "act"
    time = time_for(draw, construction, tense) if name != "feel" else None
    spoken = tell(draw, shop.frames, base, actor, construction, Turn(style, tense, mood, time))
    if spoken is None:
        return None
    pairs = base.pairs or frozenset({(base.stem, noun.english)})
    frame = f"elder:{name}.{construction.name}.{tense}.{mood}"
    return finish(draw, spoken, frame, mood, pairs)


# What one does for elders: stem, English, what with.
_HUMBLE = (
    ("드리/VV", "give {} to {}", "gift2"),
    ("보내 드리/VV", "send {} to {}", "sendable"),
    ("사 드리/VV", "buy {} for {}", "gift2"),
    ("보여 드리/VV", "show {} to {}", "=사진,=그림:picture,=편지,=지도"),
    ("가르쳐 드리/VV", "teach {} to {}", "language"),
    ("만들어 드리/VV", "make {} for {}", "snack2"),
    ("읽어 드리/VV", "read {} to {}", "=신문,=편지,=책,=시"),
)


def humble_sentence(shop: Workshop) -> Sentence | None:
    """할머니께 선물을 드렸어요: I gave a present to my grandmother."""
    draw = shop.draw
    if draw.settled:
        return None
    style = shop.style(_MANNERS)
    stem, words, things = draw.word(_HUMBLE)
    construction = shop.construction(("plain", "wish", "intend", "must"))
    tense = draw.one_of(construction.tenses)
    if construction.name == "plain" and tense == "present":
        return None
    noun, thing = draw.noun(_ELDERS), draw.noun(things)
    gift, elder = phrase(thing, "a", I), phrase(noun, "the", I)
    head, _, rest = words.format(gift.english, elder.english).partition(" ")
    base = Predicate(
        "act", stem, head, rest, (f"{noun.korean}께", _object(thing)), willed=True,
        pairs=frozenset({(f"{stem.partition('/')[0]}:{words}", f"{thing.korean}:{thing.english}")}),
    )  # fmt: skip
    time = time_for(draw, construction, tense) if draw.chance(0.5) else None
    actor = Actor("" if draw.chance(0.5) else "저는", I)
    turn = Turn(style, tense, "statement", time)
    spoken = tell(draw, shop.frames, base, actor, construction, turn)
    if spoken is None:
        return None
    frame = f"humble:give.{construction.name}.{tense}.statement"
    return finish(draw, spoken, frame, "statement", base.pairs)


def _object(noun: Noun) -> str:
    return with_particle(noun.korean, "object")


_MEET = (("찾아뵈/VV", "visit"), ("뵈/VV", "see"))


def visit_elder_sentence(shop: Workshop) -> Sentence | None:
    """교수님을 뵈었어요: I saw the professor; 할머니는 집에 계세요: my grandmother is at home."""
    draw = shop.draw
    if draw.settled:
        return None
    style = shop.style(_MANNERS)
    noun = draw.noun(_ELDERS)
    plain = shop.frames.constructions["plain"]
    if draw.chance(0.5):
        place = draw.noun("=집:home,=병원,=학교,=공원,=시장,=부엌,=방,=서울,=부산,=교회,=거실")
        tense = draw.weighted(("present", "past"), (2, 1))
        base = Predicate("act", "있/VV", "be", adverbial(place, "at"),
                         (with_particle(place.korean, "place"),))  # fmt: skip
        _, korean = _elder(shop)
        noun = draw.lexicon.noun(korean.removeprefix("우리 ").partition("께서")[0])
        actor = Actor(korean, third_person(noun), honored=True)
        spoken = tell(draw, shop.frames, base, actor, plain, Turn(style, tense, "statement"))
        name, pairs = "is_at", frozenset({("계시", place.korean)})
    else:
        stem, verb = draw.one_of(_MEET)
        construction = shop.construction(("wish", "must", "intend", "plain"))
        tense = draw.one_of(construction.tenses)
        if construction.name == "plain" and tense == "present":
            return None
        base = Predicate("act", stem, verb, phrase(noun, "the", I).english, (_object(noun),))
        time = time_for(draw, construction, tense) if draw.chance(0.5) else None
        turn = Turn(style, tense, "statement", time)
        spoken = tell(draw, shop.frames, base, Actor("", I), construction, turn)
        name, pairs = f"see.{construction.name}", frozenset({("뵈", noun.korean)})
    if spoken is None:
        return None
    return finish(draw, spoken, f"elder:{name}.{tense}.statement", "statement", pairs)


MAKERS: tuple[tuple[Maker, float], ...] = (
    (elder_sentence, 4),
    (humble_sentence, 1.5),
    (visit_elder_sentence, 1.5),
)
