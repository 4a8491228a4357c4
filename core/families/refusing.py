"""What a model says no to before it computes."""

from __future__ import annotations

from typing import Final

from core.errors import HeadlightError, wrong
from core.model import Heads, ModelCard, Sampling, TraceRequest
from core.probe import Edit
from core.reasons import Reason, RefusedError, because
from core.trace import Axis

MAX_BEAM: Final = 16


def check_request(card: ModelCard, request: TraceRequest) -> None:
    """That the model can do what a trace asks for; its edits aside, which need the tokens.

    Raises:
        HeadlightError: unsupported, or parameter_invalid for what does not go together.
    """
    able = card.capabilities
    if request.target is not None and not able.forcing:
        raise unsupported(card, because("forcing"))
    if request.prefix and not able.branching:
        raise unsupported(card, because("branching"))
    if request.sampling is not None:
        check_sampling(card, request.sampling)
        if request.target is not None:
            raise wrong("seed", request.sampling.seed, because("sampling_target"))
    check_message(card, request.message)
    if request.hidden and able.gaps is None:
        raise unsupported(card, because("hiding"))
    for record in request.record:
        if record not in able.records:
            raise unsupported(card, record)


def check_sampling(card: ModelCard, sampling: Sampling | None) -> None:
    """That a model can draw what it writes, where that is asked of it.

    Raises:
        HeadlightError: unsupported.
    """
    if sampling is not None and not card.capabilities.sampling:
        raise unsupported(card, because("sampling"))


def check_message(card: ModelCard, message: bool) -> None:
    """That a model can read a text as a message, where that is asked of it.

    Raises:
        HeadlightError: unsupported.
    """
    if message and not card.capabilities.message:
        raise unsupported(card, because("messages"))


def check_decoding(
    card: ModelCard, beam: int, sampling: Sampling | None, *, message: bool = False
) -> None:
    """That a beam can be that wide, or that a model can write by this chance, behind a message.

    Raises:
        HeadlightError: unsupported, or parameter_invalid.
    """
    if not 1 <= beam <= MAX_BEAM:
        raise wrong("beam", beam, because("range", low=1, high=MAX_BEAM))
    check_sampling(card, sampling)
    check_message(card, message)
    if sampling is not None and beam > 1:
        raise wrong("seed", sampling.seed, because("sampling_beam"))


def check_output(
    card: ModelCard, beam: int, sampling: Sampling | None, *, message: bool = False
) -> None:
    """As `check_decoding`, of a model that may have no beam at all."""
    check_decoding(card, beam, sampling, message=message)
    if beam > 1 and not card.capabilities.search:
        raise unsupported(card, because("searching"))


def check_reach(edit: Edit, of: Heads, width: int, source: int, target: int | None) -> None:
    """That an edit meets a layer, a head, rows and columns that there are.

    Args:
        of: the stack that it is made in.
        width: numbers of a vector of what it changes.
        source, target: tokens; None where it is not known yet what will be written.

    Raises:
        RefusedError: it does not.
    """
    layers = of.layers + (edit.place == "residual")
    if (edit.layer or 0) >= layers or (edit.head or 0) >= of.heads:
        if edit.place == "residual":
            raise RefusedError("edit_stream", layers=of.layers)
        raise RefusedError("edit_layer", layers=layers, heads=of.heads)
    if target is None:
        return
    lengths: dict[Axis, int] = {"source": source, "read": target, "written": target}
    rows, columns = edit.extent(lengths, width)
    given = edit.rows_given()
    if given not in (None, rows) and edit.rows is None:
        raise RefusedError("edit_width", count=given, wanted=rows)
    if max(edit.rows or (0,)) >= rows or max(edit.columns or (0,)) >= columns:
        raise RefusedError("edit_reach", rows=rows, columns=columns)


def unsupported(card: ModelCard, feature: str | Reason) -> HeadlightError:
    """What to raise for something that the model cannot do."""
    return HeadlightError("unsupported", model=card.model_id, feature=feature)
