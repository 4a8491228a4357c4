"""Opening a GGUF file: transformers' own tables, over a header that was checked.

`from_pretrained(gguf_file=...)` gives the same, and takes a minute for 49,000 tokens: it reads the
whole header three times over, each number of it by itself. So it is shown an extract alone, without
vocabulary and weights, to make a configuration of; weights are renamed and turned by its tables.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import torch
from gguf import GGMLQuantizationType, GGUFValueType, GGUFWriter
from gguf.quants import dequantize
from tokenizers import Tokenizer
from torch import Tensor
from transformers import AutoConfig, PreTrainedTokenizerFast
from transformers.integrations.gguf import convert_gguf_tokenizer, get_gguf_tokenizer
from transformers.modeling_gguf_pytorch_utils import (
    TENSOR_PROCESSORS,
    TensorProcessor,
    get_gguf_hf_weights_map,
)
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
)

from core.families.hub.gguf_header import ARCHITECTURE, Header, Stored
from core.families.hub.gguf_settings import complete
from core.reasons import RefusedError

_WRITERS: Final = (MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES, MODEL_FOR_CAUSAL_LM_MAPPING_NAMES)
_EXTRACT: Final = "extract.gguf"
_LONG: Final = 4096  # characters; templates of chats have more
_EMBEDDING: Final = "token_embd.weight"
_JOINT: Final = "tokenizer.ggml.add_space_prefix"
_TURNS: Final = "rope_freqs.weight"
"""By what each frequency of rotary positions is divided, as Llama 3.1 has it."""


def config_of(header: Header) -> Any:
    """The configuration that transformers makes of what a header says, with an architecture.

    Raises:
        RefusedError: tensors_missing, or gguf_positions and gguf_setting where the file says what
            transformers has no place for.
    """
    if _EMBEDDING not in header.tensors:
        raise RefusedError("tensors_missing", count=1, tensor=_EMBEDDING)
    with TemporaryDirectory(prefix="headlight-") as folder:
        _extract(header, Path(folder) / _EXTRACT)
        config = AutoConfig.from_pretrained(folder, gguf_file=_EXTRACT, local_files_only=True)
    config.vocab_size = header.tensors[_EMBEDDING].shape[0]
    complete(config, header)
    if config.model_type == "t5":  # transformers takes all for gated, and then for ReLUs
        gated = any(".ffn_gate." in name for name in header.tensors)
        config.is_gated_act, config.dense_act_fn = gated, "gelu_new" if gated else "relu"
    if not config.architectures:
        named = (names.get(config.model_type) for names in _WRITERS)
        config.architectures = [name for name in named if isinstance(name, str)][:1]
    return config


def weights_of(header: Header, model: Any) -> dict[str, Tensor]:
    """Every tensor in float32, by transformers' names.

    Args:
        model: of the same sizes, on no device.

    Raises:
        RefusedError: numbers_few where a file has less than its sizes need, tensor_surplus.
    """
    needed = sum(parameter.numel() for parameter in model.parameters())
    if needed > header.parameters:
        raise RefusedError("numbers_few", count=header.parameters, wanted=needed)
    processor = TENSOR_PROCESSORS.get(header.architecture, TensorProcessor)(model.config.to_dict())
    names = get_gguf_hf_weights_map(_Names(model), processor)
    found: dict[str, Tensor] = {}
    for name, stored in header.tensors.items():
        if name == _TURNS:
            continue
        turned = processor.process(
            weights=_numbers(header, stored),
            name=name,
            tensor_key_mapping=names,
            parsed_parameters={"tensors": found},
        )
        if turned.name is None:  # it has put it there itself
            continue
        if turned.name not in names:
            raise RefusedError("tensor_surplus", tensor=name[:60])
        found[names[turned.name]] = torch.from_numpy(np.ascontiguousarray(turned.weights))
    return found


def turn(header: Header, model: Any) -> None:
    """Has rotary positions turn as slowly as the file says.

    Raises:
        RefusedError: gguf_positions where others turn than it says, tensor_surplus where none do.
    """
    turning = [module for module in model.modules() if hasattr(module, "inv_freq")]
    width = header.settings.get(f"{header.architecture}.rope.dimension_count")
    if width is not None and any(2 * len(module.inv_freq) != width for module in turning):
        raise RefusedError("gguf_positions", kind=f"{width}")
    if _TURNS not in header.tensors:
        return
    slower = torch.from_numpy(_numbers(header, header.tensors[_TURNS]))
    if not turning or any(module.inv_freq.shape != slower.shape for module in turning):
        raise RefusedError("tensor_surplus", tensor=_TURNS)
    for module in turning:
        module.inv_freq /= slower
        module.original_inv_freq = module.inv_freq.clone()


def tokenizer_of(header: Header) -> PreTrainedTokenizerFast:
    """The tokenizer of a file's own vocabulary."""
    architecture, told, options = get_gguf_tokenizer(str(header.path))
    backend, more = convert_gguf_tokenizer(architecture, told)
    options.pop("chat_template", None)
    if backend.get_vocab_size() > len(told["tokens"]):
        backend = _own(backend, len(told["tokens"]))
    if header.settings.get(_JOINT) is False:
        backend = _unjoined(backend)
    return PreTrainedTokenizerFast(tokenizer_object=backend, **options, **more)


def _own(backend: Tokenizer, size: int) -> Tokenizer:
    """Without the end of a text that GPT-2 has, which is added to every vocabulary of bytes."""
    told = json.loads(backend.to_str())
    told["added_tokens"] = [one for one in told["added_tokens"] if one["id"] < size]
    return Tokenizer.from_str(json.dumps(told))


def _unjoined(backend: Tokenizer) -> Tokenizer:
    """Without the joint that is put before a text."""
    told = json.loads(backend.to_str())
    for part in _parts(told["pre_tokenizer"], "pretokenizers"):
        if part["type"] == "Metaspace":
            part["prepend_scheme"] = "never"
    kept = [part for part in _parts(told["normalizer"], "normalizers") if part["type"] != "Prepend"]
    told["normalizer"] = {"type": "Sequence", "normalizers": kept} if kept else None
    return Tokenizer.from_str(json.dumps(told))


def _parts(told: Any, name: str) -> list[dict[str, Any]]:
    """Those of a sequence, or the one that there is."""
    return [] if told is None else list(told.get(name, [told]))


class _Names:
    """What transformers asks a model for to know its tensors' names, of which it is told two
    levels: of every module it would make the whole table anew."""

    def __init__(self, model: Any, deep: int = 1) -> None:
        self.config = getattr(model, "config", None)
        self.state_dict = model.state_dict
        self._below = dict(model.named_children()) if deep else {}

    def named_children(self) -> list[tuple[str, _Names]]:
        return [(name, _Names(module, 0)) for name, module in self._below.items()]


def _extract(header: Header, path: Path) -> None:
    """Writes what a configuration is made of: sizes, special tokens, and names of tensors."""
    writer = GGUFWriter(path, header.architecture)
    for name, value in header.settings.items():
        own = name.startswith((f"{header.architecture}.", "tokenizer.")) or name == "general.name"
        match value:
            case _ if not own or name == ARCHITECTURE:
                continue
            case tuple() if value and not isinstance(value[0], str) and own:
                if not name.startswith("tokenizer."):
                    writer.add_array(name, list(value))
            case bool():
                writer.add_bool(name, value)
            case int():
                writer.add_key_value(name, value, GGUFValueType.INT64)
            case float():
                writer.add_float64(name, value)
            case str() if len(value) < _LONG:
                writer.add_string(name, value)
    for name in header.tensors:
        writer.add_tensor(name, np.zeros(1, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _numbers(header: Header, stored: Stored) -> Any:
    """A tensor in float32."""
    raw = np.fromfile(header.path, np.uint8, stored.bytes, offset=stored.begin)
    rows = math.prod(stored.shape[:-1])
    kind = GGMLQuantizationType[stored.kind]
    return dequantize(raw.reshape(rows, -1), kind).reshape(stored.shape)
