"""What cannot be meant ends the start: by name, in one line, with exit code 2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.conftest import free_port

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).parents[2]
APP = ("-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.port")


def started(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("HEADLIGHT_TRAININGS", "-1"),
        ("HEADLIGHT_TRAININGS", " 0"),
        ("HEADLIGHT_HOSTS", "*"),
        ("HEADLIGHT_TRAINING", "0"),
    ],
)
def test_a_wrong_setting_ends_the_app(name: str, text: str) -> None:
    done = started(*APP, str(free_port()), **{name: text})
    assert done.returncode == 2
    said = done.stderr.strip().splitlines()
    assert len(said) == 1
    assert said[0].startswith(f"error: {name} ")


@pytest.mark.parametrize("command", [("core", "models"), ("viz", "desktop")])
def test_a_wrong_setting_ends_every_command(command: tuple[str, ...]) -> None:
    done = started("-m", *command, HEADLIGHT_TRAININGS="many")
    assert done.returncode == 2
    assert done.stderr.startswith("error: HEADLIGHT_TRAININGS ")
    assert done.stderr.count("\n") == 1


def test_make_prints_both_addresses() -> None:
    """localhost may mean ::1, and a browser or a proxy may know only one of them."""
    done = subprocess.run(
        ["make", "-n", "app", "PORT=8600"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "http://localhost:8600 or http://127.0.0.1:8600" in done.stdout
