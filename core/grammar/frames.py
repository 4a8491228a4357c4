"""The frames: constructions, endings and connectives, read from the tables beside this file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

STYLES = ("plain", "casual", "polite", "formal")


@dataclass(frozen=True)
class Construction:
    """How a predicate is built up before its last ending; see ``frames.toml``."""

    name: str
    korean: str
    english: str
    tenses: tuple[str, ...]
    moods: tuple[str, ...]
    weight: float
    before: str = ""
    stem: str = ""
    negative: bool = False
    needs: str = "any"
    who: tuple[str, ...] = ()
    default: str = "i"
    asker: str = "you"
    lead: str = ""
    tail: str = ""
    asking: str = ""
    final: dict[str, list[str]] = field(default_factory=dict)
    same: str = ""
    adverb: str = ""
    mid: str = ""
    bare: bool = False
    said: bool = False
    loose: bool = False
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class Link:
    """A connective: the first clause's ending and the English around both."""

    name: str
    korean: str
    english: str
    tensed: bool = False
    same: str = ""


@dataclass(frozen=True)
class Matrix:
    """What is said of what another clause says; see ``matrices.toml``."""

    name: str
    english: str
    tenses: tuple[str, ...]
    weight: float
    form: str = "asking"
    korean: str = ""
    stem: str = ""
    tense: str = "present"
    asked: str = ""
    kinds: tuple[str, ...] = ("describe", "feel", "act")
    inner: str = ""
    shift: bool = False
    own: bool = False
    final: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Frames:
    """All of them, with the names of the frames that training never shows."""

    constructions: dict[str, Construction]
    links: dict[str, Link]
    endings: dict[str, dict[str, dict[str, dict[str, list[str]]]]]
    heldout: frozenset[str]
    that: tuple[Matrix, ...]
    asking: tuple[Matrix, ...]

    def finals(
        self, construction: Construction, tense: str, mood: str, style: str, kinds: tuple[str, ...]
    ) -> list[str]:
        """Final endings that fit; empty where the style has none for the construction."""
        if construction.final:
            return construction.final.get(style, [])
        table = self.endings[tense][mood]
        return [end for kind in kinds for end in table.get(kind, {}).get(style, [])]


def load() -> Frames:
    """Read ``frames.toml``, ``constructions.toml`` and ``matrices.toml``.

    Returns:
        The frames.

    Raises:
        OSError: a file is missing.
        TypeError: a table has an unknown key.
    """
    data, more = _table("frames"), _table("constructions")
    return Frames(
        constructions={
            name: Construction(name, **{k: _frozen(v) for k, v in table.items()})
            for name, table in (data["construction"] | more["construction"]).items()
        },
        links={name: Link(name, **table) for name, table in data["link"].items()},
        endings=data["endings"],
        heldout=frozenset(data["heldout"]["frames"] + more["heldout"]["frames"]),
        that=_matrices("that"),
        asking=_matrices("asking"),
    )


def _matrices(kind: str) -> tuple[Matrix, ...]:
    return tuple(
        Matrix(name, **{key: _frozen(value) for key, value in table.items()})
        for name, table in _table("matrices")[kind].items()
    )


def _table(name: str) -> dict[str, Any]:
    text = Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
