"""Add: a folder is opened by its path, or a model fetched by its name; and which are worth it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import places, registry
from core.errors import HeadlightError
from core.families.hub.download import cached, named
from core.families.hub.folder import gguf_of
from core.families.hub.found import folders_in
from core.reasons import RefusedError, of_system
from viz.jobs import downloads, services, visitor
from viz.jobs.downloads import Download
from viz.screens import obtain
from viz.session import callbacks, page, state, visit, widgets
from viz.session.address import clean_text
from viz.text.add import TEXT, AddText
from viz.text.numbers import count, fixed
from viz.text.plain import plain
from viz.text.refusals import AppError

_WHAT, _NAME, _TOLD = "add_what", "add_name", "add_told"
_LONGEST: Final = 1000  # characters of what is typed
_FLOAT32: Final = 4  # bytes


def render() -> None:
    """Draws the page."""
    text = TEXT[state.current().language]
    allowed = downloads.may_add(visitor.current())
    st.subheader(text.title, anchor=False)
    st.markdown(text.lead)
    if allowed:
        _field(text)
    else:
        obtain.explain(AppError("adding_closed"))
    _told(text)
    here = [*registry.folders().values()]
    if allowed and visit.kept(_NAME, ""):
        _download(visit.kept(_NAME, ""), here, text)
    _suggestions(here, text, allowed=allowed)
    with st.expander(text.no_network):
        st.markdown(plain(text.bring))
        first = shlex.quote(next(iter(text.shows)))
        lines = f"pip install huggingface_hub\nhf download {first} --local-dir {Path(first).name}"
        st.code(lines, language=None, wrap_lines=True)
    if allowed:
        _places(text)


def _field(text: AddText) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", key="add"):
        st.text_input(
            text.what,
            key=widgets.seed(_WHAT, visit.kept(_WHAT, "")),
            placeholder=text.placeholder,
            help=text.listed,
            max_chars=_LONGEST,
            on_change=_take,
        )
        st.button(text.open, key="add-open", on_click=_take)


def _take() -> None:
    """What was typed: a path, or a name."""
    typed = clean_text(str(widgets.drawn(_WHAT) or "")).strip().strip("'\"")
    visit.keep(_WHAT, typed)
    visit.keep(_NAME, "")
    _act(_seek, typed)


def _act(act: Callable[..., None], *asked: object) -> None:
    """What a click asked for; what stands in its way is told by the next run."""
    state.heard()
    try:
        act(*asked)
    except HeadlightError as error:
        visit.keep(_TOLD, error)


def _seek(typed: str) -> None:
    if not typed:
        return
    try:
        path = Path(typed).expanduser()
        if path.is_absolute() or path.exists():
            _open(path)
            return
    except (OSError, RuntimeError, ValueError):  # no home, a name too long for the disk
        pass
    _look_up(typed)


def _open(path: Path) -> None:
    """Opens the one model of a place, or lists those that it holds.

    Raises:
        HeadlightError: adding_closed, place_missing, file_unreadable, models_none, file_unwritable.
    """
    if not downloads.may_add(visitor.current()):
        raise AppError("adding_closed")
    if not path.exists():
        raise AppError("place_missing", path=str(path))
    try:
        next(path.iterdir(), None)
    except NotADirectoryError:
        if gguf_of(path) != path:
            path = path.parent  # a file of a model stands for its folder
    except OSError as error:
        raise HeadlightError("file_unreadable", path=str(path), reason=of_system(error)) from error
    inner = [folder for _, folder in folders_in(path.absolute())]
    if not inner:
        raise AppError("models_none", path=str(path))
    places.remember(registry.runs_root(), path)
    visit.keep(_WHAT, "")
    if len(inner) == 1:
        _go(inner[0])
    else:
        visit.keep(_TOLD, len(inner))


def _look_up(typed: str) -> None:
    name = named(typed)
    if name is None:
        reason = RefusedError("hub_name").reason
        raise HeadlightError("model_undelivered", name=typed[:200], reason=reason)
    visit.keep(_NAME, name)
    if not _here(name, registry.folders().values()):
        downloads.ask(name, visitor.current())


def _here(name: str, folders: Iterable[Path]) -> bool:
    """Whether a model of that name on the Hub is in the cache already."""
    place = cached(name)
    return any(folder.is_relative_to(place) for folder in folders)


def _go(place: Path) -> None:
    """Shows the model of a folder; `place` may be what holds its versions."""
    there = registry.folders().items()
    real = place.resolve()  # it may be typed by another way than it is found by
    found = [(name, folder) for name, folder in there if folder.resolve().is_relative_to(real)]
    if not found:
        raise AppError("models_none", path=str(place))
    model, folder = found[0]
    opened = services.opened(model)
    if opened is not None and opened.model.card.folder != folder:
        services.MODELS.forget(model)  # what was called so before
    callbacks.show_model(model)
    page.go("inspect")


def _told(text: AddText) -> None:
    """What came of the last click, once."""
    told = visit.kept(_TOLD, None)
    visit.keep(_TOLD, None)
    if isinstance(told, HeadlightError):
        obtain.explain(told)
    elif told:
        st.success(plain(text.several.format(count=count(told))))


# A model of the Hub


def _download(name: str, here: Iterable[Path], text: AddText) -> None:
    """What it takes and how far it is, with what can be done about it."""
    known = downloads.download(name)
    with st.container(border=True, key="add-download"):
        st.markdown(f"**{plain(name)}**")
        if _here(name, here):
            st.markdown(text.here)
            st.button(text.open, key="add-here", on_click=_act, args=(_go, cached(name)))
            return
        if known is None:
            return
        if known.error is not None:
            obtain.explain(known.error)
        elif known.bytes:
            st.markdown(plain(_size(known, text)))
        with st.container(horizontal=True, vertical_alignment="center", key="add-act"):
            # The button first: nothing moves under a finger.
            button, told = st.empty(), st.empty()
        fetch_or_ask = downloads.fetch if known.bytes else downloads.ask
        act = downloads.stop if known.busy else fetch_or_ask
        ask = text.look_up if known.error is None else text.again
        labels = {downloads.stop: text.stop, downloads.ask: ask}
        button.button(
            labels.get(act, text.download),
            key="add-do",
            on_click=_act,
            args=(act, name, visitor.current()),
        )
        if known.busy:
            _tell(told, known, text)
            visit.end_with(lambda _: _tell(told, known, text))


def _size(known: Download, text: AddText) -> str:
    said = [text.size.format(size=_megabytes(known.bytes), files=count(known.files)) + "."]
    if known.parameters:
        size = fixed(_FLOAT32 * known.parameters / 2**30, 1)
        said.append(text.opened_size.format(size=size))
    return " ".join(said)


def _megabytes(size: int) -> str:
    return fixed(size / 1e6, 0 if size >= 1e7 else 1)


def _tell(told: DeltaGenerator, before: Download, text: AddText) -> bool:
    """Says how far it is; whether no more and no less can be done about it than before."""
    now = downloads.download(before.name)
    if now is None:
        return False
    if now.state == "asking":
        told.caption(plain(text.asking))
    else:
        share = now.done / now.bytes if now.bytes else 0.0
        said = text.fetching.format(done=_megabytes(now.done), size=_megabytes(now.bytes))
        told.progress(share, plain(said))
    return (now.state, now.bytes) == (before.state, before.bytes)


# What else there is


def _suggestions(here: Iterable[Path], text: AddText, *, allowed: bool) -> None:
    st.markdown(f"#### {text.suggestions}")
    names = list(text.shows)
    for row in (names[:3], names[3:]):
        for column, name in zip(st.columns(3), row, strict=True):
            with column.container(border=True, height="stretch", key=f"add-{Path(name).name}"):
                st.markdown(f"**{plain(name)}**")
                st.markdown(plain(text.shows[name]))
                st.space("stretch")
                if _here(name, here):
                    key = f"open-{Path(name).name}"
                    st.button(text.open, key=key, on_click=_act, args=(_go, cached(name)))
                elif allowed:
                    key = f"look-{Path(name).name}"
                    st.button(text.look_up, key=key, on_click=_act, args=(_look_up, name))


def _places(text: AddText) -> None:
    known = places.remembered(registry.runs_root())
    if not known:
        return
    st.markdown(f"#### {text.named}")
    for number, path in reversed([*enumerate(known)]):
        with st.container(horizontal=True, vertical_alignment="center", key=f"add-place-{number}"):
            st.button(
                "",
                icon=":material/close:",
                help=plain(text.forget.format(path=path)),
                key=f"add-forget-{number}",
                on_click=_act,
                args=(_forget, path),
            )
            st.markdown(plain(str(path)), width="content")


def _forget(path: Path) -> None:
    if downloads.may_add(visitor.current()):
        places.forget(registry.runs_root(), path)
