"""What a person asks to take along, read from the texts of an address or a command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypeVar, get_args

from core.errors import HeadlightError
from core.reasons import Reason
from core.trace import Kind
from viz.inspector.options import OPTIONS, PLAIN, SPELLINGS, Options
from viz.inspector.spelling import KIND, LANGUAGE, NUMBER, SWITCH, Spelling, one_of
from viz.text.language import LANGUAGES, Language
from viz.text.refusals import because

View = Literal["head", "lines", "grid", "next", "stages"]
Format = Literal["png", "svg", "pdf", "npz", "csv", "json", "html"]
VIEWS: Final[tuple[View, ...]] = get_args(View)
VIEW: Final[Spelling[View]] = one_of(VIEWS)
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
_HEAD: Final = frozenset(("kind", "layer", "head"))
_MINDED: Final[dict[View, frozenset[str]]] = {
    "head": _HEAD | {"step", "words", "trim", "stretch", "pinned", "held", "zoom"},
    "lines": _HEAD | {"step", "words", "kept", "threshold", "pinned", "held", "zoom"},
    "grid": _HEAD | {"words", "order", "top", "kept", "stretch"},
    "next": frozenset(("step", "temperature", "top_k", "top_p")),
    "stages": _HEAD | {"step"},
}
"""What may be asked for, by name, of which the figure of a view shows anything."""
_MINDED_BESIDE: Final[dict[View, frozenset[str]]] = {
    "head": _HEAD | {"other", "words", "stretch", "pinned"},
    "grid": frozenset(("kind", "words", "stretch")),
}
"""The same of two traces beside each other."""
_IN_NUMBERS: Final[dict[View, frozenset[str]]] = {
    "head": _HEAD | {"other", "step", "words"},
    "lines": _HEAD | {"step", "words"},
    "grid": frozenset(("kind", "words")),
    "next": _MINDED["next"],
    "stages": _HEAD | {"step"},
}
"""Those of them that a file of numbers takes; the others change how they are drawn. A step is taken
though a head is written whole: commands that people keep name it."""
_SAID: Final = 40  # characters of what was asked for, in a refusal

T = TypeVar("T")
U = TypeVar("U")


def form_of(name: str) -> Format:
    """The format that a file's name asks for.

    Raises:
        HeadlightError: parameter_invalid for any other ending.
    """
    ending = Path(name).suffix.lower().removeprefix(".")
    for form in FORMATS:
        if form == ending:
            return form
    raise wrong("out", name, because("ends_in", known=", ".join(FORMATS)))


def asked(name: str, texts: Mapping[str, str], spelling: Spelling[T], otherwise: U) -> T | U:
    """What is asked for by a name; something else where nothing is.

    Raises:
        HeadlightError: parameter_invalid for a text that cannot be used.
    """
    text = texts.get(name)
    if not text:
        return otherwise
    try:
        return spelling.read(text)
    except ValueError as error:
        raise wrong(name, text, spelling.rule) from error


def head_of(texts: Mapping[str, str]) -> tuple[View, Kind | None, int, int]:
    """View, kind, layer and head that are asked for.

    Raises:
        HeadlightError: parameter_invalid for a text that is none of them.
    """
    return (
        asked("view", texts, VIEW, VIEWS[0]),
        asked("kind", texts, KIND, None),
        asked("layer", texts, NUMBER, 1),
        asked("head", texts, NUMBER, 1),
    )


def options_of(texts: Mapping[str, str]) -> Options:
    """How something is drawn, from texts as an address has them; other names are passed over.

    Raises:
        HeadlightError: parameter_invalid for a text that cannot be used.
    """
    return Options(
        **{name: asked(name, texts, SPELLINGS[name], getattr(PLAIN, name)) for name in OPTIONS}
    )


def compact_of(texts: Mapping[str, str], form: Format) -> bool:
    """Whether a page is to be a small one.

    Raises:
        HeadlightError: parameter_invalid for another text, or for a file that is no page.
    """
    compact = asked("compact", texts, SWITCH, False)
    if compact and form != "html":
        raise wrong("compact", "on", because("compact_html"))
    return compact


def language_of(texts: Mapping[str, str]) -> Language:
    """The language that is asked for by `lang`; the first of all where it is none."""
    return LANGUAGE.tried(texts.get("lang"), LANGUAGES[0])


def refuse_unminded(
    view: View,
    form: Format,
    texts: Mapping[str, str],
    *,
    kind: Kind | None = None,
    beside: bool = False,
) -> None:
    """Refuses places and options that a file of this view would have no trace of.

    An address may name them, since it says all that a page shows; a command names them on purpose.

    Args:
        texts: as an address has them; "" for what was not asked for.
        kind: that is shown where none is asked for, None where the trace is not open yet.
        beside: the file is of two traces.

    Raises:
        HeadlightError: parameter_invalid for the first of them.
    """
    living = form == "html" and view != "stages" and not beside
    minded = (_MINDED_BESIDE if beside else _MINDED).get(view, frozenset())
    if form == "html" and beside:
        minded = _MINDED_BESIDE["head"]  # the page has both heads and what changed in all
    if form in ("csv", "json"):
        minded &= _IN_NUMBERS[view]
    if form == "npz":
        minded = _HEAD | {"step"}  # they are in the whole trace, which it holds
    if (texts.get("kind") or kind) == "encoder_self" and view != "next" and form != "html":
        minded -= {"step"}  # an encoder reads all at once
    nothing = because("unminded_beside" if beside else "unminded", view=view, form=form)
    for name, text in texts.items():
        if text and not living and name not in minded:
            raise wrong(name, text, nothing)
    if texts.get("top") and texts.get("order", "layer") in ("", "layer") and not living:
        raise wrong("top", texts["top"], because("order_wanted"))


def wrong(name: str, value: str | int, reason: Reason | None) -> HeadlightError:
    """What is raised for something that cannot be had; of a long text its beginning is said."""
    said = value if isinstance(value, int) or len(value) <= _SAID else f"{value[: _SAID - 1]}…"
    return HeadlightError("parameter_invalid", name=name, value=said, reason=reason)
