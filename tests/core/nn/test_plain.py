"""The whole network by its plain functions alone, as the paper has them, and as it is computed."""

from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from core.families.transformer.objective import label_smoothed_loss
from core.nn import attention, modules, softmax, transformer
from core.nn.attention import attend
from core.nn.fast import packed
from core.nn.loss import smoothed_cross_entropy
from core.nn.transformer import Transformer, TransformerConfig
from core.text.examples import Example, collate, translation
from core.text.tokenizer import PAD_ID

IDS = st.lists(st.integers(4, 29), min_size=1, max_size=7).map(tuple)
EXAMPLES = st.lists(st.builds(translation, IDS, IDS), min_size=1, max_size=4)
SIZES = {"d_model": 16, "d_ff": 24, "heads": 4, "encoder_layers": 2, "decoder_layers": 2}


def plain_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    allowed: Tensor,
    *,
    bias: Tensor | None = None,
    dropout_p: float = 0.0,
) -> Tensor:
    """`attend` where somebody looks: it writes the equation out."""
    spot = lambda record, x, shape=None: x  # noqa: E731
    return attend(q, k, v, allowed, bias=bias, dropout_p=dropout_p, spot=spot)


PLAIN = SimpleNamespace(
    attention=plain_attention,
    masked_softmax=softmax.masked_softmax,
    linear=F.linear,
    dropout=F.dropout,
)


def plain_loss(model: Transformer, examples: list[Example], smoothing: float) -> Tensor:
    """Of a batch, with all of its padding computed."""
    batch = collate(examples)
    logits = model(batch.source, batch.target)
    real = batch.written != PAD_ID
    return smoothed_cross_entropy(logits[real], batch.written[real], smoothing)


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize(
    "widths",
    [
        {},
        {"d_k": 3, "d_v": 5},
        {"positions": "rotary"},
        {"positions": "alibi"},
        {"positions": "relative"},
        {"positions": "none"},
        {"activation": "gelu"},
        {"activation": "silu", "output_bias": True},
    ],
)
@settings(max_examples=12, deadline=None)
@given(examples=EXAMPLES, smoothing=st.sampled_from([0.0, 0.1]))
def test_loss_and_gradient_are_those_of_the_plain_functions(
    norm: str, widths: dict[str, object], examples: list[Example], smoothing: float
) -> None:
    torch.manual_seed(0)
    sizes: dict[str, object] = {"vocab_size": 30, "norm": norm, "dropout": 0.0, **SIZES, **widths}
    model = Transformer(TransformerConfig.model_validate(sizes)).double()
    if model.output_bias is not None:  # which starts at none
        torch.nn.init.normal_(model.output_bias)
    parameters = list(model.parameters())
    loss = label_smoothed_loss(model, collate(examples), smoothing)
    slopes = torch.autograd.grad(loss, parameters)
    with pytest.MonkeyPatch.context() as patch:
        for module in (attention, modules, transformer):
            patch.setattr(module, "fast", PLAIN)
        patch.setattr(packed, "serves", lambda source_allowed: False)
        expected = plain_loss(model, examples, smoothing)
        plain_slopes = torch.autograd.grad(expected, parameters)
    torch.testing.assert_close(loss.double(), expected, atol=1e-6, rtol=1e-6)
    for slope, plain in zip(slopes, plain_slopes, strict=True):
        torch.testing.assert_close(slope, plain, atol=1e-6, rtol=1e-5)
