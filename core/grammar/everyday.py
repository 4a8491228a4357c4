"""How long it takes, who one is, and what the weather is like beside yesterday's."""

from __future__ import annotations

from dataclasses import replace

from core.grammar import english
from core.grammar.clauses import Spoken, Turn, tell, time_for
from core.grammar.draw import Draw
from core.grammar.english import VerbGroup
from core.grammar.korean import is_noun, with_particle
from core.grammar.lexicon import Adjective, Noun
from core.grammar.nominals import IT, YOU, Actor, I, phrase, somebody, third_person
from core.grammar.occasions import timely
from core.grammar.predicates import NEAR_BY, act, adverbial, quality
from core.grammar.sentences import Sentence, Workshop, finish, verb_for

_SPANS = (
    ("오 분", "five minutes"), ("십 분", "ten minutes"), ("십오 분", "fifteen minutes"),
    ("이십 분", "twenty minutes"), ("삼십 분", "thirty minutes"), ("사십 분", "forty minutes"),
    ("오십 분", "fifty minutes"), ("한 시간", "one hour"), ("한 시간 반", "one and a half hours"),
    ("두 시간", "two hours"), ("세 시간", "three hours"), ("네 시간", "four hours"),
    ("다섯 시간", "five hours"), ("하루", "one day"), ("이틀", "two days"),
)  # fmt: skip
_TAKES = {
    "present": {"plain": "걸린다", "casual": "걸려", "polite": "걸려요", "formal": "걸립니다"},
    "past": {"plain": "걸렸다", "casual": "걸렸어", "polite": "걸렸어요", "formal": "걸렸습니다"},
}
_ASKED = {
    "present": {"plain": "걸리니", "casual": "걸려", "polite": "걸려요", "formal": "걸립니까"},
    "past": {"plain": "걸렸니", "casual": "걸렸어", "polite": "걸렸어요", "formal": "걸렸습니까"},
}
_FROM = "=집:home,=여기,station,inland,=학교,=회사,=호텔,=공항"
_FAR_BY = "=버스,=기차,=차,=택시"


def journey_sentence(shop: Workshop) -> Sentence | None:
    """How long does it take from home to school by bus? It takes one hour."""
    draw = shop.draw
    style = shop.style()
    asked = draw.chance(0.5)
    tense = draw.weighted(("present", "past"), (3, 1))
    korean: list[str] = []
    words: list[str] = []
    one, two = draw.noun(_FROM), draw.noun("nearby,inland,station,=공항")
    if one is two or two.korean == "여기":
        return None
    cities = ["city" in noun.classes for noun in (one, two)]
    far = all(cities)
    if any(cities) and not far:
        return None  # from Bangkok to the restaurant
    if draw.chance(0.6):
        korean.append(with_particle(one.korean, "from"))
        words.append(f"from {_bare_place(one)}")
    if draw.chance(0.9):
        korean.append(f"{two.korean}까지")
        get = "" if len(words) else "to get "  # from here to Seoul, but to get to Seoul
        words.append("to get home" if "home" in two.features else f"{get}to {_bare_place(two)}")
    if draw.chance(0.35):
        vehicle = draw.noun(_FAR_BY if far or "공항" in two.korean else NEAR_BY)
        korean.append(with_particle(vehicle.korean, "via"))
        words.append(f"by {vehicle.english}")
    if asked:
        many = far and draw.chance(0.4)
        korean.append("몇 시간" if many else "얼마나")
        korean.append(_ASKED[tense][style])
        wh, rest = "how many hours" if many else "how long", " ".join(words)
    else:
        span, spent = draw.word(_SPANS[7:] if far else _SPANS[:9])
        about = draw.chance(0.2)
        korean.append(f"{span}쯤" if about else span)
        korean.append(_TAKES[tense][style])
        wh, rest = "", " ".join([("about " if about else "") + spent, *words])
    group = VerbGroup("{verb}", tense)
    text = english.clause(IT, group, "take", rest, asked=asked, wh=wh)
    mood = "question" if asked else "statement"
    joint = Spoken(" ".join(korean), text, clear=asked)
    return finish(draw, joint, f"journey.{tense}.{mood}", mood, frozenset({("걸리", two.korean)}))


def _bare_place(noun: Noun) -> str:
    """The place without its preposition: the cafe, school, Seoul."""
    if noun.features & {"spot", "home"}:
        return noun.english
    return adverbial(noun, "goal").removeprefix("to ")


_DAYS = (
    ("오늘", "today", "present"), ("내일", "tomorrow", "future"), ("어제", "yesterday", "past"),
    ("모레", "the day after tomorrow", "future"),
)  # fmt: skip
_THAN = (
    ("어제", "yesterday"), ("지난주", "last week"), ("오늘", "today"),
    ("그저께", "the day before yesterday"),
)  # fmt: skip


def weather_sentence(shop: Workshop) -> Sentence | None:
    """Today is colder than yesterday; this winter is colder than last winter."""
    draw = shop.draw
    style = shop.style()
    weathers = [a for a in draw.lexicon.adjectives if a.subject.startswith("weather1")]
    adjective = draw.word([a for a in weathers if a.scale != "good"])
    more = english.comparative(adjective.english)
    compared, (when, day, tense), (than, other) = _two_times(draw, adjective)
    if tense == "past" or when == than:
        return None
    start = draw.variant((with_particle(when, "subject"), with_particle(when, "topic"), when))
    before = (with_particle(than, "than"), *(() if draw.loose(0.3) else ("더",)))
    base = replace(quality(adjective), before=before, rest=f"{more} than {other}")
    actor = Actor(start, replace(IT, english=day))
    plain = shop.frames.constructions["plain"]
    mood = draw.weighted(("statement", "question"), (4, 1))
    spoken = tell(draw, shop.frames, base, actor, plain, Turn(style, tense, mood))
    if spoken is None:
        return None
    pairs = frozenset({(adjective.korean, compared)})
    return finish(draw, spoken, f"comparative.weather.{tense}.{mood}", mood, pairs)


def _two_times(
    draw: Draw, adjective: Adjective
) -> tuple[str, tuple[str, str, str], tuple[str, str]]:
    """What is compared, and of when: this winter with its tense, and the last; or two days."""
    seasons = [kind for kind in adjective.subject.split(",") if kind.endswith("season")]
    if not seasons or not draw.chance(0.3):
        return "날씨", draw.word(_DAYS), draw.word(_THAN)
    season = draw.noun(seasons[0])
    this = (f"올{season.korean}", f"this {season.english}", "present")
    return season.korean, this, (f"작년 {season.korean}", f"last {season.english}")


# What one tells of oneself, and the nouns that answer.
_ABOUT = (
    ("이름", "name", "name"), ("취미", "hobby", "activity,sport"), ("꿈", "dream", "job"),
    ("고향", "hometown", "city"), ("전공", "major", "subject"), ("직업", "job", "job"),
)  # fmt: skip


def identity_sentence(shop: Workshop) -> Sentence | None:
    """My name is Minsu; this is my friend; I am from Korea."""
    style = shop.style()
    tell_of = shop.draw.weighted((_about, _person, _place, _origin), (4, 3, 2, 2))
    return tell_of(shop, style)


def _about(shop: Workshop, style: str) -> Sentence | None:
    draw = shop.draw
    korean, word, answers = draw.word(_ABOUT)
    noun = draw.noun(answers)
    owners = ((_mine(style), "my"), ("그의", "his"), ("그녀의", "her"))
    whose, owner = draw.weighted(owners, (6, 1, 1))
    start = with_particle(f"{whose} {korean}", draw.variant(("topic", "subject")))
    words = phrase(noun, "?", I).english if word in ("dream", "job") else noun.english
    text = f"{owner} {word} is {'to be ' if word == 'dream' else ''}{words}"
    spoken = Spoken(f"{start} {is_noun(noun.korean, style)}", text)
    pairs = frozenset({(korean, noun.korean)})
    return finish(draw, spoken, "identity.about", "statement", pairs)


def _person(shop: Workshop, style: str) -> Sentence | None:
    draw = shop.draw
    noun = draw.noun("kin,=친구,=선생님,=동료,=이웃,=룸메이트")
    near = draw.chance(0.7)
    pointer = draw.variant(("이 사람", "이분", "이쪽")) if near else "저 사람"
    family = "kin" in noun.classes and noun not in draw.lexicon.members("lovers,=룸메이트")
    mine = "우리" if family else _mine(style)
    if "plural" in noun.features:
        return None
    korean = f"{with_particle(pointer, 'topic')} {is_noun(f'{mine} {noun.korean}', style)}"
    spoken = Spoken(korean, f"{'this' if near else 'that person'} is my {noun.english}")
    pairs = frozenset({("사람", noun.korean)})
    return finish(draw, spoken, "identity.person", "statement", pairs)


def _place(shop: Workshop, style: str) -> Sentence | None:
    draw = shop.draw
    noun = draw.noun("place,room,-city,-country")
    if noun.features & {"spot", "plural"}:
        return None
    spot, words = draw.word((("여기", "this"), ("저기", "that over there"), ("거기", "that")))
    ours = draw.chance(0.4) and not noun.features & {"home", "the", "bare"}
    if ours and noun in draw.lexicon.pool("=집:home,=학교,=회사,=교실"):
        korean, name = f"우리 {noun.korean}", f"our {noun.english}"
    else:
        korean, name = noun.korean, phrase(noun, "the", I).english
    start = with_particle(spot, "topic") if not draw.loose(0.3) else f"{spot}가"
    spoken = Spoken(f"{start} {is_noun(korean, style)}", f"{words} is {name}")
    pairs = frozenset({(spot, noun.korean)})
    return finish(draw, spoken, "identity.place", "statement", pairs)


def _mine(style: str) -> str:
    return "제" if style in ("polite", "formal") else "내"


def _origin(shop: Workshop, style: str) -> Sentence | None:
    draw = shop.draw
    noun = draw.noun("country,city")
    came = {"plain": "왔다", "casual": "왔어", "polite": "왔어요", "formal": "왔습니다"}[style]
    asked = draw.chance(0.2)
    humble = style in ("polite", "formal")
    if asked:
        actor = Actor("", YOU)
        came = {"plain": "왔니", "formal": "왔습니까"}.get(style, came)
    elif draw.chance(0.4):
        actor = somebody(draw, style, topical=True)
    else:
        me = "" if draw.loose(0.4) else with_particle("저" if humble else "나", "topic")
        actor = Actor(me, I)
    korean = " ".join(filter(None, [actor.korean, with_particle(noun.korean, "from"), came]))
    text = english.clause(
        actor.subject, VerbGroup("{verb}"), "be", f"from {_bare_place(noun)}", asked=asked
    )
    mood = "question" if asked else "statement"
    pairs = frozenset({("오", noun.korean)})
    return finish(draw, Spoken(korean, text), f"identity.from.{mood}", mood, pairs)


# Words of a predicate that "too" may stand behind.
_FEW = 2


def too_sentence(shop: Workshop) -> Sentence | None:
    """I like coffee too; Minsu also eats two hamburgers."""
    draw = shop.draw
    style = shop.style()
    construction = shop.construction(("plain", "wish", "can", "must"))
    if construction.name == "plain" and draw.chance(0.3):
        construction = shop.frames.constructions["can"]
    tense = draw.one_of(construction.tenses)
    verb = verb_for(shop, construction, tense)
    if verb is None or verb.subject != "human" or "negword" in verb.features:
        return None  # nobody does not know it too
    if draw.chance(0.55):
        actor = Actor("저도" if style in ("polite", "formal") else "나도", I)
    else:
        noun = draw.noun("name,kin")
        actor = Actor(f"{noun.korean}도", third_person(noun), "honor" in noun.features)
        if construction.who:
            return None  # the wish of others is another construction
    base = act(draw, verb, actor.subject, style)
    time = time_for(draw, construction, tense) if draw.chance(0.5) else None
    if time and (time.kind in ("freq", "now") or not timely(time, verb, construction)):
        time = None
    turn = Turn(style, tense, "statement", time)
    # "too" behind several things would be said of the last of them: he also eats two apples.
    also = time is not None or len(base.rest.split()) > _FEW
    said = replace(construction, mid="also") if also else replace(construction, tail="too")
    spoken = tell(draw, shop.frames, base, actor, said, turn)
    if spoken is None:
        return None
    frame = f"{'also' if also else 'too'}.act.{construction.name}.{tense}.statement"
    return finish(draw, spoken, frame, "statement", base.pairs)
