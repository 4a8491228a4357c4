"""How one looks, what one becomes, what must be so, and what one cries out about it."""

from __future__ import annotations

from dataclasses import replace

from core.grammar import english
from core.grammar.clauses import Turn, tell
from core.grammar.comparisons import gradable
from core.grammar.english import VerbGroup
from core.grammar.frames import Construction
from core.grammar.korean import final_consonant, speak, with_particle
from core.grammar.lexicon import Adjective
from core.grammar.nominals import YOU, Actor, I, phrase, somebody, speaker, third_person
from core.grammar.predicates import VERBAL, in_degree, quality
from core.grammar.sentences import PRAISED, Maker, Sentence, Workshop, degree_of, finish
from core.grammar.things import thing_actor

# What one sees of others; what comes over one.
_SEEN = ("tired", "happy", "sad", "busy", "bored", "nervous", "angry", "young", "healthy", "upset",
         "depressed", "lonely", "sleepy", "anxious", "kind", "smart", "comfortable")  # fmt: skip
_COMING = ("tired", "busy", "bored", "nervous", "angry", "healthy", "upset", "depressed", "lonely",
           "sleepy", "anxious", "hungry", "thirsty", "sick", "lazy", "diligent")  # fmt: skip
_CHANGING = ("cold", "hot", "warm", "expensive", "cheap", "dirty", "clean", "difficult", "easy",
             "noisy", "famous", "bright", "dark", "pretty", "cloudy", "chilly")  # fmt: skip
_LOOKS = Construction("looks", "+어/EC 보이/VV", "{verb}", (), (), 0, stem="verb")
_BECOMES = Construction("becomes", "+어/EC~지/VX", "{verb}", (), (), 0, stem="verb")


def _said_of(actor: Actor) -> str:
    """The kind of predicate: how an elder is, is told with respect."""
    return "feel" if actor.honored else "describe"


def _people(shop: Workshop, names: tuple[str, ...]) -> Adjective:
    pool = [a for a in shop.draw.lexicon.adjectives_for("human") if a.english in names]
    return shop.draw.word([a for a in pool if a.korean.endswith("/VA")])


def look_sentence(shop: Workshop) -> Sentence | None:
    """You look tired; this bag looks expensive; does Minsu look happy?"""
    draw = shop.draw
    style = shop.style()
    tense = draw.weighted(("present", "past"), (3, 1))
    negative = draw.chance(0.15)
    if draw.chance(0.55):
        adjective = _people(shop, _SEEN)
        you = tense == "present" and not negative and draw.chance(0.4)
        actor = Actor("", YOU) if you else somebody(draw, style)
        name = "you" if you else "person"
        pair = (adjective.korean, actor.subject.english)
    else:
        things = [
            a for a in draw.lexicon.adjectives
            if a.subject != "human" and a.scale in ("price", "taste", "size", "weight", "comfort",
                                                    "ease", "look", "fresh", "sturdy", "spice")
        ]  # fmt: skip
        adjective = draw.word([a for a in things if a.english not in VERBAL])
        actor, noun = thing_actor(shop, adjective.subject, style)
        name, pair = "thing", (adjective.korean, noun)
    base = replace(quality(adjective, _said_of(actor)), verb="look")
    if not negative and draw.chance(0.3):
        praised = adjective.value == "+" or adjective.english in PRAISED
        degree = degree_of(draw, "statement", tense, praised=praised)
        base = replace(base, before=(degree.korean,), rest=f"{degree.english} {base.rest}")
    construction = _LOOKS
    if negative:
        construction = replace(_LOOKS, korean=f"{_LOOKS.korean}+지/EC 않/VX", negative=True)
        construction = replace(construction, stem="adjective")
    turn = Turn(style, tense, "statement")
    spoken = tell(draw, shop.frames, base, actor, construction, turn)
    if spoken is None:
        return None
    frame = f"look:{name}.{'not' if negative else 'plain'}.{tense}.statement"
    return finish(draw, spoken, frame, "statement", frozenset({pair}))


def _more_and_more(adjective: str) -> str:
    """점점: cheaper and cheaper, more and more expensive."""
    more = english.comparative(adjective)
    return more.replace("more ", "more and more ") if " " in more else f"{more} and {more}"


def become_sentence(shop: Workshop) -> Sentence | None:
    """I got tired; the weather is getting cold; the road got noisy."""
    draw = shop.draw
    style = shop.style()
    people = draw.chance(0.4)
    tense = "past" if people else draw.weighted(("past", "present"), (1, 1))
    if people:
        adjective = _people(shop, _COMING)
        actor = speaker(draw, style, topical=True) if draw.chance(0.6) else somebody(draw, style)
        pair = (adjective.korean, actor.subject.english)
    else:
        pool = [a for a in draw.lexicon.adjectives if a.english in _CHANGING]
        adjective = draw.word([a for a in pool if a.subject != "human"])
        actor, noun = thing_actor(shop, adjective.subject, style)
        if "drink" in draw.lexicon.noun(noun).classes:
            return None
        pair = (adjective.korean, noun)
    base = replace(quality(adjective, _said_of(actor)), verb="get", like="verb")
    slowly = tense == "present"
    if slowly:
        base = replace(
            base, before=("점점",), rest=_more_and_more(adjective.english),
            features=frozenset({"now"}),
        )  # fmt: skip
    # 추워졌어, and not 추워졌었어: it lasts.
    became = replace(_BECOMES, stem="adjective") if tense == "past" else _BECOMES
    spoken = tell(draw, shop.frames, base, actor, became, Turn(style, tense, "statement"))
    if spoken is None:
        return None
    frame = f"become:{'person' if people else 'thing'}.{tense}.statement"
    return finish(draw, spoken, frame, "statement", frozenset({pair}))


_JUDGED = ("taste", "price", "spice", "sweet", "fun", "ease", "fear", "heat")


def must_be_sentence(shop: Workshop) -> Sentence | None:
    """You must be tired; the cake must be delicious."""
    draw = shop.draw
    style = shop.style((0, 1, 1.5, 0))
    if draw.chance(0.5):
        adjective = _people(shop, (*_SEEN[:10], "hungry", "thirsty", "full", "sick", "glad"))
        you = draw.chance(0.6)
        actor = Actor("", YOU) if you else somebody(draw, style)
        name, pair = ("you" if you else "person"), (adjective.korean, actor.subject.english)
    else:
        pool = [a for a in draw.lexicon.adjectives if a.subject != "human"]
        adjective = draw.word([a for a in pool if a.scale in _JUDGED])
        actor, noun = thing_actor(shop, adjective.subject, style)
        if actor.subject.english.startswith("my "):
            return None  # of one's own one knows
        name, pair = "thing", (adjective.korean, noun)
    final = {"casual": ["+겠/EP+다/EF"], "polite": ["+겠/EP+어요/EF"]}
    construction = Construction("must_be", "", "must {base}", (), (), 0, final=final)
    turn = Turn(style, "present", "statement")
    base = quality(adjective, _said_of(actor))
    spoken = tell(draw, shop.frames, base, actor, construction, turn)
    if spoken is None:
        return None
    return finish(draw, spoken, f"must_be:{name}.statement", "statement", frozenset({pair}))


_EXCITING = ("look", "taste", "fun", "price", "size", "speed", "heat", "width", "height", "light",
             "dirt", "good", "weight", "noise")  # fmt: skip


def exclamation_sentence(shop: Workshop) -> Sentence | None:
    """How pretty this bag is! What a pretty bag!"""
    draw = shop.draw
    style = shop.style((0, 1, 1.5, 0))
    adjective = draw.word([a for a in draw.lexicon.adjectives if a.scale in _EXCITING])
    if adjective.subject == "human" or adjective.english in VERBAL:
        return None
    noun = draw.noun(adjective.subject)
    if "name" in noun.classes:
        return None
    pairs = frozenset({(adjective.korean, noun.korean)})
    if draw.chance(0.5):
        actor, _ = thing_actor(shop, f"={noun.korean}:{noun.english}", style)
        top = draw.variant(("정말", "참", "진짜"))
        ending = "+네요/EF" if style == "polite" else "+다/EF"
        last = speak(f"{adjective.korean}{ending}")
        told = english.clause(actor.subject, VerbGroup("{verb}"), "be", "")
        text = f"how {adjective.english} {told}!"
        return _cried(f"{actor.korean} {top} {last}!", text, "how", pairs)
    if noun.features & {"the", "own", "kin", "bare"} or noun.classes & {"city", "place"}:
        return None
    many = "plural" in noun.features
    mass = "mass" in noun.features
    ending = "+는/ETM" if "iss" in adjective.features else "+은/ETM"
    article = "" if many or mass else f"{english.article(adjective.english)} "
    link = "이" if final_consonant(noun.korean) else ""
    closing = f"{link}{'네요' if style == 'polite' else '다'}"
    top = draw.variant(("정말", "참"))
    korean = f"{top} {speak(adjective.korean + ending)} {noun.korean}{closing}!"
    return _cried(korean, f"what {article}{adjective.english} {noun.english}!", "what", pairs)


def _cried(
    korean: str, text: str, name: str, pairs: frozenset[tuple[str, str]]
) -> Sentence:  # fmt: skip
    return Sentence(korean, text[0].upper() + text[1:], f"exclaim:{name}", pairs)


def alike_sentence(shop: Workshop) -> Sentence | None:
    """Minsu is as tall as Jimin; the dog is not as big as the horse."""
    draw = shop.draw
    style = shop.style()
    adjective = draw.word([a for a in draw.lexicon.adjectives if gradable(a)])
    if adjective.subject.startswith(("weather", "wind", "sky")):
        return None
    people = adjective.subject == "human"
    pool = draw.lexicon.pool("name,kin" if people else adjective.subject)
    one, two = draw.word(pool), draw.word(pool)
    if people and adjective.english == "young" and "kin" in one.classes:
        return None
    if one is two or not one.classes & two.classes or adjective.korean.endswith("/VV"):
        return None
    if not people and not (one.classes & two.classes) - {"place", "food", "misc"}:
        return None
    negative = draw.chance(0.4)
    much = draw.chance(0.3) and not negative
    tense = draw.weighted(("present", "past"), (4, 1))
    actor = Actor(with_particle(one.korean, draw.variant(("topic", "subject"))), third_person(one))
    other = phrase(two, "the", I).english
    base = quality(adjective)
    if much:
        more = english.comparative(adjective.english)
        base = replace(base, before=(with_particle(two.korean, "than"),))
        base = in_degree(base, "훨씬", "더")
        words, name = f"much {more} than {other}", "much"
    else:
        base = replace(base, before=(f"{two.korean}만큼",))
        words, name = f"as {adjective.english} as {other}", "as_not" if negative else "as"
    base = replace(base, rest=words)
    construction = shop.frames.constructions["not_ji" if negative else "plain"]
    spoken = tell(draw, shop.frames, base, actor, construction, Turn(style, tense, "statement"))
    if spoken is None:
        return None
    frame = f"alike:{name}.{'person' if people else 'thing'}.{tense}.statement"
    return finish(draw, spoken, frame, "statement", frozenset({(adjective.korean, one.korean)}))


MAKERS: tuple[tuple[Maker, float], ...] = (
    (look_sentence, 4),
    (become_sentence, 3),
    (must_be_sentence, 2.5),
    (exclamation_sentence, 2.5),
    (alike_sentence, 2.5),
)
