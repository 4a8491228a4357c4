"""What one thinks and what others said; things told apart by what was done with them."""

from __future__ import annotations

import re
from dataclasses import replace

from core.grammar import english
from core.grammar.clauses import Spoken, Turn, tell, time_for
from core.grammar.english import Subject, VerbGroup
from core.grammar.frames import Construction
from core.grammar.korean import final_consonant, is_noun, with_particle
from core.grammar.lexicon import Adjective, Noun
from core.grammar.nominals import IT, YOU, Actor, I, phrase, somebody, third_person
from core.grammar.predicates import Predicate, act, feel, quality, with_adjuncts
from core.grammar.sense import suited
from core.grammar.sentences import (
    FORESEEN,
    FORESEEN_OF_THINGS,
    PRAISED,
    Sentence,
    Workshop,
    degree_of,
    finish,
    verb_for,
)
from core.grammar.spheres import spheres, stem_of
from core.grammar.things import thing_actor

_THINK = {"plain": "생각한다", "casual": "생각해", "polite": "생각해요", "formal": "생각합니다"}
_SEEM = {"plain": "같다", "casual": "같아", "polite": "같아요", "formal": "같습니다"}
_SAID = {"plain": "했다", "casual": "했어", "polite": "했어요", "formal": "했습니다"}
_ASK = {"plain": "생각하니", "casual": "생각해", "polite": "생각해요", "formal": "생각합니까"}


def _quoted(tense: str, base: Predicate) -> str:
    """The ending before 생각하다 and 하다 that quotes a clause in its tense."""
    if tense == "past":
        return "+었/EP+다고/EC"
    if tense == "future":
        return "+을/ETM 거라고"
    return "+ᆫ다고/EC" if base.like == "verb" else "+다고/EC"


def _seeming(tense: str, base: Predicate) -> str:
    """The ending before 것 같다."""
    verbal = base.like == "verb"
    if tense == "past":
        return ("+은/ETM" if verbal else "+었/EP+던/ETM") + " 것"
    if tense == "future":
        return "+을/ETM 것"
    return ("+는/ETM" if verbal or "iss" in base.features else "+은/ETM") + " 것"


def think_sentence(shop: Workshop) -> Sentence | None:
    """I think this movie is interesting; do you think he will come?"""
    draw = shop.draw
    style = shop.style()
    tense = draw.weighted(("present", "past", "future"), (5, 2, 2))
    asked = draw.chance(0.2)
    made = opinion(shop, style, tense)
    if made is None:
        return None
    base, actor, pair = made
    if tense == "present" and base.kind == "act" and base.willed:
        base = replace(base, features=base.features | {"now"})
    seems = draw.settled or (not asked and draw.chance(0.5))
    if seems:
        # Of an opinion people say that it seems so; -다고 생각해요 is of what one has argued.
        ending = f"{_seeming(tense, base)} {_SEEM[style]}"
    else:
        ending = f"{_quoted(tense, base)} {(_ASK if asked else _THINK)[style]}"
    lead = "do you think" if asked else "I think"
    construction = replace(shop.frames.constructions["plain"], lead=lead)
    turn = Turn(style, tense, "statement")
    spoken = tell(draw, shop.frames, base, actor, construction, turn, ending=ending, front=False)
    if spoken is None:
        return None
    humble = style in ("polite", "formal")
    me = with_particle("저" if humble else "나", "topic")
    if not asked and not seems and not draw.loose(0.6):
        spoken = replace(spoken, korean=f"{me} {spoken.korean}")
    mood = "question" if asked else "statement"
    name = "seem" if seems else "think"
    return finish(draw, spoken, f"{name}:{base.kind}.{tense}.{mood}", mood, frozenset({pair}))


def opinion(
    shop: Workshop, style: str, tense: str
) -> tuple[Predicate, Actor, tuple[str, str]] | None:
    """What is thought of whom or what."""
    draw = shop.draw
    kind = draw.weighted(("describe", "feel", "act"), (5, 2, 3))
    if kind == "describe":
        adjective = draw.word([a for a in draw.lexicon.adjectives if a.subject != "human"])
        if tense == "future" and adjective.english not in FORESEEN_OF_THINGS:
            return None
        actor, noun = thing_actor(shop, adjective.subject, style)
        base, pair = quality(adjective), (adjective.korean, noun)
        if draw.chance(0.3):
            base = _degree(shop, base, tense, praised=adjective.value == "+")
    elif kind == "feel":
        base, actor = feel(draw), somebody(draw, style)
        if base.like == "verb" or (tense == "future" and base.stem not in FORESEEN):
            return None
        pair = (base.stem, actor.subject.english)
        if draw.chance(0.3):
            base = _degree(shop, base, tense, praised=base.rest in PRAISED)
    else:
        plain = shop.frames.constructions["plain"]
        verb = verb_for(shop, plain, tense)
        if verb is None or verb.subject not in ("human", "it") or "negword" in verb.features:
            return None
        if verb.subject == "human" and verb.english not in suited()["known"]:
            return None  # that somebody is folding paper, nobody supposes
        actor = Actor("", IT) if verb.subject == "it" else somebody(draw, style)
        base = act(draw, verb, actor.subject, style)
        pair = (verb.name, "think")
    if actor.korean:
        actor = replace(actor, korean=as_subject(shop, actor))
    return base, actor, pair


def as_subject(shop: Workshop, actor: Actor, *, always: bool = False) -> str:
    """Inside another clause the topic particle is a subject particle, as a rule or always."""
    for topic, subject, closed in (("은", "이", True), ("는", "가", False)):
        name = actor.korean.removesuffix(topic)
        # 지은 is a name without particle.
        marked = name not in ("", actor.korean) and final_consonant(name) is closed
        if marked and (always or not shop.draw.loose(0.2)):
            return name + subject
    return actor.korean


def _degree(shop: Workshop, base: Predicate, tense: str, *, praised: bool) -> Predicate:
    degree = degree_of(shop.draw, "statement", tense, praised=praised)
    return replace(base, before=(degree.korean,), rest=f"{degree.english} {base.rest}")


def quote_sentence(shop: Workshop) -> Sentence | None:
    """Minsu said he was busy; my sister said she would come."""
    draw = shop.draw
    style = shop.style()
    who = somebody(draw, style)
    if who.subject.pronoun not in ("he", "she"):
        return None
    tense = draw.weighted(("present", "future"), (1, 1))
    if tense == "present" and draw.chance(0.6):
        base = feel(draw)
    else:
        verb = verb_for(shop, shop.frames.constructions["can"], tense, "daily")
        if verb is None or verb.subject != "human":
            return None
        base = act(draw, verb, who.subject, style)
        if draw.chance(0.3):
            base = with_adjuncts(draw, base, verb, who.subject, style)
        if tense == "present":
            base = replace(base, features=base.features | {"now"})
    plain = shop.frames.constructions["plain"]
    construction = replace(plain, english="will {base}") if tense == "future" else plain
    told = replace(who.subject, english=who.subject.pronoun)
    time = draw.adverb("future") if tense == "future" and draw.chance(0.3) else None
    spoken = tell(
        draw,
        shop.frames,
        base,
        replace(who, korean="", subject=told),
        construction if tense == "future" else _past_of(base, plain),
        Turn(style, "past", "statement", time),
        ending=f"{_quoted(tense, base)} {_said(who, style)}",
        front=False,
    )
    if spoken is None:
        return None
    joint = Spoken(f"{who.korean} {spoken.korean}", f"{who.subject.english} said {spoken.english}")
    frame = f"said:{base.kind}.{tense}.statement"
    return finish(draw, joint, frame, "statement", base.pairs)


def _said(who: Actor, style: str) -> str:
    """했어요, of an elder 하셨어요."""
    raised = {"polite": "하셨어요", "formal": "하셨습니다"}
    return raised[style] if who.honored and style in raised else _SAID[style]


def _past_of(base: Predicate, plain: Construction) -> Construction:
    """What is going on is told as what was going on: he said he was eating."""
    return replace(plain, english="be {ing}") if base.kind == "act" else plain


# What makes somebody the one that one met or helped.
_WITH_PERSONS = ("meet {0}", "help {0}", "invite {0}", "wait for {0!}", "like {0*}", "look for {0}")
# What one is at, or will be: the book that I am reading.
_AT_IT = (
    "read {0}", "watch {0}", "listen to {0}", "study {0}", "learn {0}", "use {0}", "wear {0}",
    "make {0}", "write {0}", "draw {0}", "cook {0}", "eat {0}", "drink {0}", "like {0*}",
    "look for {0}", "wait for {0!}", "want {0}", "buy {0}", "take {0}", "drive {0}", "do {0}",
)  # fmt: skip
_PAID = ("buy {0}", "order {0}", "sell {0}", "want {0}", "look for {0}", "reserve {0?}")
# What one does with a thing that was told of.
_AFTER_IT = (
    "eat {0}", "drink {0}", "read {0}", "watch {0}", "wear {0}", "put on {0}", "use {0}",
    "listen to {0}", "meet {0}", "wait for {0!}", "wash {0!}", "throw away {0!}", "send {0}",
    "look for {0}", "try on {0}", "borrow {0}", "buy {0}", "organize {0!}", "take off {0!}",
)  # fmt: skip


def relative_sentence(shop: Workshop) -> Sentence | None:
    """The book that I bought yesterday is interesting; this is the book that I bought."""
    draw = shop.draw
    style = shop.style()
    tense = draw.weighted(("past", "present", "future"), (6, 2, 1))
    plain = shop.frames.constructions["plain"]
    verb = verb_for(shop, plain, tense)
    if verb is None or verb.subject != "human" or [r for r, _ in verb.arguments] != ["obj"]:
        return None
    if verb.features & {"negword", "invol"} or ("state" in verb.features and tense != "present"):
        return None
    noun = draw.noun(verb.arguments[0][1])
    if noun.features & {"the", "own", "kin", "spot", "home", "bare"} or "name" in noun.classes:
        return None
    is_person = bool(noun.classes & {"people", "job"})
    if is_person and (tense != "past" or verb.english not in _WITH_PERSONS):
        return None
    if stem_of(verb.korean) in spheres()["moment"] - {"고르", "팔", "찾", "초대하"} | {"벗"}:
        return None
    if tense != "past" and verb.english not in _AT_IT:
        return None
    # 산 책 is the book that I bought, but 살 책 a book to buy, and 한 게임 one game.
    dropped = tense == "past" and stem_of(verb.korean) != "하"
    who = _doer(shop, style, dropped=dropped)
    base = act(draw, verb, who.subject, style, asked="obj")
    if verb.willed and tense == "present":
        base = replace(base, features=base.features | {"now"})
    time = time_for(draw, plain, tense) if tense != "present" and draw.chance(0.6) else None
    ending = {"past": "+은/ETM", "present": "+는/ETM", "future": "+을/ETM"}[tense]
    clause = tell(
        draw,
        shop.frames,
        base,
        who,
        plain,
        Turn(style, tense, "statement", time),
        ending=ending,
        front=False,
    )
    if clause is None:
        return None
    thing = phrase(noun, "the", I)
    korean, words = f"{clause.korean} {noun.korean}", f"{thing.english} that {clause.english}"
    pair = (verb.name, f"{noun.korean}:{noun.english}")
    subject = replace(third_person(noun), english=words, plural=thing.plural)
    kind = draw.weighted(("describe", "copula", "act"), (4, 3, 4))
    if kind == "describe":
        fitting = [
            a for a in _adjectives(shop, noun) if a.scale != "price" or verb.english in _PAID
        ]
        if tense == "future":
            fitting = [a for a in fitting if a.scale in _KNOWN_BEFORE]
        spoken = _described(shop, korean, subject, fitting, style, done=tense == "past")
    elif kind == "copula":
        if noun.classes & {"people", "job", "infant"}:
            return None  # of persons one does not say 이것
        spoken = _pointed(shop, korean, words, thing.plural, style)
    else:
        spoken = _used(shop, korean, words, verb.name, noun, style, ahead=tense == "future")
    if spoken is None:
        return None
    frame = f"that:act.{tense}>{kind}.statement"
    return finish(draw, spoken, frame, "statement", frozenset({pair}))


def _adjectives(shop: Workshop, noun: Noun) -> list[Adjective]:
    """What one may say of a thing."""
    return [a for a in shop.draw.lexicon.adjectives_of(noun) if a.value in "+-"]


def _doer(shop: Workshop, style: str, *, dropped: bool) -> Actor:
    """Who did it, always the grammatical subject of the inner clause; oneself may be dropped."""
    draw = shop.draw
    if draw.chance(0.35):
        other = somebody(draw, style)
        return replace(other, korean=as_subject(shop, other, always=True))
    if dropped and draw.loose(0.5):
        return Actor("", I)
    humble = style in ("polite", "formal")
    return Actor("제가" if humble else "내가", I)


def _described(
    shop: Workshop,
    korean: str,
    subject: Subject,
    fitting: list[Adjective],
    style: str,
    *,
    done: bool,
) -> Spoken | None:
    """What a thing is like, or was, once one is done with it."""
    if not fitting:
        return None
    draw = shop.draw
    adjective = draw.word(fitting)
    base = quality(adjective)
    if draw.chance(0.3):
        base = _degree(shop, base, "present", praised=adjective.value == "+")
    tense = draw.weighted(("present", "past"), (2, 1 if done else 0))
    actor = Actor(with_particle(korean, draw.variant(("subject", "topic"))), subject)
    plain = shop.frames.constructions["plain"]
    return tell(draw, shop.frames, base, actor, plain, Turn(style, tense, "statement"))


def _pointed(shop: Workshop, korean: str, words: str, many: bool, style: str) -> Spoken:
    draw = shop.draw
    this = {"plain": "이것은", "casual": "이건", "polite": "이건", "formal": "이것은"}
    that = {"plain": "그것은", "casual": "그건", "polite": "그건", "formal": "그것은"}
    near = draw.chance(0.7)
    pointer = (("this", "these") if near else ("that", "those"))[many]
    subject = replace(IT, english=pointer, plural=many)
    text = english.clause(subject, VerbGroup("{verb}"), "be", words)
    return Spoken(f"{(this if near else that)[style]} {is_noun(korean, style)}", text)


# What is eaten, nobody eats again.
_GONE = (":eat {0}", ":drink {0}", ":share {0}", ":throw away {0!}", ":sell {0}")
# What is worn or read already, nobody buys.
_BEFORE_BUYING = (":choose {0}", ":try on {0}", ":look around {0!}", ":want {0}", ":like {0*}")
# What one does with a thing ahead of what it is for: 입을 옷을 빨았어요.
_AHEAD = (
    "buy {0}", "borrow {0}", "look for {0}", "organize {0!}", "wash {0!}", "wait for {0!}",
    "meet {0}",
)  # fmt: skip
# What of a thing one knows before one has to do with it.
_KNOWN_BEFORE = ("price", "size", "weight", "look", "length", "age", "fame")
_OBJECT = re.compile(r"\{0[!*?]?\}")


def _used(
    shop: Workshop,
    korean: str,
    words: str,
    done: str,
    noun: Noun,
    style: str,
    *,
    ahead: bool,
) -> Spoken | None:
    """Something else is done with the thing: I read the book that I bought."""
    draw = shop.draw
    lexicon = draw.lexicon
    tense = draw.weighted(("past", "future", "present"), (3, 2, 1))
    construction = shop.construction(("plain", "wish", "do_polite")) if tense == "present" else (
        shop.frames.constructions["plain"]
    )  # fmt: skip
    verbs = [
        v
        for v in lexicon.verbs_with("daily")
        if [r for r, _ in v.arguments] == ["obj"]
        and v.name != done
        and (ahead or v.english != "buy {0}" or done.endswith(_BEFORE_BUYING))
        and v.english in (_AHEAD if ahead else _AFTER_IT)
        and v.willed
        and noun in lexicon.members(v.arguments[0][1])
    ]
    if not verbs or (done.endswith(":buy {0}") if ahead else done.endswith(_GONE)):
        return None
    verb = draw.word(verbs)
    mood = construction.moods[0]
    if construction.name == "plain" and tense == "present":
        return None
    tense = construction.tenses[0] if tense == "present" else tense
    actor = Actor("", YOU if mood == "command" else I)
    base = act(draw, verb, actor.subject, style, asked="obj")
    rest = _OBJECT.sub(words, verb.english).partition(" ")[2]  # wait for whom, turn what on
    base = replace(base, before=(with_particle(korean, "object"), *base.before), rest=rest)
    return tell(draw, shop.frames, base, actor, construction, Turn(style, tense, mood))
