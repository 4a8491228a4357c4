"""What single pages add to the address: they own the meaning, this module carries the spelling."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from viz.inspector.spelling import NUMBER
from viz.session import state, visit
from viz.session.address import UiState


def own(*names: str) -> dict[str, str]:
    """A page's own parameters that are set, as an address spells them.

    From then on they are part of every address that this session writes.

    Args:
        names: all that the page has; lower case, none of the shared ones.
    """
    session = visit.current()
    session.claimed.update(names)
    return {name: session.ui.fields[name] for name in names if name in session.ui.fields}


def one_of(name: str, known: Collection[str], otherwise: str) -> str:
    """What the address asks for, if it is one of these; what else it asks for is refused."""
    asked = own(name).get(name, "")
    if asked and asked not in known:
        refuse([name])
    return asked if asked in known else otherwise


def place(name: str, count: int, otherwise: int) -> int:
    """The place from 1 to `count` that the address asks for; what else it asks for is refused."""
    asked = own(name).get(name)
    at = NUMBER.tried(asked, 0)
    if 1 <= at <= count:
        return at
    if asked is not None:
        refuse([name])
    return otherwise


def change(values: Mapping[str, str]) -> None:
    """Takes over parameters of a page, which need not have been drawn; what is not named stays.

    They are part of every address from then on, as those of `own` are: of that of a page that is
    opened with them, too.
    """
    visit.current().claimed.update(values)
    ui = state.current()
    state.update(replace(ui, fields={**ui.fields, **values}))


def drop(*names: str) -> None:
    """Lets parameters of a page go, as somebody chose: for callbacks."""
    state.update(_without(names))


def forget(*names: str) -> None:
    """Lets parameters of a page go of which the page says by itself that they name nothing.

    What else the address asks for in vain is said all the same.
    """
    visit.current().ui = _without(names)


def _without(names: Collection[str]) -> UiState:
    ui = state.current()
    return replace(ui, fields={n: text for n, text in ui.fields.items() if n not in names})


def apart(name: str, owner: str) -> None:
    """Has a parameter mean what its owner chose: what another one chose under its name waits.

    For a name that two have in addresses that people keep; call it before `own`.
    """
    session = visit.current()
    last, waiting, trips = session.shared.get(name, (owner, {}, session.trips))
    back = session.went and session.trips != trips  # its address is of the page that it opens
    if last != owner and not back:
        others = dict(session.ui.fields)
        waiting = {**waiting, last: others.pop(name, waiting.get(last))}
        mine = waiting.get(owner)
        own = {} if mine is None else {name: mine}
        session.ui = replace(session.ui, fields={**others, **own})
    waiting = {**waiting, owner: session.ui.fields.get(name)}
    session.shared[name] = (owner, waiting, session.trips)


def let_go(name: str, owner: str) -> None:
    """Lets a parameter that is kept `apart` go, as far as it is its owner's."""
    shared = visit.current().shared
    last, waiting, trips = shared.get(name, (owner, {}, ""))
    if last == owner:
        drop(name)
    if name in shared:
        others = {one: text for one, text in waiting.items() if one != owner}
        shared[name] = (last, others, trips)


def live(values: Mapping[str, str | None]) -> None:
    """Names parameters of a page that its component writes to the address by itself.

    Args:
        values: as they fit what is drawn now; None for one that is left out at its default.
    """
    session = visit.current()
    session.live.update(values)
    session.loose.update(name for name, text in values.items() if text is None)
    fields = {**session.ui.fields, **values}
    kept = {name: text for name, text in fields.items() if text is not None}
    session.ui = replace(session.ui, fields=kept)


def hear(*names: str) -> None:
    """Names such parameters and leaves them as they stand: what is drawn is not all yet."""
    visit.current().live.update(names)


def lively() -> tuple[str, ...]:
    """Names of the parameters that `live` or `hear` was given."""
    return tuple(visit.current().live)


def refuse(names: Sequence[str]) -> None:
    """Lets go what of a page's parameters could not be used; says so where the address set it."""
    forget(*names)
    session = visit.current()
    session.refused += tuple(n for n in names if n in session.asked and n not in session.refused)
