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
    ("content", "code"),
    [
        (b"a\tb\nonly one column\n", "data_invalid"),
        (b"a\tb\n\tempty source\n", "data_invalid"),
        (b"\xff\xfe\x00", "file_unreadable"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_bytes(content)
    with pytest.raises(HeadlightError) as caught:
        read_pairs(path)
    assert caught.value.code == code
    assert "pairs.tsv" in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(HeadlightError, match=r"nowhere\.tsv"):
        read_pairs(tmp_path / "nowhere.tsv")
