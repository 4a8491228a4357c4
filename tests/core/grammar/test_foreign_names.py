"""Names that are not English, in Hangul by the rules of another package."""

import subprocess
import sys
from pathlib import Path

import pytest

from core.grammar.foreign_names import Named, foreign, paired, towns_by_language, transcribed
from core.grammar.loanwords import Place, latin

SPELLED = {
    ("Köln", "deu"): "쾰른", ("Verona", "ita"): "베로나", ("Martin", "deu"): "마르틴",
    ("Martin", "spa"): "마르틴", ("Martin", "ron"): "마르틴", ("Jorge", "spa"): "호르헤",
    ("Jorge", "por"): "조르즈", ("Łódź", "pol"): "우치", ("Bad Tölz", "deu"): "바트 퇼츠",
    ("Ulm", "deu"): "울름", ("Oz", "deu"): "오츠", ("Qwrt", "deu"): "q르트",
}  # fmt: skip


def spell(name: str, language: str) -> str:
    return SPELLED[name, language]


def place(name: str, country: str) -> Place:
    return Place(name=name, countrycode=country, alternatenames=[])


def test_a_name_stands_with_its_marks_and_without_them_and_they_are_heard() -> None:
    names = [Named("Köln", "deu"), Named("Łódź", "pol"), Named("Verona", "ita")]
    assert dict(transcribed(names, spell)) == {
        "Köln": "쾰른", "Koln": "쾰른", "Łódź": "우치", "Lodz": "우치", "Verona": "베로나"
    }  # fmt: skip


def test_marks_of_another_language_stand_only_where_they_are_heard_alike() -> None:
    spelled = {("Renée", "fra"): "르네", ("Renee", "eng"): "러네이"}
    names = [Named("Renée", "fra"), Named("Renee", "eng", 2)]
    assert dict(transcribed(names, lambda *name: spelled[name])) == {"Renee": "러네이"}


def test_a_name_is_spelled_as_most_of_its_bearers_and_of_as_many_not_at_all() -> None:
    tie = [Named("Jorge", "spa"), Named("Jorge", "por")]
    assert not dict(transcribed(tie, spell))
    assert dict(transcribed([*tie, Named("Jorge", "spa", 2)], spell)) == {"Jorge": "호르헤"}


@pytest.mark.parametrize("name", ["Bad Tölz", "Oz", "Qwrt"])
def test_no_name_of_several_words_or_two_letters_nor_one_that_is_not_all_hangul(name: str) -> None:
    assert not list(transcribed([Named(name, "deu")], spell))


def test_towns_are_of_the_language_that_their_country_mostly_speaks() -> None:
    places = [place("Ulm", "DE"), place("Lima", "PE"), place("Bath", "GB"), place("Ulm", "AT")]
    assert list(towns_by_language(places)) == [Named("Ulm", "deu"), Named("Lima", "spa")]


def test_of_a_language_with_many_towns_the_same_ones_are_taken_each_time() -> None:
    places = [place(f"Villa {number}", "MX") for number in range(7_500)]
    first, second = (list(towns_by_language(places)) for _ in range(2))
    assert first == second
    assert len({named.name for named in first}) == 7_000


def test_full_names_are_of_one_language_and_of_names_that_are_spelled() -> None:
    spelled = {
        "Jan": "얀",
        "Novák": "노바크",
        "Iva": "이바",
        "Ana": "아나",
        "Sol": "솔",
        "Ruiz": "루이스",
    }
    persons = [Named(name, "ces") for name in ("Jan", "Novák", "Iva", "Iva", "Unheard")]
    persons += [Named(name, "fin") for name in ("Jan", "Iva")]  # too few for three
    persons += [Named(name, "spa") for name in ("Ana", "Sol", "Ruiz")]
    told = list(paired(persons, spelled, 100))
    languages = {name.lower(): at for name, at, _ in persons if at != "fin"}
    assert all(len(set(line.split(" "))) == line.count(" ") + 1 for line, _ in told)
    heard = [{languages[name] for name in line.lower().split(" ")} for line, _ in told]
    assert sorted(map(sorted, heard)) == [["ces"]] * 50 + [["spa"]] * 50
    assert {("Jan Novák", "얀 노바크"), ("jan novák", "얀 노바크")} & set(told)


def test_what_is_spelled_by_hand_is_left_to_that_with_marks_or_without() -> None:
    persons = [Named(name, "deu") for name in ("Käthe", "Amelie", "Ottmar", "Wunibald")]
    rows = foreign(persons, persons, lambda name, language: "이름")
    assert {"Amélie", "Ottmar"} & latin().keys() == {"Amélie"}
    assert {"Wunibald", "Ottmar"} <= rows.keys()
    assert "Amelie" not in rows
    assert any(" " in name for name in rows)


def test_the_command_says_what_is_missing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "core.grammar.foreign_names", str(tmp_path / "cities500.json")]
    ended = subprocess.run(
        [*command, "--out", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert "cities500.json" in ended.stderr
