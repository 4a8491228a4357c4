"""Text of people inside Markdown."""

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from viz.text.plain import plain
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
