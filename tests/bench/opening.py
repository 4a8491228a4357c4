"""From the command to the first picture: ours beside a bare Streamlit page of one line."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Final

from playwright.sync_api import Browser, Page

from tests.bench.inspector import SIZE
from tests.e2e.conftest import ROOT, free_port

ROUNDS: Final = 3
LINE: Final = "one line of text"
_PATIENCE: Final = 120.0
_TICK: Final = 0.02
_PAINTED: Final = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_HEADS: Final = """(root) => new Promise((done) => {
  const look = () => {
    const state = root.headlight?.state() ?? { ready: false };
    if (state.ready && !state.pending) done();
    else requestAnimationFrame(look);
  };
  look();
})"""

Opening = tuple[float, float]
"""Seconds from the command to the first visitor's picture, and from a second one's going there."""


def openings(browser: Browser, rounds: int = ROUNDS) -> tuple[list[Opening], list[Opening]]:
    """Of a bare page and of ours, in turns: what disturbs one disturbs the other."""
    bare: list[Opening] = []
    ours: list[Opening] = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "app.py").write_text(f"import streamlit as st\nst.write({LINE!r})\n")
        for _ in range(rounds):
            bare.append(_opening(browser, Path(folder), _line, _line))
            ours.append(_opening(browser, ROOT, _heads, _model))
    return bare, ours


def _line(page: Page) -> None:
    page.get_by_text(LINE).wait_for()


def _heads(page: Page) -> None:
    page.get_by_test_id("headlight").evaluate(_HEADS)


def _model(page: Page) -> None:
    """The model is open, too, behind the first picture: a second visitor finds it so."""
    page.get_by_text("CPU", exact=False).first.wait_for()


def _opening(
    browser: Browser, folder: Path, drawn: Callable[[Page], None], ready: Callable[[Page], None]
) -> Opening:
    waits = []
    began = time.perf_counter()
    with _started(folder) as address:
        for _ in range(2):
            with closing(browser.new_context(viewport=SIZE, locale="en-US")) as context:
                page = context.new_page()
                page.set_default_timeout(1000 * _PATIENCE)
                page.goto(address, wait_until="commit")
                drawn(page)
                page.evaluate(_PAINTED)
                waits.append(time.perf_counter() - began)
                ready(page)
            began = time.perf_counter()
    return waits[0], waits[1]


@contextmanager
def _started(folder: Path) -> Iterator[str]:
    """`streamlit run app.py` there, at the moment at which it answers."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    server = subprocess.Popen(
        [*command, "--server.port", str(port), "--browser.gatherUsageStats", "false"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    pause = Event()
    try:
        address = f"http://localhost:{port}"
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and server.poll() is None:
            with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
                break
            pause.wait(_TICK)
        yield address
    finally:
        server.terminate()
        server.wait(30)
