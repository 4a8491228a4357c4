"""`python -m viz desktop`: a window of its own, and a server that ends with it."""

import os
import re
import stat
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]


def stand_in(folder: Path, lines: str) -> Path:
    """A program in the place of a browser; what it was called with is in `called`."""
    program = folder / "window"
    program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{folder}/called'\n{lines}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def opened(browser: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "viz", "desktop"],
        cwd=ROOT,
        env={**os.environ, "HEADLIGHT_BROWSER": browser, **environment},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_the_server_lives_as_long_as_the_window(tmp_path: Path, executable: str) -> None:
    page = tmp_path / "page.html"
    # A real browser, without a screen: it prints the page that the window would show.
    program = stand_in(
        tmp_path,
        f"exec '{executable}' --headless=new --no-sandbox --dump-dom --timeout=20000"
        f" \"${{1#--app=}}\" > '{page}' 2>/dev/null",
    )
    done = opened(str(program))
    assert done.returncode == 0, done.stderr
    called = (tmp_path / "called").read_text()
    address = re.search(r"--app=(http://127\.0\.0\.1:\d+)", called)
    assert address
    assert "--user-data-dir=" in called
    assert "Headlight" in page.read_text(encoding="utf-8")
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"{address[1]}/_stcore/health", timeout=5)
    profile = re.search(r"--user-data-dir=(\S+)", called)
    assert profile
    assert not Path(profile[1]).exists()


@pytest.mark.parametrize("code", [0, 1])
def test_a_browser_that_ends_at_once_is_named_and_the_server_ends(
    tmp_path: Path, code: int
) -> None:
    """As Chromium does for root: it complains, and there was never a window."""
    done = opened(str(stand_in(tmp_path, f"exit {code}")))
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{tmp_path}/window opened no window (it ended with code {code})" in done.stderr
    assert "make app" in done.stderr
    address = re.search(r"--app=(\S+)", (tmp_path / "called").read_text())
    assert address
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(f"{address[1]}/_stcore/health", timeout=5)


def test_without_a_browser_it_says_what_to_install(tmp_path: Path) -> None:
    done = opened("no-such-browser", PATH=str(tmp_path))
    assert done.returncode == 2
    assert "pip install pywebview" in done.stderr
    assert done.stderr.count("\n") == 1
