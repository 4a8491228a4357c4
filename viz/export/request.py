"""What a person asks to take along, read from the texts of an address or a command line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, get_args

from core.errors import HeadlightError
from core.reasons import Reason
from core.trace import KINDS, Kind
from viz.inspector import options
from viz.inspector.options import OPTIONS, Options
from viz.text.language import LANGUAGES, Language
from viz.text.refusals import because

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
_MINDED: Final[dict[View, frozenset[str]]] = {
    "head": frozenset(("words", "trim", "stretch", "pinned", "held")),
    "lines": frozenset(("words", "kept", "threshold", "pinned", "held")),
    "grid": frozenset(("words", "order", "top", "kept", "stretch")),
    "next": frozenset(("temperature", "top_k", "top_p")),
    "stages": frozenset(),
}
"""Options by name, of which the figure of a view shows anything."""
_MINDED_BESIDE: Final[dict[View, frozenset[str]]] = {
    "head": frozenset(("words", "stretch", "pinned")),
    "grid": frozenset(("words", "stretch")),
}
"""The same of two traces beside each other."""
_IN_NUMBERS: Final = frozenset(("words", "temperature", "top_k", "top_p"))
"""Those of them that change numbers; the others change how they are drawn."""
_SAID: Final = 40  # characters of what was asked for, in a refusal
_TWO: Final = re.compile(r"([1-9][0-9]{0,3})\.([1-9][0-9]{0,3})")


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


def view_of(name: str | None) -> View:
    """A view by its name; a head where none is named.

    Raises:
        HeadlightError: parameter_invalid for any other name.
    """
    for view in VIEWS:
        if view == (name or VIEWS[0]):
            return view
    raise wrong("view", str(name), because("one_of", known=", ".join(VIEWS)))


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
    raise wrong("kind", name, because("one_of", known=", ".join(KINDS)))


def options_of(texts: Mapping[str, str]) -> Options:
    """How something is drawn, from texts as an address has them; other names are passed over.

    Raises:
        HeadlightError: parameter_invalid for a text that cannot be used.
    """
    own = options.PLAIN
    for name in OPTIONS:
        if name in texts:
            try:
                own = options.change(own, name, texts[name])
            except ValueError as error:
                raise wrong(name, texts[name], options.rule(name)) from error
    return own


def other_of(text: str | None) -> tuple[int, int] | None:
    """Layer and head of the second trace, spelled "3.5"; "same" or nothing for the first's.

    Raises:
        HeadlightError: parameter_invalid for any other text.
    """
    if text in (None, "", "same"):
        return None
    found = _two(text)
    if found is None:
        raise wrong("other", str(text), because("a_head"))
    return found


def place_of(text: str | None) -> tuple[int, int] | None:
    """Row and column among the tokens of two traces, spelled "3.5"; None for nothing.

    Raises:
        HeadlightError: parameter_invalid for any other text.
    """
    found = _two(text)
    if text and found is None:
        raise wrong("place", text, because("a_place"))
    return found


def _two(text: str | None) -> tuple[int, int] | None:
    found = _TWO.fullmatch(text or "")
    return found and (int(found[1]), int(found[2]))


def compact_of(text: str | None, form: Format) -> bool:
    """Whether a page is to be a small one, spelled "on".

    Raises:
        HeadlightError: parameter_invalid for another text, or for a file that is no page.
    """
    if text in (None, "", "off"):
        return False
    if text != "on":
        raise wrong("compact", str(text), because("switch"))
    if form != "html":
        raise wrong("compact", "on", because("compact_html"))
    return True


def side_of(text: str | None) -> Literal["", "a", "b"]:
    """Which of two traces; "" for any other text."""
    return "a" if text == "a" else "b" if text == "b" else ""


def language_of(texts: Mapping[str, str]) -> Language:
    """The language that is asked for by `lang`; the first of all where it is none."""
    return next((name for name in LANGUAGES if name == texts.get("lang")), LANGUAGES[0])


def count_of(text: str) -> int:
    """A number that counts from 1; 0, which nothing has, where the text is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0


def counted(name: str, text: str) -> int:
    """A number that counts from 1.

    Raises:
        HeadlightError: parameter_invalid for a text that is none.
    """
    value = count_of(text)
    if value < 1:
        raise wrong(name, text, because("whole_number"))
    return value


def refuse_unminded(
    view: View, form: Format, texts: Mapping[str, str], *, beside: bool = False
) -> None:
    """Refuses options that a file of this view would have no trace of.

    An address may name them, since it says all that a page shows; a command names them on purpose.

    Args:
        beside: the file is of two traces.

    Raises:
        HeadlightError: parameter_invalid for the first of them.
    """
    living = form == "html" and view != "stages" and not beside
    minded = (_MINDED_BESIDE if beside else _MINDED).get(view, frozenset())
    if form == "html" and beside:
        minded = _MINDED_BESIDE["head"]  # the page has both heads and what changed in all
    if form in ("csv", "json"):
        minded &= _IN_NUMBERS
    if form == "npz":
        minded = frozenset()
    nothing = because("unminded_beside" if beside else "unminded", view=view, form=form)
    for name, text in texts.items():
        if text and not living and name not in minded:
            raise wrong(name, text, nothing)
    if texts.get("top") and texts.get("order", "layer") in ("", "layer") and not living:
        raise wrong("top", texts["top"], because("order_wanted"))


def wrong(name: str, value: str | int, reason: Reason) -> HeadlightError:
    """What is raised for something that cannot be had; of a long text its beginning is said."""
    said = value if isinstance(value, int) or len(value) <= _SAID else f"{value[: _SAID - 1]}…"
    return HeadlightError("parameter_invalid", name=name, value=said, reason=reason)
