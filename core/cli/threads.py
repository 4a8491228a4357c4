"""How threads wait, decided before torch is imported."""

from __future__ import annotations

import os


def wait_passively() -> None:
    """Let idle OpenMP threads sleep instead of spinning, unless the environment says else.

    Small models give each thread microseconds of work: on a busy machine, spinning doubled
    the processor time of `evaluate` (5.8 s against 2.9 s for 100 words).
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
