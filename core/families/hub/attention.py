"""Attention of Hugging Face models under a `Probe`: one function, registered under one name.

transformers asks one registry for the function that attends and another for how its mask is made. A
function without a mask of its own gets none, and causality is lost without a word
(transformers#45811): here both are registered, and the mask is always whole.

Outside `core.families.hub.capture.captured` such a model computes what it would without us;
within, the same written out, with what the probe records and edits.
"""

from __future__ import annotations

import math
from typing import Any, Final

import torch
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

from core.families.hub.capture import Call, Capture, current
from core.nn.softmax import masked_softmax
from core.probe import Spot, untouched
from core.trace import Kind

NAME: Final = "headlight"
"""What `attn_implementation` of an opened model is."""


def attend(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    *,
    scaling: float | None = None,
    dropout: float = 0.0,
    position_bias: Tensor | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    **others: Any,
) -> tuple[Tensor, Tensor | None]:
    """As `transformers.AttentionInterface` wants it.

    Args:
        query: (batch, head, query, d_k).
        key, value: (batch, group, key, ·): heads of a group have the same.
        attention_mask: bool, True = may attend, or added to the scores; None allows all.
        scaling: of q·k; None: 1 / sqrt(d_k).
        position_bias: added to the scores, as T5 has it.
        softcap: scores are bent to stay below it, as in Gemma 2.
        s_aux: (head,) a score that every row has for no key at all, as in gpt-oss.

    Returns:
        (batch, query, head, d_v), and weights (batch, head, query, key).
    """
    capture = current()
    plain = softcap is None and s_aux is None and position_bias is None
    if capture is None and plain:
        out: tuple[Tensor, Tensor | None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, dropout=dropout, scaling=scaling, **others
        )
        return out
    groups = query.shape[1] // key.shape[1]
    key, value = (x.repeat_interleave(groups, 1) for x in (key, value))
    root = math.sqrt(query.shape[-1])
    if scaling is not None:  # so that scores are q·k / sqrt(d_k) here, too
        query = query * (scaling * root)
    if capture is not None and capture.seen is not None:
        capture.seen.append(
            Call(
                module,
                query.shape[2],
                key.shape[2],
                scaled=softcap is None,
                biased=_adds(position_bias),
                added=_adds(attention_mask),
                sunk=s_aux is not None,
            )
        )
    spot, place = _spot(capture, module, query)
    query, key = spot("queries", query), spot("keys", key)
    scores = query @ key.mT / root
    if softcap is not None:
        scores = torch.tanh(scores / softcap) * softcap
    allowed, bias = _mask(attention_mask, scores)
    for added in (position_bias, bias):
        scores = scores if added is None else scores + added
    scores = spot("scores", scores)
    allowed = spot("mask", allowed, scores.shape)
    weights, sink = _softmax(scores, allowed, s_aux)
    if capture is not None and place is not None and sink is not None:
        capture.sinks[place] = sink
    weights = spot("weights", weights)
    mixed = spot("outputs", nn.functional.dropout(weights, dropout).to(value.dtype) @ value)
    return mixed.transpose(1, 2).contiguous(), weights


def mask(*args: Any, **options: Any) -> Tensor | None:
    """As `transformers.AttentionMaskInterface` wants it: whole, and never left out."""
    options |= {"allow_is_causal_skip": False, "allow_is_bidirectional_skip": False}
    made: Tensor | None = sdpa_mask(*args, **options)
    return made


def _adds(bias: Tensor | None) -> bool:
    """Whether it is more than a mask, which forbids and adds nothing else."""
    if bias is None or bias.dtype == torch.bool:
        return False
    return bool(bias[bias > torch.finfo(bias.dtype).min / 2].any())


def _spot(
    capture: Capture | None, module: nn.Module, query: Tensor
) -> tuple[Spot, tuple[Kind, int] | None]:
    """Where a call stands in its pass."""
    if capture is None:
        return untouched, None
    kind = capture.kinds.get(id(module))
    if kind is None:
        return untouched, None
    layer = capture.calls[kind]
    capture.calls[kind] += 1
    return capture.probe.at(kind, layer, capture.rows(query.shape[2])), (kind, layer)


def _mask(given: Tensor | None, scores: Tensor) -> tuple[Tensor, Tensor | None]:
    """What may be attended to, and what a mask adds beside that."""
    if given is None:
        return torch.ones((1, 1, *scores.shape[2:]), dtype=torch.bool, device=scores.device), None
    if given.dtype == torch.bool:
        return given, None
    allowed = given > torch.finfo(given.dtype).min / 2
    return allowed, torch.where(allowed, given, 0)


def _softmax(scores: Tensor, allowed: Tensor, sink: Tensor | None) -> tuple[Tensor, Tensor | None]:
    """Weights in float32, and what of each row (batch, head, query) flows into the sink."""
    scores = scores.float()
    if sink is None:
        return masked_softmax(scores, allowed), None
    columns = sink.float().reshape(1, -1, 1, 1).expand(*scores.shape[:3], 1)
    open_ = torch.ones_like(allowed[..., :1])
    weights = masked_softmax(torch.cat([scores, columns], -1), torch.cat([allowed, open_], -1))
    return weights[..., :-1], weights[..., -1]


AttentionInterface.register(NAME, attend)
AttentionMaskInterface.register(NAME, mask)
