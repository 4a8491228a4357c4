"""What every network says of its sizes, whichever family it is of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

import torch
from pydantic import BaseModel, ConfigDict, Field, model_validator
from torch import Tensor, nn

from core.nn.relative import RelativePositions
from core.reasons import RefusedError
from core.text.tasks import Task, Translating


class Sizes(BaseModel):
    """The configuration of a network, bounded so that nothing absurd is ever built.

    Attributes:
        vocab_size: entries of the vocabulary.
        d_model: width of what goes from layer to layer.
        max_length: the most tokens a side.
        pad_id: the token that stands for none, and is not read: `core.text.tokenizer.PAD_ID`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    # For the type checker alone: each family declares them in its own order and within its own
    # bounds, since the order is that of its config.json.
    if TYPE_CHECKING:
        vocab_size: int
        d_model: int
        max_length: int
        pad_id: int

    @model_validator(mode="after")
    def _pad_is_a_token(self) -> Self:
        if self.pad_id >= self.vocab_size:
            raise ValueError("pad_id is outside the vocabulary")
        return self

    @property
    def task(self) -> Task:
        """What it is trained to do."""
        return Translating()

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """That a family declares them.

        Raises:
            TypeError: naming what is missing.
        """
        missing = {"vocab_size", "d_model", "max_length", "pad_id"} - cls.model_fields.keys()
        if missing:
            raise TypeError(f"{cls.__name__} has no {', '.join(sorted(missing))}")


Label = Annotated[str, Field(pattern=r"^\S{1,40}$")]
"""What a text, or a word of it, is labelled with."""


def check_labels(labels: Sequence[str]) -> None:
    """That there are some to choose from.

    Raises:
        RefusedError: one alone, or one twice.
    """
    if len(set(labels)) != len(labels):
        raise RefusedError("labels_repeat")
    if len(labels) < 2:
        raise RefusedError("labels_few")


class Network(nn.Module):
    """A module that is built of its sizes alone, and holds nothing of any call.

    A checkpoint holds its `state_dict` as floats, each tensor under one name, and reads it into a
    network that was built without any storage: a tie of two parameters is a use of one, whatever
    else is not saved is made of numpy, and integers are no part of it. Where several processes
    train, each parameter needs a gradient in every batch.

    Attributes:
        config: its sizes.
        embedding: (vocab, width) of what each token is read as.
    """

    config: Sizes
    embedding: nn.Embedding

    def take_in(self, ids: Iterable[int]) -> None:
        """Count the tokens of a batch before it is learnt from; most count none.

        Of the whole batch, of which each of several processes learns from a share.
        """

    def unembed(self, hidden: Tensor) -> Tensor:
        """hidden (..., d_model) -> logits (..., vocab), or (..., label) of one that labels."""
        raise NotImplementedError


_UNTOLD: Final = ("heads", "norm", "positions", "activation", "output_bias", "never_written")
"""Sizes that no shape of a weight tells."""


_OF_ENTRIES: Final = ("embedding.weight", "context.weight", "output_bias")
"""Weights with a row for each entry of the vocabulary."""


def begin_with(
    network: Network, pretrained: Network, entries: Sequence[Sequence[int]] | None = None
) -> None:
    """Take the weights of another network; what that has none of, stays.

    So does what was learned of distances, where that one looked one way and this one looks both.

    Where feed-forward networks here are wider, their other units begin as they are, and nobody
    hears of them yet: both networks compute the same (cf. Chen et al., 2016, Section 2.3).

    Args:
        entries: where the vocabularies differ, for each entry here the ones there that spell it:
            its weights begin as the mean of theirs (Gee et al., 2022, Section 2.2), and afresh
            where there is none. What was counted of entries is not taken.

    Raises:
        RefusedError: one of the same name is of another shape, or they would mean something else
            here.
    """
    for name in _UNTOLD:
        there, here = (getattr(one.config, name, None) for one in (pretrained, network))
        if there != here:
            raise RefusedError("pretrained_size", name=name, there=str(there), here=str(here))
    there, here = (", ".join(getattr(one.config, "labels", ())) for one in (pretrained, network))
    if there and here and there != here:  # a row of the head would be of another one
        raise RefusedError("pretrained_size", name="labels", there=there, here=here)
    own, theirs = network.state_dict(), pretrained.state_dict()
    turned = _distances(network).items() ^ _distances(pretrained).items()
    shared = {n: theirs[n] for n in theirs if n in own and n not in dict(turned)}
    if entries is not None:
        learnt = dict(network.named_parameters()).keys() & shared.keys()
        shared = {name: shared[name] for name in learnt}
        for name in learnt & set(_OF_ENTRIES):
            shared[name] = _spelled(own[name], shared[name], entries)
    for name in shared:
        if ".feed_forward." in name:
            shared[name] = _widened(own[name], shared[name])
    for name, tensor in shared.items():
        if own[name].shape != tensor.shape:
            there, here = (" x ".join(map(str, one.shape)) for one in (tensor, own[name]))
            raise RefusedError("pretrained_shape", name=name, there=there, here=here)
    network.load_state_dict(own | shared)


def _distances(network: Network) -> dict[str, bool]:
    """Weights of groups of distances, and whether those are of both sides of a token."""
    return {
        f"{name}.bias": module.both_ways
        for name, module in network.named_modules()
        if isinstance(module, RelativePositions) and module.positions == "relative"
    }


def _widened(own: Tensor, theirs: Tensor) -> Tensor:
    """A weight of a feed-forward network with more units than theirs has, else theirs."""
    more = len(own) - len(theirs)
    if more > 0 and own.shape[1:] == theirs.shape[1:]:  # what units hear: (d_ff, ...)
        return torch.cat([theirs, own[-more:]])
    if more == 0 and own.dim() == 2 and own.shape[1] > theirs.shape[1]:  # what they say
        return nn.functional.pad(theirs, (0, own.shape[1] - theirs.shape[1]))
    return theirs


def _spelled(own: Tensor, theirs: Tensor, entries: Sequence[Sequence[int]]) -> Tensor:
    """Rows of a weight, by the entries that spell each."""
    rows = zip(own, entries, strict=True)
    return torch.stack([theirs[list(ids)].mean(0) if ids else row for row, ids in rows])
