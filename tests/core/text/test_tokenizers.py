"""Both tokenizers behind the one interface."""

import re
import subprocess
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HeadlightError
from core.text.characters import CharacterTokenizer
from core.text.pieces import SentencePieceTokenizer
from core.text.tokenizer import (
    END_ID,
    START_ID,
    UNKNOWN_ID,
    Tokenizer,
    clean,
    goes_on,
    load_tokenizer,
)
from core.text.utf8 import LOST, parts, rejoined

ROOT = Path(__file__).parents[3]
SENTENCES = [
    "어제 카페 갔었어 거기 사람 많더라",
    "Yesterday I went to the cafe, there were many people there.",
    "오늘 날씨가 좋아요. 내일은 비가 올까요?",
    "The weather is nice today. Will it rain tomorrow?",
    "나는 학교에 가지 않았다. 그는 값을 물었다.",
    "I did not go to school. He asked the price.",
] * 6

hangul = st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def pieces() -> SentencePieceTokenizer:
    return SentencePieceTokenizer.train(SENTENCES, vocab_size=340)


@pytest.fixture(scope="module")
def characters() -> CharacterTokenizer:
    return CharacterTokenizer.train(SENTENCES)


@pytest.fixture(scope="module", params=["sentencepiece", "characters"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    fixture = "pieces" if request.param == "sentencepiece" else "characters"
    found: Tokenizer = request.getfixturevalue(fixture)
    return found


@given(text=hangul)
def test_composed_and_decomposed_hangul_are_the_same(tokenizer: Tokenizer, text: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    assert decomposed != text
    assert tokenizer.encode(decomposed) == tokenizer.encode(text)


@pytest.mark.parametrize("sentence", sorted(set(SENTENCES)))
def test_text_survives_the_round_trip(tokenizer: Tokenizer, sentence: str) -> None:
    assert tokenizer.decode([START_ID, *tokenizer.encode(sentence), END_ID]) == sentence


@given(text=hangul)
def test_pieces_lose_nothing_even_of_what_they_never_saw(
    pieces: SentencePieceTokenizer, text: str
) -> None:
    assert pieces.decode(pieces.encode(text)) == text
    assert UNKNOWN_ID not in pieces.encode(text)


def test_letters_of_hangul_that_stand_alone_come_back(pieces: SentencePieceTokenizer) -> None:
    """SentencePiece reads them as the jamo that syllables are made of."""
    for text in ("ㅋㅋㅋ", "ㅠㅠ 비", "ㅁㄴㅇㄹ", "ㄳ ㅡㅡ"):
        ids = pieces.encode(text)
        assert pieces.decode(ids) == text
        told = "".join(token.text for token in pieces.tokens(ids) if not token.byte)
        assert not any("\u1100" <= letter <= "\u11ff" for letter in told)


@given(text=st.text(max_size=60))
def test_anything_typed_becomes_tokens_in_range(tokenizer: Tokenizer, text: str) -> None:
    ids = tokenizer.encode(text)
    assert all(0 <= id < tokenizer.size for id in ids)
    tokens = tokenizer.tokens(ids)
    assert [token.id for token in tokens] == ids
    assert all(token.text for token in tokens)
    tokenizer.decode(ids)


def test_lone_surrogates_and_control_characters_are_left_out(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode("\ud800어제\x00\udfff") == tokenizer.encode("어제")
    assert clean("a\tb\nc\x1b") == "a b c"
    assert clean("가\x01\u11a8") == "각"


@given(st.text())
def test_clean_text_is_composed_and_stays_as_it_is(text: str) -> None:
    cleaned = clean(text)
    assert unicodedata.is_normalized("NFC", cleaned)
    assert clean(cleaned) == cleaned
    assert not {unicodedata.category(character) for character in cleaned} & {"Cc", "Cs"}
    assert all(character == " " for character in cleaned if character.isspace())


@given(st.lists(st.text(max_size=20), max_size=5))
def test_many_texts_are_encoded_as_each_alone(tokenizer: Tokenizer, texts: list[str]) -> None:
    assert tokenizer.encode_all(texts) == [tokenizer.encode(text) for text in texts]


@pytest.mark.parametrize("sentence", sorted(set(SENTENCES)))
def test_tokens_regroup_into_the_words_typed(tokenizer: Tokenizer, sentence: str) -> None:
    tokens = tokenizer.tokens(tokenizer.encode(sentence))
    words: dict[int, list[int]] = {}
    for token in tokens:
        words.setdefault(token.word, []).append(token.id)
    assert [tokenizer.decode(ids).strip() for ids in words.values()] == sentence.split()


def test_special_tokens_belong_to_no_word(tokenizer: Tokenizer) -> None:
    tokens = tokenizer.tokens([START_ID, *tokenizer.encode("어제 카페"), END_ID])
    assert [token.text for token in tokens if token.special] == ["start", "end"]


@given(st.text(st.characters(exclude_categories=["Cs", "Nd"]), max_size=9), st.data())
def test_parts_of_letters_make_the_text_again(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(raw)))) | {0, len(raw)})
    told = parts([raw[first:beyond] for first, beyond in pairwise(cuts)])
    assert rejoined("".join(told)) == text


@pytest.mark.parametrize("sentence", SENTENCES[:6])
def test_what_goes_on_with_a_word_is_what_stands_in_it(tokenizer: Tokenizer, sentence: str) -> None:
    ids = [*tokenizer.encode(sentence), END_ID]
    tokens = tokenizer.tokens(ids)
    for before, own in pairwise(tokens):
        assert goes_on(tokenizer, before.id, [own.id]) == [own.word == before.word]


def test_a_word_is_gone_on_with_by_what_has_no_space_before_it() -> None:
    """By hand: "I went to the cafe" has a word after "to", and "to." has a stop."""
    own = load_tokenizer("sentencepiece", ROOT / "checkpoints" / "ko-en-everyday")
    (to, the), (_, stop) = own.encode("to the"), own.encode("to.")
    assert [token.piece for token in own.tokens([to, the, stop])] == ["▁to", "▁the", "."]
    assert goes_on(own, to, [the, stop, END_ID, UNKNOWN_ID]) == [False, True, False, False]


def test_bytes_say_of_which_character_they_are_a_part(pieces: SentencePieceTokenizer) -> None:
    texts = [token.text for token in pieces.tokens(pieces.encode("\U0001f642"))]
    assert texts[-4:] == ["🙂 1/4", "🙂 2/4", "🙂 3/4", "🙂 4/4"]


@given(st.data())
def test_a_character_that_is_cut_is_told_by_its_bytes(
    pieces: SentencePieceTokenizer, data: st.DataObject
) -> None:
    ids = pieces.encode("뚫힣 water 꿇")
    first = data.draw(st.integers(0, len(ids)))
    cut = ids[first : data.draw(st.integers(first, len(ids)))]
    texts = [token.text for token in pieces.tokens(cut)]
    for text in (*texts, pieces.decode(cut), *(pieces.tokens([id])[0].text for id in cut)):
        assert LOST not in text
    whole = re.sub("<0x..>", "", pieces.decode(cut))
    assert set(whole) <= set("뚫힣 water 꿇")


def test_jamo_are_read_as_letters(characters: CharacterTokenizer) -> None:
    texts = [token.text for token in characters.tokens(characters.encode("값"))]
    assert texts == ["ㄱ", "ㅏ", "-ㅄ"]


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("\ufeffcafe", "cafe"),  # a file's byte-order mark
        ("ca\u200bfe\ufe0f", "cafe"),  # of a page, and of a picture that is gone
        ("ﬁne", "fine"),
        ("ｃａｆｅ 가", "cafe 가"),
        ("it’s", "it's"),
        ("‘it’ – ㎏", "'it' - kg"),
        ("\u200b ㉮", "가"),
    ],
)
def test_a_character_of_another_form_is_read_as_its_plain_one(typed: str, plain: str) -> None:
    told = CharacterTokenizer.train(["cafe fine it's - kg 가"])
    assert told.encode(typed) == told.encode(plain)
    assert UNKNOWN_ID not in told.encode(typed)


def test_a_character_of_its_own_stays_as_it_is() -> None:
    told = CharacterTokenizer.train(["’ ' ｆ f é ﬁ \u200d"])
    assert told.decode(told.encode("’'ｆféﬁ\u200d")) == "’'ｆféﬁ\u200d"
    assert told.encode("’日") == [*told.encode("’"), UNKNOWN_ID]


def test_jamo_that_make_no_syllable_are_written_as_people_write_them(
    characters: CharacterTokenizer,
) -> None:
    lead, vowel, tail = characters.encode("값")
    assert characters.decode([lead, lead, vowel, tail]) == "ㄱ값"
    assert characters.decode([vowel, lead]) == "ㅏㄱ"
    assert characters.decode([lead, vowel, tail, tail]) == "값ㅄ"


def test_no_blank_is_written_at_an_end(characters: CharacterTokenizer) -> None:
    first, blank, last = characters.encode("t c")
    assert characters.decode([blank, first, blank, last, blank]) == "t c"
    assert characters.decode([blank, UNKNOWN_ID]) == ""


@given(text=hangul)
def test_no_two_entries_read_the_same(text: str) -> None:
    spelled = CharacterTokenizer.train([text, "를 -"])
    tokens = spelled.tokens(range(spelled.size))
    assert len({token.text for token in tokens}) == len({token.piece for token in tokens})


_LEARNT = """
import sys
from itertools import product
from core.text import pieces
pieces._SAMPLE = 200
texts = [f"{a}{b}{c} {c}{a}" for a, b, c in product("abcdefghij", repeat=3)]
sys.stdout.buffer.write(pieces.SentencePieceTokenizer.train(texts, 290).model)
"""


def test_of_many_texts_every_process_learns_from_the_same() -> None:
    """A run that is begun again, or was previewed, has the vocabulary that it would have had."""
    command = [sys.executable, "-c", _LEARNT]
    once, again = (
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout for _ in range(2)
    )
    assert SentencePieceTokenizer(once).size == 290
    assert once == again


def test_saved_and_opened_again(tokenizer: Tokenizer, tmp_path: Path) -> None:
    tokenizer.save(tmp_path)
    opened = load_tokenizer(tokenizer.kind, tmp_path)
    assert opened.size == tokenizer.size
    for sentence in SENTENCES[:6]:
        assert opened.encode(sentence) == tokenizer.encode(sentence)


@pytest.mark.parametrize(
    ("kind", "name", "content"),
    [
        ("sentencepiece", "tokenizer.model", b"not a model"),
        ("sentencepiece", "tokenizer.model", b""),
        ("characters", "tokenizer.json", b"{"),
        ("characters", "tokenizer.json", b"[]"),
        ("characters", "tokenizer.json", b'{"characters": ["a", "a"]}'),
        ("characters", "tokenizer.json", b'{"characters": ["ab"]}'),
        ("characters", "tokenizer.json", b'{"characters": "abc"}'),
        ("characters", "tokenizer.json", b"\xff\xfe"),
        ("characters", "tokenizer.json", b"[" * 100_000),
    ],
)
def test_malformed_files_are_refused(tmp_path: Path, kind: str, name: str, content: bytes) -> None:
    assert kind in ("sentencepiece", "characters")
    (tmp_path / name).write_bytes(content)
    with pytest.raises(HeadlightError) as caught:
        load_tokenizer("characters" if kind == "characters" else "sentencepiece", tmp_path)
    assert caught.value.code == "checkpoint_invalid"


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(HeadlightError, match=r"tokenizer\.model"):
        load_tokenizer("sentencepiece", tmp_path)
