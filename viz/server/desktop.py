"""The same app in a window of its own; the server ends when the window is closed.

The window is pywebview's where that is installed, else that of a browser of this machine that
has windows without a frame (Chromium, Chrome, Edge, Brave), with a profile of its own that is
thrown away.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Final

from core import settings
from viz.text.refusals import AppError

START_SECONDS: Final = 120.0
STOP_SECONDS: Final = 15.0
AT_ONCE_SECONDS: Final = 0.5
SIZE: Final = (1366, 820)
_BROWSERS: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "brave-browser",
    "chrome",
    "msedge",
)
_PLACES: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


def run() -> None:
    """Open the window and wait until it is closed.

    Raises:
        HeadlightError: package_missing where nothing here can open a window; server_failed;
            window_failed where the browser did not.
    """
    browser = None if find_spec("webview") else _browser()
    with served() as address:
        if browser is None:
            _native(address)
        else:
            _framed(browser, address)


@contextmanager
def served() -> Iterator[str]:
    """The app's address on this machine alone, for the length of the block."""
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(settings.CODE / "app.py")]
    options = ["--server.headless", "true", "--server.address", "127.0.0.1"]
    server = subprocess.Popen(
        [*command, *options, "--server.port", str(port)],
        cwd=settings.CODE,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        _until_healthy(server, address)
        yield address
    finally:
        server.terminate()
        try:
            server.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _until_healthy(server: subprocess.Popen[bytes], address: str) -> None:
    last = time.monotonic() + START_SECONDS
    while time.monotonic() < last and server.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
                return
        except OSError:
            time.sleep(0.1)
    raise AppError("server_failed", seconds=int(START_SECONDS))


def _native(address: str) -> None:
    import webview  # type: ignore[import-not-found]

    webview.create_window("Headlight", address, width=SIZE[0], height=SIZE[1])
    webview.start()


def _framed(browser: str, address: str) -> None:
    with tempfile.TemporaryDirectory(prefix="headlight-", ignore_cleanup_errors=True) as profile:
        size = f"--window-size={SIZE[0]},{SIZE[1]}"
        quiet = ("--no-first-run", "--no-default-browser-check", "--disable-sync")
        own = f"--user-data-dir={profile}"  # else the window would be one of a running browser
        began = time.monotonic()
        code = subprocess.run(
            [browser, f"--app={address}", own, size, *quiet], check=False
        ).returncode
        # Below 0 somebody ended it; nobody closes a window in its first moment.
        if code > 0 or time.monotonic() - began < AT_ONCE_SECONDS:
            raise AppError("window_failed", browser=browser, ending=code)


def _browser() -> str:
    for candidate in (settings.current().browser, *_BROWSERS, *_PLACES):
        found = shutil.which(candidate) if candidate else None
        if found:
            return found
    raise AppError("package_missing", feature="A window of its own", package="pywebview")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
