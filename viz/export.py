"""A look, taken along: as a figure for paper, as numbers, or as one page that stays alive."""

from __future__ import annotations

import io
import json
import tempfile
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from matplotlib.figure import Figure

from core.errors import HeadlightError
from core.trace import KINDS, AttentionSite, AttentionTrace, Kind
from core.trace_file import save_trace
from viz.inspector import looks
from viz.inspector.looks import LOOKS, Looks
from viz.inspector.pack import Packed
from viz.inspector.payload import component_data
from viz.inspector.single import single_file
from viz.printing import views
from viz.printing.lines import lines
from viz.printing.next_token import next_tokens
from viz.printing.order import measured, ranked
from viz.printing.shown import shown
from viz.printing.stages import stages
from viz.printing.style import paper
from viz.printing.table import table
from viz.text.browser import inspector_words
from viz.text.language import Language
from viz.text.tokens import carried

View = Literal["head", "lines", "grid", "next", "stages"]
Format = Literal["png", "svg", "pdf", "npz", "csv", "json", "html"]
VIEWS: Final[tuple[View, ...]] = get_args(View)
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
MEDIA: Final[dict[Format, str]] = {
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "npz": "application/octet-stream",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "html": "text/html; charset=utf-8",
}

DRAWING: Final = threading.Lock()
"""matplotlib's settings belong to the process."""
UNDATED: Final[Mapping[str, dict[str, Any]]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
"""A date would make every file another one."""


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
                raise _wrong("kind", str(self.kind), f"this trace has {known}")
            _within("layer", self.layer, site.layers)
            _within("head", self.head, site.heads)
            if self.view == "stages" and site.scores is None:
                raise _wrong("view", "stages", "this trace has no scores")
        elif trace.logits is None:
            raise _wrong("view", "next", "this trace has no logits")
        steps = len(trace.written)
        step = steps if self.step is None else self.step
        if self.view == "next" or (kind != "encoder_self" and self.step is not None):
            _within("step", step, steps)
        return replace(self, kind=kind, step=step)

    def heads(self, site: AttentionSite) -> list[tuple[int, int]]:
        """Heads whose lines are drawn, counted from 0, by their numbers: the kept ones first.

        Raises:
            HeadlightError: parameter_invalid for one that there is not.
        """
        for layer, head in self.looks.kept:
            if not (layer < site.layers and head < site.heads):
                known = f"this trace has {site.layers} layers of {site.heads} heads"
                raise _wrong("kept", f"{layer + 1}.{head + 1}", known)
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
    if form == "html":
        return _page(packed, chosen, language, title).encode()
    if form == "npz":
        return _trace_file(packed.trace)
    if form == "csv":
        return table(_rows(packed, chosen))
    if form == "json":
        return carried(json.dumps(_told(packed, chosen), ensure_ascii=False)).encode()
    with DRAWING, paper():
        target = io.BytesIO()
        figure = _figure(packed, chosen, inspector_words(language))
        figure.savefig(target, format=form, metadata=UNDATED.get(form))
        return target.getvalue()


def _figure(packed: Packed, choice: Choice, words: Mapping[str, str]) -> Figure:
    trace, kind, own = packed.trace, choice.kind, choice.looks
    if choice.view == "next":
        assert choice.step is not None
        names = _names(packed, choice.step - 1)
        return next_tokens(trace, choice.step - 1, names, own, words)
    assert kind is not None
    site = trace.sites[kind]
    heads = choice.heads(site)
    if choice.view == "grid":
        try:
            order = ranked(trace, kind, own)
        except KeyError as error:
            raise _wrong("order", own.order, f"{kind} is not measured by it") from error
        whole = shown(trace, kind, words=own.words)
        return views.grid(whole, order, heads, own, words, measured(trace, kind, own, words))
    if choice.view == "stages":
        live = len(site.allowed) if kind == "encoder_self" else choice.step or 0
        return stages(trace, kind, choice.layer - 1, choice.head - 1, live, words)
    _pinned(own, site)
    part = shown(trace, kind, words=own.words, step=choice.step)
    chosen = (choice.layer - 1, choice.head - 1)
    if choice.view == "head":
        return views.head(part, *chosen, own, words)
    return lines(part, heads, chosen, own, words)


def _pinned(own: Looks, site: AttentionSite) -> None:
    rows, columns = site.allowed.shape
    axis, place = own.held or ("query", 0)
    for name, at, most in (
        ("pinned", own.pinned and own.pinned[0], rows),
        ("pinned", own.pinned and own.pinned[1], columns),
        ("held", place if own.held else None, rows if axis == "query" else columns),
    ):
        if at is not None:
            _within(name, at + 1, most)


def _names(packed: Packed, step: int) -> dict[int, str]:
    """Vocabulary rows by what the look calls them, as far as it lists them."""
    listed = (packed.meta["next"] or [])[step]
    return dict(zip(listed["ids"], listed["texts"], strict=True))


def _page(packed: Packed, choice: Choice, language: Language, title: str) -> str:
    selection = {"kind": choice.kind, "layer": choice.layer, "head": choice.head}
    own = replace(choice.looks, mode="lines") if choice.view == "lines" else choice.looks
    data = component_data(
        packed,
        view="inspect",
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
            yield {"id": row, "token": names.get(row, ""), "logit": logit}
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


def form_of(name: str) -> Format:
    """The format that a file's name asks for.

    Raises:
        HeadlightError: parameter_invalid for any other ending.
    """
    ending = Path(name).suffix.lower().removeprefix(".")
    for form in FORMATS:
        if form == ending:
            return form
    raise _wrong("out", name, f"it should end in one of {', '.join(FORMATS)}")


def view_of(name: str | None) -> View:
    """A view by its name; a head where none is named.

    Raises:
        HeadlightError: parameter_invalid for any other name.
    """
    for view in VIEWS:
        if view == (name or VIEWS[0]):
            return view
    raise _wrong("view", str(name), f"it is one of {', '.join(VIEWS)}")


def file_name(choice: Choice, form: Format) -> str:
    """What a file is called, in ASCII: headlight-cross-layer3-head5.svg."""
    if form in ("html", "npz"):
        return f"headlight.{form}"
    if choice.view == "next":
        return f"headlight-next-step{choice.step}.{form}"
    if choice.view == "grid":
        return f"headlight-{choice.kind}-heads.{form}"
    more = "" if choice.view == "head" else f"-{choice.view}"
    return f"headlight-{choice.kind}-layer{choice.layer}-head{choice.head}{more}.{form}"


def looks_of(texts: Mapping[str, str]) -> Looks:
    """How something is drawn, from texts as an address has them; other names are passed over.

    Raises:
        HeadlightError: parameter_invalid for a text that cannot be used.
    """
    own = looks.PLAIN
    for name in LOOKS:
        if name in texts:
            try:
                own = looks.change(own, name, texts[name])
            except ValueError as error:
                raise _wrong(name, texts[name][:40], looks.rule(name)) from error
    return own


def kind_of(name: str | None) -> Kind | None:
    """A kind of attention by its name.

    Raises:
        HeadlightError: parameter_invalid for any other name.
    """
    if name is None:
        return None
    for kind in KINDS:
        if kind == name:
            return kind
    raise _wrong("kind", name, f"it is one of {', '.join(KINDS)}")


def _within(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise _wrong(name, value, f"this trace has 1 to {most}" if most else "there is none")


def _wrong(name: str, value: str | int, reason: str) -> HeadlightError:
    return HeadlightError("parameter_invalid", name=name, value=value, reason=reason)
