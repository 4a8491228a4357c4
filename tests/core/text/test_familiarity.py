"""Which words a small model hardly knows."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file

from core.errors import HeadlightError
from core.text.characters import CharacterTokenizer
from core.text.corpora import text_key
from core.text.familiarity import FILE_NAME, KNOWN_FROM, Familiarity
from core.text.tokenizer import clean

SOURCES = ["나무 가나"] * KNOWN_FROM + ["무나"]


@pytest.fixture(scope="module")
def tokenizer() -> CharacterTokenizer:
    """Characters that say of themselves what pieces of words do."""
    made = CharacterTokenizer.train(SOURCES)
    made.kind = "sentencepiece"  # type: ignore[assignment]
    return made


@pytest.fixture(scope="module")
def characters() -> CharacterTokenizer:
    return CharacterTokenizer.train(SOURCES)


def test_a_word_of_characters_is_as_known_as_it_is(characters: CharacterTokenizer) -> None:
    familiarity = Familiarity.count(characters, ["The Cafe", "a cafe!", "cafe the", "face"])
    words = familiarity.words(characters, "THE cafe, feca tafe.")
    # Of letters, and of pairs of them, that were seen: the words were not.
    assert [(word.text, word.seen, word.known) for word in words] == [
        ("THE", 2, True),
        ("cafe,", 3, True),
        ("feca", 0, True),  # it can be read all the same
        ("tafe.", 0, True),
    ]
    assert familiarity.pairs == {}


@given(st.lists(st.text("ab \u1100.", min_size=1), max_size=30))
def test_words_survive_the_file(characters: CharacterTokenizer, sources: list[str]) -> None:
    counted = Familiarity.count(characters, sources)
    with TemporaryDirectory() as folder:
        counted.save(Path(folder))
        loaded = Familiarity.load(Path(folder))
    assert loaded.whole == counted.whole
    assert counted.whole is not None
    known = {text_key(word) for text in sources for word in clean(text).split()}
    assert len(counted.whole) == len(known)


def test_a_word_is_as_known_as_its_rarest_pair(tokenizer: CharacterTokenizer) -> None:
    familiarity = Familiarity.count(tokenizer, SOURCES)
    seen = {
        word.text: (word.seen, word.known) for word in familiarity.words(tokenizer, "나무 무나 강")
    }
    assert seen["나무"] == (KNOWN_FROM, True)
    # Its letters are common; that they stand in this order was seen once.
    assert seen["무나"] == (1, False)
    assert seen["강"] == (0, False)


def test_what_nobody_sees_is_no_word(tokenizer: CharacterTokenizer) -> None:
    familiarity = Familiarity.count(tokenizer, SOURCES)
    assert [word.text for word in familiarity.words(tokenizer, "나무 \u200b 강")] == ["나무", "강"]


def test_counts_survive_the_file(tokenizer: CharacterTokenizer, tmp_path: Path) -> None:
    counted = Familiarity.count(tokenizer, SOURCES)
    counted.save(tmp_path)
    loaded = Familiarity.load(tmp_path)
    for word in ("나무", "가나", "무나", "강"):
        (before,), (after,) = counted.words(tokenizer, word), loaded.words(tokenizer, word)
        assert before.known == after.known


def test_rare_pairs_are_left_out_and_no_word_is_known_by_that(tmp_path: Path) -> None:
    counts = {(at, at + 1): at for at in range(1, 20)}
    Familiarity(np.full(60, 100), counts).save(tmp_path)
    loaded = Familiarity.load(tmp_path)
    assert loaded.pairs == {pair: count for pair, count in counts.items() if count >= 4}
    for pair, count in counts.items():
        assert (loaded.pairs.get(pair, 0) >= KNOWN_FROM) == (count >= KNOWN_FROM)


def test_a_malformed_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"nonsense")
    with pytest.raises(HeadlightError) as caught:
        Familiarity.load(tmp_path)
    assert caught.value.code == "checkpoint_invalid"


def test_words_without_their_counts_are_refused(
    characters: CharacterTokenizer, tmp_path: Path
) -> None:
    Familiarity.count(characters, SOURCES).save(tmp_path)
    arrays = load_file(tmp_path / FILE_NAME)
    save_file({**arrays, "word_counts": arrays["word_counts"][:-1]}, tmp_path / FILE_NAME)
    with pytest.raises(HeadlightError, match=FILE_NAME):
        Familiarity.load(tmp_path)


@pytest.mark.parametrize("most", [0, 4, 65_535, 65_536, 2_000_000_000])
def test_counts_are_exact_in_as_few_bytes_as_hold_them(tmp_path: Path, most: int) -> None:
    pairs = {(at, at + 1): 4 + at for at in range(50)} | ({(3, 9): most} if most else {})
    Familiarity(np.arange(60), pairs if most else {}).save(tmp_path)
    loaded = Familiarity.load(tmp_path)
    assert loaded.pairs == (pairs if most else {})
    assert loaded.pieces.tolist() == list(range(60))
    per_pair = 4 + (2 if most <= 65_535 else 4)
    size = (tmp_path / FILE_NAME).stat().st_size
    assert 0 <= size - 60 * 4 - per_pair * len(loaded.pairs) < 400  # the header
