"""Two and three deeds of a day in their order: I got up, had breakfast, and went to school."""

from __future__ import annotations

import itertools
from dataclasses import replace

from core.grammar import english
from core.grammar.clauses import Spoken, Turn, actor_for, closing, group_of, tell, time_for
from core.grammar.draw import Draw
from core.grammar.english import Subject
from core.grammar.frames import Construction
from core.grammar.korean import speak
from core.grammar.nominals import pronoun, somebody
from core.grammar.opinions import as_subject
from core.grammar.predicates import Predicate
from core.grammar.sentences import Maker, Sentence, Workshop, finish
from core.grammar.tables import Deed, deeds, predicate

_SHARED = ("plain", "plain", "wish", "must", "intend", "plan", "do_polite", "lets", "ought")


# When a day's deeds are told.
_DAYS = (
    "yesterday", "today", "tomorrow", "last weekend", "this weekend", "last Saturday",
    "last Sunday", "next Saturday", "next Sunday", "the day before yesterday",
    "the day after tomorrow", "a few days ago", "two days ago", "next weekend",
)  # fmt: skip


# How far apart two deeds of a scene may stand to be told in one breath.
_NEAR = 5


def _scene(draw: Draw, count: int) -> list[Deed]:
    """Deeds of one scene in their order, without one twice."""
    table = deeds()
    scene = draw.one_of(tuple(dict.fromkeys(d.scene for d in table)))
    pool = [d for d in table if d.scene == scene]
    chosen: set[int] = set()
    while len(chosen) < count:
        chosen.add(pool.index(draw.one_of(pool)))
    found = [pool[at] for at in sorted(chosen)]
    if max(b - a for a, b in itertools.pairwise(sorted(chosen))) > _NEAR:
        return _scene(draw, count)
    ahead = itertools.pairwise(found)
    # One does not go somewhere just to come home.
    fine = not any("seo" in a.features and "arrive" in b.features for a, b in ahead)
    return found if fine else _scene(draw, count)


def _manner(shop: Workshop) -> tuple[Construction, str, Turn]:
    """The construction and turn of the last deed."""
    draw = shop.draw
    construction = shop.construction(tuple(dict.fromkeys(_SHARED)))
    style = shop.style()
    tense = draw.weighted(construction.tenses, (2, 4, 2)[: len(construction.tenses)])
    mood = draw.weighted(construction.moods, (6, 1)[: len(construction.moods)])
    time = time_for(draw, construction, tense) if draw.chance(0.35) else None
    if time and time.english not in _DAYS:
        time = None
    return construction, style, Turn(style, tense, mood, time)


def _words(deed: Predicate, construction: Construction, subject: Subject, turn: Turn) -> str:
    """A deed after "and": in the form that the verb group of the first one asks for."""
    form = "base"
    pattern = group_of(construction, deed, turn).pattern
    if pattern == "{verb}" and turn.mood != "question":
        third = subject.person == 3 and not subject.plural
        form = "past" if turn.tense == "past" else "third" if third else "base"
    return f"{english.inflect(deed.verb, form)} {deed.rest}".strip()


# What nobody proposes to others: washing, working, being ill.
_ALONE = ("morning", "sick", "work")
# What one gets and takes along: 약을 사서 집에 와요, 표를 사서 기차를 타요.
_GOT = (" 사/VV", " 빌리/VV")
_RIDE = "기차를 타/VV"


def chain_sentence(shop: Workshop) -> Sentence | None:
    """Two or three deeds, one after the other."""
    draw = shop.draw
    count = draw.weighted((2, 3), (2, 3))
    chosen = _scene(draw, count)
    construction, style, turn = _manner(shop)
    actor = actor_for(draw, construction, turn.mood, style)
    parts = [predicate(draw, d.korean, d.english, actor.subject) for d in chosen]
    if construction.name == "lets" and chosen[0].scene in _ALONE:
        return None
    if construction.name in ("must", "ought", "do_polite") and " late" in chosen[0].english:
        return None  # nobody has to get up late
    if len({part.verb for part in parts}) < count or (turn.mood == "question" and count == 3):
        return None
    plain = shop.frames.constructions["plain"]
    opening: list[str] = []
    for deed, part, then in zip(chosen[:-1], parts, chosen[1:], strict=False):
        taken = deed.korean.endswith(_GOT) and ("arrive" in then.features or _RIDE in then.korean)
        link = "+어서/EC" if taken or "seo" in deed.features else "+고/EC"
        opening += [*part.before, speak(closing(part, plain, link))]
    told = [_words(part, construction, actor.subject, turn) for part in parts[1:]]
    rest = (
        f"{parts[0].rest} and {told[0]}" if count == 2
        else f"{parts[0].rest}, {told[0]}, and {told[1]}"
    )  # fmt: skip
    joined = replace(
        parts[-1], verb=parts[0].verb, rest=rest.strip(),
        before=(*opening, *parts[-1].before),
    )  # fmt: skip
    spoken = tell(draw, shop.frames, joined, actor, construction, turn)
    if spoken is None:
        return None
    spoken = replace(spoken, english=spoken.english.replace(" ,", ","))
    frame = f"{'and' if count == 2 else 'and_and'}:deed>deed.{construction.name}.{turn.tense}"
    pairs = frozenset().union(*(part.pairs for part in parts))
    return finish(draw, spoken, f"{frame}.{turn.mood}", turn.mood, pairs)


# What one does where one is.
_NOT_GONE_FOR = ("go ", "do ", "memorize", "prepare", "talk")
_GOING = ("plain", "wish", "intend", "must", "plan", "thinking_of", "decide")


def go_sentence(shop: Workshop) -> Sentence | None:
    """I went to eat; I want to go to see a movie: -(으)러 가다."""
    draw = shop.draw
    scenes = ("friend", "study", "market")
    pool = [d for d in deeds() if d.scene in scenes and not d.features & {"seo", "arrive"}]
    pool = [d for d in pool if "에서 " not in d.korean]  # 공원에 산책하러, and not 공원에서
    deed = draw.one_of([d for d in pool if not d.english.startswith(_NOT_GONE_FOR)])
    construction = shop.construction(_GOING)
    style = shop.style()
    tense = draw.one_of(construction.tenses)
    mood = draw.weighted(construction.moods, (4, 1)[: len(construction.moods)])
    actor = actor_for(draw, construction, mood, style)
    base = predicate(draw, deed.korean, deed.english, actor.subject)
    aim = speak(closing(base, shop.frames.constructions["plain"], "+으러/EC"))
    time = time_for(draw, construction, tense) if draw.chance(0.4) else None
    if time and time.english not in _DAYS:
        time = None
    whole = replace(
        base, stem="가/VV", verb="go", rest=f"out to {base.verb} {base.rest}".strip(),
        before=(*base.before, aim), features=base.features | {"now"},
    )  # fmt: skip
    turn = Turn(style, tense, mood, time)
    spoken = tell(draw, shop.frames, whole, actor, construction, turn)
    if spoken is None:
        return None
    frame = f"go_to:deed.{construction.name}.{tense}.{mood}"
    return finish(draw, spoken, frame, mood, base.pairs)


# Connective -> its Korean and English, its weight, and whether its deed comes second.
_TIMES = {
    "as_soon_as": ("+자마자/EC", "as soon as", 4, False),
    "once_done": ("+고/EC 나서", "after", 2, False),
    "right_before": ("+기/ETN 전에", "before", 3, True),
    "right_after": ("+은/ETM 후에", "after", 3, False),
}


def order_sentence(shop: Workshop) -> Sentence | None:
    """I washed my hands as soon as I came home; I read a book before I slept."""
    draw = shop.draw
    first, second = _scene(draw, 2)
    name = draw.weighted(tuple(_TIMES), [weight for *_, weight, _ in _TIMES.values()])
    if draw.settled and name == "once_done":
        name = "right_after"
    ending, joiner, _, later = _TIMES[name]
    construction, style, turn = _manner(shop)
    if name == "as_soon_as" and not ("arrive" in first.features or first.english == "get up"):
        return None
    if name == "right_before" and first.features & {"seo", "arrive"}:
        return None
    if construction.name in ("lets", "do_polite") or turn.mood == "question":
        return None
    if turn.time and turn.time.kind in ("freq", "clock"):
        turn = replace(turn, time=None)
    # 형이 오기 전에 is of his coming alone, and 형은 오기 전에 of all that follows.
    topical = name.startswith("right")
    actor = actor_for(draw, construction, turn.mood, style, topical=topical)
    inner, outer = (second, first) if later else (first, second)
    side = predicate(draw, inner.korean, inner.english, actor.subject)
    main = predicate(draw, outer.korean, outer.english, actor.subject)
    if side.verb == main.verb:
        return None
    plain = shop.frames.constructions["plain"]
    opening = (*side.before, speak(closing(side, plain, ending)))
    subject = pronoun(actor.subject)
    state = Turn(style, "past" if turn.tense == "past" else "present", "statement")
    told = english.clause(subject, group_of(plain, side, state), side.verb, side.rest)
    main = replace(
        main, before=(*opening, *main.before), rest=f"{main.rest} {joiner} {told}".strip()
    )
    spoken = tell(draw, shop.frames, main, actor, construction, turn)
    if spoken is None:
        return None
    frame = f"{name}:deed>deed.{construction.name}.{turn.tense}.{turn.mood}"
    return finish(draw, spoken, frame, turn.mood, side.pairs | main.pairs)


_OR = ("plain", "plain", "wish", "can", "must", "intend", "had_better", "lets")


_LEISURE = ("주말에", "저녁에", "토요일에", "일요일에", "휴일에", "밤에", "오후에")


def or_sentence(shop: Workshop) -> Sentence | None:
    """On the weekend I read a book or watch a movie."""
    draw = shop.draw
    pool = [d for d in deeds() if d.scene == "weekend" and "long" in d.features]
    one, two = draw.one_of(pool), draw.one_of(pool)
    construction = shop.construction(tuple(dict.fromkeys(_OR)))
    style = shop.style()
    tense = draw.one_of(construction.tenses)
    if tense == "past":
        return None
    mood = construction.moods[0]
    time = None
    if tense == "future" or construction.name in ("intend", "wish", "must"):
        time = draw.adverb("future") if draw.chance(0.5) and mood == "statement" else None
    elif construction.name == "plain":
        time = draw.one_of([a for a in draw.lexicon.adverbs if a.korean in _LEISURE])
    if tense == "future" and time and time.english not in _DAYS:
        return None
    turn = Turn(style, tense, mood, time)
    actor = actor_for(draw, construction, mood, style)
    parts = [predicate(draw, d.korean, d.english, actor.subject) for d in (one, two)]
    if parts[0].verb == parts[1].verb:
        return None
    plain = shop.frames.constructions["plain"]
    opening = (*parts[0].before, speak(closing(parts[0], plain, "+거나/EC")))
    told = _words(parts[1], construction, actor.subject, turn)
    joined = replace(
        parts[1], verb=parts[0].verb, rest=f"{parts[0].rest} or {told}".strip(),
        before=(*opening, *parts[1].before),
    )  # fmt: skip
    spoken = tell(draw, shop.frames, joined, actor, construction, turn)
    if spoken is None:
        return None
    frame = f"or:deed>deed.{construction.name}.{tense}.{mood}"
    return finish(draw, spoken, frame, mood, parts[0].pairs | parts[1].pairs)


def meanwhile_sentence(shop: Workshop) -> Sentence | None:
    """While Minsu was doing the dishes, I read a book."""
    draw = shop.draw
    scenes = ("evening", "weekend", "study")
    pool = [d for d in deeds() if "long" in d.features and d.scene in scenes]
    one, two = draw.one_of(pool), draw.one_of(pool)
    style = shop.style()
    tense = draw.weighted(("past", "present"), (2, 1))
    plain = shop.frames.constructions["plain"]
    other = somebody(draw, style)
    other = replace(other, korean=as_subject(shop, other, always=True))
    actor = actor_for(draw, plain, "statement", style)
    if actor.subject.person == 3:
        return None
    side = predicate(draw, one.korean, one.english, other.subject)
    main = predicate(draw, two.korean, two.english, actor.subject)
    if side.verb == main.verb or {*side.before} & {*main.before}:
        return None  # of one dinner one does not tell twice
    group = replace(plain, english="be {ing}")
    turn = Turn(style, tense, "statement")
    start = tell(
        draw, shop.frames, side, other, group, turn, ending="+는/ETM 동안", front=False
    )  # fmt: skip
    end = tell(draw, shop.frames, main, actor, plain, turn)
    if start is None or end is None:
        return None
    joint = Spoken(f"{start.korean} {end.korean}", f"while {start.english}, {end.english}")
    frame = f"during:deed>others.plain.{tense}.statement"
    return finish(draw, joint, frame, "statement", side.pairs | main.pairs)


MAKERS: tuple[tuple[Maker, float], ...] = (
    (chain_sentence, 7),
    (go_sentence, 3),
    (order_sentence, 6),
    (or_sentence, 3),
    (meanwhile_sentence, 3),
)
