"""Finds the Chromium and the Korean font that browser tests need, or installs them.

Run as a script it makes sure of both: it looks on the machine first, then asks apt-get
where that may be done without a question (root, or sudo without a password), and last
takes Playwright's own download.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

OVERRIDE: Final = "HEADLIGHT_CHROMIUM"
ON_PATH: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "microsoft-edge",
)
ELSEWHERE: Final = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)
HANGUL_FONT_PACKAGE: Final = "fonts-nanum"


@cache
def _playwright_download() -> str:
    """Asked for once: while a browser of Playwright's is driven, there can be no second one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def _candidates() -> Iterator[str]:
    if override := os.environ.get(OVERRIDE):
        yield override
    for name in ON_PATH:
        if found := shutil.which(name):
            yield found
    yield from ELSEWHERE
    yield _playwright_download()


def _answers(executable: str) -> bool:
    """True when it runs: Ubuntu's chromium may be a stub that only names its snap."""
    if sys.platform == "win32":  # chrome.exe has no --version there, it opens a window
        return Path(executable).is_file()
    try:
        command = [executable, "--version"]
        return subprocess.run(command, capture_output=True, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def find_chromium() -> str | None:
    """Path of a Chromium that runs, None where there is none."""
    return next((path for path in _candidates() if _answers(path)), None)


def has_hangul_font() -> bool:
    """True where Hangul can be drawn. macOS and Windows bring such a font."""
    if not sys.platform.startswith("linux"):
        return True
    if not shutil.which("fc-list"):
        return False
    listed = subprocess.run(["fc-list", ":lang=ko"], capture_output=True, text=True)
    return bool(listed.stdout.strip())


def _as_root() -> list[str] | None:
    """What to put before apt-get so that it asks nothing; None where it may not run."""
    if not shutil.which("apt-get"):
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        silent = subprocess.run(["sudo", "-n", "true"], capture_output=True)
        if silent.returncode == 0:
            return ["sudo", "-n"]
    return None


def _run(command: Sequence[str]) -> bool:
    print("+", " ".join(command), flush=True)
    return subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0


def apt_install(*packages: str) -> bool:
    """Installs Debian packages where that needs no question; True when it worked."""
    prefix = _as_root()
    if prefix is None:
        return False
    install = [
        *prefix,
        *("env", "DEBIAN_FRONTEND=noninteractive"),
        *("apt-get", "install", "-y", "-q", "--no-install-recommends"),
        *packages,
    ]
    # A machine with a fresh package list needs no update, a bare one does.
    return _run(install) or (_run([*prefix, "apt-get", "update", "-q"]) and _run(install))


def _download_chromium() -> bool:
    install = [sys.executable, "-m", "playwright", "install"]
    if _as_root() is not None:
        install.append("--with-deps")
    return _run([*install, "chromium"])


def main() -> int:
    """Makes sure of both; says what to do where it cannot."""
    if find_chromium() is None:
        _ = apt_install("chromium") or _download_chromium()
    chromium = find_chromium()
    if chromium is None:
        print(f"No Chromium was found or could be installed. Install one, or set {OVERRIDE}.")
        return 1
    if not has_hangul_font():
        apt_install("fontconfig", HANGUL_FONT_PACKAGE)
    if not has_hangul_font():
        print("No Korean font was found; tests that look at Hangul pixels will fail.")
        print(f"Install one, such as {HANGUL_FONT_PACKAGE}.")
    print(f"Browser tests use {chromium}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
