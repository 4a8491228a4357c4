"""Widgets that own nothing.

Streamlit forgets a widget's value when its page or its label changes: each is seeded from the
state before it is drawn, and hands what a person did back to the state (`viz.session.callbacks`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from viz.session import visit

_WIDGET: Final = "widget."
_CLOSED: Final = "closed."


def seed(name: str, value: Any) -> str:
    """Gives a widget the state's value and returns its key. Call before drawing it.

    A widget that has the value already is left alone: text that is being typed, and not
    yet handed over, survives. So it is drawn with the value as its default, too: a browser that
    first hears of it by a later run, since one before was broken off, would start it empty.
    """
    key = _WIDGET + name
    values = visit.values()
    if key not in values or values[key] != value:
        visit.set_value(key, value)
    return key


def widget(name: str) -> str:
    """Key of a widget that holds what no address can: a file."""
    return _WIDGET + name


def menu(name: str) -> str:
    """Key of a popover that opens in the browser alone, and closes once something is chosen in it.

    Under another key it is another popover, which begins closed, whatever the browser was told
    before. (Streamlit's own way to close one, `on_change` and its state, is told of each opening,
    and is lost with a run that is broken off.)
    """
    return f"{_WIDGET}{name}.{visit.kept(_CLOSED + name, 0)}"


def close(name: str) -> None:
    """Has the popover be closed that `menu` gave its key, when it is drawn next."""
    visit.keep(_CLOSED + name, visit.kept(_CLOSED + name, 0) + 1)


def drawn(name: str) -> Any:
    """What the widget holds that `seed(name, ...)` gave its key."""
    return visit.values().get(_WIDGET + name)


def sent(component_key: str, name: str) -> Any:
    """What a component handed over last; it comes from a browser."""
    value = visit.values().get(component_key)
    return value.get(name) if isinstance(value, Mapping) else None
