"""Who does what: children leave no work, and parents have no homework."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from core.grammar.english import Subject
from core.grammar.lexicon import table
from core.grammar.predicates import Predicate
from core.grammar.strangers import is_stranger

_CHILD: Final = re.compile(
    r"\b(child|baby|boy|girl|teenager|grandson|granddaughter"
    r"|(elementary|middle|high) school student)$"
)
_KIN: Final = re.compile(
    r"\b(mom|dad|mother|father|grandmother|grandfather|uncle|aunt|husband|wife|parents|boss"
    r"|mother-in-law|team leader|adult|middle-aged (man|woman)|rich person)$"
)
_OF_GROWN: Final = re.compile(
    r"\b((leave|left|leaving|leaves) work"
    r"|(go|goes|going|went|come|comes|came) to (work|the office)|salary|driv\w+|drove"
    r"|soju|beer|wine|alcohol|makgeolli|whiskey|cocktail|smok\w+|quit drinking"
    r"|get (married|engaged|divorced|a job)|business trip|meeting|customers?|colleagues?|rent|tax"
    r"|work part-time|makeup|shav\w+|resume|bar|company|monthly|go on a date|give .* a ride)\b"
    r"|^work\b"
)
_OF_PUPILS: Final = re.compile(
    r"\b(homework|scolded|late for (school|class)|(go|goes|going|went) to school|kindergarten"
    r"|(attend|graduate from|enter) the (elementary|middle|high)|for the exam)\b"
)
_PARTNERS: Final = {
    "he": re.compile(r"\b(his|their) (husband|boyfriend)\b"),
    "she": re.compile(r"\b(her|their) (wife|girlfriend)\b"),
}
_YOUNG: Final = re.compile(r"\b(brother|sister|cousin|nephew|son|daughter)$")
_OF_ELDERS: Final = re.compile(r"\b(his|her|their) (son|daughter|grandson|granddaughter)\b")
_OLD: Final = re.compile(r"\bgrand(mother|father)$")
_OF_THE_YOUNG: Final = re.compile(
    r"\b(get (married|engaged|a job)|enter|graduate|go on a date|study abroad|apply|oversleep)\b"
)
_OF_KIN: Final = re.compile(
    r"\b(his|her|their) (mom|dad|mother|father|uncle|aunt|cousin|nephew|wife|husband|son|daughter"
    r"|parents|(older|younger) (brother|sister)|grand\w+|(boy|girl)friend|roommate)\b"
)
_LOVERS: Final = re.compile(r"\bmy (boyfriend|girlfriend|husband|wife)\b")


_OUR_LOVERS: Final = re.compile(r"\bour (boyfriend|girlfriend|husband|wife|roommate)\b")


@cache
def _jobs() -> frozenset[str]:
    return frozenset(row["english"] for row in table("nouns") if "job" in row["classes"].split(","))


def holds_job(name: str) -> bool:
    """Whether somebody is named by a job: this lawyer, a nice teacher."""
    words = name.split()
    return any(" ".join(words[at:]) in _jobs() for at in range(len(words)))


def is_likely(subject: Subject, base: Predicate) -> bool:
    """Whether such a one does that: children leave no work, and parents have no homework."""
    if subject.person == 1 and base.verb == "come" and base.rest.startswith("over"):
        return False  # others come over to us
    if subject.english == "we" and _OUR_LOVERS.search(base.rest):
        return False
    if subject.person != 3 or base.kind not in ("act", "feel"):
        return True
    name, deed = subject.english, f"{base.verb} {base.rest}"
    if _CHILD.search(name) and (_OF_GROWN.search(deed) or base.verb == "park"):
        return False
    if _OF_PUPILS.search(deed) and not name.endswith(("teacher", "professor")):
        return not (_KIN.search(name) or holds_job(name))
    if subject.pronoun in ("he", "she") and _PARTNERS[subject.pronoun].search(deed):
        return False
    if name.endswith(("son", "daughter")) and re.search(r"\b(his|her) nephew\b", deed):
        return False
    if name.endswith("parents") and _OF_KIN.search(deed):
        return False  # whose kin, of the two?
    if _OLD.search(name) and _OF_THE_YOUNG.search(deed):
        return False
    if is_stranger(subject) and _OF_KIN.search(deed):
        return False
    if _YOUNG.search(name) and _OF_ELDERS.search(deed):
        return False
    if (subject.pronoun == "he" and "makeup" in deed) or (
        subject.pronoun == "she" and base.verb == "shave"
    ):
        return False
    return not _LOVERS.search(deed)
