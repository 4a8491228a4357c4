"""Numbers, times and dates say the same in both languages, in words or in digits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar import lexicon, numbers, times
from core.grammar.draw import Draw
from core.grammar.numerals import native, ordinal, ordinal_digits, sino, words, year_words
from core.grammar.values import Value

_DIGITS = dict(zip("일이삼사오육칠팔구", range(1, 10), strict=True))
_UNITS = {"십": 10, "백": 100, "천": 1000}
_SMALL = {words(n): n for n in range(20)} | {words(n): n for n in range(20, 100, 10)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6}


def read_korean(said: str) -> int:
    """A Sino-Korean number, read by a rule of its own."""
    total = part = digit = 0
    for one in said.replace(" ", ""):
        if one in _DIGITS:
            digit = _DIGITS[one]
        elif one == "만":
            total, part, digit = total + max(part + digit, 1) * 10_000, 0, 0
        else:
            part, digit = part + max(digit, 1) * _UNITS[one], 0
    return total + part + digit


def read_english(said: str) -> int:
    """English, read likewise."""
    total = part = 0
    for word in said.replace("-", " ").split():
        if word in _SMALL:
            part += _SMALL[word]
        elif word == "hundred":
            part *= 100
        else:
            total, part = total + part * _SCALES[word], 0
    return total + part


@given(st.integers(1, 9_999_999))
def test_what_is_written_in_words_is_read_again(number: int) -> None:
    assert read_korean(sino(number)) == number
    assert read_english(words(number)) == number


def test_one_number_has_one_word() -> None:
    assert len({native(n) for n in range(1, 100)}) == 99
    assert (native(3), native(20), native(21), native(99)) == ("세", "스무", "스물한", "아흔아홉")
    assert [native(n, alone=True) for n in (1, 20, 24)] == ["하나", "스물", "스물넷"]
    assert [sino(n) for n in (0, 10, 16, 10_000, 15_420, 110_000)] == [
        "영", "십", "십육", "만", "만 오천사백이십", "십일만",
    ]  # fmt: skip


@pytest.mark.parametrize("number", [0, 100])
def test_native_numbers_end_at_99(number: int) -> None:
    with pytest.raises(ValueError, match="native"):
        native(number)


def test_ranks_and_years() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 12, 20, 21, 30)] == [
        "first", "second", "third", "twelfth", "twentieth", "twenty-first", "thirtieth",
    ]  # fmt: skip
    assert [ordinal_digits(n) for n in (1, 2, 3, 11, 12, 22, 103)] == [
        "1st", "2nd", "3rd", "11th", "12th", "22nd", "103rd",
    ]  # fmt: skip
    assert [year_words(y) for y in (1900, 1997, 2000, 2005, 2024)] == [
        "nineteen hundred", "nineteen ninety-seven", "two thousand", "two thousand five",
        "twenty twenty-four",
    ]  # fmt: skip


def drawn(slot: str, count: int = 300) -> list[Value]:
    """Values of a slot."""
    draw = Draw(lexicon.load(), 7)
    fill = {**numbers.SLOTS, **times.SLOTS}[slot]
    return [fill(draw) for _ in range(count)]


ALL = sorted({**numbers.SLOTS, **times.SLOTS})


@pytest.mark.parametrize("slot", ALL)
def test_digits_are_copied_and_words_stay_words(slot: str) -> None:
    """What is in digits in one language is so in the other, the month's name apart."""
    for value in drawn(slot, 120):
        korean, english = value.korean[0], value.english[0]
        in_korean, in_english = (re.findall(r"\d+", text) for text in (korean, english))
        if slot == "month":
            continue
        assert bool(in_korean) == bool(in_english), (korean, english)
        if slot in ("date", "fulldate", "birthdate"):
            in_korean = [one for one in in_korean if one in in_english]
        if slot not in ("date", "fulldate", "birthdate"):
            assert [int(one) for one in in_korean if int(one)] == [
                int(one) for one in in_english if int(one)
            ], (korean, english)


def test_things_are_counted_natively_and_floors_are_not() -> None:
    says = {slot: " ".join(v.korean[0] for v in drawn(slot)) for slot in ("crowd", "floor")}
    assert re.search(r"스물[한두세네]? ?명|서른 명", says["crowd"])
    assert re.search(r"이십[일이삼사]? 층", says["floor"])
    assert not re.search(r"[일이삼사오육칠팔구십] 명", says["crowd"])
    assert not re.search(r"(한|두|세|네|스무) 층", says["floor"])


def test_clocks_say_hours_natively_and_minutes_not() -> None:
    for value in drawn("clock"):
        for korean in value.korean:
            if not re.search(r"\d", korean):
                assert re.fullmatch(
                    r"(한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두) ?시"
                    r"( 반| [일이삼사오육칠팔구십]+ ?분)?",
                    korean,
                ), korean


def test_a_part_of_the_day_fits_its_hour() -> None:
    told = {v.korean[0]: v.english[0] for v in drawn("anytime", 3000)}
    assert told.get("저녁 일곱 시") == "seven in the evening"
    assert told.get("오후 3시") == "3 p.m."
    assert all("morning" in e for k, e in told.items() if re.match("(아침|새벽) [가-힣]", k))
    assert not [e for e in told.values() if re.match("(one|two|three) in the evening", e)]


def test_small_and_round_numbers_are_never_held_out() -> None:
    for number in (*range(21), 30, 90, 500, 15_000, 99_500):
        assert numbers.key_of(number) == frozenset()
    assert numbers.key_of(37, is_native=True) == {("number", "37")}
    assert numbers.key_of(37) == frozenset(), "thirty-seven minutes"
    assert numbers.key_of(67) == {("number", "67")}


def test_many_numbers_that_are_copied_have_one_digit_in_a_row() -> None:
    for slot in ("phone", "code"):
        said = [value.korean[0] for value in drawn(slot, 600)]
        repeating = [one for one in said if re.search(r"(\d)\1\1|(\d)\2-?(\d)\3", one)]
        assert 0.15 < len(repeating) / len(said) < 0.5
    rooms = " ".join(value.korean[0] for value in drawn("room", 600))
    assert re.search(r"\b\d00\d호", rooms), "such as 1004호"
    assert re.search(r"\b(\d)\1\1호", rooms)
