"""A Korean text in the polite register, whatever its own."""

from __future__ import annotations

from collections.abc import Sequence

from core.grammar.polite.endings import ending, is_ending
from core.grammar.polite.fragments import fragment, interjections
from core.grammar.polite.morphs import (
    Edit,
    Morph,
    analysed,
    edited,
    outside_quotes,
    sentences,
)
from core.grammar.polite.pronouns import calls, pronouns
from core.grammar.polite.requests import each_sentence, opens_with_request, requested


def polite(korean: str, english: str = "") -> str | None:
    """Say a Korean text politely (해요체).

    Final endings and the words for I and you change, and no other character does. What is quoted
    stays as it is. To say it twice changes nothing more.

    Args:
        korean: one sentence or several, of any register.
        english: what it means: it tells requests from statements, and greetings from farewells.

    Returns:
        The text; None where it cannot be told for sure.
    """
    edits = _edits(korean, english)
    if not edits:
        return korean if edits is not None else None
    said = edited(korean, edits)
    # What is read otherwise than it was meant is not to be trusted.
    return said if said is not None and _edits(said, english) == [] else None


def _edits(korean: str, english: str) -> list[Edit] | None:
    own = outside_quotes(korean)
    if own is None:
        return None
    told = sentences([morph for morph in analysed(korean) if own[morph.start]])
    if not told:
        return None
    quoted = not all(own)
    meanings = each_sentence("" if quoted else english, len(told))
    edits: list[Edit] = []
    for sentence, meaning in zip(told, meanings, strict=True):
        found = _of_sentence(korean, sentence, meaning)
        if found is None:
            return None
        edits += found
    return edits


def _of_sentence(text: str, sentence: Sequence[Morph], english: str) -> list[Edit] | None:
    named, cried = pronouns(text, sentence), interjections(sentence, english)
    if named is None or cried is None or calls(text, sentence, english):
        return None
    edits, ended, closed = named + cried, False, False
    said = {edit.end: edit.text for edit in edits}
    asked = requested(english) is True or opens_with_request(english)
    words = [at for at, morph in enumerate(sentence) if not morph.sign]
    for at in words:
        if not is_ending(sentence, at, asked=asked):
            continue
        found = ending(text, sentence, at, english=english, said=said)
        if found is None:
            return None
        edits += found
        ended, closed = True, at == words[-1]
    if closed:
        return edits
    rest = fragment(text, sentence, ended=ended)
    return None if rest is None else edits + rest
