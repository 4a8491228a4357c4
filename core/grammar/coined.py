"""Words that nobody knows, in Latin letters: names of things and of people, copied as they stand.

저는 Marko예요 is I am Marko, and Blorp 있어요? is Do you have Blorp? in both directions. No letters
of a name known here are among them, since those become Hangul, and none that Hangul could be
behind: Mina is 미나.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from functools import cache
from typing import Final

from core.grammar import lexicon
from core.grammar.draw import Draw
from core.grammar.lexicon import table
from core.grammar.names import family_names, first_names, given_names, last_names
from core.grammar.values import Value

_ONSETS: Final = (
    *"bdfghjklmnprstvwz" * 2, "bl", "br", "c", "ch", "cl", "cr", "dr", "fl", "fr", "gl", "gr",
    "kl", "kr", "pl", "pr", "qu", "sh", "sk", "sl", "sn", "sp", "st", "str", "sw", "th", "tr",
    "tw", "vl", "zw",
)  # fmt: skip
_VOWELS: Final = (*"aaeeiioou" * 2, "ai", "ee", "oo", "ou", "ia")
_INNER: Final = ("", "", "", "", "", "l", "m", "n", "r", "s", "x")
_LAST: Final = ("", "", "", "", "n", "m", "l", "r", "s", "x", "k", "t", "p", "d", "nt", "rp", "sk",
                "nd", "ng", "th", "z", "b", "lt", "ck", "ss")  # fmt: skip
_FOREIGN: Final = re.compile(r"[fqvxz]|[bcdgkpst]l|[bcdfgkpt]r|s[knptw]|th|ck|r[bdkmnpt]|l[tvdk]")
_LONGEST: Final = 9
_CLUSTER: Final = re.compile("[^aeiou]{2,}")
_LONG_CLUSTER: Final = re.compile("[^aeiou]{4}")
_CLOSED: Final = re.compile(r"([aeiou])[kpt]$|ck$|[mn]$|ng$")


@cache
def _known() -> frozenset[str]:
    """What has a spelling of its own in Hangul, or means something, in small letters."""
    named = (*given_names(), *first_names(), *family_names(), *last_names())
    words = {name.english for name in named}
    words |= {noun.english for noun in lexicon.load().nouns}
    for rows in ("brands", "cities", "countries", "slots"):
        words |= {row["english"] for row in table(rows)}
    return frozenset(part.lower() for word in words for part in word.split())


def _letters(draw: Draw) -> str:
    """Two syllables or so that no Korean word would be written in: Blorp, Marko, Zentiva."""
    while True:
        count = draw.weighted((1, 2, 3), (2, 6, 2))
        parts = [
            draw.one_of(_ONSETS if at == 0 or draw.chance(0.9) else ("",))
            + draw.one_of(_VOWELS)
            + draw.one_of(_LAST if at == count - 1 else _INNER)
            for at in range(count)
        ]
        made = "".join(parts)
        spoken = len(_CLUSTER.findall(made)) <= 2 and not _LONG_CLUSTER.search(made)
        long = 4 <= len(made) <= _LONGEST
        if long and spoken and _FOREIGN.search(made) and made not in _known():
            return made


def _read(word: str) -> str:
    """A syllable that ends as the word is read: Blorp as 블로프, Zoltan as 졸탄."""
    small = word.lower()
    if small[-1] in string.digits:
        return ""
    return "갈" if small.endswith("l") else "간" if _CLOSED.search(small) else "가"


def _value(word: str) -> Value:
    return Value((word,), (word,), frozenset({("copy", word)}), read=_read(word))


def stranger(draw: Draw) -> Value:
    """Somebody of whose name one knows no spelling but this."""
    return _value(_letters(draw).capitalize())


def _thing(draw: Draw) -> Value:
    """A thing or place by its name: Blorp, VEXO, zentiva, Klarn 7, ProTwist."""
    word = _letters(draw)
    form = draw.weighted(("name", "small", "large", "model", "joined"), (12, 2, 2, 2, 1))
    if form == "name":
        return _value(word.capitalize())
    if form == "small":
        return _value(word)
    if form == "large":
        return _value(word[:5].upper())
    if form == "model":
        number = str(draw.one_of(range(2, 100)))
        return _value(f"{word.capitalize()}{draw.one_of((' ', ''))}{number}")
    return _value(f"{word[:5].capitalize()}{_letters(draw)[:5].capitalize()}")


SLOTS: Final[dict[str, Callable[[Draw], Value]]] = {"coined": _thing, "stranger": stranger}
