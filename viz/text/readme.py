"""A checkpoint's own README.md as part of a page. It may come from a stranger."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

from viz.text.tokens import spelt, spelt_lines

_FRONT_MATTER: Final = re.compile(r"\A---\s*\n.*?\n---\s*(?:\n|\Z)", re.DOTALL)
_FENCE: Final = re.compile(r"\s{0,3}(```|~~~)")
_HEADING: Final = re.compile(r"(#{1,6})(?=\s)")
# A code span, kept; or an image's mark; or a letter by its number or name; or what Streamlit adds
# to Markdown: formulas, :red[...] and :material/...: mean nothing in a card.
_SPAN: Final = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))|(?P<image>!+\[)"
    r"|(?P<entity>&#?\w+;)|(?<!\\)(?:\$|:(?=[a-z]))"
)
_LOWER: Final = 4  # levels that its headings go down, under those of the page


def readme_markdown(text: str) -> str:
    """The card as Markdown for `st.markdown` without HTML.

    Its front matter is left out, headings step down under the page's own, images become
    links (nothing is fetched from elsewhere), and signs that only Streamlit would
    interpret stay what they are. Code is left alone, but for what would not be seen or would
    turn other words round: that is spelt out everywhere, ⟨U+202E⟩. Tags are shown, never obeyed,
    because `st.markdown` is called without HTML.
    """
    lines: list[str] = []
    fence = ""
    for line in spelt_lines(_FRONT_MATTER.sub("", text, count=1)).splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
            lines.append(line)
        else:
            lines.append(line if fence else _prose(line))
    return "\n".join(lines)


def _prose(line: str) -> str:
    heading = _HEADING.match(line)
    if heading:
        line = "#" * min(6, len(heading[1]) + _LOWER) + line[heading.end() :]
    return _SPAN.sub(_inert, line)


def _inert(found: re.Match[str]) -> str:
    if found["code"]:
        return found[0]
    if found["entity"]:
        letters = unescape(found[0])
        return found[0] if letters == spelt(letters) else spelt(letters)
    return "[" if found["image"] else "\\" + found[0]
