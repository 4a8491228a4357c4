"""Sentences about what there is and what one has."""

from __future__ import annotations

from dataclasses import replace

from core.grammar import english
from core.grammar.clauses import Turn, actor_for, tell
from core.grammar.english import Subject
from core.grammar.korean import speak, with_particle
from core.grammar.lexicon import Noun
from core.grammar.nominals import NUMBERS, Actor, Phrase, counted, kin_free
from core.grammar.occasions import is_far
from core.grammar.predicates import Predicate, adverbial
from core.grammar.sentences import Sentence, Workshop, finish
from core.grammar.spheres import RECENT
from core.grammar.things import thing_actor


def there(many: bool) -> Subject:
    """The expletive subject, which agrees with what follows."""
    return Subject("there", 3, many)


def many_of(noun: Noun) -> tuple[str, bool]:
    """many people, or a lot of food."""
    if "mass" in noun.features or "bare" in noun.features:
        return f"a lot of {noun.english}", False
    words = noun.english if "plural" in noun.features else english.plural(noun.english)
    return f"many {words}", True


def particle(shop: Workshop, korean: str, style: str) -> str:
    """A noun as subject with its particle, which casual speech may drop."""
    if style == "casual" and shop.draw.chance(0.5):
        return korean
    return with_particle(korean, "subject")


def scene(shop: Workshop, *, spot: bool = False) -> tuple[Noun, Noun]:
    """A place and something that one finds there."""
    lexicon = shop.draw.lexicon
    scenes = [s for s in lexicon.scenes if not s[0].startswith("=") or not spot]
    place, things = shop.draw.word([s for s in scenes if not spot or not s[0].startswith("=")])
    noun = lexicon.pool(place if place.startswith("=") else f"={place}")[0]
    return noun, shop.draw.noun(things)


def _where(shop: Workshop, place: Noun, style: str) -> str:
    """A place with its particle, which casual speech may drop."""
    bare = style == "casual" and shop.draw.chance(0.6) and len(place.korean) > 1
    return place.korean if bare else with_particle(place.korean, "place")


def many_predicate(shop: Workshop, place: Noun, thing: Noun, style: str) -> tuple[Predicate, bool]:
    """N(이) 많다 at a place, and whether English agrees in the plural."""
    draw = shop.draw
    words, plural = many_of(thing)
    korean = thing.korean
    if plural and thing.classes & {"people", "job", "animal", "pet"} and draw.loose(0.2):
        korean += "들"
    before = (_where(shop, place, style), particle(shop, korean, style))
    pairs = frozenset({(place.korean, thing.korean)})
    rest = f"{words} {adverbial(place, 'loc')}"
    return Predicate("exist", "많/VA", "be", rest, before, "adjective", pairs=pairs), plural


def exist_sentence(shop: Workshop) -> Sentence | None:
    """There is, there are, there are many."""
    draw = shop.draw
    style = shop.style()
    place, thing = scene(shop, spot=draw.chance(0.25))
    kind = draw.weighted(("many", "some", "none", "count"), (4, 3, 1.5, 2))
    if kind == "many" and "appliance" in thing.classes:
        return None
    if kind != "many" and place.classes & {"city", "country"}:
        return None
    name = "not" if kind == "none" else kind
    tense = draw.weighted(("present", "past"), (2, 1))
    mood = "statement" if kind == "count" else draw.weighted(("statement", "question"), (3, 1))
    if kind == "many":
        base, plural = many_predicate(shop, place, thing, style)
    else:
        made = some_predicate(shop, place, thing, style, kind)
        if made is None:
            return None
        base, plural = made
    construction = shop.frames.constructions["plain"]
    if kind == "none":
        construction = replace(construction, negative=True)
    time = draw.adverb("past") if tense == "past" and draw.chance(0.3) else None
    if time and (time.english in RECENT or is_far(time)):
        time = None
    turn = Turn(style, tense, mood, time)
    spoken = tell(draw, shop.frames, base, Actor("", there(plural)), construction, turn)
    if spoken is None:
        return None
    return finish(draw, spoken, f"exist.{name}.{tense}.{mood}", mood, base.pairs)


def some_predicate(
    shop: Workshop, place: Noun, thing: Noun, style: str, kind: str
) -> tuple[Predicate, bool] | None:
    """N(이) 있다 or 없다 at a place: ``some``, ``none`` or ``count``, where one counts it."""
    draw = shop.draw
    base = kin_free(thing, "?")
    if kind == "none":
        words = many_of(thing)[0].removeprefix("many ").removeprefix("a lot of ")
        base = Phrase(thing.korean, f"any {words}", many_of(thing)[1])
    elif thing.korean == "사람":
        base = Phrase(thing.korean, "people", True)
    korean = particle(shop, thing.korean, style)
    if kind == "count":
        counter = draw.counter(thing)
        if counter is None:
            return None
        base = counted(thing, counter, draw.one_of(NUMBERS))
        first, _, rest = base.korean.removeprefix(thing.korean).strip().partition(" ")
        korean = f"{with_particle(thing.korean, 'subject')} {first} {rest}"
    before = (_where(shop, place, style), korean)
    stem = "없/VA" if kind == "none" else "있/VA"
    words = f"{base.english} {adverbial(place, 'loc')}"
    pairs = frozenset({(place.korean, thing.korean)})
    return Predicate("exist", stem, "be", words, before, "adjective", pairs=pairs), base.plural


# What nobody has together with others.
_AILMENTS = ("열", "알레르기", "두통", "불면증", "복통", "치통", "기침", "콧물", "몸살", "상처")
# What nobody tells of as past.
_FOR_GOOD = ("알레르기", "직업", "취미", "재능", "습관", "성격")


def have_sentence(shop: Workshop) -> Sentence | None:
    """I have, or do not have."""
    draw = shop.draw
    style = shop.style()
    tense = draw.weighted(("present", "past", "future"), (5, 2, 1))
    mood = draw.weighted(("statement", "question"), (2, 1))
    noun = draw.noun("haveabout" if tense == "future" else "have")
    base = kin_free(noun)
    negative = draw.chance(0.35)
    construction = shop.frames.constructions["plain"]
    if negative:
        construction = replace(construction, negative=True)
    actor = actor_for(draw, construction, mood, style, topical=True)
    if "kin" in noun.classes and (tense != "present" or actor.subject.plural):
        return None  # a sister one has for good, and not together
    if actor.subject.plural and noun.korean in _AILMENTS:
        return None  # we have a runny nose
    if tense == "past" and noun.korean in _FOR_GOOD:
        return None
    predicate = Predicate(
        "have",
        "없/VA" if negative else "있/VA",
        "have",
        base.english,
        (particle(shop, noun.korean, style),),
        "adjective",
        pairs=frozenset({("있다", noun.korean)}),
    )
    time = None
    # What passes is had at a time; a job or a dream one has for good.
    if noun in draw.lexicon.members("haveabout") and draw.chance(0.25):
        kinds = {"past": ("past",), "present": ("now", "near"), "future": ("future",)}[tense]
        time = draw.adverb(*kinds)
        time = None if is_far(time) else time  # a meeting is of a day, and not of a year
    spoken = tell(draw, shop.frames, predicate, actor, construction, Turn(style, tense, mood, time))
    if spoken is None:
        return None
    name = "not" if negative else "plain"
    frame = f"have.{name}.{tense}.{mood}"
    return finish(draw, spoken, frame, mood, predicate.pairs)


def spot_sentence(shop: Workshop) -> Sentence | None:
    """There is a book on the desk; the book is on the desk."""
    draw = shop.draw
    style = shop.style()
    spot = draw.word(draw.lexicon.spots)
    thing = draw.noun(spot.things)
    tense = draw.weighted(("present", "past"), (3, 1))
    mood = draw.weighted(("statement", "question"), (3, 1))
    construction = shop.frames.constructions["plain"]
    where = speak(" ".join([*spot.korean.split()[:-1], f"{spot.korean.split()[-1]}/NNG+에/JKB"]))
    pairs = frozenset({(spot.korean, thing.korean)})
    turn = Turn(style, tense, mood)
    if draw.chance(0.3):
        actor = thing_actor(shop, f"={thing.korean}:{thing.english}", style)[0]
        base = Predicate("at", "있/VA", "be", spot.english, (where,), "adjective", pairs=pairs)
        frame = f"at.plain.{tense}.{mood}"
    else:
        many = draw.chance(0.2) and thing.classes.isdisjoint(("animal", "pet"))
        words, plural = many_of(thing) if many else _one(thing)
        before = (where, particle(shop, thing.korean, style))
        stem, rest = "많/VA" if many else "있/VA", f"{words} {spot.english}"
        base = Predicate("exist", stem, "be", rest, before, "adjective", pairs=pairs)
        actor = Actor("", there(plural))
        frame = f"exist.{'many' if many else 'some'}.{tense}.{mood}"
    spoken = tell(draw, shop.frames, base, actor, construction, turn)
    return None if spoken is None else finish(draw, spoken, frame, mood, pairs)


def _one(thing: Noun) -> tuple[str, bool]:
    base = kin_free(thing, "?")
    return base.english, base.plural
