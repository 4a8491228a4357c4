"""Strings that try to be anything but text: one list for every view, page and file.

What would run sets `window.fired`, so that a test can tell that nothing did.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from core.trace import AttentionTrace, Token
from tests.viz.inspector.made import trace

STRINGS: Final[dict[str, str]] = {
    # Markup
    "script": "<script>window.fired=1</script>",
    "script ends": "</script><script>window.fired=1</script>",
    "image": "<img src=x onerror=window.fired=1>",
    "svg": "<svg onload=window.fired=1><script>window.fired=1</script></svg>",
    "mathml": '<math><mtext></mtext><mglyph><style><!--</style><img title="--><img src=1 '
    'onerror=window.fired=1>">',
    "frame": '<iframe srcdoc="<script>parent.fired=1</script>"></iframe>',
    "details": "<details open ontoggle=window.fired=1>x</details>",
    "comment": "<!--<script>",
    "comment ends": "--><img src=x onerror=window.fired=1>",
    "cdata": "]]><img src=x onerror=window.fired=1>",
    "title ends": "</title></style></textarea></svg><img src=x onerror=window.fired=1>",
    "attribute": "\" onfocus=window.fired=1 autofocus tabindex=1 x=\"",
    "attribute, single": "' onmouseover=window.fired=1 x='",
    "entity": "&lt;img src=x onerror=window.fired=1&gt; &amp; &#x202e;",
    "address": "javascript:window.fired=1",
    "data address": "data:text/html,<script>parent.fired=1</script>",
    # Templates
    "braces": "{{constructor.constructor('window.fired=1')()}}",
    "dollar brace": "${window.fired=1}",
    "format": "{0} {token} {query.__class__} %s %(x)s %n",
    "hole": "{weight}",
    "replacement": "$& $1 $` $' $$",
    "script string": "\\'; window.fired=1; //",
    "prototype": "__proto__",
    "style": "};*{background:url(javascript:window.fired=1)}",
    # Markdown, formulas, directives, spreadsheets
    "directive": ":red[x] :material/home: :smile: :blue-background[y]",
    "link": "[a](javascript:window.fired=1) ![b](x.png) <http://x>",
    "emphasis": "**a** _b_ ~~c~~ `d` # e",
    "formula": "$x^2$ $$\\frac{1}{2}$$",
    "broken formula": "$\\frac{",
    "spreadsheet": "=cmd|' /C calc'!A0",
    "spreadsheet, plus": "+1+1",
    "spreadsheet, minus": "-2+3",
    "spreadsheet, at": "@SUM(1+1)",
    # What cannot be seen, or turns round what can
    "override": "\u202egnp.exe",
    "isolates": "\u2067a\u2066b\u2069\u2068c\u2069",
    "zero width": "a\u200bb\u200dc\u2060d",
    "byte order mark": "\ufeffe",
    "nul": "\x00",
    "controls": "a\x07\x08\x1b[31mb\x7f\x85",
    "lines": "a\nb\rc\u2028d\u2029e\tf",
    "blank": " ",
    "hard blanks": "\u00a0\u3000",
    "nothing": "",
    "soft hyphen": "soft\u00adhyphen\u180e",
    "filler": "\u3164\uffa0\u115f",
    "lone joiner": "\u200d\ufe0f",
    "private use": "\ue000\U000f0000",
    "no character": "\ufffe\uffff\U0001fffe",
    "tags": "x\U000e0061\U000e007f",
    "surrogate": "\ud800",
    # What takes more room than it says
    "stack": "Z" + "\u0300\u0316\u034f\u0489" * 12 + "a\u0336lgo",
    "family": "👩\u200d👩\u200d👧\u200d👦👍🏽🏳️\u200d🌈",
    "arabic": "\u0634\u0643\u0631\u0627 (a) 1",
    "jamo": "ㅎㅏㄴ 한 ᄀ",
    "long": "한" * 900,
    "long latin": "W" * 900,
}  # fmt: skip
TEXTS: Final = tuple(STRINGS.values())
MODEL: Final = "</script></title><img src=x onerror=window.fired=1>\u202e\x00{{}}"
"""Id of a model that is no better."""


def hostile_trace(texts: tuple[str, ...] = TEXTS) -> AttentionTrace:
    """A look whose tokens, pieces, model and facts are all hostile; words of several pieces too.

    Some tokens are special, in name or by their spelling, so that those paths are taken as well.
    """
    words = tuple(at - (at % 9 == 8) for at in range(len(texts)))  # some of two pieces
    made = trace(texts, words, texts, words, layers=2, heads=2, model_id=MODEL)
    marked = Token("<img src=x onerror=window.fired=1>", texts[2], 3)
    written = (*made.written[:2], replace(marked, id=made.written[2].id), *made.written[3:])
    facts = {"source_text": MODEL, "target_text": TEXTS[1], "generated": MODEL, TEXTS[0]: MODEL}
    return replace(made, written=written, meta=facts)


def hostile_vocabulary(ids: list[int]) -> list[Token]:
    """Vocabulary rows whose names are hostile too, and special in every other."""
    names = [TEXTS[row % len(TEXTS)] for row in ids]
    return [Token(name, name, row, -(row % 2)) for row, name in zip(ids, names, strict=True)]


def tabled(text: str) -> str:
    """As a table has it: control characters spelt out, but for those that stand between quotes."""
    spelt = {at: f"⟨U+{at:04X}⟩" for at in {*range(0x20), *range(0x7F, 0xA0)} - {9, 10, 13}}
    return text.translate(spelt)
