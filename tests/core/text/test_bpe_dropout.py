"""BPE-dropout: the same texts in other pieces, by chance that a seed settles."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.pieces import SentencePieceTokenizer
from core.text.tokenizer import UNKNOWN_ID

SHIPPED = Path("checkpoints/ko-en-everyday")
TEXTS = ["제 이름은 김지영이에요.", "My name is Kim Jiyeong, and I'm thirty-one.", "010-2234-5566"]

words = st.sampled_from(
    ["김지영이에요", "Jiyeong", "2026", "ㅋㅋㅋ", "☃", "▁", "<s>", "<0x41>", "…"]
)
texts = st.lists(st.one_of(words, st.text(max_size=6)), max_size=5).map(" ".join)


@pytest.fixture(scope="module")
def tokenizer() -> SentencePieceTokenizer:
    return SentencePieceTokenizer.load(SHIPPED)


@given(st.lists(texts, max_size=5))
def test_without_dropout_it_cuts_as_sentencepiece_does(
    tokenizer: SentencePieceTokenizer, texts: list[str]
) -> None:
    assert tokenizer.dropping(0.0, 1).encode_all(texts) == tokenizer.encode_all(texts)


@given(texts, st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_it_reads_the_same(
    tokenizer: SentencePieceTokenizer, text: str, share: float, seed: int
) -> None:
    (ids,) = tokenizer.dropping(share, seed).encode_all([text])
    assert UNKNOWN_ID not in ids
    assert tokenizer.decode(ids) == tokenizer.decode(tokenizer.encode(text))


def test_more_is_left_out_the_larger_the_share(tokenizer: SentencePieceTokenizer) -> None:
    lengths = [
        sum(map(len, tokenizer.dropping(share, 3).encode_all(TEXTS * 100)))
        for share in (0.0, 0.1, 0.3, 0.6, 1.0)
    ]
    assert lengths == sorted(set(lengths))
    (letters,) = tokenizer.dropping(1.0, 3).encode_all(["Kim Jiyeong"])
    assert [token.piece for token in tokenizer.tokens(letters)] == list("▁Kim▁Jiyeong")


def test_a_seed_says_the_same_in_every_process(tokenizer: SentencePieceTokenizer) -> None:
    drawn = tokenizer.dropping(0.4, 7).encode_all(TEXTS)
    assert tokenizer.dropping(0.4, 7).encode_all(TEXTS) == drawn
    assert tokenizer.dropping(0.4, 8).encode_all(TEXTS) != drawn
    other = (
        "from pathlib import Path; from core.text.pieces import SentencePieceTokenizer as T;"
        f"print(T.load(Path({str(SHIPPED)!r})).dropping(0.4, 7).encode_all({TEXTS!r}))"
    )
    told = subprocess.run([sys.executable, "-c", other], capture_output=True, check=True)
    assert told.stdout.decode().strip() == str(drawn)
