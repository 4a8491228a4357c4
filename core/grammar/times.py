"""Times of the clock, dates and spans of time, in words or in digits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from core.grammar.draw import Draw
from core.grammar.numbers import amount, between, key_of, spaced
from core.grammar.numerals import native, ordinal, ordinal_digits, sino, words, year_words
from core.grammar.values import Key, Value

_NONE: Final[frozenset[Key]] = frozenset()


def _minute(draw: Draw) -> int:
    kind = draw.weighted(("full", "half", "five", "any"), (3, 2, 3, 3))
    if kind == "any":
        return between(draw, 1, 59)
    return {"full": 0, "half": 30, "five": 5 * between(draw, 1, 11)}[kind]


def _keys(hour: int, minute: int) -> frozenset[Key]:
    """Full and half hours are everywhere, and never held out."""
    return _NONE if minute in (0, 30) else frozenset({("time", f"{hour}:{minute:02}")})


def _in_words(hour: int, minute: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """일곱 시 반, half past seven: as it is, with no part of the day."""
    full = spaced(native(hour), "시")
    if minute == 0:
        return full, (f"{words(hour)} o'clock", words(hour))
    rest = spaced(sino(minute), "분")
    korean = tuple(f"{one} {other}" for one, other in zip(full, rest, strict=True))
    if minute == 30:
        halves = tuple(f"{one} 반" for one in full)
        return (*halves, *korean[:1]), (f"half past {words(hour)}", f"{words(hour)} thirty")
    told = f"{words(hour)} {'oh ' if minute < 10 else ''}{words(minute)}"
    quarters = {15: (f"a quarter past {words(hour)}",)}
    quarters[45] = (f"a quarter to {words(hour % 12 + 1)}",)
    return korean, (told, *quarters.get(minute, ()))


def _in_digits(hour: int, minute: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """7시 30분, 7:30; at the full hour 7시, 7 o'clock."""
    if minute == 0:
        return spaced(str(hour), "시"), (f"{hour} o'clock", f"{hour}")
    said = f"{hour}시 {minute}분"
    joined = f"{hour}시{minute}분"
    halves = (f"{hour}시 반",) if minute == 30 else ()
    told = f"{hour}:{minute:02}"
    return (said, said, joined, told, *halves), (told,)


# Parts of the day: Korean as it is usually said and as it may be, English, and its hours of 24.
_PARTS: Final = (
    (("새벽", "오전"), "in the morning", range(1, 6)),
    (("아침", "오전"), "in the morning", range(6, 11)),
    (("오전",), "in the morning", range(11, 12)),
    (("오후",), "in the afternoon", range(13, 18)),
    (("저녁", "오후"), "in the evening", range(18, 22)),
    (("밤", "오후"), "at night", range(22, 24)),
)


def _plain(draw: Draw, hour: int, minute: int) -> Value:
    """With no part of the day, but now and then counted to 24."""
    twelve = (hour - 1) % 12 + 1
    if draw.chance(0.5):
        return Value(*_in_words(twelve, minute), _keys(twelve, minute))
    if hour > 12 and minute and draw.chance(0.15):
        return Value(*_in_digits(hour, minute), _keys(hour, minute))
    return Value(*_in_digits(twelve, minute), _keys(twelve, minute))


def _to(draw: Draw) -> Value:
    """네 시 십 분 전, ten to four."""
    hour, minute = between(draw, 1, 12), draw.one_of((5, 10, 20))
    return Value(
        (f"{native(hour)} 시 {sino(minute)} 분 전",), (f"{words(minute)} to {words(hour)}",)
    )


def _part(draw: Draw, hour: int, minute: int) -> Value:
    """오후 세 시, three in the afternoon; 오후 3시 45분, 3:45 p.m."""
    names, told = next((names, told) for names, told, hours in _PARTS if hour in hours)
    twelve = (hour - 1) % 12 + 1
    keys = _keys(twelve, minute)
    if draw.chance(0.5):
        korean, spoken = _in_words(twelve, minute)
        bare = spoken[-1] if minute in (0, 30) else spoken[0]  # seven, seven thirty, seven ten
        return Value(_each(names, korean), (f"{bare} {told}",), keys)
    forms, spoken = _in_digits(twelve, minute)
    half = "a.m." if hour < 12 else "p.m."
    short = half.replace(".", "")
    official = "오전" if hour < 12 else "오후"
    korean = _each((official, official, *names), tuple(one for one in forms if ":" not in one))
    bare = spoken[-1]
    return Value(korean, (f"{bare} {half}", f"{bare} {short}", f"{bare} {short.upper()}"), keys)


def _between(least: int, most: int, *, parted: float = 0.4) -> Callable[[Draw], Value]:
    """A time from one full hour to the other, of 24; some are told with the part of the day."""

    def fill(draw: Draw) -> Value:
        hour, minute = between(draw, least, most), _minute(draw)
        says = _part if hour != 12 and draw.chance(parted) else _plain
        return says(draw, hour, minute)

    return fill


def _each(names: tuple[str, ...], korean: tuple[str, ...]) -> tuple[str, ...]:
    """Each spelling after each part of the day, the usual one first."""
    return tuple(f"{name} {one}" for name in names for one in korean)


def _hour(least: int, most: int) -> Callable[[Draw], Value]:
    """An hour that words beside it place in the day: (this morning) at seven."""

    def fill(draw: Draw) -> Value:
        hour, minute = between(draw, least, most), _minute(draw)
        in_words = draw.chance(0.5)
        korean, told = (_in_words if in_words else _in_digits)(hour, minute)
        korean = tuple(one for one in korean if ":" not in one)
        return Value(korean, told[1:2] if minute == 0 else told, _keys(hour, minute))

    return fill


def _shift(draw: Draw) -> Value:
    """아홉 시부터 여섯 시까지, from nine to six."""
    start, end = between(draw, 7, 11), between(draw, 3, 7)
    if draw.chance(0.5):
        korean = f"{native(start)} 시부터 {native(end)} 시까지"
        return Value((korean,), (f"from {words(start)} to {words(end)}",))
    return Value((f"{start}시부터 {end}시까지",), (f"from {start} to {end}",))


# --- days -----------------------------------------------------------------------------------------

_MONTHS: Final = (
    ("일월", "January"), ("이월", "February"), ("삼월", "March"), ("사월", "April"),
    ("오월", "May"), ("유월", "June"), ("칠월", "July"), ("팔월", "August"), ("구월", "September"),
    ("시월", "October"), ("십일월", "November"), ("십이월", "December"),
)  # fmt: skip
_LENGTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_WEEKDAYS: Final = tuple(
    Value((korean,), (told,))
    for korean, told in (
        ("월요일", "Monday"), ("화요일", "Tuesday"), ("수요일", "Wednesday"),
        ("목요일", "Thursday"), ("금요일", "Friday"), ("토요일", "Saturday"), ("일요일", "Sunday"),
    )
)  # fmt: skip


def _date(draw: Draw) -> Value:
    """오월 삼일, May third; 5월 3일, May 3."""
    month = between(draw, 1, 12)
    day = between(draw, 1, _LENGTHS[month - 1])
    said, told = _MONTHS[month - 1]
    keys = frozenset({("time", f"{month}-{day}")})
    if draw.chance(0.4):
        korean = f"{said} {sino(day)}일"
        other = f"the {ordinal(day)} of {told}"
        return Value(
            (korean, korean, f"{said} {sino(day)} 일"), (f"{told} {ordinal(day)}", other), keys
        )
    korean = f"{month}월 {day}일"
    ranked = ordinal_digits(day)
    return Value(
        (korean, korean, korean.replace(" ", "")),
        (f"{told} {day}", f"{told} {ranked}", f"{day} {told}", f"the {ranked} of {told}"),
        keys,
    )


def _full_date(draw: Draw, first: int, last: int) -> Value:
    """2024년 5월 3일, May 3, 2024."""
    date, year = _date(draw), between(draw, first, last)
    keys = date.keys | {("time", str(year))}
    if date.korean[0][0].isdigit():
        korean = tuple(f"{year}년 {one}" for one in date.korean)
        return Value(korean, tuple(f"{one}, {year}" for one in date.english[:2]), keys)
    korean = tuple(f"{sino(year)}년 {one}" for one in date.korean)
    return Value(korean, (f"{date.english[0]}, {year_words(year)}",), keys)


def _year(draw: Draw, first: int, last: int) -> Value:
    """1997년, 1997."""
    year = between(draw, first, last)
    keys = frozenset({("time", str(year))})
    if draw.chance(0.2):
        return Value(spaced(sino(year), "년")[::-1], (year_words(year),), keys)
    return Value((f"{year}년",), (str(year),), keys)


def _month(draw: Draw) -> Value:
    number = between(draw, 1, 12)
    said, told = _MONTHS[number - 1]
    return Value((f"{number}월", said), (told,))


def _day(draw: Draw) -> Value:
    """15일, the 15th."""
    day = between(draw, 1, 31)
    return Value((f"{day}일",), (f"the {ordinal_digits(day)}",))


# --- spans ----------------------------------------------------------------------------------------

_DAYS: Final = {1: "하루", 2: "이틀", 3: "사흘", 4: "나흘", 10: "열흘"}
# Units of a span, what counts them in Korean, and how many there may be.
_UNITS: Final = {"year": ("년", 30), "month": ("개월", 11), "week": ("주", 6), "day": ("일", 20)}


def _span(draw: Draw, *units: str, years: int = 30) -> Value:
    """A span of one of the units, of years at most as many."""
    unit = draw.one_of(units)
    counter, most = _UNITS[unit]
    number = _some(draw, years) if unit == "year" else between(draw, 1, most)
    base = amount(draw, number, counter, unit)
    own = _own_words(unit, number)
    return replace(base, korean=own) if own and not base.korean[0][0].isdigit() else base


def _own_words(unit: str, number: int) -> tuple[str, ...]:
    """What is said, where it is not a Sino-Korean number of the unit."""
    if unit == "month":
        return (f"{native(number)} 달", f"{native(number)}달", f"{sino(number)} 개월")
    if unit == "week" and number == 1:
        return ("일주일", "한 주")
    if unit == "day" and number in _DAYS:
        return (_DAYS[number],)
    return ()


def _short(draw: Draw) -> Value:
    """Minutes or some hours."""
    return _minutes_alone(draw) if draw.chance(0.5) else _hours(draw, 1, 6)


def _minutes_alone(draw: Draw) -> Value:
    number = 5 * between(draw, 1, 11) if draw.chance(0.6) else between(draw, 2, 59)
    return amount(draw, number, "분", "minute")


def _some(draw: Draw, most: int) -> int:
    return between(draw, 1, draw.weighted((5, 12, most), (3, 2, 1)))


def _hours(draw: Draw, least: int, most: int) -> Value:
    """세 시간 반, three and a half hours."""
    base = amount(draw, number := between(draw, least, most), "시간", "hour", by=native)
    if base.korean[0][0].isdigit() or draw.chance(0.7):
        return base
    korean = tuple(f"{one} 반" for one in base.korean)
    return Value(korean, (f"{words(number)} and a half hours",), base.keys)


def _minutes(draw: Draw) -> Value:
    """2시간 30분, 2 hours and 30 minutes."""
    hours, minutes = between(draw, 1, 9), between(draw, 1, 11) * 5
    many = "hour" if hours == 1 else "hours"
    korean = f"{hours}시간 {minutes}분"
    return Value((korean,), (f"{hours} {many} and {minutes} minutes",), key_of(minutes))


SLOTS: Final[dict[str, Callable[[Draw], Value]]] = {
    "clock": _between(1, 23, parted=0),
    "anytime": _between(1, 23),
    "waking": _between(5, 10),
    "sleeping": _between(20, 23),
    "noonish": _between(11, 14, parted=0),
    "opening": _between(7, 11),
    "closing": _between(17, 22),
    "daytime": _between(8, 20),
    "to": _to,
    "morning": _hour(5, 11),
    "afternoon": _hour(1, 5),
    "evening": _hour(6, 9),
    "night": _hour(9, 11),
    "shift": _shift,
    "weekday": lambda draw: draw.one_of(_WEEKDAYS),
    "date": _date,
    "fulldate": lambda draw: _full_date(draw, 2015, 2030),
    "birthdate": lambda draw: _full_date(draw, 1940, 2018),
    "year": lambda draw: _year(draw, 1970, 2026),
    "birthyear": lambda draw: _year(draw, 1940, 2018),
    "month": _month,
    "day": _day,
    "long": lambda draw: _span(draw, "year", "year", "year", "month", "week"),
    "medium": lambda draw: _span(draw, "day", "week", "month", "year", years=5),
    "short": _short,
    "mins": _minutes_alone,
    "walk": lambda draw: _minutes_alone(draw) if draw.chance(0.7) else _hours(draw, 1, 2),
    "hours": lambda draw: _hours(draw, 1, 14),
    "sleep": lambda draw: _hours(draw, 3, 12),
    "minutes": _minutes,
}
