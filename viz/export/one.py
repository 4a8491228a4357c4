"""A trace, taken along: as a figure for paper, as numbers, or as one page that stays alive."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

from core.reasons import Reason
from core.trace import AttentionTrace, Kind, save_trace
from viz.export import numbers
from viz.export.paper import views
from viz.export.paper.grid import grid
from viz.export.paper.lines import lines
from viz.export.paper.next_token import next_tokens
from viz.export.paper.order import ranked
from viz.export.paper.said import said_of
from viz.export.paper.shown import held, shown
from viz.export.paper.stages import stages
from viz.export.paper.style import SIDE, paper, printed
from viz.export.paper.table import table, told_as_json
from viz.export.request import Format, View, asked, compact_of, head_of, options_of, wrong
from viz.inspector import options
from viz.inspector.options import Options
from viz.inspector.pack import Packed
from viz.inspector.payload import component_data
from viz.inspector.single import single_file
from viz.inspector.spelling import NUMBER
from viz.text.browser import inspector_words
from viz.text.language import Language
from viz.text.names import named
from viz.text.paper import figure_words
from viz.text.refusals import because
from viz.text.sentence import called

MOST_PAPER: Final = 800
"""Square inches of a figure; 48 x 48 heads are 693, and take 6 s and 290 MB as a PNG."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What of a trace; layers, heads and steps count from 1, as for people.

    Attributes:
        view: "head" and "lines" show one head, "stages" how it comes about, "grid" all heads of
            a kind, "next" a step: what may come next, or what is told of a token of the source.
        kind: None takes cross-attention, or the first kind that there is.
        step: later rows of a decoder are not drawn, and its own row stands out; None draws all
            alike, and takes the last one of next tokens.
        options: how it is drawn. Of them numbers show `words`, and those of a next token its
            temperature, top-k and top-p; a cell or a head that is not there is refused for
            numbers, too.
        compact: an html file has this head and those kept exact, and all others in eight bits.
    """

    view: View = "head"
    kind: Kind | None = None
    layer: int = 1
    head: int = 1
    step: int | None = None
    options: Options = options.PLAIN
    compact: bool = False

    @classmethod
    def read(cls, texts: Mapping[str, str], form: Format) -> Choice:
        """What is asked for, from texts as an address has them.

        Raises:
            HeadlightError: parameter_invalid for a text that cannot be used.
        """
        step = asked("step", texts, NUMBER, None)
        return cls(*head_of(texts), step, options_of(texts), compact_of(texts, form))

    def fitted(self, trace: AttentionTrace) -> Choice:
        """The same with nothing left open.

        Raises:
            HeadlightError: parameter_invalid for what the trace does not have.
        """
        kind = self.kind or ("cross" if "cross" in trace.sites else next(iter(trace.sites), None))
        if self.view != "next":
            site = None if kind is None else trace.sites.get(kind)
            if kind is None or site is None:
                known = ", ".join(trace.sites)
                has = because("has_kinds", known=known) if known else because("has_no_kind")
                raise wrong("kind", kind or "cross", has)
            _within("layer", self.layer, site.layers)
            _within("head", self.head, site.heads)
        elif trace.logits is None or not trace.logits.size:
            raise wrong("view", "next", because("has_no_logits"))
        steps = len(trace.tokens(trace.logits_axis))
        step = steps if self.step is None else self.step
        if self.view == "next" or (kind != "encoder_self" and self.step is not None):
            _within("step", step, steps)
        return replace(self, kind=kind, step=step)


def exported(
    packed: Packed, choice: Choice, form: Format, *, language: Language, title: str = ""
) -> bytes:
    """The bytes of a file.

    Args:
        packed: the trace; its candidates name next tokens.
        choice: what of it; an npz and an html file always hold all of it.
        title: of an html page; the model's name if left out.

    Raises:
        HeadlightError: parameter_invalid for what the trace does not have.
    """
    chosen = choice.fitted(packed.trace)
    refuse_unplaced(packed.trace, chosen, whole=form in ("html", "npz"))
    if form == "html":
        return _page(packed, chosen, language, title).encode()
    if form == "npz":
        return trace_file(packed.trace)
    if chosen.view == "stages" and not _scored(packed.trace, chosen.kind):
        raise wrong("view", "stages", because("has_no_scores"))
    if form in ("csv", "json"):
        return _numbers(packed, chosen, form)
    with paper():
        words = figure_words(language)
        figure = _figure(packed, chosen, words, stepped=choice.step is not None)
        printable(chosen.view, figure)
        return printed(figure, form)


def _numbers(packed: Packed, choice: Choice, form: Format) -> bytes:
    """CSV, or JSON for any other form."""
    trace, kind, words = packed.trace, choice.kind, choice.options.words
    told: dict[str, Any] = {
        "model_id": trace.model_id,
        "view": choice.view,
        **numbers.conditions_told(trace),
    }
    if choice.view == "next":
        assert choice.step is not None
        at = choice.step - 1
        assert trace.logits is not None
        numbers.listable("next", trace.logits.shape[1])
        if form == "csv":
            return table(numbers.next_rows(packed, at, choice.options))
        return told_as_json(told | numbers.next_told(packed, at, choice.options))
    assert kind is not None
    site, one = trace.sites[kind], (choice.layer - 1, choice.head - 1)
    heads = list(product(range(site.layers), range(site.heads))) if choice.view == "grid" else [one]
    numbers.listable(choice.view, math.prod(shown(trace, kind, words=words).shape) * len(heads))
    if form == "csv":
        return table(numbers.head_rows(trace, kind, heads, words=words))
    head = None if choice.view == "grid" else one
    return told_as_json(told | numbers.heads_told(trace, kind, head, words=words))


def _figure(packed: Packed, choice: Choice, words: Mapping[str, str], *, stepped: bool) -> Figure:
    """What is drawn.

    Args:
        stepped: the choice's step was asked for.
    """
    trace, kind, own = packed.trace, choice.kind, choice.options
    said = said_of(trace, words)
    if choice.view == "next":
        assert choice.step is not None
        names = numbers.next_names(packed, choice.step - 1)
        joins = numbers.next_joins(packed, choice.step - 1)
        return next_tokens(trace, choice.step - 1, names, joins, own, words, said=said)
    assert kind is not None
    site, chosen = trace.sites[kind], (choice.layer - 1, choice.head - 1)
    heads = list(dict.fromkeys((*own.kept, chosen)))  # the kept ones have the first numbers
    if choice.view == "grid":
        try:
            order, measured = ranked(trace, kind, own, words)
        except KeyError as error:
            raise wrong("order", own.order, because("unmeasured", kind=kind)) from error
        whole = shown(trace, kind, words=own.words)
        return grid(whole, order, heads, own, words, measured, said)
    zoom = own.zoom if choice.view in ("head", "lines") else None
    shape = site.shape if zoom is None else tuple(beyond - first for first, beyond in zoom)
    drawable(choice.view, shape, beside=2 if choice.view == "stages" else 1)
    if choice.view == "stages":
        live = choice.step or 0 if site.writes else site.shape[0]
        return stages(trace, kind, *chosen, live, words, said)
    step = choice.step if stepped else None
    part = shown(trace, kind, words=own.words, step=step, zoom=zoom)
    if choice.view == "head":
        return views.head(part, *chosen, own, words, said)
    return lines(part, heads, chosen, own, words, said)


def _scored(trace: AttentionTrace, kind: Kind | None) -> bool:
    return kind is not None and trace.sites[kind].scores is not None


def refuse_unplaced(trace: AttentionTrace, choice: Choice, *, whole: bool) -> None:
    """Refuses to show what is not there; a whole trace shows heads that are kept of any kind.

    Raises:
        HeadlightError: parameter_invalid for a head, a cell or a token that the trace has not.
    """
    site = None if choice.kind is None else trace.sites.get(choice.kind)
    if site is None:
        return
    shapes = [(own.layers, own.heads) for own in (trace.sites.values() if whole else [site])]
    for layer, head in choice.options.kept:
        if not any(layer < layers and head < heads for layers, heads in shapes):
            known = because("has_heads", layers=site.layers, heads=site.heads)
            raise wrong("kept", f"{layer + 1}.{head + 1}", known)
    for name, cell in (("pinned", choice.options.pinned), ("held", held(choice.options))):
        for at, most in zip(cell or (), site.shape, strict=False):
            if at is not None:
                _within(name, at + 1, most)
    for (_, beyond), most in zip(choice.options.zoom or (), site.shape, strict=False):
        _within("zoom", beyond, most)


def drawable(
    view: View, shape: tuple[int, ...], *, beside: int = 1, instead: Reason = numbers.WHOLE
) -> None:
    """Refuses to draw cells that would be finer than what is printed.

    Args:
        beside: matrices that share the side of a figure.
        instead: what holds them.

    Raises:
        HeadlightError: parameter_invalid for more tokens a side than paper has room for.
    """
    room = SIDE // beside
    if max(shape) > room:
        reason = because("paper_tokens", room=room, size=max(shape), instead=instead)
        raise wrong("view", view, reason)


def printable(view: str, figure: Figure, *, instead: Reason = numbers.WHOLE) -> None:
    """Refuses a figure whose picture would fill the memory: of very many heads.

    Args:
        instead: what holds them.

    Raises:
        HeadlightError: parameter_invalid for more paper than `MOST_PAPER`.
    """
    size = round(math.prod(figure.get_size_inches()))
    if size > MOST_PAPER:
        reason = because("paper_inches", room=MOST_PAPER, size=size, instead=instead)
        raise wrong("view", view, reason)


def _page(packed: Packed, choice: Choice, language: Language, title: str) -> str:
    selection = {"kind": choice.kind, "layer": choice.layer, "head": choice.head}
    own = replace(choice.options, mode="lines") if choice.view == "lines" else choice.options
    data = component_data(
        packed,
        view="step" if choice.view == "stages" else "inspect",
        language=language,
        text=inspector_words(language),
        selection={**selection, "step": choice.step, **options.started(own)},
    )
    title = title or called(packed.trace)
    compact = choice.compact
    return single_file(packed, data, title=title, language=language, compact=compact)


def trace_file(trace: AttentionTrace) -> bytes:
    """All of a trace (`core.trace.file`)."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.npz"
        save_trace(path, trace)
        return path.read_bytes()


def file_name(trace: AttentionTrace, choice: Choice, form: Format, side: str = "") -> str:
    """What a file is called, in ASCII: headlight-cross-layer3-head5.svg.

    The files of a whole trace, of which people keep many, are called by what it is of
    (`viz.text.names`), and a page of Step says so.

    Args:
        side: of two traces beside each other, "" for one alone.
    """
    which = f"-{side}" if side else ""
    if form in ("html", "npz"):
        step = form == "html" and choice.view == "stages"
        small = "-compact" if form == "html" and choice.compact else ""
        return f"{named('headlight-step' if step else 'headlight', trace)}{which}{small}.{form}"
    if choice.view == "next":
        return f"headlight-next-step{choice.step}{which}.{form}"
    if choice.view == "grid":
        return f"headlight-{choice.kind}-heads{which}.{form}"
    more = "" if choice.view == "head" else f"-{choice.view}"
    return f"headlight-{choice.kind}-layer{choice.layer}-head{choice.head}{more}{which}.{form}"


def _within(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise wrong(name, value, because("has_to", most=most) if most else because("has_none"))
