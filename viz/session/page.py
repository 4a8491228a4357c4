"""Which page a run shows, where a person's choice leads to another than the browser asks for."""

from __future__ import annotations

from urllib.parse import urlsplit

from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz.session import visit
from viz.session.address import PAGES, PageName


def go(page: PageName) -> None:
    """Has this run show another page, in the state as it is now."""
    session = visit.current()
    session.going, session.left = page, None


def instead_of(asked: PageName) -> PageName | None:
    """The page to show instead of the one that this run was asked for.

    More than once where need be: what the browser sends before it has heard of the other page
    asks for the one that it still shows.
    """
    session = visit.current()
    if session.going is None:
        return None
    if session.left is None:
        session.left = asked
    elif asked not in (session.left, session.going) or _stands_on() != session.left:
        session.going = None
    return None if asked == session.going else session.going


def _stands_on() -> PageName | None:
    """The page that the browser showed as it sent what began this run."""
    context = get_script_run_ctx()
    if context is None or context.context_info is None:
        return None
    try:
        last = urlsplit(context.context_info.url).path.rpartition("/")[2]
    except ValueError:  # it comes from a browser
        return None
    return next((name for name in PAGES if name == last), PAGES[0])
