"""The real app, `streamlit run app.py`, for tests that speak to it as a stranger would."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import app_models, free_port, serving
from tests.security.wire import Server

__all__ = ["app_models"]  # a fixture of the browser tests that holds here, too


@pytest.fixture(scope="module")
def runs_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the runs of `server` live."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def environment(app_models: Path, runs_root: Path) -> dict[str, str]:
    """What `server` starts with; a module may override it."""
    return {"HEADLIGHT_CHECKPOINTS": str(app_models), "HEADLIGHT_RUNS": str(runs_root)}


@pytest.fixture(scope="module")
def server(environment: dict[str, str]) -> Iterator[Server]:
    """The app with the tiny models on a free port, for the tests of one module."""
    port = free_port()
    with serving(port, **environment):
        yield Server(port)
