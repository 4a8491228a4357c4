"""Sentences of two clauses."""

from __future__ import annotations

from dataclasses import replace

from core.grammar import english
from core.grammar.clauses import Spoken, Turn, actor_for, tell
from core.grammar.draw import Draw
from core.grammar.existence import many_of, many_predicate, scene, some_predicate, there
from core.grammar.frames import Construction, Link
from core.grammar.korean import with_particle
from core.grammar.lexicon import Link as Cause
from core.grammar.lexicon import Noun, Verb
from core.grammar.nominals import IT, WE, Actor, speaker
from core.grammar.nominals import I as ME
from core.grammar.occasions import is_far
from core.grammar.predicates import Predicate, act, adverbial, quality, with_adjuncts
from core.grammar.sentences import Sentence, Workshop, finish, thing_actor

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
    empty = draw.chance(0.2)
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
    joint = _side_by_side(draw, spoken, second)
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


def _side_by_side(draw: Draw, one: Spoken, two: Spoken) -> Spoken:
    """Two clauses in one sentence, joined by "and" in English; some type the comma alone.

    What is recalled in -더라 keeps the comma, as the project's first sentence does.
    """
    recalled = two.korean.endswith("더라")
    typed = draw.settled and draw.chance(0.1)
    joiner = "," if recalled or typed else ", and"
    return Spoken(f"{one.korean} {two.korean}", f"{one.english}{joiner} {two.english}")


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
        actor = actor_for(draw, construction, "statement", style)
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
    who = Actor("", IT) if weather else actor
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


_IMPRESSIVE = (
    "eat {0}",
    "watch {0}",
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
