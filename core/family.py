"""What a family of models brings, and how it is found by the name that a checkpoint gives.

A family is a module with a `FAMILY` in it. Nothing of it is imported before it is asked for, so
that whoever lists models does not wait for torch.

To add one: a `Network` and its `Sizes`; an `OwnModel` (`core.families.own`), which people look
into, an `OwnTranslator` where it writes and an `OwnReader` where it says something of each token
that it reads; a loss and a likelihood; the `FAMILY` of all of them. It is found where `_MODULES`
names its module, where an installed package does (an entry point of the group
"headlight.families"), or, in one process, where `register` was called. `viz/text/model.py` has
names for people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Final

from core.reasons import RefusedError

if TYPE_CHECKING:
    import torch
    from torch import Tensor

    from core.checkpoint.folder import Checkpoint
    from core.model import Inspectable
    from core.nn.network import Network, Sizes
    from core.text.examples import Batch
    from core.text.tokenizer import TokenizerKind

DEFAULT: Final = "transformer"
GROUP: Final = "headlight.families"
_MODULES: Final = {
    DEFAULT: "core.families.transformer",
    "seq2seq": "core.families.seq2seq",
    "recurrent": "core.families.recurrent",
    "language": "core.families.language",
    "skipgram": "core.families.skipgram",
}


def _as_it_is(sizes: Sizes, device: torch.device) -> Sizes:
    return sizes


@dataclass(frozen=True, slots=True)
class Family:
    """How models of one kind are built, looked into and trained.

    Attributes:
        name: as `config.json` and recipes have it.
        sizes: the class of its configuration.
        network: builds it of its sizes, with weights at their start.
        model: what people look into, of an opened checkpoint.
        loss: of a network in training and a batch, with a share of label smoothing: summed over
            the real target tokens, in nats. A sum, because who shares an update divides by the
            tokens of all its parts; of a batch without a real token it is 0, with a gradient. It
            may run under autocast.
        likelihood: (batch,) the negative log-likelihood of the real target tokens of each row of a
            batch, in nats; of a network in eval mode, without gradients.
        tokenizers: kinds of tokenizer that it learns.
        sample: sizes of a small stand-in whose speed tells that of the network on a device; as it
            is, the network itself.
    """

    name: str
    sizes: type[Sizes]
    network: Callable[[Any], Network]
    model: Callable[[Checkpoint[Any]], Inspectable]
    loss: Callable[[Any, Batch, float], Tensor]
    likelihood: Callable[[Any, Batch], Tensor]
    tokenizers: tuple[TokenizerKind, ...] = ("sentencepiece", "characters")
    sample: Callable[[Any, torch.device], Sizes] = _as_it_is


def register(name: str, module: str) -> None:
    """Make a family known: the module's `FAMILY` is of that name."""
    _MODULES[name] = module


def find(name: str) -> Family:
    """The family of that name.

    Raises:
        RefusedError: there is none.
        ValueError: it calls itself something else.
    """
    modules = _brought() | _MODULES
    if name not in modules:
        raise RefusedError("one_of", known=", ".join(sorted(modules)))
    family: Family = import_module(modules[name]).FAMILY
    if family.name != name:
        raise ValueError(f"{modules[name]} calls itself {family.name!r}, not {name!r}")
    return family


@cache
def _brought() -> dict[str, str]:
    """Modules by name, of what installed packages bring."""
    return {point.name: point.value for point in entry_points(group=GROUP)}
