"""What the server answers: the page, the inspector's modules, exact numbers.

Nothing of it changes what anybody has. Layers and heads of the data route count from 0, like the
arrays; addresses that people see count from 1 (`viz.session.address`).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from core.errors import HeadlightError
from core.model import TraceRequest
from viz.export.request import language_of
from viz.inspector.modules import WEB, bare
from viz.inspector.pack import exact_bytes, logits_bytes
from viz.inspector.spelling import KIND, NUMBER
from viz.inspector.states import states_bytes
from viz.jobs import first_snapshot, services
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.jobs.typed import TYPED
from viz.jobs.visitor import asking
from viz.server import page, paths
from viz.server.compression import Compression
from viz.server.cookie import VisitorCookie
from viz.server.drawing import Drawing, refusal
from viz.server.export_routes import EXPORT_ROUTES
from viz.server.hosts import OwnPages
from viz.server.kept import Kept, StreamlitKept
from viz.server.run_routes import RUN_ROUTES
from viz.server.security import SecurityHeaders
from viz.server.uploads import BoundedUploads
from viz.session.address import PAGE, PAGES, UiState, clean_text, read
from viz.text.bertviz import TEXT as BERTVIZ
from viz.text.errors import worded

_OTHERS: Final = PAGES[1:]


def index(request: Request) -> Response:
    """The page of every address of the app."""
    body = page.html(request.url.path.strip("/"))
    return HTMLResponse(body, headers={"Cache-Control": "no-cache"})


def by_name(request: Request) -> Response:
    """A page in other letters than its name has, and Inspect by its name, as people guess it.

    What names no page leads to the first one, which says so: Streamlit would answer with a page
    without our frame and a dialog in English.
    """
    name = request.path_params["name"].casefold()
    asked = [
        text for text in (request.url.query, "" if name in PAGES else f"{PAGE}=unknown") if text
    ]
    place = name if name in _OTHERS else ""
    return RedirectResponse(f"./{place}?{'&'.join(asked)}" if asked else f"./{place}")


# An id is a digest of all that the numbers depend on: what its addresses say never changes.
_FOREVER: Final = {"Cache-Control": "private, max-age=31536000, immutable"}


MOST_TYPED: Final = 8
_TYPED: Final = threading.BoundedSemaphore(MOST_TYPED)
"""Snapshots that are asked for here and computed or wait for that: each keeps a thread."""


def typed_snapshot(request: Request) -> Response:
    """What a sentence looks like that was typed just now, `?source=`, to the model `?model=`.

    Read as a message and written by chance as an address spells those (`viz.session.address`).

    The run of the page that Streamlit begins at the same moment brings the same, and finds it
    computed; it takes longer by all else that is on the page. Its meta (`viz.inspector.pack`) as
    JSON, or 204: that run will say what stands in the way. A POST, which no other site's page
    can send (`viz.server.hosts`).
    """
    model_id = request.query_params.get("model", "")
    source = clean_text(request.query_params.get("source", ""))
    known = model_id in services.model_ids(asking(request))
    ready = services.opened(model_id) if known else None
    if ready is None or not _TYPED.acquire(blocking=False):
        return Response(status_code=204)
    try:
        ui, _ = read(request.query_params, UiState(), ())
        asked = TraceRequest(source, sampling=ui.sampling, message=ui.message)
        snapshot = services.typed_snapshot(ready, asked)
    except HeadlightError:
        return Response(status_code=204)
    finally:
        _TYPED.release()
    body = json.dumps(snapshot.packed.meta, ensure_ascii=False)
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})


def packed_kind(request: Request) -> Response:
    """Every head of one kind of attention of a snapshot, packed (`viz.inspector.quantise`)."""
    kind = request.path_params["kind"]

    def made(snapshot: Snapshot) -> bytes:
        if kind not in snapshot.trace.sites:
            raise LookupError(kind)
        body = snapshot.packed.body(kind).tobytes()
        first_snapshot.drawn()
        return body

    return _numbers(request, made)


def exact_head(request: Request) -> Response:
    """Weights of one head, and scores and shares where the model exposes them, as float32."""
    asked = request.path_params

    def made(snapshot: Snapshot) -> bytes:
        body = exact_bytes(snapshot.trace, asked["kind"], asked["layer"], asked["head"])
        TYPED.drawn(snapshot.id)  # a browser asks for these once it has painted
        return body

    return _numbers(request, made)


def states_layer(request: Request) -> Response:
    """States and gates of one layer of a stack as float32 (`viz.inspector.states`)."""
    asked = request.path_params
    return _numbers(
        request, lambda snapshot: states_bytes(snapshot.trace, asked["stack"], asked["layer"])
    )


def logits_row(request: Request) -> Response:
    """The logits of one step as float32."""
    step = request.path_params["step"]
    return _numbers(request, lambda snapshot: logits_bytes(snapshot.trace, step))


def _numbers(request: Request, made: Callable[[Snapshot], bytes]) -> Response:
    """Numbers of the snapshot that the path names; whatever is not there gets the same empty 404.

    Args:
        made: those of the snapshot; its LookupError says that there are none.
    """
    snapshot = SNAPSHOTS.get(request.path_params["id"])
    try:
        body = None if snapshot is None else made(snapshot)
    except LookupError:
        body = None
    if body is None:
        return Response(status_code=404)
    return Response(body, media_type="application/octet-stream", headers=_FOREVER)


_BERTVIZ: Final = Drawing()  # text of 50 ms, beside figures that take longer


async def bertviz_view(request: Request) -> Response:
    """A snapshot as BertViz draws it, a page of its own that may do nothing but that.

    Where too many ask, the page says so and asks again by itself.
    """
    from viz.bertviz import views as bertviz  # here: most visits never ask for it

    asked = request.query_params
    language, dark = language_of(asked), asked.get("theme") == "dark"
    headers = {"Content-Security-Policy": bertviz.POLICY, "Cache-Control": "no-store"}

    def drawn() -> Response:
        snapshot = SNAPSHOTS.get(request.path_params["id"])
        if snapshot is None:
            page = bertviz.instead(BERTVIZ[language].missing, language, dark=dark)
            return HTMLResponse(page, 404, headers)
        kind = KIND.tried(asked.get("kind"), None)
        view = bertviz.view_of(request.path_params["view"])
        layer, head = (NUMBER.tried(asked.get(name), 1) for name in ("layer", "head"))
        page = bertviz.page(snapshot.trace, view, kind, layer, head, language=language, dark=dark)
        return HTMLResponse(page, headers=headers)

    try:
        return await _BERTVIZ.of(request, drawn)
    except HeadlightError as error:
        status, more = refusal(error)
        if status == 503:
            more["Refresh"] = more["Retry-After"]
        page = bertviz.instead(worded(error, language), language, dark=dark)
        return HTMLResponse(page, 503 if status == 503 else 200, headers | more)


def _without_comments(path: Path) -> bytes:
    """A module as browsers get it: its types are for who reads it in its folder."""
    return bare(path).encode() if path.suffix == ".js" else path.read_bytes()


paths.register()
ROUTES: Final[list[BaseRoute]] = [
    *(Route(f"/{name}", index, methods=["GET"]) for name in ("", *_OTHERS)),
    # Ours are asked for again on every visit: an edit shows at once. But the icon is asked for at
    # each change of the address, of which each sentence is one.
    Mount("/frame", Kept(page.FRAME, "no-cache", {"icon.svg": "max-age=3600"})),
    Mount("/inspector", Kept(WEB, "no-cache", read=_without_comments)),
    Route("/snapshot", typed_snapshot, methods=["POST"]),
    Route("/trace/{id}/{kind}", packed_kind, methods=["GET"]),
    Route("/trace/{id}/{kind}/{layer:count}/{head:count}", exact_head, methods=["GET"]),
    Route("/trace/{id}/logits/{step:count}", logits_row, methods=["GET"]),
    Route("/trace/{id}/states/{stack}/{layer:count}", states_layer, methods=["GET"]),
    Route("/bertviz/{id}/{view}", bertviz_view, methods=["GET"]),
    *EXPORT_ROUTES,
    *RUN_ROUTES,
    Route("/{name:word}", by_name, methods=["GET"]),
]

# The first is the outermost: what the second refuses has the headers of the first.
MIDDLEWARE: Final = [
    Middleware(SecurityHeaders),
    Middleware(OwnPages),
    Middleware(Compression, minimum_size=1024, compresslevel=1),
    Middleware(VisitorCookie),
    Middleware(BoundedUploads),
    Middleware(StreamlitKept, folder=page.STREAMLIT / "static"),
]
