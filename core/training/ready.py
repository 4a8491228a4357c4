"""Recipes that are ready: for pairs that somebody brings along, and for a small example."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

from core.family import DEFAULT
from core.text.corpora import Pair
from core.text.tokenizer import TokenizerKind
from core.training.recipe import Recipe

Size = Literal["tiny", "small"]
SIZES: Final[tuple[Size, ...]] = get_args(Size)
CORPUS: Final = "pairs"
"""What the one corpus of a ready recipe is called."""

Network = Literal[
    "transformer", "attention", "bottleneck", "labels", "forward", "backward", "masked", "skipgram"
]
NETWORKS: Final[tuple[Network, ...]] = get_args(Network)
"""What can be trained: a Transformer; a Seq2Seq of GRUs with attention, and without; a GRU that
says which of some labels a text has; language models, and a skip-gram, of the sources."""

_FAMILIES: Final[Mapping[Network, str]] = MappingProxyType(
    {
        "transformer": DEFAULT,
        "attention": "seq2seq",
        "bottleneck": "seq2seq",
        "labels": "recurrent",
        "forward": "language",
        "backward": "language",
        "masked": "language",
        "skipgram": "skipgram",
    }
)
_MODELS: Final[Mapping[Size, Mapping[str, int]]] = MappingProxyType(
    {
        "tiny": {"d_model": 64, "d_ff": 256, "heads": 4, "encoder_layers": 2, "decoder_layers": 2},
        "small": {
            "d_model": 192,
            "d_ff": 768,
            "heads": 6,
            "encoder_layers": 3,
            "decoder_layers": 3,
        },
    }
)
_WIDTHS: Final[Mapping[Size, int]] = MappingProxyType({"tiny": 64, "small": 192})
_PEAKS: Final[Mapping[Size, float]] = MappingProxyType({"tiny": 3e-3, "small": 1.5e-3})
_STEEP_PEAKS: Final[Mapping[Size, float]] = MappingProxyType({"tiny": 1e-2, "small": 3e-3})
_TOKENS: Final[Mapping[Size, int]] = MappingProxyType({"tiny": 1024, "small": 2048})
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
        network: what is trained; "labels" for pairs of which `labels_of` finds some alone.
    """

    model_id: str
    source_language: str
    target_language: str
    size: Size
    steps: int
    tokenizer: TokenizerKind
    vocab_size: int = 1000
    dropout: float = 0.1
    network: Network = "transformer"


def recipe_text(choices: Choices, path: str, pairs: Sequence[Pair]) -> str:
    """A whole recipe as TOML.

    Args:
        path: of the file that holds the pairs, as the recipe shall name it.
        pairs: what stands in it; their number decides how much is held out: of one, nothing.
    """
    # Held-out targets are taught nowhere: of a few that are all there is, none can be.
    splits = len(set(pairs)) > 1 and not (_translates(choices) and labels_of(pairs))
    share = min(0.1, _HELD_OUT / len(pairs)) if splits else 0.0
    pieces, family = choices.tokenizer == "sentencepiece", _FAMILIES[choices.network]
    drops = choices.network != "skipgram"
    every = max(1, choices.steps // _VALIDATIONS)
    tables: dict[str, Mapping[str, object]] = {
        "tokenizer": {"kind": choices.tokenizer}
        | ({"vocab_size": choices.vocab_size} if pieces else {}),
        "[corpora]": {"name": CORPUS, "path": path, "valid": share, "test": share},
        "model": _sizes(choices, pairs) | ({"dropout": choices.dropout} if drops else {}),
        "schedule": {
            "kind": "cosine",
            "warmup": max(1, choices.steps // 10),
            "peak": (_PEAKS if family in (DEFAULT, "language") else _STEEP_PEAKS)[choices.size],
        },
        "training": {
            "steps": choices.steps,
            "tokens_per_batch": _TOKENS[choices.size],
            "label_smoothing": 0.1 if pieces and _translates(choices) else 0.0,
            "report_every": max(1, choices.steps // _REPORTS),
            "validate_every": every,
            "save_every": max(1, choices.steps // _SAVES),
        },
    }
    head: dict[str, object] = {
        **({} if family == DEFAULT else {"family": family}),
        "model_id": choices.model_id,
        "source_language": choices.source_language,
        "target_language": choices.target_language,
        "examples": examples_of(pairs),
        "max_source": _LONGEST,
        "max_target": _LONGEST,
    }
    parts = ["\n".join(_lines(head))]
    parts += ["\n".join((f"[{name}]", *_lines(values))) for name, values in tables.items()]
    return "\n\n".join(parts) + "\n"


def _sizes(choices: Choices, pairs: Sequence[Pair]) -> dict[str, object]:
    """Of the network, as its family has them."""
    transformer, width = _MODELS[choices.size], _WIDTHS[choices.size]
    match choices.network:
        case "transformer":
            return {**transformer, "norm": "pre"}
        case "attention" | "bottleneck":
            attention = "dot" if choices.network == "attention" else "none"
            return {"cell": "gru", "attention": attention, "layers": 1, "d_model": width}
        case "labels":
            width = width // 2  # small enough to be read
            labels = list(labels_of(pairs))
            return {"answers": "label", "labels": labels, "cell": "gru", "d_model": width}
        case "skipgram":
            return {"d_model": width}
        case objective:
            shared = {name: transformer[name] for name in ("d_model", "d_ff", "heads")}
            return {"objective": objective, "layers": transformer["encoder_layers"], **shared}


def _translates(choices: Choices) -> bool:
    return choices.network in ("transformer", "attention", "bottleneck")


def labels_of(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """What the second column holds, where that is a few single words again and again; else ()."""
    found = sorted({pair.target for pair in pairs})
    few = 2 <= len(found) <= min(_MOST_LABELS, len(pairs) // _PAIRS_A_LABEL)
    return tuple(found) if few and all(map(_LABEL.fullmatch, found)) else ()


def recipe_of(text: str) -> Recipe:
    """The recipe that such a text is."""
    values: dict[str, Any] = tomllib.loads(text)
    return Recipe.model_validate(values)


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

    Where no line has a tab, the first of " = ", "|", ";" and "," that stands in every line
    just once becomes one. All else is left as it is, for a reader to complain of.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if any("\t" in line for line in lines):
        return text
    for mark in _MARKS:
        if lines and all(line.count(mark) == 1 for line in lines):
            return "\n".join("\t".join(map(str.strip, line.split(mark))) for line in lines) + "\n"
    return text


def digits(count: int = 3000, seed: int = 1) -> tuple[Pair, ...]:
    """Numbers and their digits in words: "407", "four zero seven". No number twice.

    What each letter must look at is known beforehand, so one sees attention find it.
    """
    found = {source: Pair(source, _spoken(source)) for source in _numbers(count, seed)}
    return tuple(found.values())


def _numbers(count: int, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        number = "".join(chance.choices("0123456789", k=chance.randint(2, 6)))
        if number not in seen:
            seen.add(number)
            yield number


def _spoken(number: str) -> str:
    return " ".join(_DIGITS[int(digit)] for digit in number)


def _lines(values: Mapping[str, object]) -> Iterator[str]:
    # Strings, numbers and lists of them are spelled alike in JSON and TOML.
    for key, value in values.items():
        yield f"{key} = {json.dumps(value, ensure_ascii=False)}"
