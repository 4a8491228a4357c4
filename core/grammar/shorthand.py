"""Ordinary sentences as people type English in a chat, or misspell it: into Korean alone.

Its Korean stays whole and polite, as that of `chat` and its misspellings does in English.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Final

from core.grammar import lexicon
from core.grammar.draw import Draw
from core.grammar.english import contracted
from core.grammar.lexicon import table
from core.grammar.needed import packages
from core.grammar.sentences import Maker, Sentence
from core.grammar.typed import typed_maker

with packages():
    from lemminflect import getAllLemmas

_MARKS: Final = ("", "", "", ".", "!", "!!", "...", "~")
_ASKED: Final = ("", "", "?", "??", "?!", "???")
_LAUGHS: Final = (" lol", " haha", " :)", " lol", " hehe", " hahaha", " xD", " LOL")
_TEARS: Final = (" :(", " T_T", " :'(", " ugh")
_SAD: Final = re.compile(r"\b(sick|sad|tired|hurts?|lost|can't|couldn't|busy|lonely|sorry|broke)\b")
# Joined letters that are another word (we'll, she'll) keep their mark.
_JOINED: Final = re.compile(
    r"\b(\w+n(?='t)|I(?='m)|(?:you|they)(?='re)|(?:you|they|it|that)(?='ll)"
    r"|(?:it|that|what|where|who|how|there|he|she|let)(?='s))'",
    re.IGNORECASE,
)
_GONNA: Final = re.compile(r"(?<= going to )(\w+)")
_GOTTA: Final = re.compile(r"\b(I|you|we|they) have to\b", re.IGNORECASE)
_ORDINARY: Final = re.compile(r"(?<![\w'-])[a-z]{5,}(?![\w'-])")


# --- chat -----------------------------------------------------------------------------------------


def chatted(draw: Draw, sentence: Sentence) -> Sentence | None:
    """A sentence in short words, small letters and few marks; None where nothing came of it."""
    text = contracted(sentence.english) if draw.chance(0.7) else sentence.english
    asked = text.endswith("?")
    weeps = _SAD.search(text) is not None
    text = _merged(draw, text.rstrip(".?!"))
    for right in _fitting(text, "chat"):
        if draw.chance(0.45):
            text = _replaced(text, right, draw.one_of(_spellings("chat")[right]))
    text = _JOINED.sub(r"\1", text) if draw.chance(0.7) else text
    text = text.lower() if draw.chance(0.75) and not sentence.copies else text
    text += draw.one_of(_ASKED if asked else _MARKS)
    if not asked and draw.chance(0.2):
        text += draw.one_of(_TEARS if weeps else _LAUGHS)
    return _typed(sentence, text, "chat")


def _merged(draw: Draw, text: str) -> str:
    """With gonna, wanna and gotta, now and then."""
    if draw.chance(0.5):
        return text
    following = _GONNA.search(text)
    if following and following[1] in _verbs():
        text = text.replace("going to", "gonna")
    text = re.sub(r"\bwant to\b", "wanna", text)
    return _GOTTA.sub(r"\1 gotta", text)


@cache
def _verbs() -> frozenset[str]:
    """The first words of what one can do: going to them is no way to a place."""
    return frozenset(verb.english.split()[0] for verb in lexicon.load().verbs) | {"be"}


# --- misspellings ---------------------------------------------------------------------------------


def slipped(draw: Draw, sentence: Sentence) -> Sentence | None:
    """A sentence with one or two misspellings and otherwise whole; None where none fits."""
    text = _misspelt(draw, sentence.english)
    if draw.chance(0.3):
        text = _misspelt(draw, text)
    return _typed(sentence, text, "slip")


def _misspelt(draw: Draw, text: str) -> str:
    fitting = _fitting(text, "slip")
    if draw.chance(0.9):  # "the" is in every other sentence, "teh" need not be
        fitting = [right for right in fitting if len(right) > 3]
    if fitting and draw.chance(0.65):
        right = draw.one_of(fitting)
        return _replaced(text, right, draw.one_of(_spellings("slip")[right]))
    words = [word for word in _ORDINARY.findall(text) if _is_word(word)]
    if not words:
        return text
    word = draw.one_of(words)
    wrong = _slid(draw, word)
    return text if _is_word(wrong) else _replaced(text, word, wrong)


def _slid(draw: Draw, word: str) -> str:
    """A slip of the keys: a letter twice, one left out, or two in the other's place."""
    place = draw.one_of(range(1, len(word) - 1))
    head, letter, tail = word[:place], word[place], word[place + 1 :]
    kind = draw.weighted(("twice", "left", "turned"), (3, 4, 3))
    if kind == "twice":
        return head + letter * 2 + tail
    return head + tail if kind == "left" else head + tail[0] + letter + tail[1:]


@cache
def _is_word(word: str) -> bool:
    """Whether an English dictionary knows it."""
    return bool(getAllLemmas(word))


# --- both -----------------------------------------------------------------------------------------


@cache
def _spellings(kind: str) -> dict[str, tuple[str, ...]]:
    """How people spell words and phrases in a chat, or by mistake."""
    found: dict[str, tuple[str, ...]] = {}
    for row in table("english_spellings"):
        if row["kind"] == kind:
            found[row["right"]] = (*found.get(row["right"], ()), row["wrong"])
    return found


@cache
def _any_of(kind: str) -> re.Pattern[str]:
    longest = sorted(_spellings(kind), key=len, reverse=True)
    return re.compile(r"(?<![\w'])(" + "|".join(map(re.escape, longest)) + r")(?![\w'])", re.I)


@cache
def _small(kind: str) -> dict[str, str]:
    return {right.lower(): right for right in _spellings(kind)}


def _fitting(text: str, kind: str) -> list[str]:
    """What of the table stands in a text, each once."""
    found = (_small(kind)[match.lower()] for match in _any_of(kind).findall(text))
    return list(dict.fromkeys(found))


def _replaced(text: str, right: str, wrong: str) -> str:
    """The first of them in another spelling, capital where it was."""

    def put(match: re.Match[str]) -> str:
        return wrong.capitalize() if match[0][0].isupper() and right[0].islower() else wrong

    return re.sub(rf"(?<![\w']){re.escape(right)}(?![\w'])", put, text, count=1, flags=re.I)


def _typed(sentence: Sentence, text: str, kind: str) -> Sentence | None:
    if text in (sentence.english, sentence.english.rstrip(".")):
        return None
    return replace(sentence, english=text, frame=f"{kind}:{sentence.frame.partition('.')[0]}")


def chat_maker(makers: tuple[Maker, ...], weights: tuple[float, ...]) -> Maker:
    """A maker of what other makers make, as one chats in English."""
    return typed_maker(makers, weights, chatted, settled=True)


def slip_maker(makers: tuple[Maker, ...], weights: tuple[float, ...]) -> Maker:
    """A maker of what other makers make, its English misspelt."""
    return typed_maker(makers, weights, slipped, settled=True)
