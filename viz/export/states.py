"""States and gates over time as a figure for paper, as numbers, or with all of their trace."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from core.trace import STACKS, AttentionTrace, Floats, Stack, Token
from viz.export import numbers
from viz.export.one import printable, trace_file
from viz.export.paper.said import said_of
from viz.export.paper.states import states_over_time
from viz.export.paper.style import legible, paper, printed
from viz.export.paper.table import table, told_as_json
from viz.export.request import Format, asked, wrong
from viz.inspector.pack import Packed
from viz.inspector.single import states_file
from viz.inspector.spelling import NUMBER, Spelling, one_of
from viz.inspector.states import FEW, Shape, answers, shapes, states_data
from viz.text.browser import inspector_words
from viz.text.language import Language
from viz.text.names import named
from viz.text.paper import figure_words
from viz.text.refusals import because
from viz.text.sentence import called
from viz.text.states import TEXT
from viz.text.tokens import carried, spelt

Units = Literal["most", "varying", "model"]
STACK: Final[Spelling[Stack]] = one_of(tuple(STACKS))
_PLACED: Final = ("stack", "layer", "position", "token", "unit", "piece")
"""Columns of a table beside those of states and gates."""
_PLAIN: Final = re.compile("[^A-Za-z0-9_]+")
UNITS: Final[Spelling[Units]] = one_of(("most", "varying", "model"))
MOST_PAGE: Final = 64 * 1024 * 1024
"""Bytes of the states that a page may hold, before compression."""


@dataclass(frozen=True, slots=True)
class StatesChoice:
    """What of the states of a trace; layers count from 1, as for people.

    Attributes:
        stack: None takes the first that there is.
        layer: numbers hold all of its states and gates.
        state: that a figure is of; "" takes the hidden state, or the first that there is.
        units: that a figure has: the few that vary most, all in that order, or all as numbered.
        position, unit: that a page opens on; counted from 1.
    """

    stack: Stack | None = None
    layer: int = 1
    state: str = ""
    units: Units = "most"
    position: int | None = None
    unit: int | None = None

    @classmethod
    def read(cls, texts: Mapping[str, str]) -> StatesChoice:
        """What is asked for, from texts as an address has them.

        Raises:
            HeadlightError: parameter_invalid for a text that cannot be used.
        """
        stack = asked("stack", texts, STACK, None)
        layer = asked("stack_layer", texts, NUMBER, 1)
        units = asked("units", texts, UNITS, UNITS.read("most"))
        position, unit = (asked(name, texts, NUMBER, None) for name in ("position", "unit"))
        return cls(stack, layer, texts.get("state", ""), units, position, unit)

    def fitted(self, recorded: Mapping[Stack, Shape]) -> StatesChoice:
        """The same with nothing left open.

        Args:
            recorded: what there is to choose (`viz.inspector.states.shapes`).

        Raises:
            HeadlightError: parameter_invalid for what there is not.
        """
        if not recorded:
            raise wrong("view", "states", because("has_no_states"))
        stack = next(iter(recorded)) if self.stack is None else self.stack
        if stack not in recorded:
            raise wrong("stack", stack, because("one_of", known=", ".join(recorded)))
        one = recorded[stack]
        if not 1 <= self.layer <= one.layers:
            raise wrong("stack_layer", self.layer, because("has_to", most=one.layers))
        if self.state and self.state not in one.names:
            raise wrong("state", self.state, because("one_of", known=", ".join(one.names)))
        most = {"position": one.steps, "unit": one.units}
        for name, at in (("position", self.position), ("unit", self.unit)):
            if at is not None and not 1 <= at <= most[name]:
                raise wrong(name, at, because("has_to", most=most[name]))
        return replace(self, stack=stack, state=self.state or one.usual)

    def selection(self) -> dict[str, str | int | None]:
        """Where a page opens, as its component takes it."""
        return {
            "stack": self.stack,
            "stack_layer": self.layer,
            "state": self.state,
            "position": self.position,
            "unit": self.unit,
            "units": self.units,
        }


def states_exported(
    packed: Packed, choice: StatesChoice, form: Format, *, language: Language
) -> bytes:
    """The bytes of a file: of npz the whole trace, of html all layers, of others the chosen one.

    Raises:
        HeadlightError: parameter_invalid for what the trace does not have, and for more states
            than a page has room for.
    """
    trace = packed.trace
    chosen = choice.fitted(shapes(trace))
    if form == "html":
        return _page(packed, chosen, language).encode()
    if form == "npz":
        return trace_file(trace)
    if form in ("csv", "json"):
        return _numbers(packed, chosen, form)
    words = figure_words(language, TEXT)
    with paper():
        figure = _figure(packed, chosen, words)
        printable("states", figure)
        return printed(figure, form)


def refuse_states_unminded(form: Format, texts: Mapping[str, str], *, beside: bool = False) -> None:
    """As `viz.export.request.refuse_unminded`, of states.

    Args:
        beside: the file is of two traces.

    Raises:
        HeadlightError: parameter_invalid for the first text that the file would have no trace of.
    """
    idle = set() if form == "html" else {"position", "unit"}
    if form in ("csv", "json"):
        idle |= {"units"} if beside else {"units", "state"}
    if form == "npz":
        idle |= {"units"}
    nothing = because("unminded_beside" if beside else "unminded", view="states", form=form)
    for name, text in texts.items():
        if text and name in idle:
            raise wrong(name, text, nothing)


def states_file_name(
    trace: AttentionTrace, choice: StatesChoice, form: Format, *, of: str = "states"
) -> str:
    """What a file is called, in ASCII: headlight-states-decoder-layer2-update.svg."""
    if form == "npz":
        return f"{named('headlight', trace)}.npz"
    if form == "html":
        return f"{named('headlight-states', trace)}.html"
    one = f"headlight-{of}-{choice.stack}-layer{choice.layer}"
    state = _PLAIN.sub("", choice.state)[:24]  # of a file that anybody may have made
    every = form in ("csv", "json") and of == "states"  # numbers of two are of one state
    return f"{one}.{form}" if every else f"{one}-{state or 'state'}.{form}"


def parts_of(trace: AttentionTrace, choice: StatesChoice) -> Mapping[str, Floats]:
    """(position, unit) of the layer, by name."""
    assert choice.stack is not None
    parts = trace.states[choice.stack]
    return {carried(name): part[choice.layer - 1] for name, part in parts.items()}


def refuse_large(*traces: AttentionTrace) -> None:
    """Refuses a page of more states than it has room for.

    Raises:
        HeadlightError: parameter_invalid, with both sizes.
    """
    size = 4 * sum(
        part.size for trace in traces for of in trace.states.values() for part in of.values()
    )
    if size > MOST_PAGE:
        room, size = (-(-of // 2**20) for of in (MOST_PAGE, size))
        raise wrong("out", "html", because("states_large", room=room, size=size))


def _page(packed: Packed, choice: StatesChoice, language: Language) -> str:
    trace = packed.trace
    refuse_large(trace)
    selection = choice.selection()
    text = inspector_words(language, TEXT)
    data = states_data(packed, language=language, text=text, selection=selection, tells_next=True)
    return states_file([trace], data, title=called(trace), language=language)


def _numbers(packed: Packed, choice: StatesChoice, form: Format) -> bytes:
    trace = packed.trace
    parts = parts_of(trace, choice)
    numbers.listable("states", sum(part.size for part in parts.values()))
    if form == "csv":
        return table(_rows(trace, choice, parts))
    told: dict[str, Any] = {"model_id": trace.model_id, "view": "states", "stack": choice.stack}
    told |= {"layer": choice.layer, **tokens_told(tokens_of(trace, choice))}
    told |= {"states": {name: part.tolist() for name, part in parts.items()}}
    said = answers(packed) if choice.stack == "encoder" else None
    if said is not None:
        labels, shares = said
        told["answers"] = {name: row.tolist() for name, row in zip(labels, shares, strict=True)}
    return told_as_json(told | numbers.conditions_told(trace))


def _rows(
    trace: AttentionTrace, choice: StatesChoice, parts: Mapping[str, Floats]
) -> Iterator[dict[str, object]]:
    """One line a unit of each step, a column for each state, gate and part."""
    listed = {name: part.tolist() for name, part in parts.items()}
    columns = {name: _column(name, listed) for name in listed}
    units = next(iter(parts.values())).shape[1]
    for position, token in enumerate(tokens_of(trace, choice)):
        for unit in range(units):
            yield {
                "stack": choice.stack,
                "layer": choice.layer,
                "position": position + 1,
                "token": token.text,
                "unit": unit + 1,
                **{columns[name]: values[position][unit] for name, values in listed.items()},
                "piece": token.piece,
            }


def _column(name: str, names: Collection[str]) -> str:
    """What the column of a state is called: a file of somebody's may call one as ours are called.

    Args:
        names: of all states, which keep their own where they can.
    """
    column = name
    while column in _PLACED or (column != name and column in names):
        column = f"state_{column}"
    return column


def tokens_told(tokens: Sequence[Token]) -> dict[str, list[str]]:
    """By their texts, and by their pieces, which tell apart what reads the same."""
    return {
        "tokens": [token.text for token in tokens],
        "pieces": [token.piece for token in tokens],
    }


def tokens_of(trace: AttentionTrace, choice: StatesChoice) -> Sequence[Token]:
    """What the stack reads."""
    assert choice.stack is not None
    return trace.tokens(STACKS[choice.stack])


def _figure(packed: Packed, choice: StatesChoice, words: Mapping[str, str]) -> Figure:
    trace = packed.trace
    values = parts_of(trace, choice)[choice.state]
    units = ordered(values.var(0, dtype=np.float64), choice)
    tokens = tokens_of(trace, choice)
    return states_over_time(
        values,
        units,
        tokens,
        words,
        title=titled(choice, words),
        said=said_of(trace, words),
        answers=answers(packed) if choice.stack == "encoder" else None,
    )


def ordered(varied: NDArray[np.float64], choice: StatesChoice) -> list[int]:
    """Units as a figure draws them, from above, counted from 0.

    Args:
        varied: how much each varies, or differs.
    """
    if choice.units == "model":
        return list(range(len(varied)))
    order = [int(unit) for unit in np.argsort(-varied, kind="stable")]
    return order[:FEW] if choice.units == "most" else order


def titled(choice: StatesChoice, words: Mapping[str, str]) -> str:
    """What a figure of a fitted choice is called: stack, layer, and state or gate."""
    layer = words["layer"].format(layer=choice.layer)
    other = legible(spelt(choice.state))
    return " · ".join(
        (words[f"states_{choice.stack}"], layer, words.get(f"state_{choice.state}", other))
    )
