"""Those whom one does not know: what is told of them is what one sees of them, or their trade."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from core.grammar.english import Subject
from core.grammar.lexicon import table
from core.grammar.spheres import spheres

# People without a name whom one knows nevertheless.
_KNOWN: Final = frozenset({"friend", "senior", "junior", "teacher", "professor", "boss",
                           "team leader", "coach"})  # fmt: skip
# What only those tell who know somebody's mind and past.
_INTIMATE: Final = frozenset({
    "wish_of", "intend", "plan", "plan_fixed", "decide", "promised", "forget_to", "used_to",
    "end_up", "hate", "need", "need_no", "no_choice", "able", "able_not", "must", "must_dwae",
    "may_not_of", "think_not_can", "know_how_not", "experience", "experience_not", "ever_tried",
    "never_tried", "quit_doing", "would_like",
})  # fmt: skip
# Of whom one says what they are by trade, though one does not know them.
_UNNAMED: Final = ("man", "woman", "person")


@cache
def _strangers() -> frozenset[str]:
    found = (
        row["english"]
        for row in table("nouns")
        if {"people", "job"} & set(row["classes"].split(","))
        and "kin" not in row["features"].split(",")
    )
    return frozenset(found) - _KNOWN


@cache
def trades() -> Mapping[str, frozenset[str]]:
    """``trades.tsv``: stems of what one does by trade, beside what all do."""
    return {row["trade"]: frozenset(row["stems"].split(",")) for row in table("trades")}


def _called(subject: Subject) -> str:
    """The noun of a subject such as "that painter", if it is of a stranger."""
    first, _, noun = subject.english.partition(" ")
    known = subject.person != 3 or first not in ("the", "this", "that", "these", "those")
    return noun if not known and noun in _strangers() else ""


def is_stranger(subject: Subject) -> bool:
    """Whether somebody is named by what he is alone: that painter, the foreigner."""
    return bool(_called(subject))


def suits_stranger(subject: Subject, kind: str, stem: str, construction: str) -> bool:
    """Whether one tells this of somebody; of whom one knows, one may tell anything.

    Args:
        subject: of whom.
        kind: the kind of the predicate.
        stem: its last stem, without its tag.
        construction: the name of the construction.
    """
    called = _called(subject)
    if not called:
        return True
    if kind == "have" or (kind in ("act", "feel") and construction in _INTIMATE):
        return False
    if kind == "feel":
        return stem not in spheres()["inner"]
    if kind != "act":
        return True
    return stem not in spheres()["home"] or stem in trades().get(called, ())


def may_be(subject: Subject, classes: frozenset[str]) -> bool:
    """Whether one says of somebody that he is a lawyer or a genius: of no passer-by or child."""
    called = _called(subject)
    if not called:
        return True
    return called in _UNNAMED and bool(classes & {"job", "people"})
