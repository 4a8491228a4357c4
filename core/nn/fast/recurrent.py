"""What a recurrent layer carries through time, in one call of torch's own kernels.

Its gates stay in there: who wants to look at them takes the layer itself (`core.nn.recurrent`).
Forward and back over 32 x 16 tokens, width 256, one thread of an EPYC: an LSTM in half the time,
GRU and RNN in about the same; on a GPU the layer itself waits for each of its steps.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from core.nn.fast.tried import works
from core.nn.recurrent import GRU, LSTM, Read, RecurrentLayer, States


def carried(
    layer: RecurrentLayer, x: Tensor, lengths: Tensor, before: States | None = None
) -> tuple[Tensor, States]:
    """The hidden state of every step, and what is carried out of the last real one.

    Args:
        layer: an RNN, LSTM or GRU.
        x: (batch, step, d_input), padded on the right.
        lengths: (batch,) of int64 on the CPU: real steps, 1 or more.
        before: what is carried into the first step, each (batch, d_hidden); zeros if None.

    Returns:
        Hidden states (batch, step, d_hidden), zeros at padding; and each carried state
        (batch, d_hidden) as the last real step leaves it.
    """
    before = layer.begin(x) if before is None else before
    if isinstance(layer, LSTM) and _in_bf16(x) and not works(_lstm_in_bf16):
        with torch.autocast("cpu", enabled=False):
            plain = {name: values.float() for name, values in before.items()}
            return _carried(layer, x.float(), lengths, plain)
    return _carried(layer, x, lengths, before)


def of_length(lengths: Tensor) -> Read:
    """How a layer reads rows of these lengths, as `carried` has them."""
    return lambda layer, x, start: carried(layer, x, lengths, start)


def _in_bf16(x: Tensor) -> bool:
    """Whether a processor is asked for products in bf16."""
    return x.device.type == "cpu" and torch.is_autocast_enabled("cpu")


def _lstm_in_bf16() -> None:
    """An LSTM's kernel there and back: oneDNN's, for rows of one length, wants more than AVX2."""
    with torch.inference_mode(False), torch.enable_grad(), torch.autocast("cpu", torch.bfloat16):
        layer, lengths = LSTM(8, 8), torch.tensor([2, 2])
        x = torch.zeros(2, 2, 8)
        every, _ = _carried(layer, x, lengths, layer.begin(x))
        torch.autograd.backward(every.float().sum())


def _carried(
    layer: RecurrentLayer, x: Tensor, lengths: Tensor, before: States
) -> tuple[Tensor, States]:
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    order = packed.sorted_indices
    started = {name: values[order][None].contiguous() for name, values in before.items()}
    weights = _weights(layer)
    # (data, batch_sizes, start, weights, with biases, layers, dropout, training, both directions)
    rest = (weights, True, 1, 0.0, layer.training, False)
    if isinstance(layer, LSTM):
        both = (started["hidden"], started["cell"])
        data, hidden, cell = torch.lstm(packed.data, packed.batch_sizes, both, *rest)
        last = {"hidden": hidden, "cell": cell}
    else:
        kernel = torch.gru if isinstance(layer, GRU) else torch.rnn_tanh
        data, hidden = kernel(packed.data, packed.batch_sizes, started["hidden"], *rest)
        last = {"hidden": hidden}
    every, _ = pad_packed_sequence(
        packed._replace(data=data), batch_first=True, total_length=x.shape[1]
    )
    return every, {name: values[0][packed.unsorted_indices] for name, values in last.items()}


def _weights(layer: RecurrentLayer) -> list[Tensor]:
    """W_xh, W_hh and their biases, as torch's kernels want them."""
    parts = [
        layer.from_input.weight,
        layer.from_hidden.weight,
        layer.from_input.bias,
        layer.from_hidden.bias,
    ]
    if not isinstance(layer, GRU):
        return parts
    # Its update gate is torch's with the other sign.
    signs = parts[0].new_ones(3)
    signs[1] = -1
    rows = signs.repeat_interleave(layer.d_hidden)
    return [part * (rows[:, None] if part.ndim == 2 else rows) for part in parts]
