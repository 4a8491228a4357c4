"""Tokens as people read them: in the app's language, each letter its own."""

import unicodedata
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from core.trace import AttentionTrace, Kind, Token
from tests.e2e.inspector.page import START, Harness, Open, put
from tests.e2e.inspector.server import Shelf
from tests.viz.inspector.made import ENGLISH, trace
from viz.text.inspector import TEXT
from viz.text.language import Language

pytestmark = pytest.mark.e2e

SPECIAL = {"en": ("start", "end", "pad", "unknown"), "ko": ("시작", "끝", "패딩", "모르는 글자")}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_special_tokens_speak_the_language_of_the_app(
    opened: Open, shelf: Shelf, language: Language
) -> None:
    traced = trace()
    marked = (Token("<pad>", "pad", 0), Token("<unk>", "unknown", 3), Token("<mask>", "mask", 60))
    written = (*marked, *traced.written[3:])
    other = AttentionTrace("m", traced.source, traced.target, written, traced.sites, traced.logits)
    put(shelf, "special", other, language=language, selection={**START, "kind": "decoder_self"})
    here = opened("special")
    start, end, pad, unknown = SPECIAL[language]
    chips = here.at("hl-steps").locator(".hl-chip").all_inner_texts()
    assert chips == [start, pad, unknown, "mask", *ENGLISH[3:], end]
    labels = here.state()["matrix"]["labels"]
    assert labels["rows"][0][1] == pad
    assert labels["columns"][0][1] == start
    here.at("hl-steps").press("End")
    bar = here.page.locator(".hl-bar-chosen .hl-bar-name")
    expect(bar).to_have_text(end)


def test_a_word_is_no_special_token(opened: Open, shelf: Shelf) -> None:
    traced = trace(target=("end", "start"), target_words=(0, 1))
    put(shelf, "words", traced, language="ko", selection={**START, "step": 1})
    here = opened("words")
    assert here.at("hl-steps").locator(".hl-chip").all_inner_texts() == [
        "시작", "end", "start", "끝",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "said", "unsaid"),
    [
        ("encoder_self", ["on the same position"], ["just read"]),
        ("decoder_self", ["on the token just read", "on the one before that"], ["same position"]),
        ("cross", ["on the first source token"], ["position", "just read", "before"]),
    ],
)
def test_what_a_head_did_is_said_in_the_rows_own_names(
    opened: Open, shelf: Shelf, kind: Kind, said: list[str], unsaid: list[str]
) -> None:
    put(shelf, "traits", trace(), selection={**START, "kind": kind})
    sentence = opened("traits").at("hl-traits").inner_text()
    assert all(words in sentence for words in said)
    assert not any(words in sentence for words in unsaid)
    assert "{" not in sentence


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("kind", ["encoder_self", "decoder_self", "cross"])
def test_every_share_of_a_head_is_filled_in(
    opened: Open, shelf: Shelf, kind: Kind, language: Language
) -> None:
    put(shelf, "traits", trace(), language=language, selection={**START, "kind": kind})
    sentence = opened("traits").at("hl-traits").inner_text()
    assert sentence.count("\u00a0%") == getattr(TEXT[language], f"traits_{kind}").count("{") - 1


def spelled(word: str) -> list[Token]:
    """Jamo as core/text/characters.py makes them tokens."""
    shown = {"ᄒ": "ㅎ", "ᅡ": "ㅏ", "ᆫ": "-ㄴ", "ᄀ": "ㄱ", "ᅳ": "ㅡ", "ᆯ": "-ㄹ"}
    letters = unicodedata.normalize("NFD", word)
    return [Token(letter, shown[letter], 4 + at, 0) for at, letter in enumerate(letters)]


@pytest.mark.parametrize(
    ("step", "prefix"), [(2, "ㅎ"), (3, "하"), (4, "한"), (5, "한ㄱ"), (7, "한글")]
)
def test_letters_written_so_far_are_read_as_syllables(
    opened: Open, shelf: Shelf, step: int, prefix: str
) -> None:
    made = trace(target=tuple("ㅎㅏㄴㄱㅡㄹ"), target_words=(0,) * 6)
    letters = spelled("한글")
    traced = AttentionTrace(
        "m", made.source, (made.target[0], *letters), (*letters, made.written[-1]), made.sites
    )
    put(shelf, "jamo", traced, selection={**START, "step": step})
    here = opened("jamo")
    expect(here.at("hl-sentence")).to_contain_text(f"After “{prefix}”")
    assert here.at("hl-steps").locator(".hl-dash").count() == 0


@pytest.mark.parametrize(
    ("step", "told"),
    [(1, "First token: nothing is written yet."), (2, "No word is written yet"), (3, "After “I”")],
)
def test_what_a_model_is_told_to_write_first_is_no_word(
    opened: Open, shelf: Shelf, step: int, told: str
) -> None:
    made = trace(target=("code", "I", "went"), target_words=(0, 1, 2))
    written = (Token("en_XX", "en_XX", 4), *made.written[1:])
    traced = replace(made, target=(made.target[0], *written[:-1]), written=written)
    put(shelf, "told", traced, selection={**START, "step": step})
    expect(opened("told").at("hl-sentence")).to_contain_text(told)


LABEL = """([row, width]) => {
  const canvas = document.querySelector('#place').shadowRoot
    .querySelector('[data-testid=hl-matrix-canvas]');
  const { box } = window.headlight();
  const area = [box.x - 8 - width, box.y + row * box.height, width, box.height].map(Math.round);
  return Array.from(canvas.getContext('2d').getImageData(...area).data);
}"""


def row_label(here: Harness, row: int) -> list[int]:
    pixels: list[int] = here.page.evaluate(LABEL, [row, 18])
    return pixels


def test_two_syllables_are_two_pictures(opened: Open, shelf: Shelf) -> None:
    syllables = ("가", "뷁", "가", "한", "글")
    put(shelf, "hangul", trace(target=syllables, target_words=tuple(range(5))), selection=START)
    here = opened("hangul")
    one, other, again = (row_label(here, row) for row in range(3))
    assert len(set(one[3::4])) > 1
    assert one == again
    # Without a Korean font both are the same empty box.
    assert one != other
