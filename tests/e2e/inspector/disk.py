"""Files of ours in a browser without a network: what tests of them share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.e2e.inspector.page import Harness
from viz.text.inspector import TEXT


def opened_from_disk(here: Harness, path: Path, status: str) -> dict[str, Any]:
    """What the file says of itself once its numbers have that status."""
    here.page.goto(path.as_uri())
    here.page.evaluate(
        """() => { const place = document.getElementById('place');
        window.headlight = () => place.headlight?.state() ?? { ready: false }; }"""
    )
    return here.until(f"state.ready && state.status === '{status}'")


def fits_a_phone_in_the_dark(here: Harness, opens: Callable[[], object]) -> None:
    """A file in Korean that `opens` shows: it fits 390 pixels, and follows the theme both ways."""
    here.page.set_viewport_size({"width": 390, "height": 800})
    here.page.emulate_media(color_scheme="dark")
    opens()
    here.until("state.dark")
    assert here.page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(here.at("hl-status")).to_have_text(TEXT["ko"].exact)
    here.page.emulate_media(color_scheme="light")
    here.until("!state.dark")
