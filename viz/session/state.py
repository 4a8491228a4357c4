"""The one UI state, bound to the session, to widgets and to the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.trace import Kind
from viz.inspector.options import OPTIONS, started
from viz.session import address, visit
from viz.session.address import Extent, PageName, UiState
from viz.session.visit import Visit
from viz.text.language import from_locale

_WENT: Final = "went"  # counts Back and Forward in an address (viz/server/frame/frame.js)
OF_A_KIND: Final = ("pinned", "held", "zoom")
"""Options that are places in a matrix: another kind of attention has its own."""


def begin(models: Sequence[str]) -> UiState:
    """Starts a run: a new session reads the address, an older one only another address.

    The inspector writes parts of the address by itself, and a run may know it as it was
    before that: as long as it is the one of the last run, the session's state is newer. So it
    is where a widget or a component began the run: that may have been sent before our last
    address arrived. Nor is it news what an address says as the last one did, since a run may have
    been broken off before it wrote its own. But who went back or forward means the address, and
    all of it, whatever was reported on the way; and until the browser has heard of that run, its
    widgets hold what they held before, which Streamlit takes for changes. A page change empties
    the address; what is missing leaves the state alone (but see `address.whole`).

    Args:
        models: ids that can be opened, the default first.
    """
    asked = address.renamed(st.query_params.to_dict())  # first: may end here (see `values`)
    ui = UiState(language=from_locale(st.context.locale), model=models[0] if models else "")
    session = visit.enter(ui, models)
    session.before = session.ui
    trips = asked.pop(_WENT, "")  # there until the browser hears what a run writes
    went = _went(session, trips)
    leads = went or bool(trips)
    if leads:
        session.going = None
    touched, session.touched = session.touched and not leads, False
    reported, session.reported = session.reported, {}
    session.went |= went
    query = address.whole(asked, session.claimed)
    if touched:
        session.seen = query
    elif leads or query != session.seen:
        _follow(query, from_scratch=leads)
    if trips and not went:
        session.ui, _ = address.read(reported, session.ui, session.models)
    return session.ui


def _follow(query: Mapping[str, str | None], *, from_scratch: bool) -> None:
    """Takes over what an address says.

    Args:
        from_scratch: also what the one before said; the state may have left it since.
    """
    session = visit.current()
    written = {} if session.seen is None else address.write(session.ui, sorted(session.claimed))
    known = address.whole(written, session.claimed)
    before = {} if from_scratch or session.seen is None else session.seen
    news = address.news(query, known, before, _quick(session))
    session.seen = dict(query)
    if news:
        session.ui, session.refused = address.read(news, session.ui, session.models)
        session.asked = frozenset(news)
        session.drawn = {}
        session.turn += 1
        session.opened |= not {"layer", "head"}.isdisjoint(news)


def turn_to(page: PageName) -> None:
    """Takes over the kind of attention that is this page's, unless the address asks for one.

    The mask of Step is in the decoder's self-attention: it opens there, whatever other pages show,
    and these are as they were when they are shown again, with what is pinned.
    """
    session = visit.current()
    if session.stepping == (page == "step"):
        return
    there, session.apart = session.apart, session.before or session.ui
    session.stepping = page == "step"
    if "kind" not in session.asked:
        session.ui = _of_kind(session.ui, there)


def _of_kind(ui: UiState, other: UiState) -> UiState:
    """A state with the kind of another, and what is pinned and in view in that."""
    own: dict[str, Any] = {name: getattr(other.options, name) for name in OF_A_KIND}
    return replace(ui, kind=other.kind, options=replace(ui.options, **own))


def _went(session: Visit, trips: str) -> bool:
    """Whether the browser's Back or Forward began this run.

    Streamlit says so, but not where it makes one run of that and of what was clicked or reported a
    moment later (`ScriptRequests`): the count in the address stays.
    """
    counted, session.trips = trips not in ("", session.trips), trips or session.trips
    context = get_script_run_ctx()
    return counted or (context is not None and context.is_history_navigation)


def current() -> UiState:
    """The state now."""
    return visit.current().ui


def update(ui: UiState) -> None:
    """Takes a state over; a notice about the address has served its time."""
    session = visit.current()
    session.ui = ui
    session.touched = True
    session.asked = frozenset()
    session.refused = ()


def heard() -> None:
    """`on_change` of a widget that has no parameter of its own: it began the run, no address did.

    It may have been touched before the address that this session wrote last had arrived.
    """
    visit.current().touched = True


def change(name: str, text: str) -> None:
    """Takes over one parameter, spelled as in an address, or refuses it."""
    session = visit.current()
    try:
        update(address.change(session.ui, name, text, session.models))
    except ValueError:
        session.refused = (name,)


def adopt(query: Mapping[str, str | None]) -> None:
    """Takes over what a component shows; what cannot be used stays as it is.

    Args:
        query: its parameters, spelled as in an address; None for their default.
    """
    session = visit.current()
    ui, _ = address.read(query, session.ui, session.models)
    update(ui)
    session.reported.update(query)


def forget_head() -> None:
    """Has `open_with` pick a head again."""
    visit.current().opened = False


def open_with(choose: Callable[[Kind], tuple[int, int]]) -> None:
    """Picks a (layer, head) from 0 where nobody has, once a session and model."""
    session = visit.current()
    if not session.opened:
        layer, head = choose(session.ui.kind)
        chosen = replace(session.ui, layer=layer, head=head)
        session.again |= chosen != session.ui
        session.ui, session.opened = chosen, True


def fit(sites: Mapping[Kind, Extent], steps: int) -> UiState:
    """Brings kind, layer, head, step and options into the range of a snapshot (`address.fit`).

    What had to change for one snapshot is there again at the next, where nobody chose otherwise.
    """
    session = visit.current()
    wanted = session.ui
    if session.unfit is not None:
        before, after = (  # but for what no snapshot has to fit
            replace(ui, language=wanted.language, fields=wanted.fields) for ui in session.unfit
        )
        wanted = before if wanted == after else wanted
    begun = session.ui
    session.ui, moved = address.fit(wanted, sites, steps)
    session.again |= wanted != begun and session.ui != begun
    session.unfit = (wanted, session.ui) if moved else None
    extra = tuple(n for n in moved if n in session.asked and n not in session.refused)
    session.refused += extra
    return session.ui


def refused() -> tuple[str, ...]:
    """Parameters of the present address that could not be used."""
    return visit.current().refused


def write_back() -> None:
    """Ends a run: the address says what is shown.

    The inspector writes kind, layer, head, step and the options by itself and faster, and so may
    another component (`viz.session.fields.live`); where only those differ, or a step or an option
    is missing, nothing is written, so that a late run cannot set the address back. A page without
    any component has only us to write them. After Back, it is written in any case: what the run
    before wrote may have arrived on top of it.
    """
    session = visit.current()
    wanted = address.write(session.ui, sorted(session.claimed))
    present = st.query_params.to_dict()
    quick, loose = set[str](), set[str]()
    if session.mounts and not session.again:
        quick = _quick(session) - set(session.refused)
        loose = {"step", *OPTIONS, *session.loose}
    watched = set(wanted) | set(present)
    same = all(present.get(name) == wanted.get(name) for name in watched - quick)
    if session.went or not same or (set(present) ^ set(wanted)) - loose:
        st.query_params.from_dict(wanted)
        session.went = False
        session.seen = address.whole(wanted, session.claimed)
    session.touched = False


def _quick(session: Visit) -> set[str]:
    """Names of the parameters that components write to the address by themselves."""
    return {*address.SELECTION, *session.live, *OPTIONS}


def links(page: PageName) -> dict[str, str]:
    """Parameters of a link to a page in the same state.

    The header's links are drawn before the page has claimed the fields of its address.
    """
    session = visit.current()
    there = session.ui
    if session.stepping != (page == "step"):
        there = _of_kind(there, session.apart)
    # What two pages call by one name (`fields.apart`) goes along with neither: it waits here.
    return address.write(there, sorted((session.claimed | session.asked) - session.shared.keys()))


def start(mount: str, fields: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Where a component starts, counted from 1; the same in every run that draws `mount` on.

    The browser owns the selection once it draws: handing its own moves back to it would
    send the whole payload again. Another `turn` tells it that an address leads.

    Args:
        mount: names the page and what is drawn on it.
        fields: what the page's own component starts with beside that.
    """
    session = visit.current()
    if mount not in session.mounts:
        session.mounts[mount] = session.drawn.get(mount) or _started(session, fields or {})
    return session.mounts[mount]


def _started(session: Visit, fields: Mapping[str, Any]) -> dict[str, Any]:
    ui = session.ui
    started_at = {"turn": session.turn, "kind": ui.kind, "layer": ui.layer + 1, "head": ui.head + 1}
    if ui.step is not None:
        started_at["step"] = ui.step + 1
    return started_at | started(ui.options) | dict(fields)
