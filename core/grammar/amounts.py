"""Prices, orders, hours and days."""

from __future__ import annotations

from core.grammar import english
from core.grammar.clauses import Spoken
from core.grammar.english import Subject, VerbGroup
from core.grammar.korean import is_noun, with_particle
from core.grammar.lexicon import Noun
from core.grammar.nominals import NUMBERS, counted, phrase
from core.grammar.nominals import I as ME
from core.grammar.sentences import Sentence, Workshop, finish
from core.grammar.things import thing_actor

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
        (*hundreds, *millions),
    )


# Won for small things, for things one wears and uses, and for machines and furniture.
_PRICES = _amounts()
_SMALL = frozenset(
    {"food", "fruit", "veg", "drink", "snack", "stationery", "ingredient", "medicine"}
)
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
    counter = draw.counter(noun)
    style = shop.style((0, 1, 4, 1))
    give = {"casual": "줘", "polite": "주세요", "formal": "주십시오"}[style]
    if counter and draw.chance(0.8):
        base = counted(noun, counter, draw.one_of(NUMBERS))
        korean = base.korean
        words = base.english
        name = "count"
    elif noun.features & {"mass", "plural"} and draw.chance(0.5):
        korean, words, name = f"{noun.korean} 좀", f"some {noun.english}", "some"
    else:
        base = phrase(noun, "a", ME)
        loose = draw.loose(0.5)
        korean = base.korean if loose else with_particle(base.korean, "object")
        words, name = base.english, "plain"
    spoken = Spoken(f"{korean} {give}", f"please give me {words}")
    return finish(draw, spoken, f"order.{name}", "command", frozenset({("주", noun.korean)}))


_NEAR_DAYS = (
    ("오늘", "today", False), ("내일", "tomorrow", False), ("어제", "yesterday", True),
    ("모레", "the day after tomorrow", False), ("그저께", "the day before yesterday", True),
)  # fmt: skip
_DAYS = (
    ("월요일", "Monday"), ("화요일", "Tuesday"), ("수요일", "Wednesday"), ("목요일", "Thursday"),
    ("금요일", "Friday"), ("토요일", "Saturday"), ("일요일", "Sunday"), ("휴일", "a holiday"),
    ("크리스마스", "Christmas"), ("추석", "Chuseok"), ("설날", "Lunar New Year's Day"),
    ("생일", "my birthday"),
)  # fmt: skip
_CLOCK = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
)  # fmt: skip
_NATIVE = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두")
_HOURS = tuple(
    pair
    for korean, name in zip(_NATIVE, _CLOCK, strict=True)
    for pair in ((f"{korean} 시", f"{name} o'clock"), (f"{korean} 시 반", f"half past {name}"))
)


def day_sentence(shop: Workshop) -> Sentence | None:
    """Today is Monday; it is three o'clock now."""
    draw = shop.draw
    style = shop.style()
    asked = draw.chance(0.2)
    if draw.chance(0.5):
        korean, words, past = draw.one_of(_NEAR_DAYS)
        noun, name = draw.one_of(_DAYS)
        if name == "my birthday":
            noun = ("제 " if style in ("polite", "formal") else "내 ") + noun
            asked = False
        start = korean if draw.loose(0.3) else with_particle(korean, "topic")
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
