"""What a teacher accepts: brackets spelled out, and differences that nobody marks."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HeadlightError
from core.reasons import RefusedError
from core.text.accepted import Asked, alternatives, levelled, read_list

Spelled = tuple[str, tuple[str, ...]]
"""A cell, and what it spells."""


def _one_of(parts: list[Spelled]) -> Spelled:
    cell = "|".join(cell for cell, _ in parts)
    return f"({cell})", tuple(text for _, texts in parts for text in texts)


def _perhaps(parts: list[Spelled]) -> Spelled:
    cell, texts = _one_of(parts)
    return f"[{cell[1:-1]}]", (*texts, "")


def _in_turn(parts: list[Spelled]) -> Spelled:
    texts: tuple[str, ...] = ("",)
    for _, more in parts:
        texts = tuple(before + after for before in texts for after in more)
    return "".join(cell for cell, _ in parts), texts


words = st.text("ab가", min_size=1, max_size=3).map(lambda text: (text, (text,)))
cells = st.recursive(
    words,
    lambda inner: st.lists(inner, min_size=1, max_size=3).flatmap(
        lambda parts: st.sampled_from([_one_of(parts), _perhaps(parts), _in_turn(parts)])
    ),
    max_leaves=6,
)


@given(cells)
def test_brackets_within_one_another_are_spelled_out_once(spelled: Spelled) -> None:
    cell, texts = spelled
    found = alternatives(cell)
    assert sorted(found) == sorted(set(texts))
    assert found[0] == texts[0]


@given(st.lists(words, min_size=1, max_size=4, unique=True))
def test_exactly_one_place_is_filled(parts: list[Spelled]) -> None:
    cell = " ".join(f"<{text}>-" for text, _ in parts)
    found = alternatives(cell)
    assert len(found) == len(parts)
    for (text, _), one in zip(parts, found, strict=True):
        assert one.replace("-", "").strip() == text


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("Hello. / Hi.", ("Hello.", "Hi.")),
        ("(It is|It's) [very] cold.", ("It is very cold.", "It is cold.", "It's very cold.")),
        ("Open it[, please].", ("Open it, please.", "Open it.")),
        ("Can you wait [here]?", ("Can you wait here?", "Can you wait?")),
        ("<(오늘|내일)> 비가 <오늘> 와요", ("오늘 비가 와요", "내일 비가 와요", "비가 오늘 와요")),
        (
            "<Today> I ran <today|now> . / No.",
            ("Today I ran.", "I ran today.", "I ran now.", "No."),
        ),
        ("ㅋㅋㅋ / ???", ("ㅋㅋㅋ", "???")),
    ],
)
def test_a_cell_is_read(cell: str, texts: tuple[str, ...]) -> None:
    assert alternatives(cell)[: len(texts)] == texts


@pytest.mark.parametrize("cell", ["(a", "a)", "[a)", "a]", "<a", "(" * 5_000])
def test_brackets_that_do_not_close_are_refused(cell: str) -> None:
    with pytest.raises(RefusedError) as refused:
        alternatives(cell)
    assert refused.value.reason.code == "brackets_open"


def test_brackets_that_spell_too_much_are_refused() -> None:
    assert alternatives("(a|a)" * 30) == ("a" * 30,)
    for cell in ("(a|b)" * 30, "[" * 60 + "a" + "]" * 60 + "[b|c]" * 20):
        with pytest.raises(RefusedError) as refused:
            alternatives(cell)
    assert refused.value.reason.code == "alternatives_many"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I am a student.", "i am a student"),
        ("I'm  tired!", "I am tired."),
        ("I can't go.", "I cannot go"),
        ("I won't go.", "I will not go."),
        ("It isn't far.", "It's not far."),
        ("Aren’t you late?", "aren't you late ?"),
        ("What's this?", "What is this?"),
        ("I'd like tea.", "I would like tea."),
        ("Let's go.", "Let us go."),
        ("Hello, nice to meet you.", "hello nice to meet you"),
        ("Hi! We've met.", "Hi. we have met."),
        ("It's 9,000 won.", "It is 9000 won."),
        ("At 7 a.m.", "At 7 am"),
        ("OK.", "okay"),
        ("my favourite colour", "My favorite color."),
        ("문을 열어 주세요.", "문을 열어주세요"),
        ("김치를 먹어 본 적이 있어요?", "김치를 먹어본 적이 있어요?"),
        ("3 시에 만나요.", "3시에 만나요~"),
        ("\u1100\u1161요", "가요"),
        ("...", "."),
        ("?!", "?"),
    ],
)
def test_what_no_teacher_marks_is_levelled(one: str, other: str) -> None:
    assert levelled(one) == levelled(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("어디 가요?", "어디 가요."),
        ("I am Minsu.", "I am minsu."),
        ("I live here. I work.", "I live here, I work."),
        ("Minsu's bag", "Minsu is bag"),
        ("저는 학생이에요.", "저는학생이에요."),
        ("물을 주세요.", "물을주세요."),
        ("두 개 주세요.", "두개 주세요."),
        ("돼요.", "되요."),
        ("3.5", "35"),
        ("ㅋㅋㅋ", "ㅋㅋ"),
    ],
)
def test_what_a_teacher_marks_is_not(one: str, other: str) -> None:
    assert levelled(one) != levelled(other)


@given(st.text())
def test_any_output_may_be_judged(text: str) -> None:
    assert Asked("?", (text,), "odd").accepts(text)
    assert Asked("?", (text,), "odd").accepts(f"  {text} ")


def test_a_list_is_read(tmp_path: Path) -> None:
    path = tmp_path / "list.tsv"
    path.write_text(
        "kind\tsource\taccepted\nfood\t물\t(Some|The) water.\n\nno\tㅋㅋ\tㅋㅋ / Haha.\n"
    )
    assert read_list(str(path)) == (
        Asked("물", ("Some water.", "The water."), "food"),
        Asked("ㅋㅋ", ("ㅋㅋ", "Haha."), "no"),
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("source\taccepted\n물\twater\n", 1),
        ("source\taccepted\tkind\n물\twater\tfood\n물\t\tfood\n", 3),
        ("source\taccepted\tkind\n물\twater\tfood\n물\t(water\tfood\n", 3),
        ("source\taccepted\tkind\n물\twater\n", 2),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "list.tsv"
    path.write_text(text)
    with pytest.raises(HeadlightError) as refused:
        read_list(str(path))
    assert refused.value.code == "data_invalid"
    assert refused.value.parameters["line"] == line
