"""What every network says of its sizes, whichever family it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict
from torch import nn

from core.text.tasks import Task, Translating


class Sizes(BaseModel):
    """The configuration of a network, bounded so that nothing absurd is ever built.

    Attributes:
        vocab_size: entries of the vocabulary.
        d_model: width of what goes from layer to layer.
        max_length: the most tokens a side.
        pad_id: the token that stands for none: `core.text.tokenizer.PAD_ID`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    # For the type checker alone: each family declares them in its own order and within its own
    # bounds, since the order is that of its config.json.
    if TYPE_CHECKING:
        vocab_size: int
        d_model: int
        max_length: int
        pad_id: int

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
