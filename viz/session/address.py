"""The one state that all pages share, and how an address spells it.

Pure: no Streamlit here. In an address layers, heads and steps count from 1, as people do;
in `UiState` they count from 0, as arrays do.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, get_args

from core.model import MOST_TEMPERATURE, TEMPERATURE, TOP_P, Sampling
from core.trace import Kind
from viz.inspector import options
from viz.inspector.options import OPTIONS, Options
from viz.inspector.spelling import (
    INDEX,
    KIND,
    LANGUAGE,
    MOST,
    ROW,
    SEED,
    Spelling,
    decimal,
    listed,
    switch,
)
from viz.text.language import Language

PageName = Literal[
    "inspect",
    "step",
    "compare",
    "positions",
    "gaps",
    "neighbours",
    "studies",
    "train",
    "milestones",
    "bertviz",
    "model",
    "add",
]
PAGES: Final[tuple[PageName, ...]] = get_args(PageName)
"""The pages in their order; the first one has the empty path."""
MAX_ADDRESS_TEXT: Final = 1500
"""Characters of a sentence that an address carries; browsers and proxies cut long ones."""
_MAX_FIELDS: Final = 24
_FIELD_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,23}")
_LONE: Final = re.compile(r"[\ud800-\udfff]")
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class UiState:
    """What is chosen.

    Attributes:
        language: of the app's own words.
        model: its id.
        source: the sentence; None stands for the model's first example.
        target: what the decoder is made to write; None lets it run freely.
        kind, layer, head: the head in the large view.
        step: the decoder row in view, None for the last one.
        lift_mask: the decoder may look ahead.
        prefix: vocabulary rows that the decoder writes first, () where it is free; a target
            waits while there is one.
        seed: of the chance by which it writes freely; None where it writes greedily.
        temperature, top_p: of that chance (`core.model.Sampling`); they wait without a seed.
        message: the sentence is read as a user's message.
        options: how the pictures are drawn, and what is pinned in them.
        fields: what single pages add, as spelled in the address.
    """

    language: Language = "en"
    model: str = ""
    source: str | None = None
    target: str | None = None
    kind: Kind = "cross"
    layer: int = 0
    head: int = 0
    step: int | None = None
    lift_mask: bool = False
    prefix: tuple[int, ...] = ()
    seed: int | None = None
    temperature: float = TEMPERATURE
    top_p: float = TOP_P
    message: bool = False
    options: Options = options.PLAIN
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def sampling(self) -> Sampling | None:
        """By what chance it writes freely."""
        return None if self.seed is None else Sampling(self.seed, self.temperature, self.top_p)


def clean_text(text: str) -> str:
    """One line of text that every later step can carry.

    Lone surrogates become U+FFFD (they have no UTF-8), control characters and line breaks
    become single spaces. All else stays as typed.
    """
    return _UNSEEN.sub(" ", _LONE.sub("\ufffd", text))


def _read_prefix(text: str) -> tuple[int, ...]:
    if len(text) > MAX_ADDRESS_TEXT:
        raise ValueError(text)
    return _ROWS.read(text)


_ROWS: Final = listed(ROW)
# Each parameter once: the field of the state that it is, and how it is spelled.
_OWN: Final[dict[str, tuple[str, Spelling[Any]]]] = {
    "lang": ("language", LANGUAGE),
    "model": ("model", Spelling(str, str)),
    "source": ("source", Spelling(clean_text, str)),
    "target": ("target", Spelling(lambda text: clean_text(text).strip() or None, str)),
    "mask": ("lift_mask", switch("off", "on")),
    "branch": ("prefix", Spelling(_read_prefix, _ROWS.write)),
    "seed": ("seed", SEED),
    "sample_temperature": ("temperature", decimal(0, MOST_TEMPERATURE, 2)),
    "sample_top_p": ("top_p", decimal(0.01, 1, 2)),
    "message": ("message", switch()),
    "kind": ("kind", KIND),
    "layer": ("layer", INDEX),
    "head": ("head", INDEX),
    "step": ("step", INDEX),
}
CHANCE: Final = ("seed", "sample_temperature", "sample_top_p")
"""Parameters that say by what chance a model writes; without `sample_`, two are of a picture."""
SELECTION: Final = ("kind", "layer", "head", "step")
"""Parameters that the inspector writes to the address by itself; `OPTIONS` are more of them."""
_ALWAYS: Final = frozenset(("lang", "kind", "layer", "head"))
"""What each address says; all else is left out where it is at its default."""


PAGE: Final = "page"
"""What the server adds to an address of a page that there is not, and no page has: it is told."""
LEFT_OUT: Final = "left_out"
"""What an address adds for texts that it has no room for: who opens it is told."""
_SHARED: Final = (*_OWN, *OPTIONS)
_PLAIN: Final = UiState()
_FORMER: Final = {"look": "trace"}
"""What parameters were called in older addresses, which people have kept."""


def renamed(query: Mapping[str, str]) -> dict[str, str]:
    """An address of any age, by today's names; today's hold where it has both."""
    return {_FORMER.get(name, name): text for name, text in query.items()} | {
        name: text for name, text in query.items() if name not in _FORMER
    }


def whole(query: Mapping[str, str], own: Collection[str] = ()) -> dict[str, str | None]:
    """An address with None for what it leaves out, where it is one that `write` wrote.

    What is left out is at its default in such an address, and not asked about in any other.

    Args:
        own: names of pages' own fields that it would carry if they were set.
    """
    left_out = (*(_OWN.keys() - _ALWAYS - {"model"}), *OPTIONS, *own)
    return {**dict.fromkeys(left_out if query.keys() >= _ALWAYS else ()), **query}


def news(
    query: Mapping[str, str | None],
    known: Mapping[str, str | None],
    before: Mapping[str, str | None],
    quick: Collection[str],
) -> dict[str, str | None]:
    """What an address says that is not so already, and that the one before did not say.

    Args:
        known: the address of the state.
        before: the one that was read or written last.
        quick: names that components write by themselves: what they wrote may not have been read.
    """
    return {
        name: text
        for name, text in query.items()
        if known.get(name) != text and (name in quick or (name, text) not in before.items())
    }


def _at_default(ui: UiState, name: str) -> UiState:
    if name in OPTIONS:
        return replace(ui, options=options.change(ui.options, name, ""))
    if name in _OWN:
        kept, _ = _OWN[name]
        return replace(ui, **{kept: getattr(_PLAIN, kept)})
    return replace(ui, fields={own: text for own, text in ui.fields.items() if own != name})


def read(
    query: Mapping[str, str | None], base: UiState, models: Sequence[str]
) -> tuple[UiState, tuple[str, ...]]:
    """The state that an address asks for, on top of another.

    Args:
        query: parameters, the last value where one is repeated; None for its default.
        base: what holds where the address says nothing, or nothing usable.
        models: the ids that can be opened.

    Returns:
        The state, and the names of the parameters that could not be used.
    """
    refused: list[str] = []
    asked = {name: text for name, text in query.items() if text is not None}
    for name in query.keys() - asked.keys():
        base = _at_default(base, name)
    for name in _SHARED:
        if name in asked:
            try:
                base = change(base, name, asked[name], models)
            except ValueError:
                refused.append(name)
    for name in (PAGE, LEFT_OUT):
        if asked.pop(name, None) is not None:
            refused.append(name)
    extra = dict(base.fields)
    for name, text in asked.items():
        short = len(text) <= MAX_ADDRESS_TEXT
        if name not in _SHARED and _FIELD_NAME.fullmatch(name) and short:
            extra[name] = clean_text(text)
    kept = dict(list(extra.items())[-_MAX_FIELDS:])
    return replace(base, fields=kept), tuple(refused)


def change(ui: UiState, name: str, text: str, models: Sequence[str]) -> UiState:
    """The state after one parameter was set to `text`, as an address spells it.

    Raises:
        ValueError: the text cannot be used.
    """
    if name in OPTIONS:
        return replace(ui, options=options.change(ui.options, name, text))
    if name == "model" and text not in models:
        raise ValueError(text)
    kept, spelling = _OWN[name]
    return replace(ui, **{kept: spelling.read(text)})


def write(ui: UiState, fields: Sequence[str] = ()) -> dict[str, str]:
    """The parameters of the address of a state.

    A sentence that is too long for an address is left out, which it says (`LEFT_OUT`), and so is
    an option at its default.

    Args:
        fields: names of pages' own fields to carry along.
    """
    texts = {
        name: spelling.write(getattr(ui, kept))
        for name, (kept, spelling) in _OWN.items()
        if name in _ALWAYS or getattr(ui, kept) != getattr(_PLAIN, kept)
    }
    texts |= {name: ui.fields[name] for name in fields if name in ui.fields}
    # Last, as the inspector appends them: both spell one state in one way.
    texts |= {name: texts.pop(name) for name in SELECTION if name in texts}
    short = {name: text for name, text in texts.items() if len(text) <= MAX_ADDRESS_TEXT}
    if len(short) < len(texts):
        short[LEFT_OUT] = ".".join(name for name in texts if name not in short)
    return short | options.spell(ui.options)


def chance(ui: UiState) -> dict[str, str]:
    """How an address spells the chance by which a model writes; nothing where it is greedy."""
    if ui.seed is None:
        return {}
    return {name: _OWN[name][1].write(getattr(ui, _OWN[name][0])) for name in CHANCE}


def message(ui: UiState) -> dict[str, str]:
    """How an address spells that a sentence is a message; nothing where it is none."""
    return {"message": _OWN["message"][1].write(True)} if ui.message else {}


class Extent(NamedTuple):
    """How much there is of one kind of attention; rows and columns where they are known."""

    layers: int
    heads: int
    rows: int = MOST
    columns: int = MOST


def fit(ui: UiState, sites: Mapping[Kind, Extent], steps: int) -> tuple[UiState, tuple[str, ...]]:
    """The nearest state that a snapshot has.

    Args:
        ui: what is asked for.
        sites: each kind of attention that the snapshot has.
        steps: decoder rows; 0 for a model without a decoder.

    Returns:
        The state, and the names of the parameters that had to change.
    """
    if not sites:
        return ui, ()
    # As files have it, and pages without a server: cross, where it is there, or else the first.
    kind = ui.kind if ui.kind in sites else "cross" if "cross" in sites else next(iter(sites))
    site = sites[kind]
    stacks = {(other.layers, other.heads) for other in sites.values()}
    fitted = replace(
        ui,
        kind=kind,
        layer=min(ui.layer, site.layers - 1),
        head=min(ui.head, site.heads - 1),
        step=None if ui.step is None else max(0, min(ui.step, steps - 1)),
        options=options.within(ui.options, (site.rows, site.columns), stacks),
    )
    moved = [name for name in SELECTION if getattr(ui, name) != getattr(fitted, name)]
    moved += [n for n in OPTIONS if getattr(ui.options, n) != getattr(fitted.options, n)]
    return fitted, tuple(moved)
