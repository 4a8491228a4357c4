"""Amounts, ages, prices and numbers of things, in words or in digits.

Words of one language are words of the other, and digits are copied: 서른일곱 명 is thirty-seven
people, 37명 is 37 people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core.grammar import english
from core.grammar.draw import Draw
from core.grammar.nominals import counted
from core.grammar.numerals import native, ordinal, ordinal_digits, sino, words
from core.grammar.runs import OFTEN, code, phone, running
from core.grammar.values import Key, Value, attached

_MOST_COUNTED: Final = 99  # beyond it one says numbers of things in Sino-Korean


def key_of(number: int, *, is_native: bool = False) -> frozenset[Key]:
    """The key of a number; small and round ones are everywhere, and never held out.

    Nor are Sino-Korean ones below sixty: minutes say them all.
    """
    common = number <= 20 or (number < 100 and number % 10 == 0) or number % 500 == 0
    common = common or (number < 60 and not is_native)
    return frozenset() if common else frozenset({("number", str(number))})


def spaced(number: str, counter: str) -> tuple[str, ...]:
    """A number before its counter: in words with a space, in digits without, as people type it."""
    apart, joined = f"{number} {counter}", f"{number}{counter}"
    return (joined, joined, joined, apart) if number[-1].isdigit() else (apart, apart, joined)


def amount(
    draw: Draw,
    number: int,
    counter: str,
    unit: str,
    *,
    by: Callable[[int], str] = sino,
    units: str = "",
) -> Value:
    """A number of something: 세 명, three people; 3명, 3 people.

    Args:
        draw: the source of choices.
        number: how many.
        counter: what it is counted by in Korean.
        unit: the English for one.
        by: Korean words for the number, native or Sino-Korean.
        units: the English for several, where it is irregular.

    Returns:
        The value, in words or in digits.
    """
    many = unit if number == 1 else units or english.plural(unit)
    digits = number > _MOST_COUNTED or draw.chance(0.5)
    said = str(number) if digits else by(number)
    told = str(number) if digits else words(number)
    keys = key_of(number, is_native=by is native)
    return Value(spaced(said, counter), (f"{told} {many}",), keys)


def between(draw: Draw, least: int, most: int) -> int:
    """A number of a range, all alike."""
    return draw.one_of(range(least, most + 1))


def few(draw: Draw, least: int = 1) -> int:
    """A number of things: small ones more often."""
    return between(draw, least, draw.weighted((4, 10, 20, 40), (6, 3, 2, 0.6)))


# --- things and persons ---------------------------------------------------------------------------

_BUYABLE: Final = "fruit,drink,stationery,ticket,gift,kitchenware,=약,=모자,book,hat"
_PETS: Final = "=고양이,=강아지,=개,=토끼,=물고기"
_FOLK: Final = "=학생,=아이,=손님,=외국인,=남자,=여자"


def _things(draw: Draw, selection: str, particle: str = "", least: int = 1) -> Value:
    """사과 세 개, three apples; with a particle 사과가 세 개."""
    noun = draw.noun(selection)
    counter = draw.counter(noun)
    while counter is None:
        noun = draw.noun(selection)
        counter = draw.counter(noun)
    number = few(draw, least)
    digits = number > 1 and draw.chance(0.5)
    many = (str(number), str(number)) if digits else (native(number), words(number))
    base = counted(noun, counter, many)
    named = attached(noun.korean, particle) if particle else noun.korean
    korean = tuple(f"{named} {rest}" for rest in spaced(many[0], counter.korean))
    return Value(korean, (base.english,), key_of(number, is_native=True))


def _heads(draw: Draw) -> Value:
    """서른 명 of 학생이 서른 명, thirty of thirty students."""
    value = _people(2, 60)(draw)
    return replace(value, english=tuple(told.removesuffix(" people") for told in value.english))


_SIBLINGS: Final = (
    (("형", "오빠"), "older brother"), (("언니", "누나"), "older sister"),
    (("남동생",), "younger brother"), (("여동생",), "younger sister"),
)  # fmt: skip


def _siblings(draw: Draw) -> Value:
    forms, told = draw.word(_SIBLINGS)
    base = amount(draw, between(draw, 1, 4), "명", told, by=native)
    kin = draw.variant(forms)
    return Value(tuple(f"{attached(kin, '이')} {rest}" for rest in base.korean), base.english)


def _children(draw: Draw) -> Value:
    korean, told, many = draw.one_of((("아들", "son", "sons"), ("딸", "daughter", "daughters"),
                                      ("아이", "child", "children")))  # fmt: skip
    base = amount(draw, between(draw, 1, 4), "명", told, by=native, units=many)
    return Value(tuple(f"{attached(korean, '이')} {rest}" for rest in base.korean), base.english)


def _party(draw: Draw) -> Value:
    """두 명, two: of us."""
    number = between(draw, 2, 12)
    digits = draw.chance(0.5)
    korean = spaced(str(number) if digits else native(number), "명")
    return Value(korean, (str(number) if digits else words(number),))


def _people(least: int, most: int) -> Callable[[Draw], Value]:
    return lambda draw: amount(
        draw, between(draw, least, most), "명", "person", by=native, units="people"
    )


def _age(least: int, most: int) -> Callable[[Draw], Value]:
    def fill(draw: Draw) -> Value:
        number = between(draw, least, most)
        return amount(draw, number, "살", "year old", by=native, units="years old")

    return fill


def _times(draw: Draw) -> Value:
    number = between(draw, 1, 10)
    base = amount(draw, number, "번", "time", by=native)
    often = {1: "once", 2: "twice"}.get(number)
    in_words = not base.korean[0][0].isdigit()
    return Value(base.korean, (often,) if often and in_words else base.english, base.keys)


# --- prices ---------------------------------------------------------------------------------------


def _price(least: int, most: int, step: int) -> Callable[[Draw], Value]:
    def fill(draw: Draw) -> Value:
        kind = draw.weighted(("round", "odd", "run"), (0.86, 0.06, 0.08))
        if kind == "run":
            return won(draw, running(draw, len(str(most))))
        number = between(draw, least // step, most // step) * step
        return won(draw, between(draw, 1, 99_999) if kind == "odd" else number)

    return fill


def won(draw: Draw, number: int) -> Value:
    """A price: 만 오천 원, fifteen thousand won; 15,000원, 15,000 won."""
    keys = key_of(number)
    if draw.chance(0.45):
        said = sino(number)
        joined = said.replace(" ", "")
        korean = (f"{said} 원", f"{said} 원", f"{said}원", f"{joined} 원")
        return Value(korean, (f"{words(number)} won",), keys)
    digits = f"{number:,}" if draw.chance(0.7) else str(number)
    mixed: tuple[str, ...] = ()
    if number > 10_000 and number % 1000 == 0 and "," in digits:
        thousands = number // 1000 % 10
        mixed = (f"{number // 10_000}만" + (f" {thousands}천 원" if thousands else " 원"),)
    return Value((f"{digits}원", f"{digits}원", f"{digits} 원", *mixed), (f"{digits} won",), keys)


def _dollars(draw: Draw) -> Value:
    number = draw.weighted((few(draw), between(draw, 1, 99) * 10), (2, 1))
    return amount(draw, number, "달러", "dollar")


# --- numbers that are names -----------------------------------------------------------------------


def _copied(
    form: Callable[[int], tuple[tuple[str, ...], str]], least: int, most: int
) -> Callable[[Draw], Value]:
    """A number in digits in a form of its own: 3번 출구, exit 3."""

    def fill(draw: Draw) -> Value:
        number = between(draw, least, most)
        korean, told = form(number)
        return Value(korean, (told,), key_of(number))

    return fill


def _ranked(counter: str, least: int, most: int) -> Callable[[Draw], Value]:
    """삼 층, third; 3층, 3rd."""

    def fill(draw: Draw) -> Value:
        number = between(draw, least, most)
        digits = draw.chance(0.5)
        korean = spaced(str(number) if digits else sino(number), counter)
        told = ordinal_digits(number) if digits else ordinal(number)
        return Value(korean, (told,), key_of(number))

    return fill


def _numbered(
    form: Callable[[int], tuple[tuple[str, ...], str]], least: int, most: int
) -> Callable[[Draw], Value]:
    """As `_copied`, often a number with a run of one digit, of up to four: 1004호, room 1004."""
    plain = _copied(form, least, most)

    def fill(draw: Draw) -> Value:
        if not draw.chance(OFTEN):
            return plain(draw)
        number = running(draw, draw.one_of((3, 4)))
        korean, told = form(number)
        return Value(korean, (told,), key_of(number))

    return fill


def some_number(draw: Draw) -> int:
    """A number up to 99,999: as many of each length, some of the longer with a run of one digit."""
    most = draw.weighted((20, 99, 999, 9999, 99_999), (3, 4, 2, 2, 2))
    if most > 99 and draw.chance(OFTEN):
        return running(draw, len(str(most)))
    return between(draw, 1, most)


def _in_digits(draw: Draw) -> Value:
    number = some_number(draw)
    digits = f"{number:,}" if number > 999 and draw.chance(0.5) else str(number)
    return Value((digits,), (digits,), key_of(number))


def _in_words(draw: Draw) -> Value:
    number = some_number(draw)
    said = sino(number)
    korean = (said, said.replace(" ", ""))
    if number < 100:
        korean = (said, native(number, alone=True))
    return Value(korean, (words(number),), key_of(number, is_native=number < 100))


def _sum(draw: Draw) -> Value:
    """2 더하기 3은 5, 2 plus 3 is 5."""
    one, two = between(draw, 1, 20), between(draw, 1, 20)
    name, told, result = draw.one_of((
        ("더하기", "plus", one + two), ("곱하기", "times", one * two), ("빼기", "minus", one - two)
    ))  # fmt: skip
    if result < 1:
        one, two, result = one + two, one, two
    keys = key_of(one) | key_of(two) | key_of(result)
    if draw.chance(0.5):
        korean = f"{sino(one)} {name} {attached(sino(two), '은')} {sino(result)}"
        return Value((korean,), (f"{words(one)} {told} {words(two)} is {words(result)}",), keys)
    korean = f"{one} {name} {attached(str(two), '은')} {result}"
    return Value((korean,), (f"{one} {told} {two} is {result}",), keys)


def _measured(counter: str, unit: str, least: int, most: int) -> Callable[[Draw], Value]:
    return lambda draw: amount(draw, between(draw, least, most), counter, unit)


def _percent(draw: Draw, number: int) -> Value:
    if draw.chance(0.5):
        return Value((f"{number}%",), (f"{number}%",), key_of(number))
    return Value(spaced(sino(number), "퍼센트"), (f"{words(number)} percent",), key_of(number))


SLOTS: Final[dict[str, Callable[[Draw], Value]]] = {
    "things": lambda draw: _things(draw, _BUYABLE),
    "owned": lambda draw: _things(draw, _BUYABLE, "이"),
    "pets": lambda draw: _things(draw, _PETS, "이"),
    "folk": lambda draw: _things(draw, _FOLK, "이", 2),
    "siblings": _siblings,
    "children": _children,
    "party": _party,
    "household": _people(2, 9),
    "crowd": _people(2, 60),
    "heads": _heads,
    "age": _age(15, 60),
    "kid": _age(1, 17),
    "middle": _age(38, 69),
    "old": _age(65, 95),
    "times": _times,
    "cheap": _price(500, 9900, 100),
    "price": _price(10_000, 99_000, 1000),
    "fare": _price(1000, 30_000, 100),
    "busfare": _price(1200, 2900, 50),
    "dear": _price(100_000, 990_000, 10_000),
    "dollars": _dollars,
    "floor": _ranked("층", 1, 30),
    "grade": _ranked("학년", 1, 6),
    "exit": _copied(lambda n: ((f"{n}번 출구",), f"exit {n}"), 1, 14),
    "bus": _numbered(lambda n: ((f"{n}번 버스",), f"bus {n}"), 1, 999),
    "room": _numbered(lambda n: ((f"{n}호", f"{n}호실"), f"room {n}"), 101, 1999),
    "line": _copied(lambda n: ((f"{n}호선",), f"line {n}"), 1, 9),
    "lesson": _copied(lambda n: ((f"{n}과", f"제{n}과"), f"lesson {n}"), 1, 30),
    "page": _copied(lambda n: ((f"{n}쪽", f"{n}페이지"), f"page {n}"), 1, 400),
    "item": _copied(lambda n: ((f"{n}번",), str(n)), 1, 99),
    "phone": phone,
    "code": code,
    "digits": _in_digits,
    "numeral": _in_words,
    "sum": _sum,
    "degrees": _measured("도", "degree", 1, 38),
    "frost": _measured("도", "degree", 1, 20),
    "percent": lambda draw: _percent(draw, between(draw, 1, 99)),
    "off": lambda draw: _percent(draw, 5 * between(draw, 1, 14)),
    "kilograms": _measured("킬로그램", "kilogram", 40, 110),
    "kilometers": _measured("킬로미터", "kilometer", 1, 90),
    "centimeters": _measured("센티미터", "centimeter", 140, 199),
    "pages": _measured("쪽", "page", 2, 200),
}
