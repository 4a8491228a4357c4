"""What the server answers: the page, the inspector's modules, exact numbers.

All of it is read-only. Layers and heads of the data route count from 0, like the arrays;
addresses that people see count from 1 (`viz.state`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, cast

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.errors import HeadlightError
from core.trace import KINDS, Kind
from viz import first_look, page
from viz.address import PAGES
from viz.asked import count_of, language_of
from viz.inspector.pack import exact_bytes, logits_bytes
from viz.run_routes import RUN_ROUTES
from viz.store import LOOKS
from viz.take_routes import TAKE_ROUTES
from viz.text.errors import worded

_ICON: Final = "icon.svg"
ASSETS: Final = Path(__file__).parent / "inspector" / "assets"
TRAINING: Final = Path(__file__).parent / "training" / "assets"


# Components are loaded from blob URLs, styles are written by script (emotion), and the
# browser talks to this server only, by HTTP and by WebSocket.
CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'self'",
        " ".join(["script-src 'self' blob:", *page.inline_hashes()]),
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'self'",
    )
)
SECURITY_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class SecurityHeaders:
    """Adds `SECURITY_HEADERS` to every HTTP answer that does not set them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class Modules(StaticFiles):
    """Files of ours for the browser, asked for again on every visit: an edit shows at once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        # The icon is asked for at each change of the address, of which each sentence is one.
        response.headers["Cache-Control"] = "max-age=3600" if path == _ICON else "no-cache"
        return response


def index(request: Request) -> Response:
    """The page of every address of the app."""
    body = page.html(request.url.path.strip("/"))
    return HTMLResponse(body, headers={"Cache-Control": "no-cache"})


def by_name(request: Request) -> Response:
    """Inspect by its name, as people guess it: it has the empty path."""
    query = request.url.query
    return RedirectResponse(f"./?{query}" if query else "./")


# An id is a digest of all that the numbers depend on: what its addresses say never changes.
_FOREVER: Final = {"Cache-Control": "private, max-age=31536000, immutable"}


def packed_kind(request: Request) -> Response:
    """Every head of one kind of attention of a look, packed (`viz.inspector.quantise`).

    Unknown looks and kinds get the same empty 404.
    """
    look = LOOKS.get(request.path_params["id"])
    kind = request.path_params["kind"]
    if look is None or kind not in look.trace.sites:
        return Response(status_code=404)
    body = look.packed.body(kind).tobytes()
    first_look.drawn()
    return Response(body, media_type="application/octet-stream", headers=_FOREVER)


def exact_head(request: Request) -> Response:
    """Weights, and scores where the model exposes them, of one head as float32.

    Unknown looks, kinds, layers and heads all get the same empty 404.
    """
    asked = request.path_params
    look = LOOKS.get(asked["id"])
    kind = asked["kind"]
    if look is None or kind not in KINDS or kind not in look.trace.sites:
        return Response(status_code=404)
    site = look.trace.sites[cast(Kind, kind)]
    if not (asked["layer"] < site.layers and asked["head"] < site.heads):
        return Response(status_code=404)
    return Response(
        exact_bytes(look.trace, cast(Kind, kind), asked["layer"], asked["head"]),
        media_type="application/octet-stream",
        headers=_FOREVER,
    )


def logits_row(request: Request) -> Response:
    """The logits of one step as float32; looks and steps without get the same empty 404."""
    look = LOOKS.get(request.path_params["id"])
    try:
        body = None if look is None else logits_bytes(look.trace, request.path_params["step"])
    except LookupError:
        body = None
    if body is None:
        return Response(status_code=404)
    return Response(body, media_type="application/octet-stream", headers=_FOREVER)


def bertviz_view(request: Request) -> Response:
    """A look as BertViz draws it, a page of its own that may do nothing but that."""
    from viz import bertviz  # here: most visits never ask for it

    asked = request.query_params
    language = language_of(asked)
    dark = asked.get("theme") == "dark"
    headers = {"Content-Security-Policy": bertviz.POLICY, "Cache-Control": "no-store"}
    look = LOOKS.get(request.path_params["id"])
    if look is None:
        return HTMLResponse(bertviz.gone(language, dark=dark), status_code=404, headers=headers)
    kind = next((name for name in KINDS if name == asked.get("kind")), None)
    view = bertviz.view_of(request.path_params["view"])
    layer, head = (max(1, count_of(asked.get(name, "1"))) for name in ("layer", "head"))
    try:
        page = bertviz.page(look.trace, view, kind, layer, head, language=language, dark=dark)
    except HeadlightError as error:
        return Response(worded(error, language), media_type="text/plain; charset=utf-8")
    return HTMLResponse(page, headers=headers)


_FIRST, *_OTHERS = PAGES

ROUTES: Final[list[BaseRoute]] = [
    *(Route(f"/{name}", index, methods=["GET"]) for name in ("", *_OTHERS)),
    Route(f"/{_FIRST}", by_name, methods=["GET"]),
    Mount("/frame", Modules(directory=page.FRAME)),
    Mount("/inspector", Modules(directory=ASSETS)),
    Mount("/training", Modules(directory=TRAINING)),
    Route("/trace/{id}/{kind}", packed_kind, methods=["GET"]),
    Route("/trace/{id}/{kind}/{layer:int}/{head:int}", exact_head, methods=["GET"]),
    Route("/trace/{id}/logits/{step:int}", logits_row, methods=["GET"]),
    Route("/bertviz/{id}/{view}", bertviz_view, methods=["GET"]),
    *TAKE_ROUTES,
    *RUN_ROUTES,
]

MIDDLEWARE: Final = [
    Middleware(GZipMiddleware, minimum_size=1024, compresslevel=1),
    Middleware(SecurityHeaders),
]
