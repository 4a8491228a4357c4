"""The app as a stranger starts it, and a browser that forgives nothing."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Page,
    Request,
    Response,
    expect,
)

from tests.e2e.tabs import Ears, tabs_of
from viz.screens.header import ENTRIES
from viz.session.address import PageName
from viz.text.frame import TEXT
from viz.text.language import Language
from viz.text.rows import by_name

ROOT = Path(__file__).parents[2]
SHIPPED = "zz-everyday"
START_SECONDS = 120
OPEN_MS = 60_000


@pytest.fixture(scope="session")
def app_models(
    tmp_path_factory: pytest.TempPathFactory,
    tiny_checkpoint: Path,
    tiny_spelling_checkpoint: Path,
    tiny_run: Path,
) -> Path:
    """Both tiny models, one with milestones, and the shipped one (not the default), in one root."""
    root = tmp_path_factory.mktemp("app-models")
    shutil.copytree(ROOT / "checkpoints" / "ko-en-everyday", root / SHIPPED)
    for folder in (tiny_checkpoint, tiny_spelling_checkpoint, tiny_run):
        shutil.copytree(folder, root / folder.name)
    return root


@pytest.fixture(scope="session")
def address(app_models: Path) -> Iterator[str]:
    """`streamlit run app.py` with the tiny models, on a free port; a file may have its own."""
    with serving(free_port(), HEADLIGHT_CHECKPOINTS=str(app_models)) as address:
        yield address


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def serving(port: int, **environment: str) -> Iterator[str]:
    """The address of the app as a stranger starts it, for the length of the block.

    What it logs tells of faults that a page redacts, and that none is open to see.
    """
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    with TemporaryFile() as log:
        server = subprocess.Popen(
            [*command, "--server.port", str(port)],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        try:
            address = f"http://localhost:{port}"
            _until_healthy(address, server)
            yield address
        finally:
            server.terminate()
            server.wait(30)
        log.seek(0)
        logged = log.read().decode(errors="replace")
        assert "Traceback" not in logged, logged


def _until_healthy(address: str, server: subprocess.Popen[bytes]) -> None:
    pause = Event()
    for _ in range(START_SECONDS * 10):
        assert server.poll() is None, "the app ended at once"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
                return
        except OSError:
            pause.wait(0.1)  # before the server listens there is nothing else to wait on
    pytest.fail("the app never answered")


def arrived(page: Page, name: PageName) -> None:
    """Waits until a page of the app is all there.

    Before, its header may be drawn anew under a click, which then goes nowhere.
    """
    entry = next(entry for entry, names in ENTRIES.items() if name in names)
    expect(page.locator(f".st-key-nav-here-{entry}")).to_be_visible(timeout=OPEN_MS)
    if len(ENTRIES[entry]) > 1:
        expect(page.locator(f".st-key-within-here-{name}")).to_be_visible(timeout=OPEN_MS)
    expect(page.get_by_test_id("stApp")).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=OPEN_MS
    )


def way_to(page: PageName, language: Language) -> tuple[str, ...]:
    """The links that lead to a page from anywhere, as they are called."""
    words = by_name(TEXT[language])
    entry = next(entry for entry, pages in ENTRIES.items() if page in pages)
    first = ENTRIES[entry][0]
    return (
        (words[entry],) if page == first else (words[entry], words.get(f"of_{page}", words[page]))
    )


HEADLIGHT = '[data-testid="headlight"]'
TOLD = """(root, [source, given]) => new Promise((done, fail) => {
  const began = performance.now();
  const holds = (state) => PREDICATE;
  const look = () => {
    if (!root.isConnected) return done(null);
    const state = root.headlight ? root.headlight.state() : { ready: false };
    let ok = false;
    try { ok = state.ready && !state.pending && holds(state); } catch {}
    if (ok) return done(state);
    if (performance.now() - began > 60000) {
      delete state.weights;
      return fail(new Error(`never: ${source}; ${JSON.stringify(state)}`));
    }
    return requestAnimationFrame(look);
  };
  look();
})"""


def told(page: Page, holds: str, given: object = None, view: str = "") -> dict[str, Any]:
    """The inspector's own account of what it drew, once something holds.

    Args:
        holds: a JavaScript expression over `state` and `given`.
        view: the view it has, where another page's may still be there.
    """
    root = page.locator(f'{HEADLIGHT}[data-view="{view}"]' if view else HEADLIGHT)
    state: dict[str, Any] | None = None
    while state is None:  # that of the page before was just leaving
        state = root.evaluate(TOLD.replace("PREDICATE", holds), [holds, given])
    return state


def told_by(page: Page, view: str, holds: str, given: object = None) -> dict[str, Any]:
    """The same of another view, by its test id."""
    state: dict[str, Any] | None = page.get_by_test_id(view).evaluate(
        TOLD.replace("PREDICATE", holds), [holds, given]
    )
    assert state is not None
    return state


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Opens a path of the app; complaints of the browser and foreign requests fail the test."""
    with visiting(chromium, address) as open_page:
        yield open_page


@contextmanager
def visiting(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """As `visit`, for any address of the app.

    What is called takes the options of a tab and of a context (`Tabs.lend`), or one of its tabs to
    open it there, which is quicker.
    """
    complaints: list[str] = []
    lent: list[Page] = []
    tabs = tabs_of(chromium)

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" or "Content Security Policy" in message.text:
            complaints.append(f"console: {message.text}")

    def failed(error: Error) -> None:
        complaints.append(f"error: {error}")

    def asked(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(address).netloc:
            complaints.append(f"foreign: {request.url}")

    def answered(response: Response) -> None:
        if response.status >= 400:
            complaints.append(f"{response.status}: {response.url}")

    ears: Ears = {"console": heard, "pageerror": failed, "request": asked, "response": answered}

    def open_page(
        path: str = "/",
        width: int = 1366,
        height: int = 768,
        *,
        page: Page | None = None,
        **options: Any,
    ) -> Page:
        if page is None:
            page = tabs.lend(address, ears, (width, height), **({"locale": "en-US"} | options))
            lent.append(page)
            page.set_default_timeout(OPEN_MS)
        page.goto(address + path)
        return page

    yield open_page
    for page in lent:
        tabs.take_back(page)
    assert complaints == []
