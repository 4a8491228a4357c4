"""The server reaches nothing but this machine, whatever is looked at and whoever asks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.training.folder import RunFolder
from tests.e2e.conftest import arrived, visiting, way_to
from tests.e2e.test_app import drawn, translated, typed
from tests.security.wire import Server
from viz.session.address import PAGES
from viz.text import train

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
WATCHED = Path(__file__).parent / "watched"
STILL = '[data-testid="stApp"][data-test-script-state="notRunning"]'


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sockets") / "told.jsonl"


@pytest.fixture(scope="module")
def environment(environment: dict[str, str], told: Path) -> dict[str, str]:
    return {**environment, "PYTHONPATH": str(WATCHED), "WATCHED_SOCKETS": str(told)}


@pytest.fixture
def page(chromium: Browser, server: Server) -> Iterator[Page]:
    with visiting(chromium, f"http://{server.host}") as visit:
        yield visit("/")


def lines(told: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in told.read_text().splitlines()]


def left(told: Path) -> list[dict[str, Any]]:
    """What wanted to leave the machine."""
    return [line for line in lines(told) if line["event"] != "began"]


def watched(told: Path, word: str) -> bool:
    """Whether a process was watched whose command has such a word."""
    return any(word in " ".join(line["argv"]) for line in lines(told) if line["event"] == "began")


@pytest.mark.parametrize(
    "act",
    [
        "import socket; socket.create_connection(('192.0.2.1', 80), 1)",
        "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 1))",
        "import socket; socket.getaddrinfo('somewhere.invalid', 80)",
        "import urllib.request as u; u.urlopen('http://somewhere.invalid/', timeout=1)",
        "import requests; requests.get('http://192.0.2.1/', timeout=1)",
    ],
)
def test_the_watch_sees_what_leaves(act: str, tmp_path: Path) -> None:
    told = tmp_path / "told.jsonl"
    environment = {**os.environ, "PYTHONPATH": str(WATCHED), "WATCHED_SOCKETS": str(told)}
    done = subprocess.run([sys.executable, "-c", act], env=environment, capture_output=True)
    assert done.returncode == 1
    assert len(left(told)) >= 1


def test_pages_of_others_make_the_server_ask_nobody(server: Server, told: Path) -> None:
    """Streamlit asks an outside address for its own, to compare an Origin with it."""
    for origin in ("http://evil.test", "null", "https://192.0.2.1:8501", "http://LOCALHOST"):
        server.shake_hands(f"Origin: {origin}")
        server.shake_hands(f"Origin: {origin}", host=f"evil.test:{server.port}")
        server.ask("/_stcore/host-config", f"Origin: {origin}")
    upper = f"LOCALHOST:{server.port}"
    assert server.shake_hands(f"Origin: http://{upper}", host=upper).status == 101
    assert watched(told, "app.py")
    assert left(told) == []


def test_a_walk_through_all_pages_stays_at_home(
    page: Page, server: Server, told: Path, runs_root: Path
) -> None:
    typed(page, "어제 비가 왔어")
    expect(translated(page, "it rained yesterday")).to_be_visible()
    trace = str(drawn(page, status="exact")["traceId"])
    for ending in ("png", "svg", "pdf", "csv", "json", "npz", "html"):
        assert server.ask(f"/export/{trace}/trace.{ending}").status == 200
    for name in PAGES:
        for at, label in enumerate(way_to(name, "en"), start=1):
            page.get_by_role("link", name=label, exact=True).first.click()
            arrived(page, next(n for n in PAGES if way_to(n, "en") == way_to(name, "en")[:at]))
        page.reload()
        expect(page.locator(STILL)).to_be_visible()
        arrived(page, name)
    page.goto(f"http://{server.host}/train")
    page.get_by_role("button", name=train.EN.start).click()
    expect(page.get_by_test_id("tr-stop")).to_be_visible()
    page.get_by_test_id("tr-stop").click()
    # It began a moment ago: it ends behind its first step, however busy the machine is.
    expect(page.get_by_test_id("tr-go_on")).to_be_visible(timeout=180_000)
    with RunFolder(runs_root / "numbers").claim():  # nobody trains in it: else it is refused
        pass
    assert watched(told, "app.py")
    assert watched(told, "train"), "the training is a process of its own"
    assert left(told) == []
