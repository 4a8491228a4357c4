"""Numbers in words: native and Sino-Korean, and English."""

from __future__ import annotations

from typing import Final

_NATIVE: Final = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_NATIVE_TENS: Final = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_ALONE: Final = {"한": "하나", "두": "둘", "세": "셋", "네": "넷", "스무": "스물"}
_SINO: Final = ("", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구")
_UNITS: Final = ((1000, "천"), (100, "백"), (10, "십"))
_MYRIADS: Final = ((100_000_000, "억"), (10_000, "만"))
_MOST: Final = 10**12
_SMALL: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty",
                "ninety")  # fmt: skip
_SCALES: Final = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_ORDINALS: Final = {"one": "first", "two": "second", "three": "third", "five": "fifth",
                    "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}  # fmt: skip


def native(number: int, *, alone: bool = False) -> str:
    """Before a counter: 세, 스무, 스물다섯; alone: 셋, 스물.

    Raises:
        ValueError: not within 1 to 99, which is what native numbers count.
    """
    if not 1 <= number <= 99:
        raise ValueError(f"no native number: {number}")
    tens, ones = divmod(number, 10)
    lead, last = _NATIVE_TENS[tens], "스무" if number == 20 else _NATIVE[ones]
    if number == 20:
        lead = ""
    return lead + (_ALONE.get(last, last) if alone else last)


def sino(number: int) -> str:
    """Sino-Korean, spaced by ten thousands as its spelling is: 만 오천사백.

    Raises:
        ValueError: not within 0 to a trillion.
    """
    if not 0 <= number < _MOST:
        raise ValueError(f"no number to spell: {number}")
    if number == 0:
        return "영"
    parts: list[str] = []
    for size, name in _MYRIADS:
        many, number = divmod(number, size)
        if many:  # ten thousand is 만 alone, a hundred million 일억
            parts.append(("" if many == 1 and name == "만" else _below_myriad(many)) + name)
    return " ".join(filter(None, [*parts, _below_myriad(number)]))


def _below_myriad(number: int) -> str:
    said = ""
    for size, name in _UNITS:
        many, number = divmod(number, size)
        if many:
            said += ("" if many == 1 else _SINO[many]) + name
    return said + _SINO[number]


def words(number: int) -> str:
    """English: fifteen thousand four hundred twenty-one.

    Raises:
        ValueError: it is negative.
    """
    if number < 0:
        raise ValueError(f"no number to spell: {number}")
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")
    size, name = next(scale for scale in _SCALES if number >= scale[0])
    many, rest = divmod(number, size)
    return f"{words(many)} {name}" + (f" {words(rest)}" if rest else "")


def ordinal(number: int) -> str:
    """English in words: twenty-third."""
    said = words(number)
    head, mark, last = said.rpartition("-") if "-" in said else said.rpartition(" ")
    regular = last.removesuffix("y") + "ieth" if last.endswith("y") else last + "th"
    return head + mark + _ORDINALS.get(last, regular)


def ordinal_digits(number: int) -> str:
    """English in digits: 3rd, 11th."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number // 10 % 10 == 1 else ends.get(number % 10, 'th')}"


def year_words(year: int) -> str:
    """English for a year: nineteen ninety-seven, two thousand five, twenty twenty-four."""
    century, rest = divmod(year, 100)
    if year % 1000 < 10:
        return words(year)
    if rest == 0:
        return f"{words(century)} hundred"
    return f"{words(century)} {'oh ' if rest < 10 else ''}{words(rest)}"
