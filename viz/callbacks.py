"""What widgets and components call when a person has chosen something: it becomes the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from viz import address, state


def take(name: str) -> None:
    """`on_change` of the widget of one parameter: what a person chose becomes the state.

    Chips may be unchosen (None); the state then keeps what it has.
    """
    value = state.drawn(name)
    if isinstance(value, bool):
        value = "off" if value else "on"
    if isinstance(value, str):
        state.change(name, value)


def take_model() -> None:
    """`on_change` of the model switch: another model, another kind of sentence."""
    before = state.current()
    take("model")
    state.close("models")
    if state.current().model != before.model:
        state.update(replace(state.current(), target=None, step=None, pinned=None))
        state.forget_head()


def take_source() -> None:
    """`on_change` of the sentence: a target belongs to the sentence before it."""
    before = state.current()
    take("source")
    if state.current().source != before.source:
        state.update(replace(state.current(), target=None, step=None, pinned=None))


def take_mask() -> None:
    """`on_change` of the switch of the mask: lifting it shows where the mask was."""
    take("mask")
    if state.current().lift_mask:
        state.update(replace(state.current(), kind="decoder_self"))


def choose_source(text: str) -> None:
    """A sentence chosen from the examples."""
    state.close("examples")
    ui = replace(state.current(), source=address.clean_text(text))
    state.update(replace(ui, target=None, step=None, pinned=None))


def choose_target(text: str) -> None:
    """A target for the decoder; a blank one lets it run freely."""
    target = address.clean_text(text).strip() or None
    state.update(replace(state.current(), target=target))


def take_selection(component_key: str) -> None:
    """`on_selection_change` of the inspector: kind, layer, head, step, pinned, from 1.

    With them come the live fields of the page. It comes from a browser, so it is read as
    distrustfully as an address.
    """
    chosen = state.sent(component_key, "selection")
    if not isinstance(chosen, Mapping):
        return
    query = {"kind": str(chosen.get("kind"))}
    for name in ("layer", "head", "step"):
        index = _index(chosen.get(name))
        if index is not None:
            query[name] = str(index + 1)
    query |= {name: str(chosen[name]) for name in state.live() if name in chosen}
    cell = chosen.get("pinned")
    pair = [_index(at) for at in cell] if isinstance(cell, Sequence) else []
    whole = len(pair) == 2 and pair[0] is not None and pair[1] is not None
    state.adopt(query, cast(tuple[int, int], tuple(pair)) if whole else None)


def _index(value: object) -> int | None:
    """A place counted from 1, as a browser reports it (JSON may make a float of it)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) - 1 if value in range(1, address.MAX_NUMBER + 1) else None
