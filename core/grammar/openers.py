"""An ordinary sentence after what opens talk, or before what ends it: Excuse me. Where is it?

`openers.tsv` has a row an opener: where it stands, before what it fits, politely and to friends;
``fits`` names what is said with it, a row of `fits.tsv`: nobody is sorry and then tells one to eat.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Final

from core.grammar.lexicon import table
from core.grammar.patterns import with_stop
from core.grammar.sentences import Maker, Sentence, Workshop

_POLITE: Final = re.compile(r"(요|니다|니까)[.?!]?$")
_BLUNT: Final = re.compile(r"(다|까|니|냐|시오|라)[.?!]?$")
_REQUEST: Final = re.compile(r"(세요|시오|마요|지 마|줘|줘요|자|어라)[.!]?$")
_ASKED_FOR: Final = re.compile(r"^(please|don't|let's|take|go|turn|get|give|call)\b", re.I)
_PROPOSED: Final = re.compile(r"\blet's\b", re.IGNORECASE)
_LONGEST: Final = 8
# What is said alone, and what says "you know" already.
ALONE: Final = re.compile(
    r"^(yes|no|yeah|thank|goodbye|bye|sorry|hello|hi\b|congratulations|nice|welcome|happy|merry"
    r"|good )"
    r"|, you (see|know)\W*$|^how \w+ .*!$|^what an? .*!$",
    re.IGNORECASE,
)


def mood_of(sentence: Sentence) -> str:
    """Whether it asks, asks for something, proposes, or tells."""
    if sentence.english.endswith("?"):
        return "question"
    if _PROPOSED.search(sentence.english):
        return "proposal"
    wanted = _REQUEST.search(sentence.korean) or _ASKED_FOR.search(sentence.english)
    return "request" if wanted else "statement"


def opened_maker(makers: tuple[Maker, ...], weights: tuple[float, ...]) -> Maker:
    """A maker of what other makers make, with an opener: two sentences of one manner."""

    def opened_sentence(shop: Workshop) -> Sentence | None:
        draw = shop.draw
        made = draw.weighted(makers, weights)(shop)
        if made is None or made.frame in shop.frames.heldout or not is_single(made):
            return None
        manner = "polite" if _POLITE.search(made.korean) else "casual"
        mood = mood_of(made)
        rows = (row for row in table("openers") if row["mood"] == mood and row[manner])
        fitting = [row for row in rows if suits(row["fits"], made)]
        if not fitting or ALONE.search(made.english):
            return None
        row = draw.word(fitting)
        line = with_stop(made)
        parts, told = [row[manner], line.korean], [row["english"], made.english]
        if row["place"] == "after":
            parts, told = parts[::-1], told[::-1]
        korean = " ".join(parts)
        if draw.loose(0.15):
            korean = korean.replace(". ", " ")
        elif draw.loose(0.2):
            korean = korean.replace(". ", ", ")
        korean = korean.removesuffix(".") if draw.loose(0.35) else korean
        return replace(
            made,
            korean=korean,
            english=" ".join(told),
            frame=f"opened:{mood}.{row['place']}.{made.frame.partition('.')[0]}",
        )

    return opened_sentence


@cache
def _fits() -> dict[str, re.Pattern[str]]:
    """``fits.tsv``: patterns searched in English and, on a second line, Korean; "" is anything."""
    rows = table("fits")
    return {"": re.compile("")} | {r["fits"]: re.compile(r["pattern"], re.I) for r in rows}


def suits(fits: str, made: Sentence) -> bool:
    """Whether a sentence and its translation are what `fits` names, a row of `fits.tsv`."""
    return _fits()[fits].search(f"{made.english}\n{made.korean}") is not None


def is_single(made: Sentence) -> bool:
    """Whether it is one short sentence in a manner of talk, with its English stop."""
    if made.frame.startswith("bare.") or len(made.korean.split()) > _LONGEST:
        return False
    one = len(re.findall(r"[.?!](?= |$)", made.korean)) <= 1
    whole = len(re.findall(r"[.?!](?= |$)", made.english)) == 1
    talked = _POLITE.search(made.korean) or not _BLUNT.search(made.korean)
    return one and whole and bool(talked)
