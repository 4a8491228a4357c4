"""What widgets and components call when a person has chosen something: it becomes the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import HeadlightError
from core.model import MOST_SEED, Capabilities, TraceRequest
from viz.inspector.options import OPTIONS
from viz.inspector.spelling import MOST
from viz.jobs import services, visitor
from viz.jobs.saved import open_saved
from viz.session import address, fields, state, visit, widgets
from viz.session.address import UiState


def take(name: str) -> None:
    """`on_change` of the widget of one parameter: what a person chose becomes the state.

    Chips may be unchosen (None); the state then keeps what it has.
    """
    value = widgets.drawn(name)
    if isinstance(value, bool):
        value = "off" if value else "on"
    if isinstance(value, str):
        state.change(name, value)


def take_model(name: str) -> None:
    """`on_change` of the model switch of this name: another model, another kind of sentence."""
    before, chosen = state.current(), widgets.drawn(name)
    if isinstance(chosen, str):
        state.change("model", chosen)
    widgets.close("models")
    if state.current().model != before.model:
        fields.drop(SAVED)  # a file that was open would be shown instead of the model
        _begin_with(afresh())


def show_model(model: str, source: str | None = None) -> None:
    """Another model and a sentence, None for its first example, instead of what is shown."""
    fields.drop(SAVED)  # a file that was open would be shown instead of the model
    _begin_with(replace(afresh(), model=model, source=source))


def _begin_with(ui: UiState) -> None:
    """A state with other heads than before: which are shown is chosen anew."""
    state.update(ui)
    fields.drop(OTHER)
    state.forget_head()


def take_source() -> None:
    """`on_change` of the sentence: a target belongs to the sentence before it."""
    before = state.current()
    take("source")
    source = state.current().source
    if source != before.source:
        state.update(afresh())
        ui = state.current()
        ready = services.opened(ui.model)
        can = Capabilities() if ready is None else ready.model.card.capabilities
        asked = TraceRequest(
            source or "",
            sampling=ui.sampling if can.sampling else None,
            message=ui.message and can.message,
        )
        services.give_way_to_typed(ui.model, asked)


def take_own(name: str) -> None:
    """`on_change` of the widget of a page's own field; blank or unchosen, the field is let go."""
    value = widgets.drawn(name)
    if isinstance(value, str) and value.strip():
        fields.change({name: address.clean_text(value)})
    else:
        fields.drop(name)


SAMPLED: Final = "sampled"
_SEED: Final = "seed"  # of a visit: the one that was used last


def take_sampled() -> None:
    """`on_change` of the switch between greedy and sampled: the seed is that of the last time."""
    ui = state.current()
    if widgets.drawn(SAMPLED) != SAMPLED:
        choose_greedily()
    elif ui.seed is None:
        state.update(replace(_unpinned(), seed=int(visit.kept(_SEED, 1))))


def choose_greedily() -> None:
    """The likeliest tokens again."""
    ui = state.current()
    if ui.seed is not None:
        visit.keep(_SEED, ui.seed)
        state.update(replace(_unpinned(), seed=None))


def draw_another() -> None:
    """The text of the next seed."""
    seed = state.current().seed
    if seed is not None:
        state.update(replace(_unpinned(), seed=(seed + 1) % (MOST_SEED + 1)))


def take_number(name: str) -> None:
    """`on_change` of the field of a parameter that is a number."""
    value = widgets.drawn(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        state.change(name, str(round(value, 2)))


def take_message() -> None:
    """`on_change` of the switch of messages: what is read is another text, by other tokens."""
    message = bool(widgets.drawn("message"))
    if message != state.current().message:
        target = state.current().target
        state.update(replace(afresh(), target=target, message=message))


def take_mask() -> None:
    """`on_change` of the switch of the mask: lifting it shows where the mask was."""
    take("mask")
    if state.current().lift_mask:
        state.update(replace(state.current(), kind="decoder_self"))


def choose_source(text: str) -> None:
    """A sentence chosen from the examples."""
    widgets.close("examples")
    state.update(replace(afresh(), source=address.clean_text(text)))


def choose_target(text: str) -> None:
    """A target for the decoder; a blank one lets it run freely."""
    target = address.clean_text(text).strip() or None
    state.update(replace(state.current(), target=target, prefix=()))


def take_target() -> None:
    """`on_change` of the target: it is written from its start, so a branch is left."""
    take("target")
    state.update(replace(state.current(), prefix=()))


def run_freely() -> None:
    """The decoder writes by itself again, with its mask; a branch stays."""
    state.update(replace(state.current(), target=None, lift_mask=False))


def take_branch(component_key: str) -> None:
    """`on_branch_change` of the inspector: what the decoder shall write first, and what is chosen.

    Both come from a browser, and are read as distrustfully as an address.
    """
    asked = widgets.sent(component_key, "branch")
    if isinstance(asked, Mapping):
        _adopt(asked.get("selection"))
        ids = asked.get("prefix")
        if isinstance(ids, Sequence) and all(
            isinstance(at, int | float) and 0 <= at < _ROWS for at in ids
        ):
            state.update(_unpinned())  # first: it forgets what was refused before
            state.change("branch", ".".join(f"{at:.0f}" for at in ids))  # JSON may make floats


_ROWS: Final = 2**31  # of a vocabulary, at most

BEAM, HYPOTHESIS = "beam", "hypothesis"
"""The page fields that say how wide a beam search is, and which row of it is read, from 1."""

OTHER, PLACE = "other", "place"
"""The page fields that say which head of a second snapshot is compared, and which cell of both."""

POSITION, UNIT = "position", "unit"
"""The page fields that say which step of a recurrent layer is in view, and which unit, from 1."""
OF_STATES: Final = "states"
"""Whose POSITION that is: one of Positions' own is called so, too (`fields.apart`)."""


def take_beam() -> None:
    """`on_change` of the width of a beam search: another one has other rows."""
    take_own(BEAM)
    fields.drop(HYPOTHESIS)


def choose_branch(prefix: tuple[int, ...]) -> None:
    """What the decoder shall write first, () for its own choice; the step stays in view."""
    state.update(replace(_unpinned(), prefix=prefix))


def afresh() -> UiState:
    """The state for another sentence: what was chosen in the one before means nothing in it."""
    fields.drop(HYPOTHESIS, PLACE, UNIT)
    fields.let_go(POSITION, OF_STATES)
    return replace(_unpinned(), target=None, prefix=(), step=None)


def _unpinned() -> UiState:
    ui = state.current()
    return replace(ui, options=ui.options.unpinned())


def take_selection(component_key: str) -> None:
    """`on_selection_change` of the inspector: kind, layer, head, step, pinned, from 1.

    With them come the options of its page, as text or None, and the live fields of the page. It
    comes from a browser, so it is read as distrustfully as an address.
    """
    _adopt(widgets.sent(component_key, "selection"))


def _adopt(chosen: object) -> None:
    if not isinstance(chosen, Mapping):
        return
    query: dict[str, str | None] = {}
    if "kind" in chosen:
        query["kind"] = str(chosen["kind"])
    for name in ("layer", "head", "step"):
        index = _index(chosen.get(name))
        if index is not None:
            query[name] = str(index + 1)
    live = {name: chosen[name] for name in fields.lively() if name in chosen}
    query |= {name: None if value is None else str(value) for name, value in live.items()}
    query |= {name: str(chosen[name] or "") for name in OPTIONS if name in chosen}
    if "pinned" in chosen:
        query["pinned"] = _cell(chosen["pinned"])
    state.adopt(query)


def _cell(cell: object) -> str:
    """A pinned cell as an address spells it, "" for none."""
    pair = [_index(at) for at in cell] if isinstance(cell, Sequence) else []
    whole = len(pair) == 2 and None not in pair
    return ".".join(str(at + 1) for at in pair if at is not None) if whole else ""


SAVED: Final = "trace"
"""The page field that names a saved snapshot."""


def take_saved(uploaded: UploadedFile | None) -> bool:
    """The file that stands in its field, read once: the snapshot that it holds is shown.

    By what stands there and not by an event: a file is the one thing that nobody hands over twice.

    Returns:
        Whether it is another one than before, so that there is something else to draw.
    """
    file_id = "" if uploaded is None else uploaded.file_id
    if file_id == visit.kept("saved-read", ""):
        empty(uploaded)
        return False
    visit.keep("saved-read", file_id)
    visit.keep("saved-problem", None)
    if uploaded is None:
        return True
    try:
        snapshot = open_saved(uploaded.getvalue(), uploaded.name, holder=_holder())
    except HeadlightError as error:
        visit.keep("saved-problem", error)
        return True
    finally:
        empty(uploaded)
    widgets.close("examples")
    _begin_with(replace(_unpinned(), step=None))
    fields.drop(PLACE)
    fields.change({SAVED: snapshot.id})
    _let_go_but(file_id)
    return True


def empty(uploaded: UploadedFile | None) -> None:
    """Frees what a field holds of a file, which is used no more; the visit would keep it."""
    if uploaded is not None:
        uploaded.seek(0)
        uploaded.truncate()


def _holder() -> str:
    """Among whose files one counts: a browser's, or a visit's where that keeps no cookie."""
    context = get_script_run_ctx()
    return visitor.current().id or ("" if context is None else context.session_id)


def leave_saved() -> None:
    """Back from a saved snapshot to the model."""
    fields.drop(SAVED)
    _let_go_but("")


def _let_go_but(file_id: str) -> None:
    """Frees the file that was read before; Streamlit keeps its bytes as long as the visit.

    Not the file that was read just now: where another event breaks off the run, it is read again.
    """
    before = str(visit.kept("saved-file", ""))
    visit.keep("saved-file", file_id)
    context = get_script_run_ctx()
    manager = None if context is None else context.uploaded_file_mgr
    if context is not None and isinstance(manager, MemoryUploadedFileManager) and before != file_id:
        manager.remove_file(context.session_id, before)


def _index(value: object) -> int | None:
    """A place counted from 1, as a browser reports it (JSON may make a float of it)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) - 1 if value in range(1, MOST + 1) else None
