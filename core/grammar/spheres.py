"""Stems by what they share: what takes weeks, what takes a moment, what one goes out for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from core.grammar.lexicon import Adverb, table

RECENT: Final = ("just now", "a while ago", "a little while ago", "an hour ago")
# Parts of a day, which what takes long does not fit into.
_PART_OF_DAY: Final = re.compile(
    r"^(at |in the (morning|evening|afternoon)|before noon|during the day"
    r"|this (morning|afternoon|evening)|tonight|last night)"
)
_WEEKS: Final = re.compile(r"week|Christmas|Chuseok|Lunar|vacation|holiday|days ago")


@cache
def spheres() -> Mapping[str, frozenset[str]]:
    """``spheres.tsv``: each sphere's stems."""
    return {row["sphere"]: frozenset(row["stems"].split(",")) for row in table("spheres")}


@cache
def errands() -> Mapping[str, str]:
    """``errands.tsv``: where one goes to do something, by the names of verbs."""
    return {row["verb"]: row["places"] for row in table("errands")}


def stem_of(spec: str) -> str:
    """The last stem of a predicate, without its tag."""
    return spec.split()[-1].partition("/")[0].partition("+")[0]


@cache
def _afar() -> re.Pattern[str]:
    """Cities and countries by their English names."""
    far = (
        r["english"] for r in table("nouns") if {"city", "country"} & set(r["classes"].split(","))
    )
    return re.compile(rf"\b({'|'.join(map(re.escape, far))})\b")


def is_afar(rest: str) -> bool:
    """Whether a predicate's English names a city or a country."""
    return _afar().search(rest) is not None


def spans(time: Adverb, stem: str, rest: str, life: frozenset[str]) -> bool:
    """Whether a deed is as long as the time that it is told with.

    Args:
        time: when.
        stem: the deed's stem.
        rest: what follows its verb in English.
        life: stems that are told of a year, and so of a week.
    """
    if time.kind == "freq" and stem in spheres()["moment"]:
        return False
    if time.english in RECENT or time.kind == "hour":
        return stem not in spheres()["long"] and not is_afar(rest)
    if _PART_OF_DAY.search(time.english):
        return stem not in spheres()["long"]
    return not _WEEKS.search(time.english) or stem in life or stem in spheres()["week"]
