"""The sentence of a look, from its own words or from its tokens."""

from dataclasses import replace

import pytest

from core.trace import AttentionTrace, Token
from tests.viz.inspector.made import trace
from viz.text.sentence import MOST, cut, sentence_of

START, END = Token("<s>", "start"), Token("</s>", "end")


def foreign(source: tuple[Token, ...], target: tuple[Token, ...] = ()) -> AttentionTrace:
    return AttentionTrace("foreign", source, target, target, {})


def test_what_was_typed_is_said() -> None:
    assert sentence_of(replace(trace(), meta={"source_text": "한 문장"})) == "한 문장"


def test_pieces_of_a_word_stand_together_and_special_tokens_are_no_words() -> None:
    assert sentence_of(trace()) == "어제 카페 갔었어 거기 사람 많더라"
    cat = tuple(Token(f"Ġ{text}", text, -1, at) for at, text in enumerate(("the", "cat", "sat")))
    assert sentence_of(foreign((START, *cat, END))) == "the cat sat"
    assert sentence_of(foreign((Token("▁", "␣", -1, 0), Token("cat", "cat", -1, 0)))) == "cat"


@pytest.mark.parametrize("source", [(), (START, END)])
def test_without_a_source_it_is_the_target(source: tuple[Token, ...]) -> None:
    assert sentence_of(foreign(source, (START, Token("on", "on", -1, 0), END))) == "on"
    assert sentence_of(foreign(source)) == ""


def test_a_long_one_is_cut() -> None:
    assert cut("a" * MOST) == "a" * MOST
    assert cut("a" * (MOST + 1)) == "a" * (MOST - 1) + "…"
    assert cut("a" * (MOST - 2) + "\u200d" + "b" * 9) == "a" * (MOST - 2) + "…"
    assert cut("ab " * 300).count("…") == 1
