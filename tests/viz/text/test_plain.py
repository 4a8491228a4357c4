"""Text of people inside Markdown."""

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from viz.text.plain import plain, with_words
from viz.text.tokens import spelt

MARKDOWN = MarkdownIt("commonmark", {"html": True})


@given(st.text(max_size=60))
def test_markdown_shows_the_text_itself(text: str) -> None:
    expected = spelt(re.sub(r"\s+", " ", text))
    (inline,) = [t for t in MARKDOWN.parse("x" + plain(text) + "x") if t.type == "inline"]
    kinds = {child.type for child in inline.children or []}
    assert kinds <= {"text", "text_special"}
    assert "".join(child.content for child in inline.children or []) == f"x{expected}x"


def test_streamlits_own_marks_are_escaped_too() -> None:
    assert plain(":red[x] $y$ :smile:") == r"\:red\[x\] \$y\$ \:smile\:"


def test_what_turns_words_round_is_spelt_out() -> None:
    assert plain("\u202eabc\x00") == r"⟨U\+202E⟩abc⟨U\+0000⟩"


def test_words_of_people_within_a_sentence_turn_nothing_round() -> None:
    said = with_words("It hardly knows: {words} - so.", ["مرحبا", "a_b", "שלום"], "…")
    assert said == "It hardly knows\\: \u2068مرحبا\u2069, a\\_b, \u2068שלום\u2069… \\- so\\."
    assert with_words("{words}", ["\u202eא"]) == "\u2068⟨U\\+202E⟩א\u2069"  # nor what they bring


def test_a_long_word_is_cut_short_within_a_sentence() -> None:
    assert with_words("{words}!", ["x" * 24, "y" * 25]) == f"{'x' * 24}, {'y' * 24}…\\!"
