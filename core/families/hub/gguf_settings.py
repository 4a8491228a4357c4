"""What a GGUF file says of how its model computes, where transformers' own tables pass over it.

Set where transformers has a place for it, and refused where it has none: never is anything computed
by another number than the file's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from core.families.hub.gguf_header import Header, Values
from core.reasons import RefusedError

_WINDOW, _EPSILON = "attention.sliding_window", "attention.layer_norm_epsilon"
_PLACES: Final = {
    _WINDOW: ("sliding_window", ("gemma2", "gemma3_text", "phi3", "starcoder2")),
    _EPSILON: ("norm_eps", ("nemotron",)),
    "attn_logit_softcapping": ("attn_logit_softcapping", ("gemma2",)),
    "final_logit_softcapping": ("final_logit_softcapping", ("gemma2", "gemma3_text")),
}
"""How transformers calls a setting, and the models that compute with it."""
_IDLE: Final[Mapping[str, tuple[Values, ...]]] = {
    _WINDOW: (0,),
    "attn_logit_softcapping": (0,),
    "final_logit_softcapping": (0,),
    "attention.causal": (True,),
    "attention.clamp_kqv": (0,),
    "attention.max_alibi_bias": (0,),
    "attention.scale": (0,),
    "attention.temperature_scale": (0,),
    "embedding_scale": (0, 1),
    "logit_scale": (0, 1),
    "residual_scale": (0, 1),
    "rope.scaling.attn_factor": (0, 1),
}
"""Settings that change what is computed, and by which values they do not."""
_IN_PART: Final = ("nemotron", "phi3", "stablelm")
"""Models that may turn the first dimensions of a head alone."""
_WHOLE: Final = {"gemma2": 46, "gemma3_text": 62}
"""Layers of the largest model of a kind: its scores are over the root of d_model / heads."""


def complete(config: Any, header: Header) -> None:
    """Sets what a file says and transformers passes over.

    Args:
        config: that transformers made of the header.

    Raises:
        RefusedError: gguf_positions or gguf_setting where transformers has no place for it.
    """
    own = f"{header.architecture}."
    told = {name.removeprefix(own): value for name, value in header.settings.items()}
    _scale_scores(config)
    _turn(config, told)
    _turn_part(config, told)
    _stretch(config, told)
    _alternate(config, told)
    for name in _IDLE.keys() | _PLACES.keys():
        value = told.get(name)
        called, kinds = _PLACES.get(name, ("", ()))
        if config.model_type in kinds and _is_number(value):
            setattr(config, called, None if value == 0 and name in _IDLE else value)
        elif value is None or value in _IDLE.get(name, (value,)):
            continue
        elif name != _WINDOW or not _beyond(value, told):
            raise _unread(name, value)


def _scale_scores(config: Any) -> None:
    """No file says it: llama.cpp knows Gemma's models by their layers."""
    if config.model_type in _WHOLE:
        share = config.hidden_size // config.num_attention_heads
        whole = config.num_hidden_layers == _WHOLE[config.model_type]
        config.query_pre_attn_scalar = share if whole else config.head_dim


def _turn(config: Any, told: Mapping[str, Values]) -> None:
    """How fast positions turn, where the file says so."""
    turning = getattr(config, "rope_parameters", None) or {}
    for part, name in (
        ("full_attention", "rope.freq_base"),
        ("sliding_attention", "rope.freq_base_swa"),
    ):
        base = told.get(name)
        if base is None:
            continue
        if not turning or not _is_number(base) or base <= 0:
            raise _unread(name, base)
        if part == "sliding_attention" and part not in turning:
            if base != turning["rope_theta"]:
                raise _unread(name, base)
            continue
        turning.get(part, turning)["rope_theta"] = float(base)


def _turn_part(config: Any, told: Mapping[str, Values]) -> None:
    """How many dimensions of a head positions turn: where others do, `turn` refuses the file."""
    count = told.get("rope.dimension_count")
    if config.model_type in _IN_PART and _is_number(count) and count > 0:
        size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        config.rope_parameters["partial_rotary_factor"] = count / size


def _stretch(config: Any, told: Mapping[str, Values]) -> None:
    """How far positions are stretched, beyond those that it was trained with."""
    kind = told.get("rope.scaling.type", "none")
    factor = told.get("rope.scaling.factor", told.get("rope.scale_linear"))
    if kind == "none" and factor in (None, 0, 1):
        return
    if kind not in ("none", "linear") or not _is_number(factor) or factor <= 0:
        raise RefusedError("gguf_positions", kind=str(kind)[:40])
    turning = config.rope_parameters
    turning.get("full_attention", turning).update(rope_type="linear", factor=float(factor))


def _alternate(config: Any, told: Mapping[str, Values]) -> None:
    """Which layers look back through a window: as transformers has it, and no others."""
    name = "attention.sliding_window_pattern"
    pattern, layers = told.get(name), getattr(config, "layer_types", None) or ()
    if pattern is None:
        return
    if isinstance(pattern, int) and pattern > 0:  # every so many, one looks at all
        pattern = tuple((at + 1) % pattern != 0 for at in range(len(layers)))
    if pattern != tuple(one == "sliding_attention" for one in layers):
        raise _unread(name, pattern)


def _beyond(window: Values, told: Mapping[str, Values]) -> bool:
    """Whether no text that it can read is longer than a window."""
    places = told.get("context_length")
    return _is_number(window) and _is_number(places) and window >= places


def _is_number(value: Values | None) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unread(name: str, value: Values) -> RefusedError:
    return RefusedError("gguf_setting", name=name, value=str(value)[:40])
