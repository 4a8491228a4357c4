"""States of two traces beside each other: a figure with their difference, numbers, or a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from core.trace import AttentionTrace, Floats
from viz.export import numbers
from viz.export.one import printable
from viz.export.paper.both import Traces
from viz.export.paper.pair import merged, sides
from viz.export.paper.states import MaskedFloats, states_beside
from viz.export.paper.style import labels, paper, printed
from viz.export.paper.table import table, told_as_json
from viz.export.request import Format, asked, wrong
from viz.export.states import (
    StatesChoice,
    ordered,
    parts_of,
    refuse_large,
    states_file_name,
    titled,
    tokens_of,
    tokens_told,
)
from viz.inspector.pack import Packed
from viz.inspector.single import states_file
from viz.inspector.spelling import SWITCH
from viz.inspector.states import described, places, shapes_beside, states_pair_data
from viz.text.language import Language
from viz.text.names import named
from viz.text.pair import TEXT as PAIR
from viz.text.paper import figure_words
from viz.text.refusals import because
from viz.text.states import TEXT


@dataclass(frozen=True, slots=True)
class Beside:
    """One state or gate of two traces.

    Attributes:
        values: (position, unit) of either.
        places: which of their tokens belong together, -1 where one has no such token.
    """

    values: tuple[Floats, Floats]
    places: list[list[int]]

    def minus(self) -> MaskedFloats:
        """(place, unit) of the second less the first, masked where one has no such token."""
        a, b = self.values
        changed = np.zeros((len(self.places), a.shape[1]), np.float32)
        unknown = np.ones(changed.shape, np.bool_)
        for place, (one, other) in enumerate(self.places):
            if min(one, other) >= 0:
                changed[place], unknown[place] = b[other] - a[one], False
        return np.ma.MaskedArray(changed, unknown)


def states_pair_exported(
    packs: tuple[Packed, Packed], texts: Mapping[str, str], form: Format, *, language: Language
) -> bytes:
    """The bytes of a file: of html both with all layers, of others the chosen state.

    Args:
        texts: as `StatesChoice.read` takes them, `position` among the places of both; and
            `same_units`, which says that unit 7 of one is unit 7 of the other, as of one model.

    Raises:
        HeadlightError: parameter_invalid for what there is not, for a difference of units that
            have nothing to do with each other, and for more states than a page has room for.
    """
    first, second = traces = (packs[0].trace, packs[1].trace)
    choice = StatesChoice.read(texts).fitted(shapes_beside(first, second))
    same = asked("same_units", texts, SWITCH, False)
    if form == "npz":
        raise wrong("out", form, because("two_form"))
    if form == "html":
        return _page(packs, choice, language, same_units=same).encode()
    beside = _beside(traces, choice, same_units=same)
    if form in ("csv", "json"):
        numbers.listable("states", len(beside.places) * beside.values[0].shape[1])
        if form == "csv":
            return table(_rows(traces, choice, beside))
        return told_as_json(_told(traces, choice, beside))
    words = figure_words(language, PAIR, TEXT)
    changed = beside.minus()
    names = [labels(tokens_of(trace, choice), words) for trace in traces]
    with paper():
        figure = states_beside(
            (*beside.values, changed),
            ordered((changed.filled(0).astype(np.float64) ** 2).mean(0), choice),
            (names[0], names[1], merged(beside.places, *names)),
            words,
            title=titled(choice, words),
            said=sides(traces, words),
        )
        printable("states", figure)
        return printed(figure, form)


def states_pair_file_name(traces: Traces, texts: Mapping[str, str], form: Format) -> str:
    """What a file is called, in ASCII: headlight-states-pair-encoder-layer1-hidden.svg."""
    if form == "html":
        return f"{named('headlight-states-pair', *traces)}.html"
    choice = StatesChoice.read(texts).fitted(shapes_beside(*traces))
    return states_file_name(traces[0], choice, form, of="states-pair")


def _beside(traces: Traces, choice: StatesChoice, *, same_units: bool) -> Beside:
    """The chosen state of both.

    Raises:
        HeadlightError: parameter_invalid where their units cannot be compared, or one has no
            such state.
    """
    if not same_units:
        raise wrong("same_units", "off", because("two_units"))
    if described(traces[0]) != described(traces[1]):
        raise wrong("same_units", "on", because("two_recorded"))
    assert choice.stack is not None
    first, second = (parts_of(trace, choice)[choice.state] for trace in traces)
    return Beside((first, second), places(*traces)[choice.stack])


def _page(
    packs: tuple[Packed, Packed], choice: StatesChoice, language: Language, *, same_units: bool
) -> str:
    traces = (packs[0].trace, packs[1].trace)
    refuse_large(*traces)
    words = figure_words(language, PAIR, TEXT)
    data = states_pair_data(
        *packs,
        language=language,
        text=words,
        selection=choice.selection(),
        same_units=same_units,
    )
    title = " / ".join(sides(traces, words))
    return states_file(traces, data, title=title, language=language)


def _rows(traces: Traces, choice: StatesChoice, beside: Beside) -> Iterator[dict[str, object]]:
    """One line a unit of each place; what one has not is empty."""
    tokens = [tokens_of(trace, choice) for trace in traces]
    units = beside.values[0].shape[1]
    for pair, changes in zip(beside.places, beside.minus(), strict=True):
        for unit in range(units):
            line: dict[str, object] = {
                "stack": choice.stack,
                "layer": choice.layer,
                "state": choice.state,
                "unit": unit + 1,
            }
            for name, at, own, values in zip(
                ("first", "second"), pair, tokens, beside.values, strict=True
            ):
                line |= {
                    f"{name}_position": at + 1 if at >= 0 else "",
                    f"{name}_token": own[at].text if at >= 0 else "",
                    f"{name}_value": float(values[at, unit]) if at >= 0 else "",
                }
            yield {
                **line,
                "difference": float(changes[unit]) if min(pair) >= 0 else "",
                **{
                    f"{name}_piece": own[at].piece if at >= 0 else ""
                    for name, at, own in zip(("first", "second"), pair, tokens, strict=True)
                },
            }


def _told(traces: Traces, choice: StatesChoice, beside: Beside) -> dict[str, object]:
    """What a program wants of both."""
    return {
        "view": "states_pair",
        "stack": choice.stack,
        "layer": choice.layer,
        "state": choice.state,
        **{
            name: _side(trace, choice, values)
            for name, trace, values in zip(("first", "second"), traces, beside.values, strict=True)
        },
        "places": [[at + 1 if at >= 0 else None for at in pair] for pair in beside.places],
        "difference": beside.minus().tolist(),
    }


def _side(trace: AttentionTrace, choice: StatesChoice, values: Floats) -> dict[str, object]:
    return {
        "model_id": trace.model_id,
        **numbers.conditions_told(trace),
        **tokens_told(tokens_of(trace, choice)),
        "values": values.tolist(),
    }
