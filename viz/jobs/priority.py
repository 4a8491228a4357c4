"""What computes beside the pages gives way to them."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Final

NICENESS: Final = 5
"""Of a training beside the pages: who types a sentence goes first (`make bench BENCH=looking`).
With more of it, what else keeps a machine busy would leave a training nothing."""


def give_way(process: int) -> None:
    """The server goes first; called before the process imports anything, all its threads have it.

    Of a process in a session of its own, Linux weighs the session against others, not the process
    (autogroups, sched(7)): the niceness of both is set.
    """
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process, NICENESS)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            if os.getsid(process) == process:
                Path(f"/proc/{process}/autogroup").write_text(str(NICENESS))
