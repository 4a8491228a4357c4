"""When a deed is told: what is too far off for it, and what one does on one occasion."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from core.grammar.frames import Construction
from core.grammar.lexicon import Adverb, Verb, table
from core.grammar.predicates import Predicate
from core.grammar.sense import FORBIDDING
from core.grammar.spheres import RECENT, is_afar, spans, stem_of

# Too far off for what one does every day.
_FAR = (
    "next semester", "next month", "next year", "next vacation", "at the end of this year",
    "last year", "last month", "last summer", "last winter", "the year before last",
    "a month ago", "in the past", "a long time ago", "this year", "this month",
)  # fmt: skip


@cache
def occasions() -> Mapping[str, frozenset[str]]:
    """``occasions.tsv``: stems of what one does on one occasion, and in a life."""
    return {row["occasion"]: frozenset(row["stems"].split(",")) for row in table("occasions")}


# Whole stretches of time, which small deeds do not take.
_STRETCH: Final = re.compile(
    r"week|days? (ago|before|after)|day$|Christmas|Chuseok|vacation|holiday"
    r"|summer|winter|spring|fall"
)
_AT_LENGTH: Final = ("rest", "sleep", "get up", "take", "ride", "drive", "go out", "leave work",
                     "go to work", "shave", "put on makeup")  # fmt: skip
_TODAY: Final = ("today", "yesterday", "every day", "each day", "once a day")


# Meals at other times of the day than theirs.
_AMISS: Final = re.compile(
    r"\bbreakfast\b.*\b(evening|tonight|night|afternoon|noon)\b"
    r"|\bbreakfast\b.* at (half past )?(one|two|three|four)\b"
    r"|\b(evening|tonight|night|afternoon)\b.*\bbreakfast\b"
    r"|\blunch\b.*\b(morning|evening|tonight|night)\b"
    r"|\blunch\b.* at (half past )?(five|six|seven|eight|nine)\b"
    r"|\b(morning|evening|tonight|night)\b.*\blunch\b"
    r"|\bdinner\b.*\b(morning|noon|at (half past )?(one|two|three|nine in the))\b"
    r"|\b(morning|noon)\b.*\bdinner\b"
    r"|\b(go|goes|going|went) to bed\b.*\b(morning|noon|afternoon|day)$"
    r"|\b(morning|noon|afternoon)\b.*\b(go|goes|going|went) to bed\b",
    re.IGNORECASE,
)


def serves_meals_in_time(english: str) -> bool:
    """Whether no meal is told of at another's time: lunch tomorrow morning."""
    return _AMISS.search(english) is None


def is_far(time: Adverb) -> bool:
    """Whether it is too far off for small things."""
    return time.english in _FAR


_SOON: Final = ("lets", "lets_together", "lets_not", "shall", "shall_together", "how_about",
                "would_like", "for_you", "for_you_asked", "could_you", "had_better")  # fmt: skip


_SEASON: Final = re.compile(r"^(in (summer|winter|spring|fall)|during (vacation|the h))")


def is_near(base: Predicate, time: Adverb, name: str, mood: str) -> bool:
    """Whether what is asked for or offered is near enough: nobody is to eat out next year."""
    if name in FORBIDDING and "bad" in base.features:
        return False
    if name in ("must", "must_dwae", "no_choice") and time.english in RECENT:
        return False
    far = is_far(time) or time.kind == "month" or _SEASON.search(time.english)
    return not (far and (mood == "command" or name in _SOON))


# Where one goes, and what of it is told of a month or a year.
_GOING: Final = ("가", "오", "들르", "돌아오", "방문하", "구경하")
_OUTING: Final = re.compile(
    r"\b(trip|sea|beach|mountain|island|museum|palace|university|zoo|park|concert|festival)\b"
)
# What one does from now on: what takes a resolve, and is done again and again.
_RESOLVED: Final = (
    "운동하", "공부하", "연습하", "걷", "요리하", "청소하", "배우", "가르치", "저축하", "모으",
    "일하", "살", "다니", "읽", "쓰", "수영하", "산책하", "돕", "도와주", "일어나", "쉬", "하",
    "기다리", "노력하", "조심하", "지키", "등산하", "외우",
)  # fmt: skip


def is_timely(base: Predicate, time: Adverb) -> bool:
    """Whether a deed is told with this time: of a year what lasts, of a Monday what takes long."""
    if base.kind != "act":
        return True
    if time.kind == "now" and base.verb == "see":
        return False
    stem = stem_of(base.stem)
    if time.english == "from now on" and stem not in _RESOLVED:
        return False
    if not spans(time, stem, base.rest, occasions()["life"]):
        return False
    far = time.english in _FAR or time.kind == "month"
    if far and stem not in occasions()["life"]:
        return False  # that one wiped a desk last year, nobody remembers
    if far and stem in _GOING and not (is_afar(base.rest) or _OUTING.search(base.rest)):
        return False  # nor that one went to the bakery
    small = "routine" in base.features and not f"{base.verb} {base.rest}".startswith(_AT_LENGTH)
    return not (small and _STRETCH.search(time.english) and time.english not in _TODAY)


def timely(time: Adverb, verb: Verb, construction: Construction) -> bool:
    """Whether the time suits: no hour for what happens to one, no habit that one has not."""
    if time.kind in ("past", "future", "near", "month"):
        return True
    if verb.subject == "it":
        return time.kind == "now"
    if verb.subject not in ("human", "transitsubj", "ends", "doctors") and time.kind != "now":
        return False  # no bird flies at six
    if time.kind == "freq" and (construction.negative or "once" in verb.features):
        return False
    if time.kind in ("freq", "clock", "hour") and "bad" in verb.features:
        return False  # nobody fights at six
    return not verb.features & {"state", "invol"}
