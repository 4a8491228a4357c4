"""A sentence that was typed: its picture first, then all else that is on the page.

A browser asks for its snapshot (`viz.server.routes.typed_snapshot`) while Streamlit begins a run of
the page. Python runs one of the two at a time, and the run would take turns with it: computed in
0.05 s, it came after 0.13 s, and its picture was painted after 0.22 s. Where the run waits until
the picture is fetched, it is painted after 0.13 s, and the rest of the page comes as early as ever.
"""

from __future__ import annotations

import time
from threading import Condition
from typing import Final

ARRIVES: Final = 0.02
"""Seconds by which a run may be ahead of the browser's own question."""
PATIENCE: Final = 0.3
"""Seconds that a run waits for a picture at most: of a larger model it says meanwhile that it
is computed. Nor is one fetched that the browser has kept."""


class Typed:
    """Snapshots that browsers wait for, by their ids. Safe to use from many threads."""

    def __init__(self, arrives: float = ARRIVES, patience: float = PATIENCE) -> None:
        self._arrives, self._patience = arrives, patience
        self._asked: dict[str, float] = {}  # when
        self._changed = Condition()

    def ask(self, snapshot_id: str) -> None:
        """A browser waits for the picture of a snapshot."""
        now = time.monotonic()
        with self._changed:
            lately = {name: at for name, at in self._asked.items() if now - at < self._patience}
            self._asked = lately | {snapshot_id: now}
            self._changed.notify_all()

    def drawn(self, snapshot_id: str) -> None:
        """It has it, or will not get one."""
        with self._changed:
            if self._asked.pop(snapshot_id, None) is not None:
                self._changed.notify_all()

    def give_way(self, snapshot_id: str) -> None:
        """Waits while a browser waits for a snapshot's picture; for what nobody asks, hardly."""
        with self._changed:
            if self._changed.wait_for(lambda: snapshot_id in self._asked, self._arrives):
                self._changed.wait_for(lambda: snapshot_id not in self._asked, self._patience)


TYPED: Final = Typed()
"""Those of this process: routes answer outside any page's run."""
