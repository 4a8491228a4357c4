"""Lists of what people type first: each text with every translation that a teacher accepts.

A list is a table of three columns, `source`, `accepted` and `kind`. In a cell of accepted
translations " / " stands between two of them. In each, `(a|b)` is one of several and `[a|b]` one or
none, within one another as deep as one likes. Of all `<a>`, which hold others and never each other,
exactly one stands, for what stands here or there: `<Today> (it is|it's) [very] cold <today>.`
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from core.errors import invalid_line
from core.reasons import Reason, RefusedError
from core.text.sources import Source, find_rows
from core.text.tokenizer import clean

MOST: Final = 10_000  # texts on the way to what one cell spells: more is a mistake in it
_INNERMOST: Final = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")
_BRACKET: Final = re.compile(r"[()\[\]<>]")
_SPACE: Final = re.compile(r"\s+")
_LOOSE: Final = re.compile(r"\s+(?=[.,?!](?:\s|$))")  # what a bracket left before a stop
_PLACE: Final = re.compile(r"<([^<>]*)>")

# Syllables in which a verb with -아/어 ends: of such a vowel, and with nothing below.
_OPEN: Final = "".join(
    chr(ord("가") + 28 * at) for at in range(19 * 21) if at % 21 in (0, 1, 4, 5, 6, 9, 10, 14)
)
# In this order. What is left is no sentence to read, but equal where a teacher sees no difference.
_ALIKE: Final = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        ("[‘’´`]", "'"),
        ('[“”"]', ""),
        ("…", "..."),
        (r"\b([ap])\.m\.", r"\1m"),
        (r"\b(Mrs?|Ms|Dr)\.", r"\1"),
        (r",(?=\d{3})|,(?=\s|$)|~+(?=[\s.!?]|$)", ""),
        (r"[.!]*\?[.!?]*", "?"),
        (r"[.!]+(?=\s|$)", "."),
        (_SPACE.pattern, " "),
        (_LOOSE.pattern, ""),
        (r"(?<=[^.])\.$", ""),
        # contractions
        (r"\b[Ww]on't\b", "will not"),
        (r"\b([Cc]an)('t|not)\b", r"\1 not"),
        (r"n't\b", " not"),
        (r"'m\b", " am"),
        (r"'re\b", " are"),
        (r"'ll\b", " will"),
        (r"'ve\b", " have"),
        (r"\b(It|He|She|it|he|she)'s (?=been|got|gone|done|had)\b", r"\1 has "),
        (r"\b([Ll]et)'s\b", r"\1 us"),
        (
            r"\b([Ii]t|[Hh]e|[Ss]he|[Tt]h(?:at|is|ere)|[Hh]ere|[Ww]h(?:at|ere|o|en|y)|[Hh]ow)'s\b",
            r"\1 is",
        ),
        (r"\b(I|[Yy]ou|[Ss]?[Hh]e|[WwTt](?:e|hey))'d (?=like|love|rather|prefer)", r"\1 would "),
        # British spelling
        (r"\b([Ff]avo|[Cc]olo|[Nn]eighbo)ur", r"\1r"),
        (r"\b([Tt]heat)re\b", r"\1er"),
        (r"\b([Gg])rey\b", r"\1ray"),
        (r"\bOK\b", "okay"),
        # Korean orthography leaves it free whether an auxiliary verb behind -아/어, or a unit
        # behind digits, stands apart.
        (f"(?<=[{_OPEN}]) (?=(?:주|줘|줬|줄|드리|드려|드렸|드릴|보|봐|봤|본|볼))", ""),
        (r"(?<=\d) (?=[가-힣])", ""),
    )
)
_START: Final = re.compile(r"(?:^|(?<=[.?] ))\w")


@dataclass(frozen=True, slots=True)
class Asked:
    """A row of a list.

    Attributes:
        accepted: every right translation, at least one, as they are written: the first is what
            is shown where one is.
        kind: what the text is an example of, such as "weather".
    """

    source: str
    accepted: tuple[str, ...]
    kind: str

    def accepts(self, output: str) -> bool:
        """Whether a teacher takes an output for right: it is `levelled` one of the accepted."""
        return levelled(output) in set(map(levelled, self.accepted))


def read_list(path: str) -> tuple[Asked, ...]:
    """Every row of a list, in order.

    Raises:
        HeadlightError: as `core.text.corpora.read_pairs`; data_invalid for any row that lacks a
            cell, or whose brackets do not close.
    """
    kinds = [kind for _, (_, kind) in _cells(path, "kind")]
    found = []
    for (number, (source, cell)), kind in zip(_cells(path, "accepted"), kinds, strict=True):
        try:
            found.append(Asked(source, alternatives(cell), kind))
        except RefusedError as error:
            raise invalid_line(path, number, error.reason) from None
    return tuple(found)


def alternatives(cell: str) -> tuple[str, ...]:
    """What a cell of accepted translations spells, each once, first the first of each bracket.

    Raises:
        RefusedError: brackets_open, or alternatives_many for more than `MOST`.
    """
    waiting = [text for one in cell.split(" / ") for text in _placed(one)][::-1]
    met: set[str] = set()
    found: list[str] = []
    while waiting:
        text = waiting.pop()
        if text in met:
            continue
        met.add(text)
        if len(met) > MOST:
            raise RefusedError("alternatives_many", limit=MOST)
        bracket = _INNERMOST.search(text)
        if bracket is None:
            if _BRACKET.search(text):
                raise RefusedError("brackets_open")
            found.append(_SPACE.sub(" ", _LOOSE.sub("", text)).strip())
        else:
            choice, option = bracket.groups()
            parts = choice.split("|") if option is None else [*option.split("|"), ""]
            before, after = text[: bracket.start()], text[bracket.end() :]
            waiting += [before + part + after for part in reversed(parts)]
    return tuple(dict.fromkeys(found))


def levelled(text: str) -> str:
    """Text without what no teacher marks.

    That is how quotes and spaces are set, commas, the last stop, a capital at the start, whether
    English contracts and British or American spells, and spaces that Korean leaves free. A
    question mark stays, and so does what parts two sentences.
    """
    text = clean(text).strip()
    for pattern, by in _ALIKE:
        text = pattern.sub(by, text).strip()
    return _START.sub(lambda letter: letter[0].casefold(), text)


def _placed(text: str) -> list[str]:
    """A translation with each of its places filled, the others empty."""
    parts = _PLACE.split(text)  # what stands between places, and in turn with it what they hold
    filled = [
        "".join(
            f"({part})" if at == kept else part
            for at, part in enumerate(parts)
            if at % 2 == 0 or at == kept
        )
        for kept in range(1, len(parts), 2)
    ]
    return filled or [text]


def _cells(path: str, column: str) -> list[tuple[int, tuple[str, str]]]:
    """Each row's number, source and another column."""
    found = []
    for place, (number, cells) in find_rows(Source(path, columns=("source", column))):
        if isinstance(cells, Reason):
            raise invalid_line(place.path, number, cells)
        found.append((number, cells))
    return found
