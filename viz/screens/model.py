"""Model: what is loaded, how large it is, where it runs, and what its card says."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final

import streamlit as st

from core import settings
from core.checkpoint.manifest import RECIPE, Manifest, read_file, read_manifest
from core.errors import HeadlightError
from core.families.hub.folder import claimed, is_hub
from core.model import ModelCard
from core.registry import SKIPGRAM
from core.trace import KINDS, Kind
from viz.figures.parameters import parameter_bars
from viz.figures.theme import KIND_HUES
from viz.screens import component, obtain
from viz.session import state
from viz.text.language import Language
from viz.text.model import TEXT, ModelText
from viz.text.numbers import count, fixed, percent
from viz.text.plain import plain
from viz.text.readme import readme_markdown
from viz.text.reasons import reason_text
from viz.text.tables import markdown_table
from viz.text.tokens import spelt_lines

_HANGUL: Final = re.compile("[가-힣]")
_LATIN: Final = re.compile("[A-Za-z]")


def render() -> None:
    """Draws the page of the chosen model, or what stands in its way."""
    ui = state.current()
    ready = obtain.ready(ui.model)
    if ready is not None:
        _page(ready.model.card, TEXT[ui.language])


def _page(card: ModelCard, words: ModelText) -> None:
    manifest = _manifest(card)
    st.subheader(plain(card.model_id), anchor=False)
    st.caption(plain(words.families.get(card.family, card.family)))
    _facts(card, manifest, words)
    for note in card.notes:
        said = reason_text(note, state.current().language)
        st.caption(plain(f"{said[:1].upper()}{said[1:]}."))
    left, right = st.columns(2, gap="large")
    with left:
        _sizes(card, words)
        _attention(card, words)
    with right:
        _parameters(card, words)
    _card(card, manifest, words)


# Facts


def _facts(card: ModelCard, manifest: Manifest | None, words: ModelText) -> None:
    limits, longest = words.limits, words.limits_value
    if card.answers != "text":
        limits, longest = words.limits_read, words.limits_read_value
    with st.container(horizontal=True, gap="medium", key="model-facts"):
        _fact(words.direction, _direction(card, words))
        _fact(words.parameters, count(card.total_parameters))
        _fact(words.vocabulary, words.entries.format(count=count(card.vocabulary)))
        _fact(limits, longest.format(source=card.max_source, target=card.max_target))
        choice = words.device_chosen if settings.current().device else words.device_automatic
        _fact(words.device, device_name(card.device), choice)
        if manifest is not None:
            _manifest_facts(manifest, words)
        elif is_hub(card.folder):
            with suppress(HeadlightError):  # it was another one when it was opened
                claim = claimed(card.folder)
                _fact(words.folder, _size(claim.bytes, len(claim.files), words))


def _direction(card: ModelCard, words: ModelText) -> str:
    """ "Korean → English"; of a model that says something of its text's tokens, what."""
    tags = [tag for tag in (card.source_language, card.target_language) if tag]
    names = [words.languages.get(tag, tag) for tag in tags]
    if not names:
        return "–"
    told = {"forward": words.goes_on, "backward": words.goes_back}
    fills = told.get(str(card.sizes.get("objective", "")), words.fills)
    template = fills if card.answers == "tokens" else words.translates
    if card.family == SKIPGRAM:
        template = words.near
    return template.format(source=names[0], target=", ".join(card.labels) or names[-1])


def _manifest_facts(manifest: Manifest, words: ModelText) -> None:
    size = sum(entry.bytes for entry in manifest.files.values())
    folder = _size(size, len(manifest.files), words)
    _fact(
        words.training,
        words.training_value.format(step=count(manifest.step), seed=manifest.seed),
        words.training_help,
    )
    _fact(words.folder, folder)
    _fact(words.digest, manifest.digest[:12], f"{words.digest_help} {manifest.digest}")


def _size(size: int, files: int, words: ModelText) -> str:
    megabytes = size / 1e6
    said = fixed(megabytes, 1 if megabytes >= 1 else 2)
    template = words.folder_one if files == 1 else words.folder_value
    return template.format(megabytes=said, files=files)


def _fact(name: str, value: str, explanation: str | None = None) -> None:
    st.markdown(f":small[{plain(name)}]  \n**{plain(value)}**", width="content", help=explanation)


def _manifest(card: ModelCard) -> Manifest | None:
    """The manifest of the model's folder; a foreign folder may have none."""
    try:
        return read_manifest(card.folder)
    except HeadlightError:
        return None


def device_name(device: str) -> str:
    """What people call "cpu", "cuda" or "mps": the kind, and its own name where it has one."""
    # Imported here: it brings torch, which a loaded model has brought already.
    from core.device import best_device, describe_device

    try:
        name = describe_device(best_device(device))
    except HeadlightError:
        return device.upper()
    return name if device.upper() in name.upper() else f"{device.upper()} · {name}"


# Tables and the figure


def _sizes(card: ModelCard, words: ModelText) -> None:
    rows = []
    for name, value in card.sizes.items():
        symbol, meaning = words.sizes.get(name, (name, ""))
        if name == "layers":
            meaning = words.layers.get(card.family, meaning)
        shown = f"{value:,g}" if isinstance(value, float) else str(value)
        shown = count(value) if isinstance(value, int) else shown
        if isinstance(value, bool):
            shown = words.present if value else words.absent
        if name == "positions":
            shown = {str(one): said for one, said in words.schemes.items()}.get(shown, shown)
        rows.append((plain(symbol), plain(shown), plain(meaning)))
    st.markdown(f"#### {words.sizes_title}")
    st.markdown(markdown_table(words.sizes_columns, rows, ("left", "right", "left")))


def _attention(card: ModelCard, words: ModelText) -> None:
    st.markdown(f"#### {words.attention_title}")
    kinds: list[Kind] = [kind for kind in KINDS if kind in card.kinds]
    if not kinds:
        st.markdown(words.attention_none)
        return
    rows = []
    for kind in kinds:
        has = card.kinds[kind]
        cells = (has.layers, has.heads, has.layers * has.heads)
        rows.append((plain(words.kinds[kind]), *(count(cell) for cell in cells)))
    st.markdown(markdown_table(words.attention_columns, rows, ("left", "right", "right", "right")))


def _parameters(card: ModelCard, words: ModelText) -> None:
    order = [*words.parts, *card.parameters]
    parts = {name: card.parameters[name] for name in order if name in card.parameters}
    hues = {str(kind): hue for kind, hue in KIND_HUES.items()}
    names = [words.parts.get(part, part) for part in parts]
    total = card.total_parameters
    shares = [percent(number / max(total, 1)) for number in parts.values()]
    numbers = [count(number) for number in parts.values()]
    st.markdown(f"#### {words.parameters_title}")
    figure = parameter_bars(
        names,
        list(parts.values()),
        shares,
        hues=[hues.get(part) for part in parts],
        x_title=words.parameters_axis,
        mode=component.mode(),
    )
    component.chart(figure, "model_parameters", words.parameters_alt, {"displayModeBar": False})
    rows = [
        (plain(name), number, share)
        for name, number, share in zip(names, numbers, shares, strict=True)
    ]
    rows.append((f"**{words.parameters_total}**", f"**{count(total)}**", ""))
    st.markdown(markdown_table(words.parameters_columns, rows, ("left", "right", "right")))
    coloured = [words.parameters_hues] if len(card.kinds) == len(KINDS) else []
    st.caption(" ".join([words.parameters_caption, *coloured]))


def _language_of(text: str) -> Language | None:
    """What most letters of a text are of, of the two that people read here; None of no letters.

    A card in English may well have examples in Korean.
    """
    korean, english = len(_HANGUL.findall(text)), len(_LATIN.findall(text))
    return None if korean == english else "ko" if korean > english else "en"


def _card(card: ModelCard, manifest: Manifest | None, words: ModelText) -> None:
    st.markdown(f"#### {words.card_title}")
    if card.text.strip():
        written = _language_of(card.text)
        if written is not None and written != state.current().language:
            st.caption(plain(words.card_other.format(language=words.languages[written])))
        # No HTML: a card is a text from wherever the checkpoint came from.
        st.markdown(readme_markdown(card.text))
    else:
        st.caption(words.card_none)
    if manifest is None or RECIPE not in manifest.files:
        return
    try:
        recipe = read_file(card.folder, manifest, RECIPE).decode("utf-8", "replace")
    except HeadlightError:
        return
    with st.expander(words.recipe):
        st.code(spelt_lines(recipe), language="toml")
