"""English forms: inflection by lemminflect, and the verb group with its auxiliaries."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from core.grammar.needed import packages

with packages():
    from lemminflect import getInflection

_FORMS = {"past": "VBD", "pp": "VBN", "ing": "VBG", "third": "VBZ"}
# Where the library offers several spellings or a wrong one, ours comes first.
_IRREGULAR = {
    ("lie", "past"): "lay", ("lie", "pp"): "lain", ("wake", "past"): "woke",
    ("wake", "pp"): "woken", ("get", "pp"): "gotten", ("be", "pp"): "been",
    ("hang", "past"): "hung", ("hide", "pp"): "hidden", ("sew", "pp"): "sewn",
    ("fly", "past"): "flew", ("shave", "pp"): "shaved", ("tie", "ing"): "tying",
    ("shine", "past"): "shone", ("prove", "pp"): "proven", ("stir-fry", "past"): "stir-fried",
    ("stir-fry", "pp"): "stir-fried", ("stir-fry", "third"): "stir-fries",
    ("deep-fry", "past"): "deep-fried", ("deep-fry", "pp"): "deep-fried",
    ("deep-fry", "third"): "deep-fries", ("lend", "past"): "lent", ("learn", "past"): "learned",
    ("learn", "pp"): "learned", ("burn", "past"): "burned", ("burn", "pp"): "burned",
    ("dream", "past"): "dreamed", ("quit", "past"): "quit", ("quit", "pp"): "quit",
    ("spill", "past"): "spilled", ("spill", "pp"): "spilled", ("bear", "pp"): "born",
}  # fmt: skip
_PLURALS = {
    "person": "people", "fish": "fish", "sheep": "sheep", "deer": "deer", "squid": "squid",
    "middle-aged man": "middle-aged men", "middle-aged woman": "middle-aged women",
    "Chinese person": "Chinese people", "Japanese person": "Japanese people",
    "rich person": "rich people", "delivery person": "delivery people",
    "mother-in-law": "mothers-in-law", "businessperson": "businesspeople",
    "salesperson": "salespeople", "goldfish": "goldfish",
    "computer mouse": "computer mice", "piano": "pianos",
    "photo": "photos", "bus": "buses", "potato": "potatoes", "tomato": "tomatoes",
    "sweet potato": "sweet potatoes", "box": "boxes", "lunch box": "lunch boxes",
    "mango": "mangoes", "kangaroo": "kangaroos", "rose of Sharon": "roses of Sharon",
    "Lego set": "Lego sets", "fisherman": "fishermen", "boss": "bosses", "video": "videos",
}  # fmt: skip
_MODALS = {"can": "could", "will": "would", "may": "might", "must": "must", "should": "should",
           "shall": "should", "could": "could", "might": "might",
            "would": "would", "had": "had"}  # fmt: skip
_NEGATED = {"can": "can't", "could": "couldn't", "will": "won't", "would": "wouldn't",
            "do": "don't", "does": "doesn't", "did": "didn't", "is": "isn't", "are": "aren't",
            "was": "wasn't", "were": "weren't", "have": "haven't", "has": "hasn't"}  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """An English subject: its words, its agreement, and its possessive."""

    english: str
    person: int = 3
    plural: bool = False
    possessive: str = "its"
    pronoun: str = "it"


@dataclass(frozen=True)
class VerbGroup:
    """A construction's English pattern in a tense and polarity; ``mid`` is always, often ..."""

    pattern: str = "{verb}"
    tense: str = "present"
    negative: bool = False
    mid: str = ""


@cache
def inflect(verb: str, form: str) -> str:
    """A verb's form; ``verb`` may be a phrase, whose first word is inflected.

    Args:
        verb: base form, such as ``look for``.
        form: base, past, pp, ing or third.

    Returns:
        The inflected phrase.
    """
    head, blank, rest = verb.partition(" ")
    if form != "base":
        head = _IRREGULAR.get((head, form)) or _inflected(head, form)
    return head + blank + rest


def _inflected(head: str, form: str) -> str:
    if "-" in head:
        first, _, last = head.rpartition("-")
        return f"{first}-{inflect(last, form)}"
    return str(getInflection(head, _FORMS[form])[0])


@cache
def plural(noun: str) -> str:
    """The plural of a noun phrase (its last word)."""
    if noun in _PLURALS:
        return _PLURALS[noun]
    first, blank, last = noun.rpartition(" ")
    forms = (_PLURALS[last],) if last in _PLURALS else getInflection(last, "NNS")
    return first + blank + (forms[0] if forms else last + "s")


# Letters whose names begin with a vowel: an MRI, an SRT ticket, an Xbox.
_SPELLED: Final = re.compile(r"[FHLMNRSX][A-Z]|Xbox")


def article(noun: str) -> str:
    """``a`` or ``an`` by sound, for the words of this lexicon."""
    vowel = noun[0].lower() in "aeiou" and not noun.lower().startswith(
        ("uni", "use", "euro", "uku")
    )
    spelled = _SPELLED.match(noun) is not None
    return "an" if vowel or spelled or noun.startswith(("hour", "honest")) else "a"


def comparative(adjective: str, degree: str = "JJR") -> str:
    """bigger, more expensive (``JJR``), or biggest, most expensive (``JJS``)."""
    if adjective == "free":
        return {"JJR": "freer", "JJS": "freest"}[degree]
    vowels = sum(
        a in "aeiouy" and (i == 0 or adjective[i - 1] not in "aeiouy")
        for i, a in enumerate(adjective.removesuffix("e"))
    )
    if vowels == 1 or adjective.endswith("y") or adjective in ("quiet", "narrow", "simple"):
        return str(getInflection(adjective, degree)[0])
    return ("more " if degree == "JJR" else "most ") + adjective


def clause(
    subject: Subject, group: VerbGroup, verb: str, rest: str, *, asked: bool = False, wh: str = ""
) -> str:
    """One English clause, without capital or final stop.

    Args:
        subject: who.
        group: the verb group around the verb.
        verb: the base form of the first word of the predicate.
        rest: what follows the verb.
        asked: invert subject and auxiliary.
        wh: a fronted question phrase (asks about something else than the subject).

    Returns:
        The words in order.
    """
    auxiliary, main = _finite(subject, group, verb, asked)
    if group.negative:
        auxiliary = _NEGATED.get(auxiliary, f"{auxiliary} not")
    order = [auxiliary, subject.english] if asked else [subject.english, auxiliary]
    return " ".join(filter(None, [wh, *order, group.mid, main, rest]))


def _finite(subject: Subject, group: VerbGroup, verb: str, asked: bool) -> tuple[str, str]:
    head, _, tail = group.pattern.replace("{verb}", verb).partition(" ")
    tail = tail.format(**{form: inflect(verb, form) for form in ("base", "ing", "pp")})
    third = subject.person == 3 and not subject.plural
    if head == "be":
        return _be(subject, group.tense), tail
    if head in _MODALS:
        return (_MODALS[head] if group.tense == "past" else head), tail
    if group.pattern.startswith(("have {pp}", "have never")):
        return ("has" if third else "have"), tail
    if asked or group.negative:
        helper = "did" if group.tense == "past" else "does" if third else "do"
        return helper, f"{head} {tail}".strip()
    form = "past" if group.tense == "past" else "third" if third else "base"
    return "", f"{inflect(head, form)} {tail}".strip()


def _be(subject: Subject, tense: str) -> str:
    if tense == "past":
        return "were" if subject.plural or subject.person == 2 else "was"
    if subject.plural or subject.person == 2:
        return "are"
    return "am" if subject.person == 1 else "is"


# Before another word alone: "Here it is." and "Who is it?" stay whole. Most texts have none of the
# verbs, and to look for them first takes an eighth of the time.
_CONTRACTIONS = (
    (" am", re.compile(r"\bI am(?= \w)"), "I'm"),
    (" are", re.compile(r"\b(we|you|they) are(?= \w)", re.IGNORECASE), r"\1're"),
    (" is", re.compile(r"\b(he|she|it|that|there) is(?= \w)", re.IGNORECASE), r"\1's"),
    (" is", re.compile(r"\b(what|where|who|how) is(?= \w)(?! it\W*$)", re.IGNORECASE), r"\1's"),
    (" will", re.compile(r"\b(I|you|he|she|it|we|they) will(?= \w)", re.IGNORECASE), r"\1'll"),
)


def contracted(text: str) -> str:
    """A sentence with its pronouns and verbs joined: I'm, it's, we'll."""
    lowered = text.lower()
    for verb, pattern, short in _CONTRACTIONS:
        if verb in lowered:
            text = pattern.sub(short, text)
    return text


def sentence(text: str, mark: str) -> str:
    """Capitalise and close a sentence."""
    return text[0].upper() + text[1:] + mark
