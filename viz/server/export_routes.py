"""Exports of snapshots and of searches: files that are made when they are asked for.

Layers, heads and steps count from 1 here, as in the address of the page; the options are spelled
as they are there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeVar
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from core.errors import HeadlightError
from viz.export.request import MEDIA, Format, form_of, language_of
from viz.inspector.gaps import Filled
from viz.inspector.spelling import one_of
from viz.inspector.states import shapes
from viz.jobs.services import Searched, found_gaps, searched
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.server.drawing import DRAWING, refusal
from viz.text.errors import worded
from viz.text.language import Language

Query = Mapping[str, str]
File = tuple[bytes, str]
"""Its bytes and its name."""
Both = tuple[Snapshot, Snapshot]
_T = TypeVar("_T")
_SIDE: Final = one_of(("a", "b"))


def one_exported(snapshot: Snapshot, form: Format, query: Query, language: Language) -> File:
    """A file of a snapshot (`viz.export.one`), by the query's view, kind, layer, head, step, lang.

    Of two that stand beside each other, `side` says which one it is: a or b, for the file's name.
    """
    from viz.export import one  # here: it brings matplotlib

    choice = one.Choice.read(query, form)
    body = one.exported(snapshot.packed, choice, form, language=language)
    fitted, side = choice.fitted(snapshot.trace), _SIDE.tried(query.get("side"), "")
    return body, one.file_name(snapshot.trace, fitted, form, side)


def pair_exported(both: Both, form: Format, query: Query, language: Language) -> File:
    """A file of two snapshots (`viz.export.pair`), by the same and `other`, the second's head."""
    from viz.export import pair  # here: it brings matplotlib

    traces, choice = (both[0].trace, both[1].trace), pair.PairChoice.read(query, form)
    body = pair.pair_exported(traces, choice, form, language=language)
    return body, pair.pair_file_name(traces, choice, form)


def states_exported(snapshot: Snapshot, form: Format, query: Query, language: Language) -> File:
    """A file of a snapshot's states (`viz.export.states`), by the parameters of their view."""
    from viz.export import states  # here: it brings matplotlib

    trace, choice = snapshot.trace, states.StatesChoice.read(query)
    body = states.states_exported(snapshot.packed, choice, form, language=language)
    return body, states.states_file_name(trace, choice.fitted(shapes(trace)), form)


def states_pair_exported(both: Both, form: Format, query: Query, language: Language) -> File:
    """A file of the states of two snapshots (`viz.export.states_pair`), by the same."""
    from viz.export import states_pair  # here: it brings matplotlib

    packs = (both[0].packed, both[1].packed)
    body = states_pair.states_pair_exported(packs, query, form, language=language)
    traces = (both[0].trace, both[1].trace)
    return body, states_pair.states_pair_file_name(traces, query, form)


def gaps_exported(
    found: tuple[Filled, ...], form: Format, query: Query, language: Language
) -> File:
    """A file of the gaps of a text (`viz.export.gaps`), by the query's gap and lang."""
    from viz.export import gaps  # here: it brings matplotlib

    body = gaps.gaps_exported(found, query, form, language=language)
    return body, gaps.gaps_file_name(query, form)


def tree_exported(found: Searched, form: Format, _: Query, language: Language) -> File:
    """A file of a beam search (`viz.export.beam`), by the query's lang."""
    from viz.export import beam  # here: it brings matplotlib

    body = beam.beam_exported(
        found.tree, form, language=language, source=found.source, model_id=found.model_id
    )
    return body, f"headlight-beam{found.tree.beam}.{form}"


def _both(first_id: str, second_id: str) -> Both | None:
    first, second = SNAPSHOTS.get(first_id), SNAPSHOTS.get(second_id)
    return None if first is None or second is None else (first, second)


def _route(
    path: str,
    find: Callable[..., _T | None],
    made: Callable[[_T, Format, Query, Language], File],
) -> Route:
    """Answers with a file, or with what cannot be had in the words of the query's `lang`.

    Args:
        find: what the ids of the path name; None is answered by 404.
        made: a file of it.
    """

    async def answered(request: Request) -> Response:
        asked, query = request.path_params, request.query_params
        found = find(*(asked[name] for name in ("id", "other") if name in asked))
        if found is None:
            return Response(status_code=404)
        language = language_of(query)
        if request.method == "HEAD":  # asks for no more than whether there is room
            return Response(status_code=503 if DRAWING.full else 200)
        try:
            form = form_of(request.url.path.rpartition("/")[2])
            body, name = await DRAWING.of(request, lambda: made(found, form, query, language))
        except HeadlightError as error:
            status, headers = refusal(error)
            said = worded(error, language)
            return Response(said, status, headers, "text/plain; charset=utf-8")
        attached = f'attachment; filename="{name}"'
        headers = {"Content-Disposition": attached, "Cache-Control": "no-store"}
        return Response(body, media_type=MEDIA[form], headers=headers)

    return Route(path, answered, methods=["GET"])


def former(request: Request) -> Response:
    """Where a file is that was at /take/…/look.svg once: people have put such addresses down."""
    path = "/".join(("", *(quote(part) for part in request.path_params["path"].split("/"))))
    query = request.url.query
    path = path.replace("/look.", "/trace.")
    return RedirectResponse(f"/export{path}?{query}" if query else f"/export{path}", 308)


EXPORT_ROUTES: Final[list[BaseRoute]] = [
    _route("/export/{id}/trace.{form}", SNAPSHOTS.get, one_exported),
    _route("/export/{id}/beside/{other}/trace.{form}", _both, pair_exported),
    _route("/export/{id}/states.{form}", SNAPSHOTS.get, states_exported),
    _route("/export/{id}/beside/{other}/states.{form}", _both, states_pair_exported),
    _route("/export/{id}/gaps.{form}", found_gaps, gaps_exported),
    _route("/export/{id}/tree.{form}", searched, tree_exported),
    Route("/take/{path:path}", former, methods=["GET"]),
]
