"""A look, taken along: as a figure for paper, as numbers, or as one page that stays alive."""

from __future__ import annotations

import csv
import io
import json
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from matplotlib.figure import Figure

from core.errors import HeadlightError
from core.trace import KINDS, AttentionTrace, Kind
from core.trace_file import save_trace
from viz.inspector.pack import Packed
from viz.inspector.payload import component_data
from viz.inspector.single import single_file
from viz.printing import views
from viz.printing.style import paper
from viz.text.browser import inspector_words
from viz.text.inspector import TEXT
from viz.text.language import Language

View = Literal["head", "lines", "grid", "next"]
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

_DRAWING: Final = threading.Lock()
"""matplotlib's settings belong to the process."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What of a look; layers, heads and steps count from 1, as for people.

    Attributes:
        view: "head" and "lines" show one head, "grid" all heads of a kind, "next" a step.
        kind: None takes cross-attention, or the first kind that there is.
        step: None takes the last one.
    """

    view: View = "head"
    kind: Kind | None = None
    layer: int = 1
    head: int = 1
    step: int | None = None

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
        elif trace.logits is None:
            raise _wrong("view", "next", "this trace has no logits")
        steps = len(trace.written)
        step = steps if self.step is None else self.step
        if self.view == "next":
            _within("step", step, steps)
        return Choice(self.view, kind, self.layer, self.head, step)


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
        return _table(_rows(packed, chosen))
    if form == "json":
        return json.dumps(_told(packed, chosen), ensure_ascii=False).encode()
    with _DRAWING, paper():
        target = io.BytesIO()
        # A date would make every file another one.
        dated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        figure = _figure(packed, chosen, asdict(TEXT[language]))
        figure.savefig(target, format=form, metadata=dated.get(form))
        return target.getvalue()


def _figure(packed: Packed, choice: Choice, words: Mapping[str, str]) -> Figure:
    trace, kind = packed.trace, choice.kind
    if choice.view == "next":
        assert choice.step is not None
        return views.next_tokens(trace, choice.step - 1, _names(packed, choice.step - 1), words)
    assert kind is not None
    if choice.view == "grid":
        return views.grid(trace, kind, words)
    draw: Callable[..., Figure] = views.head if choice.view == "head" else views.lines
    return draw(trace, kind, choice.layer - 1, choice.head - 1, words)


def _names(packed: Packed, step: int) -> dict[int, str]:
    """Vocabulary rows by what the look calls them, as far as it lists them."""
    listed = (packed.meta["next"] or [])[step]
    return dict(zip(listed["ids"], listed["texts"], strict=True))


def _page(packed: Packed, choice: Choice, language: Language, title: str) -> str:
    selection = {"kind": choice.kind, "layer": choice.layer, "head": choice.head}
    data = component_data(
        packed,
        view="inspect",
        language=language,
        text=inspector_words(language),
        selection={**selection, "step": choice.step},
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
    site = trace.sites[kind]
    queries = trace.source if kind == "encoder_self" else trace.written
    keys = trace.keys(kind)
    one = choice.view != "grid"
    for layer in [choice.layer - 1] if one else range(site.layers):
        for head in [choice.head - 1] if one else range(site.heads):
            for row, query in enumerate(queries):
                for column, key in enumerate(keys):
                    scores = site.scores
                    yield {
                        "kind": kind,
                        "layer": layer + 1,
                        "head": head + 1,
                        "query": row + 1,
                        "query_token": query.text,
                        "key": column + 1,
                        "key_token": key.text,
                        "allowed": int(site.allowed[row, column]),
                        "weight": float(site.weights[layer, head, row, column]),
                        "score": "" if scores is None else float(scores[layer, head, row, column]),
                    }


def _table(rows: Iterator[dict[str, object]]) -> bytes:
    """CSV for spreadsheets: with a byte order mark, and no cell that would be a formula."""
    out = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(out, list(row))
            writer.writeheader()
        writer.writerow({name: _inert(value) for name, value in row.items()})
    return ("\ufeff" + out.getvalue()).encode()


def _inert(value: object) -> object:
    formula = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if formula else value


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
    site = trace.sites[kind]
    queries = trace.source if kind == "encoder_self" else trace.written
    heads: Any = (choice.layer - 1, choice.head - 1) if choice.view != "grid" else ...
    return {
        **told,
        "kind": kind,
        **({} if choice.view == "grid" else {"layer": choice.layer, "head": choice.head}),
        "queries": [token.text for token in queries],
        "keys": [token.text for token in trace.keys(kind)],
        "allowed": site.allowed.tolist(),
        "weights": site.weights[heads].tolist(),
        "scores": None if site.scores is None else site.scores[heads].tolist(),
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
    lines = "-lines" if choice.view == "lines" else ""
    return f"headlight-{choice.kind}-layer{choice.layer}-head{choice.head}{lines}.{form}"


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
