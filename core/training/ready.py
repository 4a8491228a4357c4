"""Recipes that are ready: for pairs that somebody brings along, and for a small example."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.family import DEFAULT
from core.text.corpora import Pair
from core.text.tokenizer import TokenizerKind
from core.training.networks import TRANSFORMER, WRITING, Kind, Size
from core.training.recipe import Recipe

CORPUS: Final = "pairs"
"""What the one corpus of a ready recipe is called."""

_TOKENS: Final[Mapping[Size, int]] = {"tiny": 1024, "small": 2048}
_LONGEST: Final = 128  # tokens a side
_HELD_OUT: Final = 500  # pairs a part, where there are many
_REPORTS, _VALIDATIONS, _SAVES = 60, 10, 10  # of a run, about

_WORD: Final = re.compile(r"[^\W\d_]{2,}")  # of letters: digits are never joined
_FEW_WORDS: Final = 100
_LARGEST_VOCABULARY: Final = 6000
_BYTES: Final = 260  # entries of every sub-word vocabulary: bytes and special ones

_MOST_LABELS: Final = 50
_PAIRS_A_LABEL: Final = 4  # at least, or they are texts that happen to repeat
_LABEL: Final = re.compile(r"\S{1,40}")

_DELETE, _ESCAPED = "\x7f", "\\u007f"
_MARKS: Final = (" = ", "|", ";", ",")
_DIGITS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person decides of a run on one file of pairs.

    Attributes:
        source_language, target_language: BCP 47 tags.
        steps: updates, 1 or more.
        vocab_size: of a sub-word vocabulary.
        dropout: 0 serves where training sees all there is to know.
        kind: what is trained.
    """

    model_id: str
    source_language: str
    target_language: str
    size: Size
    steps: int
    tokenizer: TokenizerKind
    vocab_size: int = 1000
    dropout: float = 0.1
    kind: Kind = TRANSFORMER


def recipe_text(choices: Choices, path: str, pairs: Sequence[Pair]) -> str:
    """A whole recipe as TOML.

    Args:
        path: of the file that holds the pairs, as the recipe shall name it.
        pairs: what stands in it; their number decides how much is held out: of one, nothing.
    """
    # Held-out targets are taught nowhere: of a few that are all there is, none can be.
    # Nor are sources of which each has many targets: what is held out would be a whole topic.
    writes, sources = choices.kind.network in WRITING, {pair.source for pair in pairs}
    repeats = labels_of(pairs) or len(sources) * _PAIRS_A_LABEL <= len(pairs)
    splits = len(set(pairs)) > 1 and not (writes and repeats)
    share = min(0.1, _HELD_OUT / len(pairs)) if splits else 0.0
    kind, base = choices.kind, choices.kind.base
    pieces = choices.tokenizer == "sentencepiece"
    labels = tags_of(pairs) if kind.network == "labels" else labels_of(pairs)
    every = max(1, choices.steps // _VALIDATIONS)
    tables: dict[str, Mapping[str, object]] = {
        "tokenizer": {"kind": choices.tokenizer}
        | ({"vocab_size": choices.vocab_size} if pieces else {}),
        **({} if base is None else {"pretrained": {"path": base.path}}),
        "[corpora]": {"name": CORPUS, "path": path, "valid": share, "test": share},
        "model": kind.sizes(choices.size, labels, choices.dropout),
        "schedule": {
            "kind": "cosine",
            "warmup": max(1, choices.steps // 10),
            "peak": kind.peak(choices.size),
        },
        "training": {
            "steps": choices.steps,
            "tokens_per_batch": _TOKENS[choices.size],
            "label_smoothing": 0.1 if pieces and writes else 0.0,
            "report_every": max(1, choices.steps // _REPORTS),
            "validate_every": every,
            "save_every": max(1, choices.steps // _SAVES),
        },
    }
    head: dict[str, object] = {
        **({} if kind.family == DEFAULT else {"family": kind.family}),
        "model_id": choices.model_id,
        "source_language": choices.source_language,
        "target_language": choices.target_language,
        "examples": examples_of(pairs),
        "max_source": _LONGEST if base is None else base.max_source,
        "max_target": _LONGEST if base is None else base.max_source,
    }
    parts = ["\n".join(_lines(head))]
    parts += ["\n".join((f"[{name}]", *_lines(values))) for name, values in tables.items()]
    return "\n\n".join(parts) + "\n"


def labels_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """What the second column holds, where that is a few single words again and again; else ()."""
    found = sorted({pair.target for pair in pairs})
    few = 2 <= len(found) <= min(_MOST_LABELS, len(pairs) // _PAIRS_A_LABEL)
    return tuple(found) if few and all(map(_LABEL.fullmatch, found)) else ()


def tags_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """What the second column holds, where that is one of a few labels for each word; else ().

    Where nearly each word has a label of its own, that is what it is called in another language.
    """
    rows = [(pair.source.split(), pair.target.split()) for pair in pairs]
    found = sorted({label for _, labels in rows for label in labels})
    words = Counter(word for source, _ in rows for word in source)
    few = 2 <= len(found) <= min(_MOST_LABELS, len(words) // 2, words.total() // _PAIRS_A_LABEL)
    whole = all(len(source) == len(labels) for source, labels in rows)
    several = max((len(source) for source, _ in rows), default=0) > 1
    return tuple(found) if few and whole and several and all(map(_LABEL.fullmatch, found)) else ()


def recipe_of(text: str) -> Recipe:
    """The recipe that such a text is."""
    return Recipe.model_validate(tomllib.loads(text))


def examples_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """Up to six sources to start from, evenly spread, none of them long."""
    short = list(dict.fromkeys(pair.source for pair in pairs if len(pair.source) <= 60))
    return tuple(short[:: -(-len(short) // 6) or 1])


def vocabulary_for(pairs: Sequence[Pair]) -> tuple[TokenizerKind, int]:
    """How these texts are best cut: kind, and entries of a sub-word vocabulary.

    Single words are spelled letter by letter, and so are texts too few to learn sub-words
    from. A vocabulary has room for every third word, which so many always fill, also those
    of the training part alone.
    """
    distinct = {word for pair in pairs for text in pair for word in _WORD.findall(text)}
    words = sum(len(pair.source.split()) for pair in pairs)
    if words < 1.5 * len(pairs) or len(distinct) < _FEW_WORDS:
        return "characters", 0
    letters = {letter for pair in pairs for text in pair for letter in text}
    size = _BYTES + len(letters) + len(distinct) // 3
    return "sentencepiece", min(max(_LARGEST_VOCABULARY, _BYTES + len(letters)), size)


def tab_separated(text: str) -> str:
    """Pairs as people type them, where a tab is hard to type, in columns.

    Where no line has a tab, the one of " = ", "|", ";" and "," that most lines have just once
    becomes one there. All else is left as it is, and where it is, for a reader to complain of.
    """
    lines = text.splitlines()
    if "\t" in text:
        return text
    once = {mark: sum(line.count(mark) == 1 for line in lines) for mark in _MARKS}
    mark = max(_MARKS, key=lambda mark: once[mark])
    if 2 * once[mark] <= sum(bool(line.strip()) for line in lines):
        return text
    parted = (
        "\t".join(map(str.strip, line.split(mark))) if line.count(mark) == 1 else line
        for line in lines
    )
    return "\n".join(parted) + "\n"


def in_columns(content: bytes, suffix: str) -> bytes:
    """The same of a file: a .csv as spreadsheets write one, with quoted cells, and what is typed.

    What is no UTF-8 text, and what has tabs already, is left as it is.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content
    if "\t" in text:
        return content
    if suffix == ".csv" and '"' in text:
        for mark in (",", ";"):
            try:
                table = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
                rows = [row for row in table if row]
            except csv.Error:  # a cell without an end, as long as the file
                break
            if rows and all(len(row) > 1 for row in rows):
                lines = ("\t".join(" ".join(cell.split()) for cell in row) for row in rows)
                return ("\n".join(lines) + "\n").encode()
    return tab_separated(text).encode()


def digits(count: int = 3000, seed: int = 1) -> tuple[Pair, ...]:
    """Numbers and their digits in words: "407", "four zero seven". No number twice.

    What each letter must look at is known beforehand, so one sees attention find it.
    """
    chance = random.Random(seed)
    numbers: dict[str, None] = {}
    while len(numbers) < count:
        numbers["".join(chance.choices("0123456789", k=chance.randint(2, 6)))] = None
    spoken = (" ".join(_DIGITS[int(digit)] for digit in number) for number in numbers)
    return tuple(map(Pair, numbers, spoken))


def _lines(values: Mapping[str, object]) -> Iterator[str]:
    # Strings, numbers and lists of them are spelled alike in JSON and TOML, but for one letter.
    for key, value in values.items():
        told = json.dumps(value, ensure_ascii=False)
        yield f"{key} = {told.replace(_DELETE, _ESCAPED)}"
