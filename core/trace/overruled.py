"""Steps at which what a model found likeliest could not be written, as a trace tells of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_NAME: Final = "overruled"
_STEP: Final = re.compile(r"(?<!\S)([0-9]{1,9}):([0-9]{1,9})(?!\S)")


def overruled_as_meta(steps: Mapping[int, int]) -> dict[str, str]:
    """Steps and what is written there, as a trace's meta tells of them; {} where there are none."""
    told = " ".join(f"{step}:{token}" for step, token in steps.items())
    return {_NAME: told} if told else {}


def overruled_in(meta: Mapping[str, object]) -> dict[int, int]:
    """Those that a trace's meta tells of; a file that was brought may say anything."""
    found = _STEP.findall(str(meta.get(_NAME, "")))
    return {int(step): int(token) for step, token in found}
