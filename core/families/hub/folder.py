"""What a Hugging Face folder says of itself, checked before anything of it is built.

Knows neither torch nor transformers: a folder is refused by what its files declare.
"""

from __future__ import annotations

import json
import math
import os
import re
import struct
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

from core.checkpoint.manifest import MANIFEST
from core.errors import HeadlightError
from core.families.hub.claim import CARD, Claim, check_number, invalid, named_faults, size_of
from core.families.hub.gguf_header import SUFFIX, claimed_of
from core.reasons import RefusedError

FAMILY: Final = "hub"
CONFIG: Final = "config.json"
CONFIGS: Final = (CONFIG, "tokenizer_config.json")
GENERATION: Final = "generation_config.json"
WEIGHTS: Final = "model.safetensors"
INDEX: Final = "model.safetensors.index.json"
ADAPTER: Final = "adapter_config.json"
PICKLED: Final = (
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
    "tf_model.h5",
    "flax_model.msgpack",
)
TEXTS: Final = (CONFIG, INDEX, GENERATION, "tokenizer_config.json",
    "special_tokens_map.json", "added_tokens.json", "tokenizer.json", "vocab.json", "vocab.txt",
    "chat_template.jinja", "merges.txt", "sentencepiece.bpe.model", "spiece.model",
    "tokenizer.model", "source.spm", "target.spm", CARD)  # fmt: skip
SMALL: Final = 4 * 2**20
_LIMITS: Final = {"tokenizer.json": 64 * 2**20, "vocab.json": 32 * 2**20, "merges.txt": 32 * 2**20,
    "vocab.txt": 32 * 2**20, INDEX: 16 * 2**20}  # fmt: skip
_MODELS: Final = (".model", ".spm")  # of SentencePiece
_PIECES: Final = 32 * 2**20
_AXES: Final = 8
_FAR: Final = 2**48
_HEADER: Final = 64 * 2**20
_DEEP: Final = 24  # brackets within brackets
_STRING: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_NAMES: Final = ("id2label", "label2id", "task_specific_params")
"""What of a configuration says nothing of the model's size, whatever its names are."""
_TOKENS: Final = {
    "eos_token_id": (0, 1),
    "decoder_start_token_id": (0, 1),
    "forced_bos_token_id": (0,),
    "bad_words_ids": (2,),
}
"""Settings of writing that name tokens, and in how many lists."""
_BYTES: Final = {"BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "I16": 2, "U16": 2,
    "F16": 2, "BF16": 2, "I32": 4, "U32": 4, "F32": 4, "F64": 8, "I64": 8, "U64": 8}  # fmt: skip
_FLOATS: Final = ("F16", "BF16", "F32", "F64")


READERS: Final = frozenset((
    "albert", "bert", "big_bird", "camembert", "convbert", "data2vec-text", "deberta",
    "deberta-v2", "distilbert", "electra", "ernie", "esm", "flaubert", "ibert", "layoutlm",
    "longformer", "megatron-bert", "mobilebert", "modernbert", "mpnet", "nomic_bert",
    "nystromformer", "rembert", "roberta", "roberta-prelayernorm", "roc_bert", "roformer",
    "squeezebert", "xlm", "xlm-roberta", "xlm-roberta-xl", "xmod",
))  # fmt: skip
"""Kinds of models whose body alone writes nothing."""
FILLING_HEADS: Final = ("flaubert", "xlm")
"""Kinds whose language-model head fills, where it is not told to look back alone."""
UNSHOWN: Final = ("ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering")
"""Heads behind a decoder, whose answers are not shown: its body writes."""
DISCRIMINATORS: Final = ("electra", "funnel")
"""Kinds that were pretrained to find words that were exchanged, and fill nothing by that."""


def called(path: Path) -> str:
    """What a model is called by where it lies; a version in the hub's cache by the model's name."""
    if path.parent.name == "snapshots":
        return path.parent.parent.name.removeprefix("models--")
    name = path.name if path.name not in ("", "..") else path.resolve().name
    return name.removesuffix(SUFFIX) if path.is_file() else name


def is_hub(path: Path) -> bool:
    """Whether it is a Hugging Face folder or a GGUF file rather than a folder of ours; it may be
    a bad one."""
    try:
        if (path / CONFIG).is_file():
            return not (path / MANIFEST).exists()
    except OSError:
        return False
    return gguf_of(path) is not None


def gguf_of(path: Path) -> Path | None:
    """The GGUF file that it is, or that alone is in it where nothing else is a model."""
    try:
        if path.suffix == SUFFIX and path.is_file():
            return path
        if not path.is_dir() or (path / CONFIG).exists() or (path / MANIFEST).exists():
            return None
        found = list(islice((one for one in path.iterdir() if one.suffix == SUFFIX), 2))
    except OSError:
        return None
    return found[0] if len(found) == 1 else None


def described(path: Path) -> tuple[Path, str]:
    """The folder, and the file in it, that say what a model is."""
    file = gguf_of(path)
    return (path, CONFIG) if file is None else (file.parent, file.name)


def weights_bytes(path: Path) -> int:
    """Bytes of the files that its weights are in, as the disk tells, without reading them."""
    file = gguf_of(path)
    try:
        files = path.glob("*.safetensors") if file is None else (file,)
        return sum(file.stat().st_size for file in files)
    except OSError:
        return 0


def claimed(folder: Path) -> Claim:
    """What a folder declares, or a GGUF file.

    Raises:
        HeadlightError: checkpoint_missing, or checkpoint_invalid with the file and the reason.
    """
    file = gguf_of(folder)
    if file is not None:
        return claimed_of(file, card=file != folder)
    config = configured(folder)
    there = (name for name in TEXTS if os.path.lexists(folder / name))
    files = {name: _size(folder, name) for name in there}
    shards = _shards(folder)
    files |= {name: _size(folder, name) for name in shards}
    parameters = sum(_parameters(folder, name) for name in shards)
    names = config.get("architectures") or [""]
    architecture = str(names[0])[:100] if isinstance(names, list) else ""
    return Claim(folder, architecture, str(config["model_type"])[:100], parameters, files)


def configured(folder: Path) -> Mapping[str, Any]:
    """What a folder says of its model, beside weights that may not be there yet.

    Raises:
        HeadlightError: checkpoint_missing, or checkpoint_invalid with the file and the reason.
    """
    config = _json(folder, CONFIG)
    if "model_type" not in config:
        raise invalid(folder, CONFIG, RefusedError("hub_none"))
    for name in CONFIGS:
        if os.path.lexists(folder / name) and "auto_map" in _json(folder, name):
            raise invalid(folder, name, RefusedError("own_code"))
    if "transformers_weights" in config:  # which are read in the place of those that are checked
        raise invalid(folder, CONFIG, RefusedError("weights_elsewhere"))
    if (folder / ADAPTER).exists():
        raise invalid(folder, ADAPTER, RefusedError("adapter"))
    if "quantization_config" in config:
        raise invalid(folder, CONFIG, RefusedError("quantized"))
    with named_faults(folder, CONFIG):
        for place, number in _numbers({k: of for k, of in config.items() if k not in _NAMES}):
            check_number(place, number)
    if os.path.lexists(folder / GENERATION):
        told = _json(folder, GENERATION)
        with named_faults(folder, GENERATION):
            _check_generation(told)
    return config


def _check_generation(told: Mapping[str, Any]) -> None:
    """That tokens which settings of writing name are numbers.

    Raises:
        RefusedError: generation_odd.
    """
    for name, depths in _TOKENS.items():
        if told.get(name) not in (None, []) and _depth(told[name]) not in depths:
            raise RefusedError("generation_odd", place=name)


def _depth(value: object) -> int | None:
    """How many lists whole numbers lie in; None for anything else, and for lists that differ."""
    if not isinstance(value, list):
        return 0 if isinstance(value, int) and not isinstance(value, bool) else None
    within = {_depth(one) for one in value}
    inner = within.pop() if len(within) == 1 else None
    return None if inner is None else inner + 1


def _shards(folder: Path) -> tuple[str, ...]:
    """Names of the files that hold the weights."""
    if (folder / WEIGHTS).exists():
        return (WEIGHTS,)
    if not (folder / INDEX).exists():
        pickled = next((name for name in PICKLED if (folder / name).exists()), None)
        if pickled is not None:
            raise invalid(folder, pickled, RefusedError("pickled"))
        raise HeadlightError("checkpoint_missing", path=str(folder), file=WEIGHTS)
    index = _json(folder, INDEX).get("weight_map")
    names = set(index.values()) if isinstance(index, dict) else set()
    if not names or not all(isinstance(name, str) for name in names):
        raise invalid(folder, INDEX, RefusedError("index_none"))
    for name in names:
        if Path(name).name != name or not name.endswith(".safetensors") or "\\" in name:
            raise invalid(folder, INDEX, RefusedError("index_out", name=str(name)[:60]))
    return tuple(sorted(names))


def _parameters(folder: Path, name: str) -> int:
    """Numbers of a file of tensors, after its header was found to fit its size."""
    size = _size(folder, name)
    with named_faults(folder, name), (folder / name).open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(8).ljust(8, b"\0"))
        if length > min(_HEADER, size - 8):
            raise RefusedError("header_long")
        header = _parsed(file.read(length))
    spans, count = [], 0
    for tensor, entry in header.items():
        if tensor == "__metadata__":
            continue
        try:
            begin, end = entry["data_offsets"]
            shape, kind = entry["shape"], entry["dtype"]
            # Before anything is multiplied: a text times a number is a long text.
            numbers = (begin, end, *shape) if len(shape) <= _AXES else (-1,)
            fits = all(type(n) is int and 0 <= n < _FAR for n in numbers)
            fits = fits and math.prod(shape) * _BYTES[kind] == end - begin
        except (TypeError, KeyError, ValueError, OverflowError):
            fits = False
        if not fits:
            raise invalid(folder, name, RefusedError("tensor_lies", tensor=str(tensor)[:60]))
        if kind in _FLOATS:
            count += math.prod(shape)
        spans.append((begin, end))
    at = 0
    for begin, end in sorted(spans):
        if begin != at:
            raise invalid(folder, name, RefusedError("tensors_apart"))
        at = end
    if at != size - 8 - length:
        raise invalid(folder, name, RefusedError("tensors_apart"))
    return count


def _json(folder: Path, name: str) -> dict[str, Any]:
    """A small JSON object of a folder.

    Raises:
        HeadlightError: checkpoint_missing or checkpoint_invalid.
    """
    _size(folder, name)
    with named_faults(folder, name):
        return _parsed((folder / name).read_bytes())


def _parsed(raw: bytes) -> dict[str, Any]:
    depth = 0
    for found in re.finditer(rb"[\[{\]}]", _STRING.sub(b"", raw)):
        depth += 1 if found[0] in b"[{" else -1
        if depth > _DEEP:
            raise RefusedError("json_deep")
    try:
        told = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise RefusedError("json_none") from error
    if not isinstance(told, dict):
        raise RefusedError("json_none")
    return told


def _numbers(value: Any, place: str = "") -> Iterator[tuple[str, float]]:
    """Every number that stands under a name, which lists share."""
    if isinstance(value, dict):
        for name, own in value.items():
            yield from _numbers(own, str(name))
    elif isinstance(value, list):
        for own in value:
            yield from _numbers(own, place)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, float(value) if abs(value) < 2**64 else math.inf


def _size(folder: Path, name: str) -> int:
    """As `size_of`, of what is small or refused."""
    size, ending = size_of(folder, name), Path(name).suffix
    limit = _PIECES if ending in _MODELS else _LIMITS.get(name, SMALL)
    if (name in TEXTS or ending in _MODELS) and size > limit:
        raise invalid(folder, name, RefusedError("file_large", limit=limit))
    return size
