"""Pairs and their split."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HeadlightError
from core.text.corpora import Pair, read_pairs, split_by_hash, write_pairs

words = st.text(st.sampled_from("가나다라abcd .?"), min_size=1, max_size=6).filter(
    lambda text: bool(text.strip(" .?"))
)
pairs = st.lists(st.builds(Pair, words, words), max_size=40)


def folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


@given(pairs, st.floats(0, 1))
def test_nothing_held_out_is_ever_trained_on(given_pairs: list[Pair], share: float) -> None:
    split = split_by_hash(given_pairs, share)
    assert not {folded(p.source) for p in split.train} & {folded(p.source) for p in split.held_out}
    assert not {folded(p.target) for p in split.train} & {folded(p.target) for p in split.held_out}


@given(pairs, st.floats(0, 1), st.randoms())
def test_the_choice_depends_on_the_source_alone(
    given_pairs: list[Pair], share: float, random: object
) -> None:
    whole = {pair.source for pair in split_by_hash(given_pairs, share).held_out}
    alone = {p.source for p in given_pairs if split_by_hash([p], share).held_out}
    assert whole == alone


def test_the_share_is_kept() -> None:
    many = [Pair(f"문장 {i}", f"sentence {i}") for i in range(4000)]
    split = split_by_hash(many, 0.1)
    assert 300 < len(split.held_out) < 500
    assert len(split.train) + len(split.held_out) == 4000


@given(pairs.filter(bool))
def test_written_pairs_are_read_again(
    tmp_path_factory: pytest.TempPathFactory, given_pairs: list[Pair]
) -> None:
    path = tmp_path_factory.mktemp("tsv") / "pairs.tsv"
    write_pairs(path, given_pairs)
    stripped = tuple(Pair(p.source.strip(), p.target.strip()) for p in given_pairs)
    assert read_pairs(path) == stripped
    assert read_pairs(path, reverse=True) == tuple(Pair(p.target, p.source) for p in stripped)


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("가\tgo\n", [("가", "go")]),
        ("korean\tenglish\n가\tgo\n", [("가", "go")]),
        ("English\tHangul\ncafe\t카페", [("cafe", "카페")]),
        ("source\ttarget\tnote\n가\tgo\tx\n", [("가", "go")]),
        ("\ufeffko\ten\r\n가\tgo\r\n\r\n", [("가", "go")]),
        ("영어\tEnglish\n가\tgo\n", [("영어", "English"), ("가", "go")]),
        ("가\tgo\nkorean\tenglish\n", [("가", "go"), ("korean", "english")]),
        (" 가 \t go\tx\ty\n\n나\tI\n", [("가", "go"), ("나", "I")]),
        ("\u1100\u1161\tgo", [("가", "go")]),
    ],
)
def test_reading_pairs(tmp_path: Path, text: str, pairs: list[tuple[str, str]]) -> None:
    path = tmp_path / "d.tsv"
    path.write_bytes(text.encode())
    assert [tuple(pair) for pair in read_pairs(path)] == pairs


@pytest.mark.parametrize(
    ("text", "line"),
    [("가 go\n", 1), ("가\tgo\n나\n", 2), ("가\t\n", 1), ("\tgo\n", 1), ("", 1), ("ko\ten\n", 1)],
)
def test_a_line_without_a_pair_is_named(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "d.tsv"
    path.write_text(text)
    with pytest.raises(HeadlightError) as caught:
        read_pairs(path)
    assert caught.value.code == "data_invalid"
    assert caught.value.parameters["line"] == line


def test_files_that_are_no_text(tmp_path: Path) -> None:
    for path, raw, code in (
        (tmp_path / "none", None, "file_missing"),
        (tmp_path, None, "file_unreadable"),
        (tmp_path / "latin", b"\xe9\tx\n", "file_unreadable"),
    ):
        if raw is not None:
            path.write_bytes(raw)
        with pytest.raises(HeadlightError) as caught:
            read_pairs(path)
        assert caught.value.code == code
        assert "\n" not in str(caught.value)


Word = st.text("abc가나 ", min_size=1, max_size=9).map(str.strip).filter(bool)


@given(st.lists(st.tuples(Word, Word), min_size=1, max_size=9))
def test_pairs_survive_a_file(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("pairs") / "d.tsv"
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    assert [tuple(pair) for pair in read_pairs(path)] == pairs
