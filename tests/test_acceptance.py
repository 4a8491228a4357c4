"""What learners type first, with the translations that a teacher accepts: one list a model."""

import csv
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from core import registry
from core.model import Inspectable

ROOT = Path(__file__).parents[1] / "checkpoints"
LISTS = {path.stem: path for path in Path(__file__).with_name("acceptance").glob("*.tsv")}
EVERYDAY = sorted(path.parent.name for path in ROOT.glob("*-everyday/config.json"))

TIMES = {"어제": "Yesterday", "지난주": "Last week"}
PLACES = {"카페": "cafe", "시장": "market", "공원": "park", "도서관": "library", "해변": "beach"}
PEOPLE = {"사람": "people", "외국인": "foreigners", "학생": "students", "손님": "guests"}


@cache
def model(name: str) -> Inspectable:
    return registry.load(name)


def accepted(name: str) -> list[tuple[str, list[str]]]:
    """Sentences, each with the translations that are right."""
    with LISTS[name].open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [(source, translations.split(" / ")) for source, translations in rows]


def test_every_everyday_model_has_a_list() -> None:
    assert set(EVERYDAY) <= set(LISTS)
    assert len(accepted("en-ko-everyday")) >= 60
    assert all(all(row) for rows in map(accepted, LISTS) for row in rows)


@pytest.mark.parametrize("name", EVERYDAY)
def test_nearly_all_of_the_list_is_accepted(name: str) -> None:
    rows = accepted(name)
    written = [(source, model(name).generate(source).text, right) for source, right in rows]
    wrong = [row for row in written if row[1] not in row[2]]
    assert len(wrong) <= 0.12 * len(rows), wrong


def test_attention_gets_right_what_the_bottleneck_loses() -> None:
    rows = accepted("ko-en-everyday")
    wrong = {
        name: sum(model(name).generate(source).text not in right for source, right in rows)
        for name in ("ko-en-seq2seq", "ko-en-bottleneck")
    }
    assert wrong["ko-en-seq2seq"] <= 0.06 * len(rows)
    assert wrong["ko-en-bottleneck"] >= 2 * max(1, wrong["ko-en-seq2seq"])


def test_what_was_not_there() -> None:
    said = {
        "거기 사람 없었어": "There weren't any people there.",
        "어제 시장에 사람이 없었어요.": "Yesterday there weren't any people at the market.",
        "식당에 손님이 없었어요": "There weren't any guests at the restaurant.",
        "냉장고 안에 우유가 없었다": "There wasn't any milk in the refrigerator.",
        "교실에 학생이 없었어?": "Weren't there any students in the classroom?",
    }
    assert {korean: model("ko-en-everyday").generate(korean).text for korean in said} == said


def test_the_first_sentence_the_other_way_round() -> None:
    wrong: list[tuple[str, str]] = []
    for (time, when), (place, where), (people, who) in product(
        TIMES.items(), PLACES.items(), PEOPLE.items()
    ):
        korean = f"{time} {place} 갔었어 거기 {people} 없더라"
        english = model("ko-en-everyday").generate(korean).text
        if english != f"{when} I went to the {where}, there weren't any {who} there.":
            wrong.append((korean, english))
    assert len(wrong) <= 0.05 * len(TIMES) * len(PLACES) * len(PEOPLE), wrong


@pytest.mark.parametrize(("more", "verb"), [("were many", "많았어요"), ("weren't any", "없었어요")])
def test_its_relatives_into_korean(more: str, verb: str) -> None:
    wrong: list[tuple[str, str]] = []
    for (time, when), (place, where), (people, who) in product(
        TIMES.items(), PLACES.items(), PEOPLE.items()
    ):
        english = f"{when} I went to the {where}, there {more} {who} there."
        day = time if time == "어제" else f"{time}에"
        korean = model("en-ko-everyday").generate(english).text
        if korean != f"{day} 저는 {place}에 갔는데 거기에 {people}이 {verb}.":
            wrong.append((english, korean))
    assert len(wrong) <= 0.05 * len(TIMES) * len(PLACES) * len(PEOPLE), wrong
