"""Links, files and addresses of the app that people have kept go on working: see README.md."""

from __future__ import annotations

import csv
import inspect
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

from core import registry
from core.model import TraceRequest
from core.trace import load_trace
from tests.contracts.test_contracts import MADE, NUMERALS, STOPPED, is_float, read
from tests.viz.asgi import get
from viz import inspector
from viz.__main__ import app as commands
from viz.inspector.pack import pack
from viz.jobs import services, visitor
from viz.jobs.models import Models
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.jobs.visitor import Visitor
from viz.server.routes import MIDDLEWARE, ROUTES

APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
TRACES = {"ID": "look.npz", "OTHER": "lifted.npz"}
TIMEOUT = 60


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The model is open, and its run is among the runs."""
    shutil.copytree(NUMERALS, tmp_path / "models" / "numerals")
    shutil.copytree(STOPPED, tmp_path / "runs" / "stopped")
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path / "models"))
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path / "runs"))
    monkeypatch.setattr(visitor, "current", lambda: Visitor(local=True))
    monkeypatch.setattr(services, "MODELS", Models(registry.load))
    services.first_snapshot.cache_clear()
    services.MODELS.wait("numerals", TIMEOUT)


@pytest.mark.parametrize("link", read("links.json"), ids=lambda link: link["page"])
def test_a_link_opens_what_it_opened(opened: None, link: dict[str, Any]) -> None:
    """What it asks for is kept or refused as it was; what it leaves open is the app's to choose."""
    app = AppTest.from_string(f"from viz.main import run\nrun({link['page']!r})")
    app.query_params.update(link["asked"])
    app.run(timeout=TIMEOUT)
    assert not app.exception
    for name in ("lang", "model", *link["asked"]):
        then, now = link["writes"].get(name), app.query_params.get(name)
        assert (now[-1] if isinstance(now, list) else now) == then, name


@pytest.fixture
def kept() -> Iterator[None]:
    """Both traces are in the store."""
    for name, file in TRACES.items():
        trace = load_trace(MADE / file)
        SNAPSHOTS.put(Snapshot(name, TraceRequest("삼이일"), trace, pack(trace, trace_id=name)))
    yield
    SNAPSHOTS.clear()


@pytest.mark.parametrize("then", read("addresses.json"), ids=lambda then: then["address"])
def test_an_address_answers_what_it_answered(kept: None, then: dict[str, Any]) -> None:
    now = get(APP, then["address"])
    while "location" in now.headers and "location" not in then:
        now = get(APP, now.headers["location"])
    assert now.status == then["status"]
    for name in ("content-type", "content-disposition", "location"):
        assert now.headers.get(name) == then.get(name)
    if "holds" in then:
        assert_holds(now.body.decode(), then["holds"])


@pytest.mark.parametrize(
    "then", read("exports.json"), ids=lambda then: " ".join(then["arguments"][1:-2])
)
def test_a_file_is_exported_as_it_was(
    then: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(MADE)
    arguments = [part.replace("{out}", str(tmp_path)) for part in then["arguments"]]
    done = CliRunner().invoke(commands, arguments)
    assert done.exit_code == then["exit_code"], done.output
    if not then["exit_code"]:
        body = Path(arguments[arguments.index("--out") + 1]).read_bytes()
        assert body.startswith(then["starts"].encode("latin-1"))
        if "holds" in then:
            assert_holds(body.decode(), then["holds"])


def test_a_link_to_an_opened_file_is_read_by_its_former_name(opened: None, kept: None) -> None:
    app = AppTest.from_string("from viz.main import run\nrun()")
    app.query_params.update({"look": "ID", "lang": "en"})
    app.run(timeout=TIMEOUT)
    assert app.query_params["trace"] == "ID"
    assert "look" not in app.query_params


def assert_holds(now: str, then: str) -> None:
    """The same lines and columns, or keys and values; a later version may tell more."""
    if then.startswith("{"):
        assert_tells(json.loads(now), json.loads(then))
        return
    ours, theirs = (list(csv.DictReader(io.StringIO(text))) for text in (now, then))
    assert len(ours) == len(theirs)
    for row, wanted in zip(ours, theirs, strict=True):
        assert {name: row[name] for name in wanted} == wanted


def assert_tells(now: Any, then: Any) -> None:
    if isinstance(then, dict):
        for key, value in then.items():
            assert_tells(now[key], value)
    elif isinstance(then, list):
        assert len(now) == len(then)
        for ours, theirs in zip(now, then, strict=True):
            assert_tells(ours, theirs)
    else:
        assert now == (pytest.approx(then, abs=1e-6) if is_float(then) else then)


def test_a_notebook_shows_by_the_same_arguments() -> None:
    taken = inspect.signature(inspector.show).parameters
    assert {"trace", "selection", "language", "height"} <= set(taken)
    page = inspector.show(
        load_trace(MADE / "look.npz"),
        selection={
            "kind": "cross",
            "layer": 1,
            "head": 2,
            "step": 2,
            "mode": "lines",
            "kept": "1.1",
        },
        language="ko",
        height=640,
    )
    assert page.page.startswith("<!")
    assert page.height == 640
