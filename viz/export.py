"""A look, taken along: as a figure for paper, as numbers, or as one page that stays alive."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from core.trace import AttentionTrace, Kind
from core.trace_file import save_trace
from viz.asked import Format, View, wrong
from viz.inspector import looks
from viz.inspector.looks import Looks
from viz.inspector.pack import Packed
from viz.inspector.payload import component_data
from viz.inspector.single import single_file
from viz.printing import views
from viz.printing.grid import grid
from viz.printing.lines import lines
from viz.printing.next_token import next_tokens
from viz.printing.order import measured, ranked
from viz.printing.said import said_of
from viz.printing.shown import shown
from viz.printing.stages import stages
from viz.printing.style import SIDE, paper, printed
from viz.printing.table import table
from viz.text.browser import inspector_words
from viz.text.film import TEXT as FILM
from viz.text.language import Language
from viz.text.paper import TEXT as PAPER
from viz.text.tokens import carried


@dataclass(frozen=True, slots=True)
class Choice:
    """What of a look; layers, heads and steps count from 1, as for people.

    Attributes:
        view: "head" and "lines" show one head, "stages" how it comes about, "grid" all heads of
            a kind, "next" a step.
        kind: None takes cross-attention, or the first kind that there is.
        step: None takes the last one; later rows of a decoder are not drawn.
        looks: how it is drawn. Numbers mind none of them but `words`.
    """

    view: View = "head"
    kind: Kind | None = None
    layer: int = 1
    head: int = 1
    step: int | None = None
    looks: Looks = looks.PLAIN

    def fitted(self, trace: AttentionTrace) -> Choice:
        """The same with nothing left open.

        Raises:
            HeadlightError: parameter_invalid for what the trace does not have.
        """
        kind = self.kind or ("cross" if "cross" in trace.sites else next(iter(trace.sites), None))
        if self.view != "next":
            site = None if kind is None else trace.sites.get(kind)
            if kind is None or site is None:
                known = ", ".join(trace.sites) or "no attention at all"
                raise wrong("kind", str(self.kind), f"this trace has {known}")
            _within("layer", self.layer, site.layers)
            _within("head", self.head, site.heads)
        elif trace.logits is None or trace.logits.shape[1] == 0:
            raise wrong("view", "next", "this trace has no logits")
        steps = len(trace.written)
        step = steps if self.step is None else self.step
        if self.view == "next" or (kind != "encoder_self" and self.step is not None):
            _within("step", step, steps)
        return replace(self, kind=kind, step=step)

    def heads(self) -> list[tuple[int, int]]:
        """Heads whose lines are drawn, counted from 0, by their numbers: the kept ones first."""
        return list(dict.fromkeys((*self.looks.kept, (self.layer - 1, self.head - 1))))


def exported(
    packed: Packed, choice: Choice, form: Format, *, language: Language, title: str = ""
) -> bytes:
    """The bytes of a file.

    Args:
        packed: the look; its candidates name next tokens.
        choice: what of it; an npz and an html file always hold all of it.
        form: of the file.
        language: of the words in it.
        title: of an html page; the model's name if left out.

    Raises:
        HeadlightError: parameter_invalid for what the trace does not have.
    """
    chosen = choice.fitted(packed.trace)
    _placed(packed.trace, chosen, whole=form in ("html", "npz"))
    if form == "html":
        return _page(packed, chosen, language, title).encode()
    if form == "npz":
        return _trace_file(packed.trace)
    if chosen.view == "stages" and not _scored(packed.trace, chosen.kind):
        raise wrong("view", "stages", "this trace has no scores")
    if form == "csv":
        return table(_rows(packed, chosen))
    if form == "json":
        return carried(json.dumps(_told(packed, chosen), ensure_ascii=False)).encode()
    with paper():
        film = FILM[language]
        words = inspector_words(language) | asdict(PAPER[language])
        words |= {"untrained": film.untrained, "after_updates": film.after_updates}
        figure = _figure(packed, chosen, words)
        return printed(figure, form)


def _figure(packed: Packed, choice: Choice, words: Mapping[str, str]) -> Figure:
    trace, kind, own = packed.trace, choice.kind, choice.looks
    said = said_of(trace, words)
    if choice.view == "next":
        assert choice.step is not None
        names = _names(packed, choice.step - 1)
        return next_tokens(trace, choice.step - 1, names, own, words, said=said)
    assert kind is not None
    site = trace.sites[kind]
    heads = choice.heads()
    if choice.view == "grid":
        try:
            order = ranked(trace, kind, own)
        except KeyError as error:
            raise wrong("order", own.order, f"{kind} is not measured by it") from error
        whole = shown(trace, kind, words=own.words)
        return grid(whole, order, heads, own, words, measured(trace, kind, own, words), said)
    drawable(choice.view, site.allowed.shape, beside=2 if choice.view == "stages" else 1)
    if choice.view == "stages":
        live = len(site.allowed) if kind == "encoder_self" else choice.step or 0
        return stages(trace, kind, choice.layer - 1, choice.head - 1, live, words, said)
    part = shown(trace, kind, words=own.words, step=choice.step)
    chosen = (choice.layer - 1, choice.head - 1)
    if choice.view == "head":
        return views.head(part, *chosen, own, words, said)
    return lines(part, heads, chosen, own, words, said)


def _scored(trace: AttentionTrace, kind: Kind | None) -> bool:
    return kind is not None and trace.sites[kind].scores is not None


def _placed(trace: AttentionTrace, choice: Choice, *, whole: bool) -> None:
    """Refuses looks at what is not there; a whole look shows heads that are kept of any kind."""
    site = None if choice.kind is None else trace.sites.get(choice.kind)
    if site is None:
        return
    shapes = [(own.layers, own.heads) for own in (trace.sites.values() if whole else [site])]
    for layer, head in choice.looks.kept:
        if not any(layer < layers and head < heads for layers, heads in shapes):
            known = f"this trace has {site.layers} layers of {site.heads} heads"
            raise wrong("kept", f"{layer + 1}.{head + 1}", known)
    for name, cell in (("pinned", choice.looks.pinned), ("held", _cell(choice.looks))):
        for at, most in zip(cell or (), site.allowed.shape, strict=False):
            if at is not None:
                _within(name, at + 1, most)


def _cell(own: Looks) -> tuple[int | None, int | None] | None:
    """The pinned token as (row, column), one of them None."""
    if own.held is None:
        return None
    axis, place = own.held
    return (place, None) if axis == "query" else (None, place)


def drawable(view: View, shape: tuple[int, ...], *, beside: int = 1) -> None:
    """Refuses to draw cells that would be finer than what is printed.

    Args:
        beside: matrices that share the side of a figure.

    Raises:
        HeadlightError: parameter_invalid for more tokens a side than paper has room for.
    """
    room = SIDE // beside
    if max(shape) > room:
        reason = f"paper has room for {room:,} tokens a side, this is of {max(shape):,}"
        raise wrong("view", view, f"{reason}; npz and html hold it whole")


def _names(packed: Packed, step: int) -> dict[int, str]:
    """Vocabulary rows by what the look calls them, as far as it lists them."""
    listed = (packed.meta["next"] or [])[step]
    return dict(zip(listed["ids"], listed["texts"], strict=True))


def _page(packed: Packed, choice: Choice, language: Language, title: str) -> str:
    selection = {"kind": choice.kind, "layer": choice.layer, "head": choice.head}
    own = replace(choice.looks, mode="lines") if choice.view == "lines" else choice.looks
    data = component_data(
        packed,
        view="step" if choice.view == "stages" else "inspect",
        language=language,
        text=inspector_words(language),
        selection={**selection, "step": choice.step, **looks.started(own)},
    )
    named = title or str(packed.trace.meta.get("source_text", "")) or packed.trace.model_id
    return single_file(packed, data, title=named, language=language)


def _trace_file(trace: AttentionTrace) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.npz"
        save_trace(path, trace)
        return path.read_bytes()


def _rows(packed: Packed, choice: Choice) -> Iterator[dict[str, object]]:
    """One line a cell of the chosen head or kind; or one a token of the vocabulary."""
    trace, kind = packed.trace, choice.kind
    if choice.view == "next":
        assert choice.step is not None
        told = _told(packed, choice)
        names = _names(packed, choice.step - 1)
        for row, logit in enumerate(told["logits"]):
            yield {"id": row, "token": names.get(row, f"#{row}"), "logit": logit}
        return
    assert kind is not None
    site, part = trace.sites[kind], shown(trace, kind, words=choice.looks.words)
    one = choice.view != "grid"
    for layer in [choice.layer - 1] if one else range(site.layers):
        for head in [choice.head - 1] if one else range(site.heads):
            weights = part.weights(layer, head)
            scores = None if part.words or site.scores is None else site.scores[layer, head]
            for row, query in enumerate(part.queries):
                for column, key in enumerate(part.keys):
                    yield {
                        "kind": kind,
                        "layer": layer + 1,
                        "head": head + 1,
                        "query": row + 1,
                        "query_token": query.text,
                        "key": column + 1,
                        "key_token": key.text,
                        "allowed": int(part.allowed[row, column]),
                        "weight": float(weights[row, column]),
                        "score": "" if scores is None else float(scores[row, column]),
                    }


def _told(packed: Packed, choice: Choice) -> dict[str, Any]:
    """What a program wants of the chosen view."""
    trace, kind = packed.trace, choice.kind
    told: dict[str, Any] = {"model_id": trace.model_id, "view": choice.view}
    if choice.view == "next":
        assert choice.step is not None
        assert trace.logits is not None
        written = trace.written[choice.step - 1]
        logits = [float(logit) for logit in trace.logits[choice.step - 1]]
        return {**told, "step": choice.step, "written": written.text, "logits": logits}
    assert kind is not None
    site, part = trace.sites[kind], shown(trace, kind, words=choice.looks.words)
    of: dict[str, Any] = {}
    if choice.view == "grid":
        weights: Any = [
            [part.weights(layer, head).tolist() for head in range(site.heads)]
            for layer in range(site.layers)
        ]
        scores = site.scores
    else:
        of = {"layer": choice.layer, "head": choice.head}
        weights = part.weights(choice.layer - 1, choice.head - 1).tolist()
        scores = None if site.scores is None else site.scores[choice.layer - 1, choice.head - 1]
    return {
        **told,
        "kind": kind,
        **of,
        **({"words": True} if part.words else {}),
        "queries": [token.text for token in part.queries],
        "keys": [token.text for token in part.keys],
        "allowed": part.allowed.tolist(),
        "weights": weights,
        "scores": None if scores is None or part.words else scores.tolist(),
    }


def file_name(choice: Choice, form: Format, side: str = "") -> str:
    """What a file is called, in ASCII: headlight-cross-layer3-head5.svg.

    Args:
        side: of two looks beside each other, "" for one alone.
    """
    which = f"-{side}" if side else ""
    if form in ("html", "npz"):
        return f"headlight{which}.{form}"
    if choice.view == "next":
        return f"headlight-next-step{choice.step}{which}.{form}"
    if choice.view == "grid":
        return f"headlight-{choice.kind}-heads{which}.{form}"
    more = "" if choice.view == "head" else f"-{choice.view}"
    return f"headlight-{choice.kind}-layer{choice.layer}-head{choice.head}{more}{which}.{form}"


def _within(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise wrong(name, value, f"this trace has 1 to {most}" if most else "there is none")
