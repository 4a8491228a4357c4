"""Finds the browsers and the Korean font that browser tests need, or installs them.

Run as a script it makes sure of them: it looks on the machine first, then asks apt-get
where that may be done without a question (root, or sudo without a password), and last
takes Playwright's own download, if Playwright is installed by then. What only some tests
want may be missing: those are skipped then, and counted at the end of the run.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

OVERRIDE: Final = "HEADLIGHT_CHROMIUM"
# First the same engine without its windows: a page of the app is there after 2.5 s of the
# processor instead of 3.1 s, an empty one after 0.1 s instead of 0.3 s.
HEADLESS_PACKAGE: Final = "chromium-headless-shell"
ON_PATH: Final = (
    HEADLESS_PACKAGE,
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
# What drops down from the address bar is two pages in every window, though none is seen: without
# them a page of the inspector is there after 1.2 s of the processor instead of 2.1 s. All others
# are Playwright's own, whose list this one replaces.
FEATURES_OFF: Final = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
QUIET: Final = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(FEATURES_OFF)}",
)
FIREFOX_ON_PATH: Final = ("firefox-esr", "firefox")
FIREFOX_PACKAGE: Final = "firefox-esr"
MADE_WITH: Final = Path(__file__).parent / "snapshots" / "made-with.json"
CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "headlight"


@cache
def _playwright_download() -> list[str]:
    """Asked for once: while a browser of Playwright's is driven, there can be no second one."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:  # nothing is installed yet
        return []
    with sync_playwright() as playwright:
        return [playwright.chromium.executable_path]


def _candidates() -> Iterator[str]:
    if override := os.environ.get(OVERRIDE):
        yield override
    for name in ON_PATH:
        if found := shutil.which(name):
            yield found
    yield from ELSEWHERE
    yield from _playwright_download()


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


def drawers() -> list[str]:
    """Major versions of the Chromiums that are known to draw the pictures of `snapshots`."""
    return [str(maker["chromium"]) for maker in json.loads(MADE_WITH.read_text("utf-8"))]


def find_drawer() -> str | None:
    """Path of a Chromium of one of these versions that was laid aside for the pictures."""
    places = (CACHE / f"chromium-{major}" / "usr/lib/chromium/chromium" for major in drawers())
    return next((str(path) for path in places if path.is_file() and _answers(str(path))), None)


def find_firefox() -> str | None:
    """Path of a Firefox, None where there is none."""
    return next(filter(None, map(shutil.which, FIREFOX_ON_PATH)), None)


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


def _run(command: Sequence[str], folder: Path | None = None) -> bool:
    print("+", " ".join(command), flush=True)
    return subprocess.run(command, stdin=subprocess.DEVNULL, cwd=folder).returncode == 0


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


def _major(executable: str) -> str:
    told = subprocess.run([executable, "--version"], capture_output=True, text=True, timeout=60)
    return next((word.split(".")[0] for word in told.stdout.split() if word[0].isdigit()), "")


def _versions(package: str) -> list[str]:
    """Those of a package that Debian, or what is made of it, has."""
    if not (shutil.which("apt-get") and shutil.which("dpkg")):
        return []
    listed = subprocess.run(["apt-cache", "madison", package], capture_output=True, text=True)
    return [line.split("|")[1].strip() for line in listed.stdout.splitlines() if "|" in line]


def _lay_aside(major: str) -> bool:
    """Unpacks Debian's Chromium of that version beside the installed one, where it has it."""
    version = next((one for one in _versions("chromium") if one.startswith(f"{major}.")), None)
    if version is None:
        return False
    folder = CACHE / f"chromium-{major}"
    folder.mkdir(parents=True, exist_ok=True)
    packages = [f"{name}={version}" for name in ("chromium", "chromium-common")]
    if not _run(["apt-get", "download", "-q", *packages], folder):
        return False
    archives = list(folder.glob("*.deb"))
    unpacked = [_run(["dpkg", "-x", str(archive), str(folder)]) for archive in archives]
    for archive in archives:
        archive.unlink()
    return all(unpacked)


def main() -> int:
    """Makes sure of all; says what to do where it cannot."""
    if find_chromium() is None:
        _ = apt_install("chromium") or _download_chromium()
    named = os.environ.get(OVERRIDE)
    if not named and shutil.which(HEADLESS_PACKAGE) is None and _versions(HEADLESS_PACKAGE):
        apt_install(HEADLESS_PACKAGE)
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
    if _major(chromium) not in drawers() and find_drawer() is None:
        _ = any(_lay_aside(major) for major in drawers())
        if find_drawer() is None:
            print(f"Pictures are compared in Chromium {', '.join(drawers())}, which is not here.")
    if find_firefox() is None:
        apt_install(FIREFOX_PACKAGE)
    if find_firefox() is None:
        print(f"The walk through Firefox is skipped: install one, such as {FIREFOX_PACKAGE}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
