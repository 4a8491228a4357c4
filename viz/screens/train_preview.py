"""What a run would make of its pairs: the split, the rows that are left out, the tokens."""

from __future__ import annotations

from html import escape
from typing import Final

import streamlit as st

from core.trace import Token
from core.training.events import DataRead
from core.training.preview import InTokens, Preview, SideInTokens
from viz.session import state
from viz.text.numbers import count, fixed, percent
from viz.text.plain import plain
from viz.text.reasons import bad_rows, reason_text
from viz.text.tokens import visible
from viz.text.train import TrainText

# In the colours of the page, light or dark; a token is data and is escaped.
_STYLE: Final = """<style>
.ht-split { display: flex; gap: 2px; height: 10px; margin: 2px 0 6px; }
.ht-split i { background: currentColor; border-radius: 2px; min-width: 3px; }
.ht-split i:nth-child(2) { opacity: 0.5; } .ht-split i:nth-child(3) { opacity: 0.22; }
.ht-parts { display: flex; flex-wrap: wrap; gap: 0 18px; font-size: 0.9rem; }
.ht-parts b { font-weight: 600; } .ht-parts span::before { content: "■ "; }
.ht-parts span:nth-child(2)::before { opacity: 0.5; }
.ht-parts span:nth-child(3)::before { opacity: 0.22; }
.ht-pair { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1.6fr);
  gap: 2px 10px; align-items: center; padding: 5px 0; border-bottom: 1px solid
  color-mix(in oklab, currentColor 12%, transparent); }
.ht-side { display: flex; flex-wrap: wrap; gap: 3px; }
.ht-token { border: 1px solid color-mix(in oklab, currentColor 20%, transparent);
  background: color-mix(in oklab, currentColor 4%, transparent); border-radius: 5px;
  padding: 0 5px; font-size: 0.9rem; line-height: 1.5; white-space: pre; max-width: 12em;
  overflow: hidden; text-overflow: ellipsis; }
</style>"""
_LITTLE: Final = 100  # pairs
_PAIRS, _TOKENS = 4, 24  # that are shown: enough to see how texts are cut


def draw(found: Preview, text: TrainText) -> None:
    """Everything that is known of the pairs before anything is trained on them."""
    st.html(_STYLE)
    for report in found.reports:
        if len(found.reports) > 1:
            st.caption(f"**{plain(report.name)}**")
        st.html(_split(report, text))
        notes = [*_left_out(report, text), *bad_rows(report, state.current().language)]
        if notes:
            st.caption("  \n".join(plain(note) for note in notes))
    if any(report.single for report in found.reports):
        st.warning(plain(text.single))
    elif sum(report.train for report in found.reports) < _LITTLE:
        st.caption(plain(text.little))
    if found.tokens is None:
        assert found.trouble is not None
        reason = reason_text(found.trouble, state.current().language)
        st.warning(plain(text.no_tokens.format(reason=reason)))
    else:
        _tokens(found.tokens, text)


def _split(report: DataRead, text: TrainText) -> str:
    parts = (report.train, report.valid, report.test)
    bars = "".join(f'<i style="flex-grow:{part}"></i>' for part in parts if part)
    words = zip((text.train, text.valid, text.test), parts, strict=True)
    said = "".join(f"<span>{escape(word.format(count=count(part)))}</span>" for word, part in words)
    return (
        f'<div class="ht-split" aria-hidden="true">{bars}</div>'
        f'<div class="ht-parts" title="{escape(text.split_help, quote=True)}">{said}</div>'
    )


def _left_out(report: DataRead, text: TrainText) -> list[str]:
    said = (
        (report.bad, text.bad),
        (report.repeated, text.repeated),
        (report.leaked, text.leaked),
        (report.too_long, text.too_long),
    )
    return [
        words.format(count=count(number), rows=count(report.rows))
        for number, words in said
        if number
    ]


def _tokens(tokens: InTokens, text: TrainText) -> None:
    pairs = "".join(
        f'<div class="ht-pair">{_chips(source)}<span aria-hidden="true">→</span>'
        f"{_chips(target)}</div>"
        for source, target in tokens.pairs[:_PAIRS]
    )
    st.caption(f"**{plain(text.tokens)}**")
    st.html(f"<div>{pairs}</div>")
    note = text.tokens_note.format(
        vocabulary=count(tokens.vocabulary),
        source=fixed(_mean(tokens.source), 1),
        target=fixed(_mean(tokens.target), 1),
    )
    strange = max(tokens.source.unknown + tokens.source.bytes, tokens.target.bytes)
    if strange >= 0.001:
        note += " " + text.unknown.format(share=percent(strange))
    st.caption(plain(note))


def _chips(tokens: tuple[Token, ...]) -> str:
    chips = "".join(
        f'<bdi class="ht-token">{escape(visible(token.text))}</bdi>' for token in tokens[:_TOKENS]
    )
    return f'<span class="ht-side">{chips}{"…" if len(tokens) > _TOKENS else ""}</span>'


def _mean(side: SideInTokens) -> float:
    sentences = sum(number for _, number in side.lengths)
    return sum(length * number for length, number in side.lengths) / max(sentences, 1)
