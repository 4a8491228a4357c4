"""Short words of a chat before or behind a sentence: ㅇㅋ 지금 가요; brb, omg; and lost spaces.

`chatter.tsv` has a row a word: into which language, where it stands, before what it fits, as in
`openers.tsv`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from core.grammar.chat import tight
from core.grammar.draw import Draw
from core.grammar.lexicon import table
from core.grammar.openers import ALONE, is_single, mood_of, suits
from core.grammar.patterns import with_stop
from core.grammar.sentences import Maker, Sentence
from core.grammar.typed import typed_maker

_PARTICLE: Final = re.compile(r"(?<=[가-힣])(은|는|이|가|을|를|에서|에|도|로|으로|하고|까지)(?= )")
_DOING: Final = re.compile(
    r"(?<=[가-힣]{2})(?=(해요|했어요|합니다|하고|하세요|했어|해)(?![가-힣]))"
)
_LONGEST: Final = 30
# First words that are no names, and may be typed small.
_SMALL: Final = re.compile(
    r"(an?|the|my|your|his|her|our|their|this|that|these|those|we|you|he|she|it|they|there|please"
    r"|let's|do|does|did|are|is|was|were|will|would|can|could|may|shall|should|what|who|whose"
    r"|where|when|why|how|which|today|tomorrow|yesterday|since|if|after|before|while|don't)(?= )",
    re.IGNORECASE,
)


def chattered(draw: Draw, sentence: Sentence) -> Sentence | None:
    """A single sentence with a short word before or behind it, of its own in the translation."""
    if not is_single(sentence) or sentence.copies or ALONE.search(sentence.english):
        return None
    into, mood = "ko" if draw.settled else "en", mood_of(sentence)
    rows = (r for r in table("chatter") if r["into"] == into and r["mood"] == mood)
    fitting = [r for r in rows if suits(r["fits"], sentence)]
    if not fitting:
        return None
    row = draw.word(fitting)
    typed, told = sentence.korean, sentence.english
    if draw.settled:
        typed, told = told, with_stop(sentence).korean
        typed = typed[0].lower() + typed[1:] if _SMALL.match(typed) else typed
    typed = typed.rstrip(".")
    source, target = (row["typed"], typed), (row["said"], told)
    if row["place"] == "after":
        source, target = source[::-1], target[::-1]
    one, two = " ".join(source), " ".join(target)
    korean, english = (two, one) if draw.settled else (one, two)
    frame = f"chatter:{row['place']}.{sentence.frame.partition('.')[0]}"
    return replace(sentence, korean=korean, english=english, frame=frame)


def respaced(draw: Draw, sentence: Sentence) -> Sentence | None:
    """A Korean sentence of any manner without its spaces, or with too many of them."""
    korean = sentence.korean
    if " " not in korean or len(korean) > _LONGEST or sentence.copies:
        return None
    if draw.chance(0.7):
        typed = tight(draw, korean)
    else:
        typed = _PARTICLE.sub(lambda found: f" {found[0]}", korean)
        typed = _DOING.sub(" ", typed)
    if typed == korean:
        return None
    frame = f"space:{sentence.frame.partition('.')[0]}"
    return replace(sentence, korean=typed, frame=frame)


def chatter_maker(makers: tuple[Maker, ...], weights: tuple[float, ...], *, into: str) -> Maker:
    """A maker of what other makers make, with words of a chat, into one language."""
    return typed_maker(makers, weights, chattered, settled=into == "ko")


def space_maker(makers: tuple[Maker, ...], weights: tuple[float, ...]) -> Maker:
    """A maker of what other makers make, its spaces lost: into English alone."""
    return typed_maker(makers, weights, respaced, settled=False)
