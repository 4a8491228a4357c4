"""Who asks for many files at once waits for them alone: the pages go on answering."""

from __future__ import annotations

import json
import shutil
import statistics
import struct
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.security.wire import Answer, Server
from viz.server.drawing import MOST, busy
from viz.text.errors import worded

pytestmark = pytest.mark.e2e
MANY = 45
SOON = 1.0  # seconds
PAGES = ("/", "/step", "/frame/frame.js", "/inspector/main.js", "/_stcore/health", "/runs")


@pytest.fixture(scope="module")
def runs_root(tmp_path_factory: pytest.TempPathFactory, tiny_run: Path) -> Path:
    root = tmp_path_factory.mktemp("runs")
    shutil.copytree(tiny_run, root / "a-run")
    return root


@pytest.fixture(scope="module")
def snapshot_id(server: Server) -> str:
    """Of a look that the server has."""
    answer = server.ask("/runs/a-run/snapshots/80?source=tomato")
    (length,) = struct.unpack_from("<I", answer.body)
    return str(json.loads(answer.body[4 : 4 + length])["meta"]["trace_id"])


def _patient(server: Server, path: str) -> Answer:
    """As a browser, which waits for a file as long as it takes."""
    connection = HTTPConnection("localhost", server.port, timeout=240)
    connection.request("GET", path)
    reply = connection.getresponse()
    headers = {name.lower(): text for name, text in reply.getheaders()}
    answer = Answer(reply.status, headers, reply.read())
    connection.close()
    return answer


def _flooded(server: Server, path: str) -> tuple[list[float], list[Answer]]:
    """How long pages took while many asked for that, and what those were answered.

    Who are many ask again until each page was asked for meanwhile.
    """
    server.ask(path)  # what is imported once is not what is measured
    took: list[float] = []
    answers: list[Answer] = []
    with ThreadPoolExecutor(MANY) as crowd:
        while len(took) < len(PAGES):
            asked = [crowd.submit(_patient, server, path) for _ in range(MANY)]
            while wait(asked, 0.02).not_done:
                began = time.monotonic()
                assert server.ask(PAGES[len(took) % len(PAGES)]).status == 200
                took.append(time.monotonic() - began)
            answers += [one.result() for one in asked]
    return took, answers


def test_pages_answer_while_many_figures_are_drawn(server: Server, snapshot_id: str) -> None:
    took, answers = _flooded(server, f"/export/{snapshot_id}/trace.pdf?view=grid&lang=ko")
    # One of them may fall together with whatever else this machine does.
    assert statistics.quantiles(took, n=20)[-1] < SOON, sorted(took)[-5:]
    statuses = Counter(answer.status for answer in answers)
    assert set(statuses) == {200, 503}, statuses
    assert statuses[503] <= (MANY - MOST + 1) * (len(answers) // MANY)
    for answer in answers:
        if answer.status == 200:
            assert answer.body.startswith(b"%PDF")
        else:
            assert int(answer.headers["retry-after"]) > 0
            assert answer.body.decode() == worded(busy(), "ko")
            assert "content-disposition" not in answer.headers


def test_pages_answer_while_many_bertviz_pages_are_made(server: Server, snapshot_id: str) -> None:
    took, answers = _flooded(server, f"/bertviz/{snapshot_id}/model?lang=en&theme=dark")
    assert statistics.quantiles(took, n=20)[-1] < SOON, sorted(took)[-5:]
    assert {answer.status for answer in answers} <= {200, 503}
    for answer in answers:
        assert answer.headers["content-type"].startswith("text/html")
        if answer.status == 503:  # the frame asks again by itself
            assert answer.headers["refresh"] == answer.headers["retry-after"]
            assert worded(busy(), "en") in answer.body.decode()


def test_the_queue_is_free_again(server: Server, snapshot_id: str) -> None:
    answer = server.ask(f"/export/{snapshot_id}/trace.svg")
    assert answer.status == 200
    assert server.ask(f"/export/{snapshot_id}/trace.svg", method="HEAD").status == 200
