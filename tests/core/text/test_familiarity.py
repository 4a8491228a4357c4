"""Which words a small model hardly knows."""

from pathlib import Path

import pytest

from core.errors import HeadlightError
from core.text.characters import CharacterTokenizer
from core.text.familiarity import FILE_NAME, KNOWN_FROM, Familiarity

SOURCES = ["나무 가나"] * KNOWN_FROM + ["무나"]


@pytest.fixture(scope="module")
def tokenizer() -> CharacterTokenizer:
    return CharacterTokenizer.train(SOURCES)


def test_a_word_is_as_known_as_its_rarest_pair(tokenizer: CharacterTokenizer) -> None:
    familiarity = Familiarity.count(tokenizer, SOURCES)
    seen = {
        word.text: (word.seen, word.known) for word in familiarity.words(tokenizer, "나무 무나 강")
    }
    assert seen["나무"] == (KNOWN_FROM, True)
    # Its letters are common; that they stand in this order was seen once.
    assert seen["무나"] == (1, False)
    assert seen["강"] == (0, False)


def test_counts_survive_the_file(tokenizer: CharacterTokenizer, tmp_path: Path) -> None:
    counted = Familiarity.count(tokenizer, SOURCES)
    counted.save(tmp_path)
    loaded = Familiarity.load(tmp_path)
    for word in ("나무", "가나", "무나", "강"):
        (before,), (after,) = counted.words(tokenizer, word), loaded.words(tokenizer, word)
        assert before.known == after.known


def test_a_malformed_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"nonsense")
    with pytest.raises(HeadlightError) as caught:
        Familiarity.load(tmp_path)
    assert caught.value.code == "checkpoint_invalid"
