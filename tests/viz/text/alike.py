"""What two languages must have in common, for every table of texts."""

import re
from collections.abc import Mapping, Sequence


def unlike(english: Mapping[str, object], korean: Mapping[str, object]) -> list[str]:
    """Names of texts that one language lacks or leaves blank, or whose holes are others.

    A text is a sentence, or a mapping or sequence of texts.
    """
    return [
        name
        for name in sorted(english.keys() | korean.keys())
        if not (_said(english.get(name)) and _said(korean.get(name)))
        or _holes(english[name]) != _holes(korean[name])
    ]


def _parts(text: object) -> Sequence[tuple[object, object]] | None:
    """Keys and texts of what is made of several."""
    if isinstance(text, Mapping):
        return list(text.items())
    return list(enumerate(text)) if isinstance(text, list | tuple) else None


def _said(text: object) -> bool:
    parts = _parts(text)
    if parts is not None:
        return bool(parts) and all(_said(part) for _, part in parts)
    return isinstance(text, str) and bool(text.strip())


def _holes(text: object) -> object:
    """In a sentence in whatever order; `%{x}` is one of Plotly's."""
    parts = _parts(text)
    if parts is not None:
        return [(key, _holes(part)) for key, part in parts]
    return sorted(re.findall(r"%?\{\w+", str(text)))
