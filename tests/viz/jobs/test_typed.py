"""A page's run gives way to the picture of the sentence that was typed."""

from __future__ import annotations

import time
from threading import Event, Thread

from viz.jobs.typed import Typed

LONG = 60.0


def waiting(typed: Typed, snapshot_id: str) -> tuple[Event, Event]:
    """Something that gives way, as a run does: when it began to, and when it goes on."""
    began, goes_on = Event(), Event()

    def run() -> None:
        began.set()
        typed.give_way(snapshot_id)
        goes_on.set()

    Thread(target=run, daemon=True).start()
    assert began.wait(LONG)
    return began, goes_on


def test_a_run_waits_until_the_picture_is_drawn() -> None:
    typed = Typed(arrives=LONG, patience=LONG)
    typed.ask("a")
    _, goes_on = waiting(typed, "a")
    typed.ask("b")
    typed.drawn("b")
    assert not goes_on.wait(0.1)
    typed.drawn("a")
    assert goes_on.wait(LONG)


def test_a_browser_may_ask_a_moment_later_than_the_run_begins() -> None:
    typed = Typed(arrives=LONG, patience=LONG)
    _, goes_on = waiting(typed, "a")
    assert not goes_on.wait(0.1)
    typed.ask("a")
    assert not goes_on.wait(0.1)
    typed.drawn("a")
    assert goes_on.wait(LONG)


def test_what_nobody_asks_for_and_what_nobody_fetches_is_not_waited_for_long() -> None:
    began = time.monotonic()
    Typed(arrives=0.01, patience=LONG).give_way("a")
    slow = Typed(arrives=LONG, patience=0.01)
    slow.ask("a")
    slow.give_way("a")
    assert time.monotonic() - began < LONG / 2


def test_what_was_asked_long_ago_is_not_waited_for() -> None:
    typed = Typed(arrives=0.01, patience=0.0)
    typed.ask("a")
    typed.ask("b")  # forgets the first
    began = time.monotonic()
    typed.give_way("a")
    assert time.monotonic() - began < LONG / 2
