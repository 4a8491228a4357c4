"""What a person takes along of a look or of a search: files that are made when they are asked for.

Layers, heads and steps count from 1 here, as in the address of the page; the looks are spelled
as they are there.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from core.errors import HeadlightError
from viz import asked, services
from viz.store import LOOKS


def taken(request: Request) -> Response:
    """A file of a look (`viz.export`), by the query's view, kind, layer, head, step and lang.

    Of two that stand beside each other, `side` says which one it is: a or b, for the file's name.
    """
    look = LOOKS.get(request.path_params["id"])
    if look is None:
        return Response(status_code=404)
    from viz import export  # here: it brings matplotlib

    query = request.query_params
    try:
        form = asked.form_of(f"look.{request.path_params['form']}")
        choice = export.Choice(
            asked.view_of(query.get("view")),
            asked.kind_of(query.get("kind")),
            asked.counted("layer", query.get("layer", "1")),
            asked.counted("head", query.get("head", "1")),
            asked.counted("step", query["step"]) if "step" in query else None,
            asked.looks_of(query),
        )
        language = asked.language_of(query)
        body = export.exported(look.packed, choice, form, language=language)
    except HeadlightError as error:
        return _refused(error)
    name = export.file_name(choice.fitted(look.trace), form, asked.side_of(query.get("side")))
    return _file(body, name, asked.MEDIA[form])


def both_taken(request: Request) -> Response:
    """A file of two looks (`viz.export_pair`), by the same and `other`, the second's head."""
    first, second = (LOOKS.get(request.path_params[name]) for name in ("id", "other"))
    if first is None or second is None:
        return Response(status_code=404)
    from viz import export_pair  # here: they bring matplotlib

    query = request.query_params
    try:
        form = asked.form_of(f"look.{request.path_params['form']}")
        choice = export_pair.PairChoice(
            asked.view_of(query.get("view")),
            asked.kind_of(query.get("kind")),
            asked.counted("layer", query.get("layer", "1")),
            asked.counted("head", query.get("head", "1")),
            asked.other_of(query.get("other")),
            asked.looks_of(query),
            asked.place_of(query.get("place")),
        )
        language = asked.language_of(query)
        traces = (first.trace, second.trace)
        body = export_pair.pair_exported(traces, choice, form, language=language)
    except HeadlightError as error:
        return _refused(error)
    return _file(body, export_pair.pair_file_name(traces, choice, form), asked.MEDIA[form])


def tree_taken(request: Request) -> Response:
    """A file of a beam search (`viz.export_beam`), by the query's lang."""
    found = services.searched(request.path_params["id"])
    if found is None:
        return Response(status_code=404)
    from viz import export_beam  # here: it brings matplotlib

    try:
        form = asked.form_of(f"tree.{request.path_params['form']}")
        body = export_beam.beam_exported(
            found.tree,
            form,
            language=asked.language_of(request.query_params),
            source=found.source,
            model_id=found.model_id,
        )
    except HeadlightError as error:
        return _refused(error)
    return _file(body, f"headlight-beam{found.tree.beam}.{form}", asked.MEDIA[form])


def _refused(error: HeadlightError) -> Response:
    return Response(str(error), status_code=400, media_type="text/plain; charset=utf-8")


def _file(body: bytes, name: str, media: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(body, media_type=media, headers=headers)


TAKE_ROUTES: Final[list[BaseRoute]] = [
    Route("/take/{id}/look.{form}", taken, methods=["GET"]),
    Route("/take/{id}/beside/{other}/look.{form}", both_taken, methods=["GET"]),
    Route("/take/{id}/tree.{form}", tree_taken, methods=["GET"]),
]
