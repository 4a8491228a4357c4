"""What the server answers about training runs: their list, their events, looks at milestones.

All of it is read-only: runs are started, stopped and removed through the Train page alone.
"""

from __future__ import annotations

import re
import threading
from dataclasses import asdict
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from core import registry
from core.errors import HeadlightError
from core.model import TraceRequest
from core.studies.informative import most_informative
from core.training.folder import RunFolder
from viz.inspector.payload import framed
from viz.jobs import owners, runs, services
from viz.jobs.run_events import told
from viz.jobs.visitor import asking
from viz.server import paths
from viz.session.address import clean_text
from viz.text.errors import worded
from viz.text.language import LANGUAGES

_FRESH: Final = {"Cache-Control": "no-store"}
_MOST_WAITING: Final = 8
_COMPUTING: Final = threading.BoundedSemaphore(_MOST_WAITING)
"""Snapshots that are computed or wait for that: more of them would hold up every other answer."""
_OFFSET: Final = re.compile(r"[0-9]{1,12}")  # bytes, up to a terabyte


def run_list(request: Request) -> Response:
    """Every run and its state, the one that told something last first."""
    visitor, root = asking(request), registry.runs_root()
    listed = [
        asdict(runs.told_to(run, owners.rights(root / run.id, visitor))) for run in runs.runs()
    ]
    return JSONResponse({"runs": listed, "limit": runs.limit()}, headers=_FRESH)


def run_events(request: Request) -> Response:
    """A run's state, and its events `?from=` so many bytes on.

    null stands for a run that is not there: that one was removed is news, not an error.
    """
    start = request.query_params.get("from", "0")
    if not _OFFSET.fullmatch(start):
        return Response(status_code=400)
    try:
        run = runs.run(request.path_params["id"])
        folder = registry.known_run(run.id)
        rights = owners.rights(folder, asking(request))
        return JSONResponse(told(run, folder, int(start), rights), headers=_FRESH)
    except HeadlightError:
        return JSONResponse(None, headers=_FRESH)


def milestone_snapshot(request: Request) -> Response:
    """What a milestone of a run makes of the sentence `?source=`: a snapshot (`payload.framed`).

    With `&target=` it is teacher-forced on that text, so that milestones can be compared; what
    writes no texts goes without. For a
    sentence that cannot be looked at comes JSON instead, with the reason in every language; 202
    says that others wait already. (Browsers take a status from 400 on for a fault of the page.)
    403: the run is somebody else's; the page asks for none then.
    """
    asked = request.path_params
    source = clean_text(request.query_params.get("source", ""))
    target = clean_text(request.query_params.get("target", "")).strip() or None
    try:
        folder = RunFolder(registry.known_run(asked["id"]))
    except HeadlightError:
        return Response(status_code=404)
    if not owners.rights(folder.path, asking(request)).read:
        said = {language: worded(owners.foreign(asked["id"]), language) for language in LANGUAGES}
        return JSONResponse({"code": "run_foreign", "said": said}, 403, _FRESH)
    found = next((m.folder for m in folder.milestones() if m.step == asked["step"]), None)
    if found is None:
        return Response(status_code=404)
    if not _COMPUTING.acquire(blocking=False):
        return Response(status_code=202, headers={"Retry-After": "1", **_FRESH})
    try:
        forced = target if registry.entry_of("", found).writes else None
        snapshot = services.snapshot_of(found, TraceRequest(source, forced))
    except HeadlightError as error:
        said = {language: worded(error, language) for language in LANGUAGES}
        return JSONResponse({"code": error.code, "said": said}, headers=_FRESH)
    finally:
        _COMPUTING.release()
    sites = snapshot.trace.sites
    focus = {
        kind: most_informative(site, snapshot.trace.keys(kind)) for kind, site in sites.items()
    }
    body = framed(snapshot.packed, focus=focus, translation=snapshot.translation)
    return Response(body, media_type="application/octet-stream", headers=_FRESH)


paths.register()
RUN_ROUTES: Final[list[BaseRoute]] = [
    Route("/runs", run_list, methods=["GET"]),
    Route("/runs/{id}/events", run_events, methods=["GET"]),
    Route("/runs/{id}/snapshots/{step:count}", milestone_snapshot, methods=["GET"]),
]
