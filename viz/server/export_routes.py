"""Exports of snapshots and of searches: files that are made when they are asked for.

Layers, heads and steps count from 1 here, as in the address of the page; the options are spelled
as they are there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from core.errors import HeadlightError
from viz.export.request import MEDIA, Format, form_of, language_of
from viz.inspector.spelling import one_of
from viz.inspector.states import shapes
from viz.jobs import services
from viz.jobs.snapshots import SNAPSHOTS
from viz.server.drawing import DRAWING, refusal
from viz.text.errors import worded
from viz.text.language import Language

Query = Mapping[str, str]
_SIDE: Final = one_of(("a", "b"))


async def one_exported(request: Request) -> Response:
    """A file of a snapshot (`viz.export.one`), by the query's view, kind, layer, head, step, lang.

    Of two that stand beside each other, `side` says which one it is: a or b, for the file's name.
    """
    snapshot = SNAPSHOTS.get(request.path_params["id"])
    if snapshot is None:
        return Response(status_code=404)

    def made(form: Format, query: Query, language: Language) -> tuple[bytes, str]:
        from viz.export import one  # here: it brings matplotlib

        choice = one.Choice.read(query, form)
        body = one.exported(snapshot.packed, choice, form, language=language)
        fitted, side = choice.fitted(snapshot.trace), _SIDE.tried(query.get("side"), "")
        return body, one.file_name(snapshot.trace, fitted, form, side)

    return await _answered(request, made)


async def pair_exported(request: Request) -> Response:
    """A file of two snapshots (`viz.export.pair`), by the same and `other`, the second's head."""
    first, second = (SNAPSHOTS.get(request.path_params[name]) for name in ("id", "other"))
    if first is None or second is None:
        return Response(status_code=404)
    traces = (first.trace, second.trace)

    def made(form: Format, query: Query, language: Language) -> tuple[bytes, str]:
        from viz.export import pair  # here: it brings matplotlib

        choice = pair.PairChoice.read(query, form)
        body = pair.pair_exported(traces, choice, form, language=language)
        return body, pair.pair_file_name(traces, choice, form)

    return await _answered(request, made)


async def states_exported(request: Request) -> Response:
    """A file of a snapshot's states (`viz.export.states`), by the parameters of their view."""
    snapshot = SNAPSHOTS.get(request.path_params["id"])
    if snapshot is None:
        return Response(status_code=404)

    def made(form: Format, query: Query, language: Language) -> tuple[bytes, str]:
        from viz.export import states  # here: it brings matplotlib

        trace, choice = snapshot.trace, states.StatesChoice.read(query)
        body = states.states_exported(snapshot.packed, choice, form, language=language)
        return body, states.states_file_name(trace, choice.fitted(shapes(trace)), form)

    return await _answered(request, made)


async def states_pair_exported(request: Request) -> Response:
    """A file of the states of two snapshots (`viz.export.states_pair`), by the same."""
    first, second = (SNAPSHOTS.get(request.path_params[name]) for name in ("id", "other"))
    if first is None or second is None:
        return Response(status_code=404)

    def made(form: Format, query: Query, language: Language) -> tuple[bytes, str]:
        from viz.export import states_pair  # here: it brings matplotlib

        packs = (first.packed, second.packed)
        body = states_pair.states_pair_exported(packs, query, form, language=language)
        traces = (first.trace, second.trace)
        return body, states_pair.states_pair_file_name(traces, query, form)

    return await _answered(request, made)


async def gaps_exported(request: Request) -> Response:
    """A file of the gaps of a text (`viz.export.gaps`), by the query's gap and lang."""
    found = services.found_gaps(request.path_params["id"])
    if found is None:
        return Response(status_code=404)

    def made(form: Format, query: Query, language: Language) -> tuple[bytes, str]:
        from viz.export import gaps  # here: it brings matplotlib

        body = gaps.gaps_exported(found, query, form, language=language)
        return body, gaps.gaps_file_name(query, form)

    return await _answered(request, made)


async def tree_exported(request: Request) -> Response:
    """A file of a beam search (`viz.export.beam`), by the query's lang."""
    found = services.searched(request.path_params["id"])
    if found is None:
        return Response(status_code=404)

    def made(form: Format, _: Query, language: Language) -> tuple[bytes, str]:
        from viz.export import beam  # here: it brings matplotlib

        body = beam.beam_exported(
            found.tree, form, language=language, source=found.source, model_id=found.model_id
        )
        return body, f"headlight-beam{found.tree.beam}.{form}"

    return await _answered(request, made)


async def _answered(
    request: Request, made: Callable[[Format, Query, Language], tuple[bytes, str]]
) -> Response:
    """A file, or what cannot be had in the words of the query's `lang`.

    Args:
        made: its bytes and its name.
    """
    query = request.query_params
    language = language_of(query)
    if request.method == "HEAD":  # asks for no more than whether there is room
        return Response(status_code=503 if DRAWING.full else 200)
    try:
        form = form_of(request.url.path.rpartition("/")[2])
        body, name = await DRAWING.of(request, lambda: made(form, query, language))
    except HeadlightError as error:
        status, headers = refusal(error)
        said = worded(error, language)
        return Response(said, status, headers, "text/plain; charset=utf-8")
    return _file(body, name, MEDIA[form])


def _file(body: bytes, name: str, media: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, media_type=media, headers=headers)


def former(request: Request) -> Response:
    """Where a file is that was at /take/…/look.svg once: people have put such addresses down."""
    path = "/".join(("", *(quote(part) for part in request.path_params["path"].split("/"))))
    query = request.url.query
    path = path.replace("/look.", "/trace.")
    return RedirectResponse(f"/export{path}?{query}" if query else f"/export{path}", 308)


EXPORT_ROUTES: Final[list[BaseRoute]] = [
    Route("/export/{id}/trace.{form}", one_exported, methods=["GET"]),
    Route("/export/{id}/beside/{other}/trace.{form}", pair_exported, methods=["GET"]),
    Route("/export/{id}/states.{form}", states_exported, methods=["GET"]),
    Route("/export/{id}/beside/{other}/states.{form}", states_pair_exported, methods=["GET"]),
    Route("/export/{id}/gaps.{form}", gaps_exported, methods=["GET"]),
    Route("/export/{id}/tree.{form}", tree_exported, methods=["GET"]),
    Route("/take/{path:path}", former, methods=["GET"]),
]
