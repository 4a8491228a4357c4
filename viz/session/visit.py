"""What one visitor's session holds, and where: in Streamlit's session state.

Only this module touches `st.session_state`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from viz.session.address import PageName, UiState

_SESSION: Final = "headlight"
_LOOK_SECONDS: Final = 0.1
_BESIDE: Final = ThreadPoolExecutor(max_workers=64, thread_name_prefix="beside-a-run")

_T = TypeVar("_T")


@dataclass(slots=True)
class Visit:
    """What one visitor's session holds.

    Attributes:
        ui: the state.
        models: ids that can be opened.
        seen: the address as this session last wrote or read it.
        turn: how often an address has said something new: what it says of a head leads.
        touched: a callback has been called since the last run.
        went: Back or Forward was followed, and the address has not been written since.
        trips: how often they were, as the browser last counted.
        reported: what a component reported since the last run.
        asked: parameters that the present address set; only these deserve a notice.
        refused: parameters of it that could not be used.
        claimed: names of page fields that some page has read.
        live: those of them that a component writes to the address by itself.
        loose: those of these that it leaves out at their default.
        ending: tells what this run waits for.
        mounts: what components draw in this run, and where each of them started (`start`).
        drawn: the same of the last run.
        stepping: Step is in view: it has a kind of attention of its own, that of all other pages
            is theirs.
        before: the state as this run began, None before the first one.
        apart: as it was when the others were in view last, while Step is, and the other way round.
        unfit: the state before and after the present snapshot made it fit, None where it did.
        again: this run chose a head, or brought back what another snapshot could not show, which no
            address says yet.
        opened: a head was chosen, by an address, a person or `open_with`.
        going: the page to show instead of the one that is asked for, until the browser is there.
        left: the page that it is to be shown instead of, None where no run has said yet.
        shared: by names that several pages' own parameters have (`fields.apart`), who chose under
            it last, what each has chosen, and `trips` then.
        kept: what pages keep for this visitor (`keep`).
    """

    ui: UiState
    models: Sequence[str]
    seen: dict[str, str | None] | None = None
    turn: int = 0
    touched: bool = False
    went: bool = False
    trips: str = ""
    reported: dict[str, str | None] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()
    refused: tuple[str, ...] = ()
    claimed: set[str] = field(default_factory=set)
    live: set[str] = field(default_factory=set)
    loose: set[str] = field(default_factory=set)
    ending: Callable[[DeltaGenerator], bool] | None = None
    mounts: dict[str, dict[str, Any]] = field(default_factory=dict)
    drawn: dict[str, dict[str, Any]] = field(default_factory=dict)
    stepping: bool = False
    before: UiState | None = None
    apart: UiState = field(default_factory=lambda: UiState(kind="decoder_self"))
    unfit: tuple[UiState, UiState] | None = None
    again: bool = False
    opened: bool = False
    going: PageName | None = None
    left: PageName | None = None
    shared: dict[str, tuple[str, dict[str, str | None], str]] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)


_THREAD: Final = threading.local()


def current() -> Visit:
    """What this visitor's session holds; for the modules of this room.

    Kept for the thread, which Streamlit starts for one session and gives to no other: a run asks
    some forty times, and each look at what Streamlit keeps copies all of it (`values`).
    """
    session = getattr(_THREAD, "visit", None) or values().get(_SESSION)
    if not isinstance(session, Visit):
        raise RuntimeError("viz.session.state.begin() comes first in every run")
    return session


def enter(ui: UiState, models: Sequence[str]) -> Visit:
    """The visit of a run that begins.

    Args:
        ui: where a new one starts.
        models: ids that can be opened, the default first.
    """
    _THREAD.visit = None
    if _SESSION not in values():
        set_value(_SESSION, Visit(ui, tuple(models)))
    session = _THREAD.visit = current()
    session.models = tuple(models)
    session.ending = None
    session.again = False
    session.drawn, session.mounts = session.mounts, {}
    return session


def end_with(tell: Callable[[DeltaGenerator], bool]) -> None:
    """This run drew what it could, and should end by waiting; then the page is drawn anew.

    Args:
        tell: says how far it is, in the header's place for that or elsewhere; False once it ended.
    """
    current().ending = tell


def ending() -> Callable[[DeltaGenerator], bool] | None:
    """What tells how far that is which this run should wait for."""
    return current().ending


def keep(name: str, value: Any) -> None:
    """Keeps a page's own value for this visitor, and out of the address."""
    current().kept[name] = value


def kept(name: str, otherwise: Any) -> Any:
    """What was kept under this name."""
    return current().kept.get(name, otherwise)


def values() -> Mapping[str, Any]:
    """What Streamlit keeps of this visitor's widgets, by key, as it is now; for `session.widgets`.

    A copy: at any closer look at it, and at any change, Streamlit breaks off what is running if
    the next event waits, a callback too. A run is made again then, a callback is not.
    """
    return st.session_state.to_dict()


def set_value(key: str, value: Any) -> None:
    """Has a widget start with this value; not for callbacks, which may end here (see `values`)."""
    st.session_state[key] = value


def beside(work: Callable[[], _T]) -> _T:
    """The result of what takes its time, done on another thread.

    Streamlit ends a run only where that draws, or looks at what is kept (`values`): whatever a
    person does meanwhile ends the wait. What was begun goes on, for whoever asks the same.

    Raises:
        Exception: as `work`.
    """
    future = _BESIDE.submit(work)
    while not wait([future], _LOOK_SECONDS).done:
        _give_way()
    return future.result()


def _give_way() -> None:
    """Ends this run if another event waits (see `values`)."""
    _ = _SESSION in st.session_state


def again() -> NoReturn:
    """Ends this run, and the page is drawn anew.

    Where a person has done something meanwhile, that is what comes next: Streamlit would make one
    run of both, and of our page, whatever page a link was to lead to.

    Raises:
        RerunException: always; it is Streamlit's, who catches it.
    """
    _give_way()
    st.rerun()
