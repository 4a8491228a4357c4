"""The corpus: draw sentences, keep each Korean sentence once, and split them."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import chain, islice

from core.grammar import frames, juxtaposed, lexicon, strays
from core.grammar.draw import Draw
from core.grammar.english import contracted
from core.grammar.makers import ALL, HELD, SPELLED, Makers
from core.grammar.occasions import serves_meals_in_time
from core.grammar.sentences import Sentence, Workshop
from core.grammar.settled import settled_frames, settled_words
from core.grammar.values import KINDS, held_kind
from core.text.corpora import text_key

HELDOUT_ROWS = 1000
# One word pair in fifty is never seen in training.
_PAIR_SHARE = 50
_LONGEST = 14
# Drawn for values that are held out; each table is full long before.
_TRIES = 150_000


@dataclass(frozen=True)
class Corpus:
    """The parts, each a tuple of sentences; the last four are of values never trained on.

    The fixed phrases are a part of their own, so that a recipe can show them more often: each
    is one sentence among hundreds of thousands, and the first that people type.
    """

    phrases: tuple[Sentence, ...]
    train: tuple[Sentence, ...]
    heldout_frames: tuple[Sentence, ...]
    heldout_words: tuple[Sentence, ...]
    heldout_random: tuple[Sentence, ...]
    heldout_names: tuple[Sentence, ...] = ()
    heldout_numbers: tuple[Sentence, ...] = ()
    heldout_times: tuple[Sentence, ...] = ()
    heldout_copies: tuple[Sentence, ...] = ()


def stream(seed: int, into: str = "en") -> Iterator[Sentence]:
    """Sentences without end, one translation for each source sentence, each source once.

    Args:
        seed: where to start; equal seeds give equal streams.
        into: the language of the targets, "en" or "ko".

    Yields:
        First the fixed phrases, then what the frames make.
    """
    return _stream(seed, into, ALL)


def _stream(seed: int, into: str, makers: Makers) -> Iterator[Sentence]:
    return _into_korean(seed, makers) if into == "ko" else _into_english(seed, makers)


def _into_korean(seed: int, makers: Makers) -> Iterator[Sentence]:
    """Each English sentence once, as people type it, with its one Korean."""
    words, patterns = _settled()
    draw = Draw(words, seed, settled=True)
    shop = Workshop(draw, patterns)
    seen: set[str] = set()
    for korean, english in words.phrases:
        keys = _keys(english)
        if seen.isdisjoint(keys):
            seen |= keys
            bare = english.rstrip(".!?")
            short = contracted(english)
            for spelling in dict.fromkeys((english, bare, bare.lower(), short, short.lower())):
                yield Sentence(_normal(korean), spelling, "phrase")
    for made in _drawn(shop, makers):
        keys = _keys(made.english)
        if seen.isdisjoint(keys):
            seen |= keys
            yield replace(made, korean=_normal(made.korean), english=_typed(draw, made))


@cache
def _settled() -> tuple[lexicon.Lexicon, frames.Frames]:
    return settled_words(lexicon.load()), settled_frames(frames.load())


def _keys(english: str) -> set[str]:
    """What another English is the same by: "I am" and "im" are one, as "I'm" is."""
    return {text_key(way) for way in {english, contracted(english)}}


def _typed(draw: Draw, made: Sentence) -> str:
    """English as people type it: some of it contracted, without its stop, in small letters.

    What is copied keeps its letters, since those of a target are theirs.
    """
    if made.frame == strays.COPY:
        return made.english
    text = contracted(made.english) if draw.chance(0.4) else made.english
    text = text.rstrip(".") if draw.chance(0.25) else text
    return text.lower() if draw.chance(0.1) and not made.copies else text


def _drawn(shop: Workshop, makers: Makers) -> Iterator[Sentence]:
    options, weights = zip(*makers, strict=True)
    while True:
        made = shop.draw.weighted(options, weights)(shop)
        if made is None or len(made.korean.split()) > _LONGEST:
            continue
        if serves_meals_in_time(made.english):
            yield made


def _into_english(seed: int, makers: Makers) -> Iterator[Sentence]:
    words, patterns = lexicon.load(), frames.load()
    draw = Draw(words, seed)
    shop = Workshop(draw, patterns)
    seen: dict[str, str] = {}
    full: set[str] = set()
    for phrase, english in words.phrases:
        for korean in _spellings(_normal(phrase)):
            if korean not in full:
                full.add(korean)
                seen[_bare(korean)] = english
                yield Sentence(korean, english, "phrase")
    first = juxtaposed.first_sentence(shop)
    seen[_key(first.korean)] = first.english
    full.add(first.korean)
    yield first
    for made in _drawn(shop, makers):
        korean = _normal(made.korean)
        known = seen.setdefault(_key(korean), made.english)
        if known == made.english and korean not in full:
            full.add(korean)
            yield made if korean == made.korean else replace(made, korean=korean)


def corpus(pairs: int, seed: int = 0, into: str = "en") -> Corpus:
    """Generate and split.

    Args:
        pairs: distinct pairs to draw beside the fixed phrases, the first three held-out parts
            included. The few whose source (or settled Korean) differs from a held-out one by
            punctuation alone are then left out.
        seed: random seed.
        into: the language of the targets, "en" or "ko"; into Korean, each English has one.

    Returns:
        The corpus: a pure function of the arguments, the lexicon and the frames.

    Raises:
        ValueError: too few pairs for the held-out parts.
    """
    if pairs <= 3 * HELDOUT_ROWS:
        raise ValueError(f"pairs must be above {3 * HELDOUT_ROWS:,}")
    held = frames.load().heldout
    phrases: list[Sentence] = []
    drawn: list[Sentence] = []
    by_frame: list[Sentence] = []
    by_words: list[Sentence] = []
    wanted = pairs - 2 * HELDOUT_ROWS
    for sentence in stream(seed, into):
        if held_kind(sentence.values):
            continue
        strange = any(unseen(pair) for pair in sentence.pairs)
        if sentence.frame in held:
            if not strange:
                by_frame.append(sentence)
        elif strange:
            by_words.append(sentence)
        elif sentence.frame == "phrase":
            phrases.append(sentence)
        elif len(drawn) < wanted:
            drawn.append(sentence)
        enough = len(by_frame) >= HELDOUT_ROWS and len(by_words) >= 1.5 * HELDOUT_ROWS
        if len(drawn) >= wanted and enough:
            break
    drawn.sort(key=lambda s: _digest(s.korean))
    random_part, rest = drawn[:HELDOUT_ROWS], drawn[HELDOUT_ROWS:]
    frames_part = by_frame[:HELDOUT_ROWS]
    values_parts = _held_values(seed, into)
    rest.sort(key=lambda s: _digest("train" + s.korean))
    taught = tuple(rest)
    while True:  # a word that stood in a twin alone is not known once that is left out
        words_part = _of_known_words(by_words, taught)[:HELDOUT_ROWS]
        held_out = [*frames_part, *words_part, *random_part, *chain(*values_parts)]
        left = _without_twins(taught, held_out, into)
        if len(left) == len(taught):
            break
        taught = left
    return Corpus(
        _without_twins(phrases, held_out, into),
        taught,
        tuple(frames_part),
        tuple(words_part),
        tuple(random_part),
        *map(tuple, values_parts),
    )


def spelled(count: int, seed: int, into: str) -> tuple[Sentence, ...]:
    """Sentences of names, numbers, times and copies alone, with nothing that is held out.

    Whole sentences may stand in other tables as well: `core.training.data.read_corpora` sees to
    those that are held out.
    """
    held = frames.load().heldout
    drawn = _stream(seed, into, SPELLED)
    fitting = (
        sentence
        for sentence in drawn
        if sentence.values
        and held_kind(sentence.values) is None
        and sentence.frame not in held
        and not any(unseen(pair) for pair in sentence.pairs)
    )
    return tuple(islice(fitting, count))


def _held_values(seed: int, into: str) -> list[list[Sentence]]:
    """Sentences with a value that training never shows, a list a kind."""
    rows: dict[str, list[Sentence]] = {kind: [] for kind in KINDS}
    drawn = (s for s in _stream(seed, into, HELD) if s.frame != "phrase")
    for sentence in islice(drawn, _TRIES):
        kind = held_kind(sentence.values)
        if kind and len(rows[kind]) < HELDOUT_ROWS:
            rows[kind].append(sentence)
            if all(len(part) == HELDOUT_ROWS for part in rows.values()):
                break
    return list(rows.values())


def _without_twins(
    rows: Sequence[Sentence], held_out: Sequence[Sentence], into: str
) -> tuple[Sentence, ...]:
    """Rows that are no held-out ones with other punctuation: those teach the answer.

    English targets are not compared: many Korean sentences share one.
    """
    korean = {text_key(s.korean) for s in held_out}
    english = {text_key(s.english) for s in held_out} if into == "ko" else set()
    return tuple(
        s for s in rows if text_key(s.korean) not in korean and text_key(s.english) not in english
    )


def _of_known_words(held: list[Sentence], train: Sequence[Sentence]) -> list[Sentence]:
    """Held-out sentences each of whose words training does show, with other partners."""
    firsts = {pair[0] for s in train for pair in s.pairs}
    seconds = {pair[1] for s in train for pair in s.pairs}
    return [s for s in held if all(a in firsts and b in seconds for a, b in s.pairs)]


@lru_cache(65_536)
def unseen(pair: tuple[str, str]) -> bool:
    """Whether a word pair is kept out of training."""
    return int(_digest("|".join(pair)), 16) % _PAIR_SHARE == 0


_QUESTION_WORDS = (
    "뭐",
    "뭘",
    "무엇",
    "어디",
    "언제",
    "누구",
    "왜",
    "얼마",
    "몇",
    "무슨",
    "어때",
    "어땠",
)


def _spellings(phrase: str) -> list[str]:
    """A phrase as people type it: with and without its stop."""
    bare = phrase.rstrip(".!")
    if phrase.endswith("?"):
        asks = any(word in phrase for word in _QUESTION_WORDS)
        return [phrase, phrase[:-1]] if asks else [phrase]
    return [phrase, bare, bare + "."]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _normal(korean: str) -> str:
    return unicodedata.normalize("NFC", korean)


def _bare(korean: str) -> str:
    return korean.rstrip(".")


def _key(korean: str) -> str:
    return _bare(_normal(korean))
