"""The page of a BertViz view: words, colours, and what answers to keys and touch."""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from viz.text.language import Language

_REACH: Final = Path(__file__).with_name("reach.js").read_text(encoding="utf-8")
# Colours are those of .streamlit/config.toml. The picture scrolls under its words, not with them.
_PAGE: Final = """<!doctype html>
<html lang="{language}" data-theme="{theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ --bg: #fff; --fg: #1b1d25; --muted: #5a6270; --lit: #d3d3d3; color-scheme: light; }}
:root[data-theme="dark"] {{ --bg: #14151a; --fg: #ececf2; --muted: #a9acb8; --lit: #343741;
  color-scheme: dark; }}
body {{ margin: 0; padding: 8px 0 16px; background: var(--bg); color: var(--fg);
  font: 15px/1.45 system-ui, "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", NanumGothic,
  sans-serif; }}
p {{ margin: 0 0 8px; max-width: 46em; color: var(--muted); font-size: 14px; word-break: keep-all;
  overflow-wrap: anywhere; }}
#bertviz {{ overflow-x: auto; padding: 8px 4px 4px; }}
#vis svg {{ display: block; }}
#vis :focus-visible {{ outline: 2px solid var(--fg); outline-offset: 1px; }}
#vis g[role="button"] {{ cursor: pointer; }}
#vis text {{ fill: currentColor; }}
#vis :is(.plus-sign, .minus-sign) {{ opacity: 0.5 !important; }}
#vis :is(:hover, :focus) > :is(.plus-sign, .minus-sign) {{ opacity: 1 !important; }}
#vis .background {{ fill: var(--lit); }}
/* A head view's line is as opaque as its weight, over the number of heads. Ink shows on paper where
   light on black is not seen yet: in the dark, faint ones are lifted; which is stronger stays. */
:root[data-theme="dark"] #attention {{ filter: url(#lifted); }}
#vis {{ user-select: none; -webkit-user-select: none; }}
#vis rect[role="button"] {{ touch-action: manipulation; }}
</style>
</head>
<body>
<p>{intro}</p>
<svg width="0" height="0" aria-hidden="true" style="position: absolute"><filter id="lifted"
  filterUnits="userSpaceOnUse" x="0" y="0" width="100%" height="100%"
  color-interpolation-filters="sRGB"><feComponentTransfer>
  <feFuncR type="linear" slope="0.8" intercept="0.2"/>
  <feFuncG type="linear" slope="0.8" intercept="0.2"/>
  <feFuncB type="linear" slope="0.8" intercept="0.2"/>
  <feFuncA type="gamma" exponent="0.5"/>
</feComponentTransfer></filter></svg>
{body}
<script>{reach}</script>
</body>
</html>
"""


def framed(words: Mapping[str, str], language: Language, body: str, *, dark: bool) -> str:
    """A whole page.

    Args:
        words: of `viz.text.bertviz`.
        body: HTML, escaped.
        dark: as the page around it.
    """
    return _PAGE.format(
        language=language,
        theme=theme(dark),
        title=html.escape(words["title"]),
        intro=html.escape(words["intro"]),
        body=body,
        reach=_REACH,
    )


def said(text: str) -> str:
    """A paragraph."""
    return f"<p>{html.escape(text)}</p>"


def theme(dark: bool) -> Literal["dark", "light"]:
    """By the name that BertViz has for it, too."""
    return "dark" if dark else "light"
