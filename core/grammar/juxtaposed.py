"""Two clauses side by side: one went somewhere, or did something, and what it was like."""

from __future__ import annotations

from dataclasses import replace

from core.grammar import english
from core.grammar.clauses import Spoken, Turn, tell
from core.grammar.draw import Draw
from core.grammar.existence import many_of, many_predicate, scene, some_predicate, there
from core.grammar.korean import with_particle
from core.grammar.lexicon import Noun
from core.grammar.nominals import IT, Actor, speaker
from core.grammar.nominals import I as ME
from core.grammar.occasions import is_far
from core.grammar.predicates import Predicate, act, adverbial, quality, with_adjuncts
from core.grammar.sentences import Sentence, Workshop, finish

_VISIT = "juxtaposed:act>exist.{}.past.statement"


def visit_sentence(shop: Workshop) -> Sentence | None:
    """The kind of the project's first sentence: one went somewhere, and what it was like there."""
    draw = shop.draw
    style = shop.style((1, 6, 2, 1))
    place, thing = scene(shop)
    if draw.chance(0.5):
        place = draw.noun("place,-room,-home")
        thing = draw.noun(_crowd(place))
    if "place" not in place.classes or place.classes & {"room", "home"}:
        return None
    lexicon = draw.lexicon
    go = next(v for v in lexicon.verbs if v.korean == "가/VV" and v.english == "go {0}")
    actor = speaker(draw, style, dropped=0.85)
    loose = style == "casual" and draw.chance(0.6) and len(place.korean) > 1
    korean = place.korean if loose else with_particle(place.korean, "place")
    first = Predicate("act", go.korean, "go", adverbial(place, "goal"), (korean,), willed=True)
    if draw.chance(0.25):
        mate = with_adjuncts(
            draw, replace(first, before=(), rest=""), replace(go, places=""), ME, style
        )
        first = replace(
            first, before=(*mate.before, korean), rest=f"{first.rest} {mate.rest}".strip()
        )
    time = draw.adverb("past") if draw.chance(0.85) else None
    if time and is_far(time) and place.classes.isdisjoint(_TRAVELLED):
        time = None  # who was at the bakery last winter, nobody remembers
    plain = shop.frames.constructions["plain"]
    turn = Turn(style, "past", "statement", time)
    spoken = tell(draw, shop.frames, first, actor, plain, turn, ending=_beside(draw))
    there_noun = lexicon.noun("거기")
    empty = draw.chance(0.2) and place.classes.isdisjoint(("city", "country"))
    seen = (
        some_predicate(shop, there_noun, thing, style, "none")
        if empty
        else many_predicate(shop, there_noun, thing, style)
    )
    if spoken is None or seen is None:
        return None
    base, plural = seen
    plain = replace(plain, negative=empty)
    second = tell(
        draw, shop.frames, base, Actor("", there(plural)), plain, Turn(style, "past", "statement")
    )
    if second is None:
        return None
    joint = _side_by_side(draw, spoken, second, bare=not empty)
    pairs = frozenset({(place.korean, thing.korean)})
    frame = _VISIT.format("not" if empty else "many")
    return finish(draw, joint, frame, "statement", pairs)


# Who gathers at a place, by its class.
_CROWDS = {
    "study": "=사람,=학생,=대학생,=유학생,=외국인",
    "eatery": "=사람,=손님:customer,=외국인,=관광객,=학생,=대학생",
    "shop": "=사람,=손님:customer,=외국인,=관광객",
    "station": "=사람,=승객,=여행객,=외국인,=관광객,=군인,=학생",
    "city": "=사람,=외국인,=관광객,=한국인,=미국인,=중국인,=일본인,=여행객",
    "country": "=사람,=외국인,=관광객,=한국인,=미국인,=중국인,=일본인,=여행객",
    "nature": "=사람,=아이,=가족,=관광객,=외국인",
    "leisure": "=사람,=아이,=가족,=관광객,=외국인,=학생,=청소년",
}


# Where one goes on a journey, told of a month or a year later.
_TRAVELLED = ("city", "country", "nature", "leisure")


def _crowd(place: Noun) -> str:
    return next((who for kind, who in _CROWDS.items() if kind in place.classes), "=사람")


def _beside(draw: Draw) -> str:
    """How the first of two clauses side by side ends: like any other; settled, in -는데."""
    return "+었/EP+는데/EC" if draw.settled else ""


def _side_by_side(draw: Draw, one: Spoken, two: Spoken, *, bare: bool = False) -> Spoken:
    """Two clauses in one sentence, joined by "and" in English.

    Who was at a place, recalled in -더라, keeps the comma alone, as the project's first sentence
    does (``bare``); from English, some type it so.
    """
    recalled = bare and two.korean.endswith("더라")
    typed = bare and draw.settled and draw.chance(0.1)
    joiner = "," if recalled or typed else ", and"
    return Spoken(f"{one.korean} {two.korean}", f"{one.english}{joiner} {two.english}")


_IMPRESSIVE = (
    "eat {0}",
    "watch {0}",
    "see {0}",
    "read {0}",
    "listen to {0}",
    "drink {0}",
    "buy {0}",
    "visit {0!}",
)


def impression_sentence(shop: Workshop) -> Sentence | None:
    """One did something, and it was like this: two clauses side by side."""
    draw = shop.draw
    style = shop.style((1, 5, 3, 0))
    verb = draw.word([v for v in draw.lexicon.verbs if v.english in _IMPRESSIVE])
    noun = draw.noun(verb.arguments[0][1])
    fitting = [a for a in draw.lexicon.adjectives_of(noun) if a.value in "+-"]
    if not fitting or "country" in noun.classes:
        return None
    adjective = draw.word(fitting)
    actor = speaker(draw, style, dropped=0.7)
    first = act(
        draw,
        replace(verb, arguments=((verb.arguments[0][0], f"={noun.korean}:{noun.english}"),)),
        actor.subject,
        style,
    )
    plain = shop.frames.constructions["plain"]
    time = draw.adverb("past") if draw.chance(0.7) else None
    many = "plural" in noun.features or any(
        n in first.rest for n in ("two", "three", "four", "five", "six")
    )
    subject = replace(IT, english="they", plural=True) if many else IT
    cooled = "drink" in noun.classes  # of two bottles one does not say that they were hot
    second = quality(adjective)
    if draw.chance(0.5):
        degree = draw.adverb("degree")
        second = replace(second, before=(degree.korean,), rest=f"{degree.english} {second.rest}")
    turn = Turn(style, "past", "statement", time)
    one = tell(draw, shop.frames, first, actor, plain, turn, ending=_beside(draw))
    two = tell(
        draw, shop.frames, second, Actor("", subject), plain, Turn(style, "past", "statement")
    )
    if one is None or two is None or _is_described(draw, noun, first) or (many and cooled):
        return None
    joint = _side_by_side(draw, one, two)
    pairs = first.pairs | {(adjective.korean, noun.korean)}
    return finish(draw, joint, "juxtaposed:act>describe.plain.past.statement", "statement", pairs)


def _is_described(draw: Draw, noun: Noun, first: Predicate) -> bool:
    """Whether the thing was called something already: warm tea, and it was cool."""
    words = f" {first.rest} "
    return any(f" {a.english} " in words for a in draw.lexicon.adjectives_of(noun))


def first_sentence(shop: Workshop) -> Sentence:
    """The project's first sentence, said by the parts that say its relatives."""
    lexicon = shop.draw.lexicon
    plain = shop.frames.constructions["plain"]
    cafe, people, spot = (lexicon.noun(k) for k in ("카페", "사람", "거기"))
    go = Predicate("act", "가/VV", "go", adverbial(cafe, "goal"), (cafe.korean,), willed=True)
    words, plural = many_of(people)
    many = Predicate(
        "exist", "많/VA", "be", f"{words} {adverbial(spot, 'loc')}",
        (spot.korean, people.korean), "adjective",
    )  # fmt: skip
    yesterday = next(a for a in lexicon.adverbs if a.english == "yesterday")
    past = Turn("casual", "past", "statement")
    one = tell(
        shop.draw,
        shop.frames,
        go,
        Actor("", ME),
        plain,
        replace(past, time=yesterday),
        ending="+었/EP+었/EP+어/EF",
    )
    two = tell(
        shop.draw, shop.frames, many, Actor("", there(plural)), plain, past, ending="+더라/EF"
    )
    assert one is not None, "with an ending given, there is always a clause"
    assert two is not None
    return Sentence(
        f"{one.korean} {two.korean}",
        english.sentence(f"{one.english}, {two.english}", "."),
        _VISIT.format("many"),
        frozenset({(cafe.korean, people.korean)}),
    )
