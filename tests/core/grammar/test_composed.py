"""What people type beside single words in Latin letters: lines, initials, numbers, Korean."""

import re
from itertools import islice

import pytest

from core.grammar.composed import (
    apart,
    chat,
    copied,
    crossed,
    initials,
    lines,
    numbered,
    recased,
)

WORDS = {"what": "왓", "time": "타임", "is": "이즈", "it": "잇", "Anna": "안나", "don't": "돈트"}


@pytest.mark.parametrize(
    ("line", "hangul"),
    [
        ("What time is it?", "왓 타임 이즈 잇?"),
        ("Don't, Anna!", "돈트, 안나!"),
        ("It is Anna.", "잇 이즈 안나"),
    ],
)
def test_a_line_is_spelled_word_for_word(line: str, hangul: str) -> None:
    assert list(lines([line, line], WORDS)) == [(line.rstrip("."), hangul)]


@pytest.mark.parametrize(
    "line", ["What?", "What time is it in Rome?", "It is 7", "it is it is it is it", "It; is"]
)
def test_one_word_a_long_line_and_what_has_no_spelling_are_none(line: str) -> None:
    assert not list(lines([line], WORDS))


def test_a_text_is_spelled_alike_in_all_letters_that_people_type() -> None:
    spelled = {"Chopin": "쇼팽", "what's up": "왓츠 업", "ß": "에스", "IT": "아이티"}
    rows = [row for seed in range(40) for row in recased(spelled, {"it"}, seed)]
    told = dict(rows)
    assert told == {
        "chopin": "쇼팽", "CHOPIN": "쇼팽", "What's up": "왓츠 업", "What's Up": "왓츠 업",
        "WHAT'S UP": "왓츠 업",
    }  # fmt: skip
    every = [way for way, _ in rows]
    assert every.count("chopin") == every.count("What's up") == every.count("What's Up") == 40
    assert 0 < every.count("CHOPIN") < 20


def test_words_side_by_side_stay_apart_in_any_letters() -> None:
    told = list(apart([("Marie", "마리"), ("Curie", "퀴리"), ("tree", "트리")], 300))
    spelled = {"marie": "마리", "curie": "퀴리", "tree": "트리"}
    for latin, hangul in told:
        assert hangul == " ".join(spelled[word] for word in latin.lower().split(" "))
    assert {len(latin.split(" ")) for latin, _ in told} == {2, 3}
    assert {("Marie Curie", "마리 퀴리"), ("marie curie", "마리 퀴리")} <= set(told)


def test_halves_of_names_that_stay_apart_make_names_that_stay_apart() -> None:
    names = {
        "Marie Curie": "마리 퀴리",
        "Taylor Swift": "테일러 스위프트",
        "Ada Lovelace": "에이다 러브레이스",
    }
    others = {
        "Castle Hills": "캐슬힐스",
        "Marie": "마리",
        "Bank of Korea": "뱅크 오브 코리아",
        "iPhone X": "아이폰 텐",
    }
    told = set(crossed(names | others, 300))
    halves = {
        latin: hangul
        for name, spelled in names.items()
        for latin, hangul in zip(name.lower().split(" "), spelled.split(" "), strict=True)
    }
    firsts, lasts = ({name.split(" ")[at].lower() for name in names} for at in (0, 1))
    ways = {(first, last) for first in firsts for last in lasts}
    own = {tuple(name.lower().split(" ")) for name in names}
    assert {tuple(latin.lower().split(" ")) for latin, _ in told} == ways - own
    for latin, hangul in told:
        assert hangul == " ".join(halves[word] for word in latin.lower().split(" "))
    assert {("Marie Swift", "마리 스위프트"), ("marie swift", "마리 스위프트")} <= told


def test_initials_are_read_by_their_names_and_no_syllable_is_among_them() -> None:
    told = list(initials(500))
    assert len({latin.upper() for latin, _ in told}) == 500
    assert 50 < sum(latin.islower() for latin, _ in told) < 150
    assert not [latin for latin, _ in told if re.fullmatch("[B-DF-HJ-NP-TV-Z][AEIOU]", latin)]
    assert not {"NASA", "GO", "TIP"} & {latin.upper() for latin, _ in told}
    assert dict(told) == dict(initials(500))


def test_numbers_are_copied_beside_what_they_stand_with() -> None:
    told = list(islice(numbered([("Galaxy", "갤럭시"), ("Top", "톱")], 400), 400))
    assert all(re.findall(r"\d+", latin) == re.findall(r"\d+", hangul) for latin, hangul in told)
    words = {(re.sub(r"\d+", "#", latin), re.sub(r"\d+", "#", hangul)) for latin, hangul in told}
    assert words == {("#", "#")} | {
        (pattern.format(latin), pattern.format(hangul))
        for pattern in ("{} #", "# {}")
        for latin, hangul in (("Galaxy", "갤럭시"), ("Top", "톱"))
    }


def test_korean_is_copied_and_what_stands_beside_it_spelled() -> None:
    told = list(copied(["우리", "ㅋㅋ"], [("cafe", "카페")], 200))
    assert all(line.replace("cafe", "카페") == hangul for line, hangul in told)
    assert {line for line, _ in told} >= {"우리", "ㅋㅋ 우리", "우리?", "cafe ㅋㅋ", "우리 cafe"}
    assert told == list(copied(["우리", "ㅋㅋ"], [("cafe", "카페")], 200))


def test_letters_that_make_no_syllable_and_pictures_are_copied() -> None:
    told = list(chat([("cafe", "카페")], 900))
    assert all(line.replace("cafe", "카페") == hangul for line, hangul in told)
    signs = [sign for line, _ in told for sign in line.split(" ") if sign != "cafe"]
    assert all(re.fullmatch("[ㄱ-ㅣ]{1,5}|([\U0001f300-\U0001fa00])\\1{0,2}", one) for one in signs)
    assert {"ㅋㅋ", "ㅎㅎ", "ㅠㅠ", "ㅇㅇ"} <= set(signs)
    assert len({letter for sign in signs for letter in sign if letter < "힣"}) == 33
    assert 0.2 < sum(sign > "힣" for sign in signs) / len(signs) < 0.3


def test_what_people_chat_with_stands_alone_beside_a_word_or_beside_another() -> None:
    told = [line for line, _ in chat([("cafe", "카페")], 900)]
    alone = [line for line in told if " " not in line]
    assert 0.4 < len(alone) / len(told) < 0.6
    assert 100 < sum(line.startswith("cafe ") for line in told) < 200
    assert 100 < sum(line.endswith(" cafe") for line in told) < 200
    assert 100 < sum(" " in line and "cafe" not in line for line in told) < 200
