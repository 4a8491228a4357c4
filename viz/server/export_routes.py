"""What a person takes along of a look or of a search: files that are made when they are asked for.

Layers, heads and steps count from 1 here, as in the address of the page; the looks are spelled
as they are there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from core.errors import HeadlightError
from core.trace import Kind
from viz.export import request as asked
from viz.export.request import Format, View
from viz.jobs import services
from viz.jobs.store import LOOKS
from viz.server.drawing import DRAWING, refusal
from viz.text.errors import worded
from viz.text.language import Language

Query = Mapping[str, str]


async def taken(request: Request) -> Response:
    """A file of a look (`viz.export.one`), by the query's view, kind, layer, head, step and lang.

    Of two that stand beside each other, `side` says which one it is: a or b, for the file's name.
    """
    look = LOOKS.get(request.path_params["id"])
    if look is None:
        return Response(status_code=404)

    def made(form: Format, query: Query, language: Language) -> tuple[bytes, str]:
        from viz.export import one  # here: it brings matplotlib

        choice = one.Choice(
            *_head(query),
            asked.counted("step", query["step"]) if "step" in query else None,
            asked.looks_of(query),
        )
        body = one.exported(look.packed, choice, form, language=language)
        fitted, side = choice.fitted(look.trace), asked.side_of(query.get("side"))
        return body, one.file_name(look.trace, fitted, form, side)

    return await _answered(request, made)


async def both_taken(request: Request) -> Response:
    """A file of two looks (`viz.export.pair`), by the same and `other`, the second's head."""
    first, second = (LOOKS.get(request.path_params[name]) for name in ("id", "other"))
    if first is None or second is None:
        return Response(status_code=404)
    traces = (first.trace, second.trace)

    def made(form: Format, query: Query, language: Language) -> tuple[bytes, str]:
        from viz.export import pair  # here: it brings matplotlib

        choice = pair.PairChoice(
            *_head(query),
            asked.other_of(query.get("other")),
            asked.looks_of(query),
            asked.place_of(query.get("place")),
        )
        body = pair.pair_exported(traces, choice, form, language=language)
        return body, pair.pair_file_name(traces, choice, form)

    return await _answered(request, made)


async def tree_taken(request: Request) -> Response:
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


def _head(query: Query) -> tuple[View, Kind | None, int, int]:
    """View, kind, layer and head of a query.

    Raises:
        HeadlightError: parameter_invalid for a text that is none of them.
    """
    return (
        asked.view_of(query.get("view")),
        asked.kind_of(query.get("kind")),
        asked.counted("layer", query.get("layer", "1")),
        asked.counted("head", query.get("head", "1")),
    )


async def _answered(
    request: Request, made: Callable[[Format, Query, Language], tuple[bytes, str]]
) -> Response:
    """A file, or what cannot be had in the words of the query's `lang`.

    Args:
        made: its bytes and its name.
    """
    query = request.query_params
    language = asked.language_of(query)
    if request.method == "HEAD":  # asks for no more than whether there is room
        return Response(status_code=503 if DRAWING.full else 200)
    try:
        form = asked.form_of(request.url.path.rpartition("/")[2])
        body, name = await DRAWING.of(request, lambda: made(form, query, language))
    except HeadlightError as error:
        status, headers = refusal(error)
        said = worded(error, language)
        return Response(said, status, headers, "text/plain; charset=utf-8")
    return _file(body, name, asked.MEDIA[form])


def _file(body: bytes, name: str, media: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, media_type=media, headers=headers)


TAKE_ROUTES: Final[list[BaseRoute]] = [
    Route("/take/{id}/look.{form}", taken, methods=["GET"]),
    Route("/take/{id}/beside/{other}/look.{form}", both_taken, methods=["GET"]),
    Route("/take/{id}/tree.{form}", tree_taken, methods=["GET"]),
]
