"""Small GGUF files of what `tests.hub` writes as folders: its numbers, as llama.cpp has them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import gguf
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from transformers import AutoConfig
from transformers.integrations.ggml import GGUF_CONFIG_MAPPING

from tests import hub

Settings = Mapping[str, str | int | float]

SIZES: Final[Mapping[str, Mapping[str, Any]]] = {
    "llama": {**hub.DECODER, "num_hidden_layers": 2},
    "qwen2": hub.DECODER,
    "qwen3": {**hub.DECODER, "head_dim": 128},
    "stablelm": {**hub.ENCODER, "num_key_value_heads": 2},
    "nemotron": {**hub.ENCODER, "num_key_value_heads": 2},
    "gemma2": {**hub.DECODER, "query_pre_attn_scalar": 8, "sliding_window": 4},
    "gemma3_text": {**hub.WINDOW, "query_pre_attn_scalar": 8},
    "phi3": hub.DECODERS["phi3"],
    "starcoder2": {**hub.ENCODER, "num_key_value_heads": 2},
    "gpt2": {**hub.GPT2, "n_positions": 1024},
    "t5": {**hub.T5, "feed_forward_proj": "gated-gelu", "vocab_size": 200},
}
"""Architectures of GGUF files, by what transformers calls them."""

CALLED: Final = {"gemma3_text": "gemma3"}
_TURNED: Final = ("attn_qkv.weight", "ffn_down.weight", "ffn_up.weight", "attn_output.weight")


def file(
    folder: Path,
    path: Path,
    *,
    kind: str = "F32",
    turns: Any = None,
    settings: Settings | None = None,
    joint: bool | None = None,
) -> Path:
    """Writes the model of a folder.

    Args:
        kind: how its matrices are stored.
        turns: by what each frequency of rotary positions is divided, where they are.
        settings: such, without the architecture's name.
        joint: whether one is put before a text, where the file says so.
    """
    config, more = AutoConfig.from_pretrained(folder), settings or {}
    name = CALLED.get(config.model_type, config.model_type)
    writer = gguf.GGUFWriter(path, name)
    for key, own in GGUF_CONFIG_MAPPING[name].items():
        value = config.rope_parameters if own == "rope_theta" else getattr(config, own or "", None)
        if isinstance(value, dict):
            value = value.get("full_attention", value)["rope_theta"]
        if value is not None and key not in more:
            _add(writer, f"{name}.{key}", value)
    for key, value in more.items():
        _add(writer, f"{name}.{key}", value)
    _vocabulary(writer, folder, config.vocab_size)
    if joint is not None:
        writer.add_add_space_prefix(joint)
    architecture = next(at for at, own in gguf.MODEL_ARCH_NAMES.items() if own == name)
    layers = config.num_hidden_layers
    names = gguf.get_tensor_name_map(architecture, layers)
    for own, values in load_file(folder / "model.safetensors").items():
        at = names.get_name(own, (".weight", ".bias"))
        assert at is not None, own
        _tensor(writer, at, _theirs(at, values, config), kind)
    if turns is not None:
        _tensor(writer, "rope_freqs.weight", turns, "F32")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    kinds = gguf.GGUFValueType
    if isinstance(value, list):
        writer.add_array(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    else:
        writer.add_key_value(key, value, kinds.UINT32 if isinstance(value, int) else kinds.FLOAT32)


def _vocabulary(writer: gguf.GGUFWriter, folder: Path, rows: int) -> None:
    told = json.loads(Tokenizer.from_file(str(folder / "tokenizer.json")).to_str())
    model = told["model"]
    special = {one["id"] for one in told["added_tokens"]}
    if model["type"] == "BPE":
        tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre("gpt-2")
        writer.add_token_merges([" ".join(pair) for pair in model["merges"]])
    else:
        tokens = [piece for piece, _ in model["vocab"]]
        writer.add_tokenizer_model("t5" if writer.arch == "t5" else "llama")
        scores = [score for _, score in model["vocab"]]
        writer.add_token_scores(scores + [-1000.0] * (rows - len(scores)))
    tokens += [f"[PAD{at}]" for at in range(len(tokens), rows)]
    writer.add_token_list(tokens)
    kinds = gguf.TokenType
    writer.add_token_types([kinds.CONTROL if at in special else kinds.NORMAL
        for at in range(len(tokens))])  # fmt: skip
    writer.add_bos_token_id(hub.START)
    writer.add_eos_token_id(hub.END)
    writer.add_unk_token_id(3)
    writer.add_pad_token_id(hub.PAD)
    writer.add_add_bos_token(writer.arch != "t5")
    writer.add_add_eos_token(writer.arch == "t5")


def _theirs(name: str, values: Any, config: Any) -> Any:
    """As llama.cpp turns them: rotary halves interleaved, Gemma's norms from 1, GPT-2's columns."""
    kind = config.model_type
    if kind == "llama" and ("attn_q." in name or "attn_k." in name):
        heads = config.num_attention_heads if "attn_q" in name else config.num_key_value_heads
        halves = values.reshape(heads, 2, -1, *values.shape[1:])
        return halves.swapaxes(1, 2).reshape(values.shape)
    if kind.startswith(("gemma", "nemotron")) and name.endswith("norm.weight"):
        return values + 1
    return values.T if kind == "gpt2" and name.endswith(_TURNED) else values


def _tensor(writer: gguf.GGUFWriter, name: str, values: Any, kind: str) -> None:
    stored = gguf.GGMLQuantizationType[kind if values.ndim > 1 else "F32"]
    packed = gguf.quants.quantize(np.ascontiguousarray(values, np.float32), stored)
    writer.add_tensor(name, packed, raw_dtype=stored)
