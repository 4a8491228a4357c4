"""The server: `streamlit run app.py` finds `app` here. The pages live in viz/main.py."""

from __future__ import annotations

import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import streamlit as st

from core import settings
from core.errors import HeadlightError
from viz.server import connections, uploads
from viz.server.routes import MIDDLEWARE, ROUTES
from viz.server.security import failed

SWITCH_SECONDS: Final = 0.0005
"""How long a thread keeps the interpreter while others wait. A pass gives it away at each of its
thousand operations, and gets it back so late where another visitor's page runs: with Python's 5 ms
it takes a second longer."""


def _warm() -> None:
    # Imported here: torch takes seconds, and the health check answers before.
    from viz.jobs import services

    services.warm()


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Opens the default model beside the server: it answers at once, the model follows."""
    sys.setswitchinterval(SWITCH_SECONDS)
    threading.Thread(target=_warm, name="warm", daemon=True).start()
    yield


try:
    settings.current()
except HeadlightError as error:  # before anything listens, and as the command line says it
    print(f"error: {error}", file=sys.stderr)
    sys.exit(2)

connections.install()
uploads.install()
app = st.App(
    "viz/main.py",
    lifespan=lifespan,
    routes=ROUTES,
    middleware=MIDDLEWARE,
    exception_handlers={Exception: failed},
)
