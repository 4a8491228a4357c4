"""The row that all pages share: brand, pages, the model switch, the language switch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import StreamlitPage

from core.families.hub.folder import FAMILY as HUB
from core.families.hub.folder import gguf_of
from core.model import ModelCard
from core.registry import SKIPGRAM, ModelEntry
from core.trace import Kind
from viz.jobs import services, visitor
from viz.session import callbacks, fields, state, widgets
from viz.session.address import LEFT_OUT, PAGES, SELECTION, PageName
from viz.text.frame import TEXT, FrameText
from viz.text.language import LANGUAGES, NAMES, Language
from viz.text.numbers import fixed
from viz.text.plain import plain
from viz.text.rows import by_name

ICON: Final = "◐"
_LABELS: Final = 4  # that a caption names
_SELF: Final[Mapping[str, Kind]] = {"encoder": "encoder_self", "decoder": "decoder_self"}
_TRANSFORMERS: Final = ("transformer", "language")
ENTRIES: Final[Mapping[str, tuple[PageName, ...]]] = {
    "inspect": ("inspect", "bertviz"),
    "step": ("step",),
    "compare": ("compare",),
    "learn": ("positions", "gaps", "neighbours", "studies"),
    "train": ("train", "milestones"),
    "model": ("model", "add"),
}
"""What the row leads to, and the pages there; the first of them is where it leads. At most six."""


def page_labels(language: Language) -> dict[PageName, str]:
    """Titles of the pages."""
    words = by_name(TEXT[language])
    return {name: words[name] for name in PAGES}


def render(pages: Mapping[PageName, StreamlitPage], shown: PageName) -> DeltaGenerator:
    """Draws the row; returns the place in it for the progress of a model being opened."""
    ui = state.current()
    text = TEXT[ui.language]
    words = by_name(text)
    here = next(entry for entry, names in ENTRIES.items() if shown in names)

    def link(name: PageName, key: str, label: str) -> None:
        with st.container(key=key, width="content"):
            st.page_link(pages[name], label=label, query_params=state.links(name), width="content")

    with st.container(horizontal=True, vertical_alignment="center", key="header", gap="small"):
        st.markdown(f":orange[{ICON}] **Headlight**", width="content")
        with st.container(horizontal=True, key="pages", gap="small", width="content"):
            for entry, names in ENTRIES.items():
                link(names[0], f"nav-{'here' if entry == here else 'page'}-{entry}", words[entry])
        if len(ENTRIES[here]) > 1:
            with st.container(horizontal=True, key="within", gap="small", width="content"):
                for name in ENTRIES[here]:
                    mark = "here" if name == shown else "page"
                    link(name, f"within-{mark}-{name}", words.get(f"of_{name}", words[name]))
        st.space("stretch")
        progress = st.empty()
        _models(text)
        st.segmented_control(
            text.language_switch,
            LANGUAGES,
            default=ui.language,
            key=widgets.seed("lang", ui.language),
            format_func=lambda language: NAMES[language],
            on_change=callbacks.take,
            args=("lang",),
            label_visibility="collapsed",
            width="content",
        )
    return progress


def render_notices(slot: DeltaGenerator) -> None:
    """One quiet line where the address asked for what is not there.

    A page that does not show the saved snapshot is not asked for what is chosen in that one.
    """
    names = state.refused()
    if callbacks.SAVED in fields.own(callbacks.SAVED):
        names = tuple(name for name in names if name not in SELECTION)
    text = TEXT[state.current().language]
    told = [text.left_out] if LEFT_OUT in names else []
    if absent := [name for name in names if name != LEFT_OUT]:
        told.append(text.refused.format(names=", ".join(absent)))
    if told:
        slot.caption(plain(" ".join(told)))


def _models(text: FrameText) -> None:
    """The model at work; opens to a choice of all."""
    ui = state.current()
    if not ui.model:
        return
    card = services.card(ui.model)
    chip = ui.model if card is None else describe(ui.model, card, ui.language)
    menu = st.popover(plain(chip), key=widgets.menu("models"))
    # Of each model another switch: while the menu is closed, a browser does not hear that its
    # choice was changed (by Back, or a link), and would bring the old one back with what it sends.
    name = f"model.{ui.model}"
    with menu:
        entries = services.entries(visitor.current())
        st.radio(
            text.model_switch,
            list(entries),
            list(entries).index(ui.model) if ui.model in entries else None,
            key=widgets.seed(name, ui.model),
            captions=[_caption(entry, text) for entry in entries.values()],
            on_change=callbacks.take_model,
            args=(name,),
        )


def _caption(entry: ModelEntry, text: FrameText) -> str:
    """What it makes of which language; of others' models their answers and their size."""
    if entry.family == HUB:
        kind = "GGUF" if gguf_of(entry.folder) else "Hugging Face"
        megabytes = entry.bytes / 1e6
        size = f"{fixed(megabytes, 0 if megabytes >= 10 else 1)} MB"
        return plain(" · ".join([kind, *entry.labels[:_LABELS], size]))
    return " · ".join(filter(None, (_languages(entry, text), _network(entry, text))))


def _network(entry: ModelEntry, text: FrameText) -> str:
    """What tells models of the same languages apart: "Transformer", "GRU without attention"."""
    if entry.family in _TRANSFORMERS:
        return text.transformer
    cell = entry.cell.upper()
    if not entry.score:
        return plain(cell)
    return plain((text.forgoes if entry.score == "none" else text.attends).format(cell=cell))


def _languages(entry: ModelEntry, text: FrameText) -> str:
    names = {"ko": text.korean, "en": text.english, "und": "?"}
    if not entry.writes and not entry.labels:
        tag = entry.source_language
        told = {"forward": text.goes_on, "backward": text.goes_back}
        template = text.near if entry.family == SKIPGRAM else told.get(entry.foretells, text.fills)
        return plain(template.format(language=names.get(tag, tag)))
    both = (entry.source_language, ", ".join(entry.labels) or entry.target_language)
    said = " → ".join(names.get(tag, tag) for tag in both if tag)
    # One that spells, and one that translates, may be of the same two languages.
    return plain(text.spells.format(languages=said) if entry.letters and entry.writes else said)


def describe(model_id: str, card: ModelCard, language: Language) -> str:
    """ "ko-en-everyday · 3+3 layers · 8 heads · CPU"."""
    text = TEXT[language]
    parts = [model_id]
    stacks = {stack: card.kinds[kind] for stack, kind in _SELF.items() if kind in card.kinds}
    if stacks:  # others have layers of another kind
        counts = [card.sizes.get(f"{stack}_layers", of.layers) for stack, of in stacks.items()]
        parts.append(text.layers.format(layers="+".join(map(str, counts))))
        parts.append(text.heads.format(heads=next(iter(stacks.values())).heads))
    return " · ".join([*parts, card.device.upper()])
