"""Questions with a question word, and short exchanges about price, hour, place and number."""

from __future__ import annotations

from dataclasses import replace

from core.text.grammar import english
from core.text.grammar.clauses import Spoken, Turn, actor_for, tell, time_for
from core.text.grammar.english import Subject, VerbGroup
from core.text.grammar.korean import is_noun, with_particle
from core.text.grammar.lexicon import Noun, Verb
from core.text.grammar.nominals import NUMBERS, Actor, counted, kin_free, phrase
from core.text.grammar.nominals import I as ME
from core.text.grammar.predicates import Predicate, act
from core.text.grammar.sentences import Sentence, Workshop, finish, fits, thing_actor

_WHO = Subject("who", 3, False, "their", "they")
# Question word -> (the argument it replaces, English, Korean forms by style).
_WORDS: dict[str, tuple[str, str, dict[str, tuple[str, ...]]]] = {
    "what": ("obj", "what", {"casual": ("뭐", "뭘"), "polite": ("뭐", "뭘", "무엇을"), "": ("무엇을",)}),
    "whom": ("obj", "who", {"casual": ("누구", "누구를"), "": ("누구를",)}),
    "where_to": ("goal", "where", {"casual": ("어디", "어디에"), "polite": ("어디", "어디에"), "": ("어디에",)}),
    "where_in": ("loc", "where", {"": ("어디에",)}),
    "where": ("", "where", {"casual": ("어디서", "어디에서"), "polite": ("어디서", "어디에서"), "": ("어디에서",)}),
    "when": ("", "when", {"": ("언제",)}),
    "why": ("", "why", {"": ("왜",)}),
    "how": ("", "how", {"": ("어떻게",)}),
    "hour": ("", "what time", {"": ("몇 시에",)}),
    "with_whom": ("", "who", {"casual": ("누구랑", "누구하고"), "polite": ("누구랑", "누구하고"), "": ("누구와",)}),
    "who": ("", "who", {"": ("누가",)}),
    "how_many": ("obj", "", {}),
}  # fmt: skip
_WEIGHTS = (6, 2, 3, 1, 3, 3, 3, 1, 2, 2, 3, 2)
_HOW = (
    "가/VV",
    "오/VV",
    "만들/VV",
    "알/VV",
    "배우/VV",
    "공부하/VV",
    "요리하/VV",
    "돌아오/VV",
    "고치/VV",
)


def wh_sentence(shop: Workshop) -> Sentence | None:
    """What did you eat? Where are you going? Who came?"""
    draw = shop.draw
    word = draw.weighted(tuple(_WORDS), _WEIGHTS)
    role, wh, forms = _WORDS[word]
    names = ("plain",) * 6 + ("wish", "intend", "progressive", "can", "must")
    construction = shop.construction(tuple(dict.fromkeys(names)))
    style = shop.style()
    tense = draw.one_of(construction.tenses)
    verb = draw.word(draw.lexicon.verbs)
    if (
        verb.subject != "human"
        or not fits(verb, construction, tense)
        or not _asks(verb, word, role)
    ):
        return None
    if word == "who":
        actor = Actor("누가", _WHO)
    else:
        actor = actor_for(draw, construction, "question", style)
    base = act(draw, verb, actor.subject, style, asked=role)
    if word == "how_many":
        made = _how_many(shop, verb, style)
        if made is None:
            return None
        korean, wh = made
    else:
        korean = draw.one_of(forms.get(style, forms[""])) if word != "who" else ""
    base = replace(
        base,
        before=tuple(filter(None, (*base.before, korean) if role else (korean, *base.before))),
        rest=f"{base.rest} with".strip() if word == "with_whom" else base.rest,
    )
    if base.willed and word not in ("when", "hour", "how", "how_many"):
        base = replace(base, features=base.features | {"now"})
    time = time_for(draw, construction, tense, base.once)
    if word in ("when", "hour") or (time and time.kind in ("freq", "clock", "now")):
        time = None
    turn = Turn(style, tense, "question", time)
    spoken = tell(draw, shop.frames, base, actor, construction, turn, wh=wh)
    if spoken is None:
        return None
    frame = f"{word}.act.{construction.name}.{tense}"
    return finish(draw, spoken, frame, "question", base.pairs)


def _asks(verb: Verb, word: str, role: str) -> bool:
    if word == "who":
        return verb.willed and "own" not in verb.english
    if "invol" in verb.features and word not in ("when", "why", "where"):
        return False
    roles = dict(verb.arguments)
    if role:
        human = roles.get(role) in ("human", "lovers", "kin", "child", "patient", "marry")
        return role in roles and (role != "obj" or human == (word == "whom"))
    if word == "where":
        return bool(verb.places)
    if word == "how":
        return verb.korean in _HOW
    if word == "with_whom":
        return bool(verb.places or "move" in verb.features) and "with" not in roles and verb.willed
    return verb.willed or word in ("when", "why")


def _how_many(shop: Workshop, verb: Verb, style: str) -> tuple[str, str] | None:
    noun = shop.draw.noun(dict(verb.arguments)["obj"])
    counters = shop.draw.lexicon.counters_of(noun)
    if not counters:
        return None
    counter = shop.draw.one_of(counters)
    base = counted(noun, counter, ("몇", "how many"))
    loose = style in ("casual", "polite")
    return base.korean if loose else with_particle(base.korean, "object"), base.english


def where_is_sentence(shop: Workshop) -> Sentence | None:
    """Where is the restroom? How was this movie? When is the wedding? How much is this bag?"""
    draw = shop.draw
    style = shop.style()
    kind = draw.weighted(("where", "how", "when", "price", "what", "who"), (6, 3, 2, 4, 1, 1))
    selection = {
        "where": "place,-home,-city,-country,findable,room,kin,name",
        "how": "dish,watch,book,weather1,eatery,shoe,wear,drink,work1",
        "when": "event,exam,meeting,=생일,=휴가,=방학",
        "price": "goods,fruit,fee",
        "what": "info,=음식,=선물,=책,=영화,=문제,=이유",
        "who": "job,people,-kin",
    }[kind]
    actor, noun = thing_actor(shop, selection, style)
    subject = actor.subject
    past = kind in ("how", "when") and draw.chance(0.35)
    korean_word = {
        "where": "어디",
        "when": "언제",
        "price": "얼마",
        "what": "뭐",
        "who": "누구",
    }.get(kind, "")
    wh = {"price": "how much"}.get(kind, kind)
    if kind == "how":
        last = _how_is(style, past, draw.chance(0.3))
    elif kind == "where" and draw.chance(0.5):
        last = {
            "plain": "어디에 있니",
            "casual": "어디 있어",
            "polite": "어디에 있어요",
            "formal": "어디에 있습니까",
        }[style]
    else:
        if style == "formal" and kind == "what":
            korean_word = "무엇"
        last = is_noun(korean_word, style, past=past, question=True)
    group = VerbGroup("{verb}", "past" if past else "present")
    text = english.clause(subject, group, "be", "", asked=True, wh=wh)
    tense = "past" if past else "present"
    pairs = frozenset({(f"{kind}?", noun)})
    joint = Spoken(f"{actor.korean} {last}", text, clear=True)
    return finish(draw, joint, f"{kind}.be.{tense}", "question", pairs)


def _how_is(style: str, past: bool, kind: bool) -> str:
    if past:
        return {
            "plain": "어땠니",
            "casual": "어땠어",
            "polite": "어땠어요",
            "formal": "어땠습니까",
        }[style]
    polite = "어떠세요" if kind else "어때요"
    return {"plain": "어떠니", "casual": "어때", "polite": polite, "formal": "어떻습니까"}[style]


_THOUSANDS = tuple(zip("일이삼사오육칠팔구", ("one", "two", "three", "four", "five", "six", "seven",
                                     "eight", "nine"), strict=True))  # fmt: skip
_TENS = ("ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def _amounts() -> tuple[tuple[tuple[str, str], ...], ...]:
    thousands, tens, halves = [], [], []
    for index, (digit, name) in enumerate(_THOUSANDS):
        lead = "" if index == 0 else digit
        thousands += [
            (f"{lead}천", f"{name} thousand"),
            (f"{lead}천오백", f"{name} thousand five hundred"),
        ]
        tens.append((f"{lead}만", f"{_TENS[index]} thousand"))
        more = "fifteen thousand" if index == 0 else f"{_TENS[index]}-five thousand"
        halves.append((f"{lead}만 오천", more))
    hundreds = [
        (f"{'' if i == 0 else d}십만", f"{n} hundred thousand")
        for i, (d, n) in enumerate(_THOUSANDS)
    ]
    millions = [("백만", "one million"), ("이백만", "two million"), ("오백만", "five million")]
    return (
        (("오백", "five hundred"), *thousands, *tens[:1]),
        (*thousands[8:], *tens, *halves),
        (*tens[4:], *hundreds, *millions),
    )


# Won for small things, for things one wears and uses, and for machines and furniture.
_PRICES = _amounts()
_SMALL = frozenset({"food", "fruit", "veg", "drink", "snack", "stationery", "ingredient", "medicine"})
_DEAR = frozenset({"device", "appliance", "furniture", "vehicle", "instrument"})


def _level(noun: Noun) -> int:
    return 0 if noun.classes & _SMALL else 2 if noun.classes & _DEAR else 1


def price_sentence(shop: Workshop) -> Sentence | None:
    """This bag is fifty thousand won."""
    draw = shop.draw
    style = shop.style()
    thing = draw.noun("goods")
    actor, _ = thing_actor(shop, f"={thing.korean}:{thing.english}", style)
    korean, words = draw.one_of(_PRICES[_level(thing)])
    past = draw.chance(0.15)
    last = is_noun(f"{korean} 원", style, past=past)
    group = VerbGroup("{verb}", "past" if past else "present")
    text = english.clause(actor.subject, group, "be", f"{words} won")
    tense = "past" if past else "present"
    frame = f"price.{tense}.statement"
    return finish(draw, Spoken(f"{actor.korean} {last}", text), frame, "statement", frozenset())


def order_sentence(shop: Workshop) -> Sentence | None:
    """Please give me a cup of coffee; please give me some water."""
    draw = shop.draw
    noun = draw.noun("drink,food,fruit,stationery,ticket,gift,daily,kitchenware,=약,=모자")
    if "the" in noun.features or "own" in noun.features:
        return None
    counters = draw.lexicon.counters_of(noun)
    style = draw.weighted(("casual", "polite", "formal"), (1, 4, 1))
    give = {"casual": "줘", "polite": "주세요", "formal": "주십시오"}[style]
    if counters and draw.chance(0.8):
        base = counted(noun, draw.one_of(counters), draw.one_of(NUMBERS))
        korean = base.korean
        words = base.english
        name = "count"
    elif noun.features & {"mass", "plural"} and draw.chance(0.5):
        korean, words, name = f"{noun.korean} 좀", f"some {noun.english}", "some"
    else:
        base = phrase(noun, "a", ME)
        loose = draw.chance(0.5)
        korean = base.korean if loose else with_particle(base.korean, "object")
        words, name = base.english, "plain"
    spoken = Spoken(f"{korean} {give}", f"please give me {words}")
    return finish(draw, spoken, f"order.{name}", "command", frozenset({("주", noun.korean)}))


def day_sentence(shop: Workshop) -> Sentence | None:
    """Today is Monday; it is three o'clock now."""
    draw = shop.draw
    style = shop.style()
    asked = draw.chance(0.2)
    if draw.chance(0.5):
        korean, words, past = draw.one_of(
            (("오늘", "today", False), ("내일", "tomorrow", False), ("어제", "yesterday", True),
             ("모레", "the day after tomorrow", False), ("그저께", "the day before yesterday", True))
        )  # fmt: skip
        noun, name = draw.one_of(_DAYS)
        if name == "my birthday":
            noun = ("제 " if style in ("polite", "formal") else "내 ") + noun
            asked = False
        start = with_particle(korean, "topic") if draw.chance(0.7) else korean
        tense = "past" if past else "present"
        text = english.clause(Subject(words), VerbGroup("{verb}", tense), "be", name, asked=asked)
        frame = f"day.{tense}"
    else:
        hour, clock = draw.one_of(_HOURS)
        noun, past, tense, frame = hour, False, "present", "hour.present"
        now = draw.chance(0.7)
        start = "지금" if now else ""
        rest = f"{clock} now" if now else clock
        text = english.clause(Subject("it"), VerbGroup("{verb}"), "be", rest, asked=asked)
    last = is_noun(noun, style, past=past, question=asked)
    mood = "question" if asked else "statement"
    joint = Spoken(f"{start} {last}".strip(), text)
    return finish(draw, joint, f"{frame}.{mood}", mood, frozenset())


_DAYS = (("월요일", "Monday"), ("화요일", "Tuesday"), ("수요일", "Wednesday"), ("목요일", "Thursday"),
         ("금요일", "Friday"), ("토요일", "Saturday"), ("일요일", "Sunday"), ("휴일", "a holiday"),
         ("크리스마스", "Christmas"), ("추석", "Chuseok"), ("설날", "Lunar New Year's Day"),
         ("생일", "my birthday"))  # fmt: skip
_CLOCK = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
          "twelve")  # fmt: skip
_NATIVE = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두")
_HOURS = tuple(
    pair
    for korean, name in zip(_NATIVE, _CLOCK, strict=True)
    for pair in ((f"{korean} 시", f"{name} o'clock"), (f"{korean} 시 반", f"half past {name}"))
)


__all__ = [
    "Predicate",
    "day_sentence",
    "kin_free",
    "order_sentence",
    "price_sentence",
    "wh_sentence",
    "where_is_sentence",
]  # fmt: skip
