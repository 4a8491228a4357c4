"""What a ready recipe trains: the kinds of models on offer, and their sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from core.checkpoint.config import config_of_json
from core.checkpoint.manifest import CONFIG, read_bounded
from core.errors import HeadlightError
from core.family import DEFAULT
from core.nn.recurrent import CellName
from core.nn.relative import Positions
from core.nn.seq2seq import Score

Size = Literal["tiny", "small"]
SIZES: Final[tuple[Size, ...]] = get_args(Size)

Network = Literal[
    "transformer",
    "attention",
    "bottleneck",
    "text",
    "label",
    "labels",
    "next",
    "forward",
    "backward",
    "masked",
    "tuned",
    "skipgram",
]
NETWORKS: Final[tuple[Network, ...]] = get_args(Network)
"""A Transformer; a Seq2Seq with attention, and without; one recurrent stack that writes a text,
gives a text a label, or each of its words one, or foretells the next token; language models; labels
by one that is there; a skip-gram."""
WRITING: Final = frozenset[Network](("transformer", "attention", "bottleneck", "text"))
"""Those that write what stands in the second column."""
RECURRENT: Final = frozenset[Network](
    ("attention", "bottleneck", "text", "label", "labels", "next")
)
"""Those that have a cell to choose."""
ATTENDING: Final = frozenset[Network](("transformer", "forward", "backward", "masked"))
"""Those that have a way to choose of telling them where tokens stand."""
CELLS: Final[tuple[CellName, ...]] = ("gru", "lstm", "rnn")
SCORES: Final[tuple[Score, ...]] = ("dot", "general", "additive")
POSITIONS: Final[tuple[Positions, ...]] = get_args(Positions)

_FAMILIES: Final[Mapping[Network, str]] = {
    "transformer": DEFAULT,
    "attention": "seq2seq",
    "bottleneck": "seq2seq",
    "text": "recurrent",
    "label": "recurrent",
    "labels": "recurrent",
    "next": "recurrent",
    "forward": "language",
    "backward": "language",
    "masked": "language",
    "tuned": "language",
    "skipgram": "skipgram",
}
_MODELS: Final[Mapping[Size, Mapping[str, int]]] = {
    "tiny": {"d_model": 64, "d_ff": 256, "heads": 4, "encoder_layers": 2, "decoder_layers": 2},
    "small": {"d_model": 192, "d_ff": 768, "heads": 6, "encoder_layers": 3, "decoder_layers": 3},
}
_PEAKS: Final[Mapping[Size, float]] = {"tiny": 3e-3, "small": 1.5e-3}
_STEEP_PEAKS: Final[Mapping[Size, float]] = {"tiny": 1e-2, "small": 3e-3}
_STEEP: Final = frozenset[Network](
    ("attention", "bottleneck", "text", "label", "labels", "skipgram")
)
_TUNING: Final = 1e-3  # what has been learned is not to be lost at once


@dataclass(frozen=True, slots=True)
class Base:
    """A language model that another run begins with.

    Attributes:
        path: its checkpoint's folder.
        sizes: as its config.json has them, without what its tokenizer and its limits decide.
        max_source: tokens that it reads.
    """

    path: str
    sizes: Mapping[str, Any]
    max_source: int


def base_of(folder: Path) -> Base | None:
    """What a checkpoint is as a base of labels; None of one that cannot be that.

    A backward model ends at the start of a text: it has no token that has seen all of it.
    """
    try:
        config = config_of_json(read_bounded(folder, CONFIG))
    except (HeadlightError, ValueError):
        return None
    sizes = config.model.model_dump(mode="json")
    if config.family != "language" or sizes["labels"] or sizes["objective"] == "backward":
        return None
    own = {
        n: value for n, value in sizes.items() if n not in ("vocab_size", "max_length", "pad_id")
    }
    return Base(str(folder), own, config.max_source)


@dataclass(frozen=True, slots=True)
class Kind:
    """Which model.

    Attributes:
        network: "label" and "tuned" for pairs of which `core.training.ready.labels_of` finds some
            alone, "labels" for those of which `tags_of` does.
        cell, score, positions: of those networks that have them.
        base: what "tuned" begins with.
    """

    network: Network = "transformer"
    cell: CellName = "gru"
    score: Score = "dot"
    positions: Positions = "sinusoidal"
    base: Base | None = None

    @property
    def family(self) -> str:
        """As recipes name it."""
        return _FAMILIES[self.network]

    def peak(self, size: Size) -> float:
        """The highest learning rate."""
        if self.network == "tuned":
            return _TUNING
        return (_STEEP_PEAKS if self.network in _STEEP else _PEAKS)[size]

    def sizes(self, size: Size, labels: tuple[str, ...], dropout: float) -> dict[str, object]:
        """Of the network, as its family has them.

        Args:
            labels: of those networks that give them.
        """
        transformer, width = _MODELS[size], _MODELS[size]["d_model"]
        match self.network:
            case "transformer":
                own = {**transformer, "norm": "pre", **self._positions}
            case "attention" | "bottleneck":
                score = self.score if self.network == "attention" else "none"
                own = {"cell": self.cell, "attention": score, "layers": 1, "d_model": width}
            case "label" | "labels":
                width = width // 2 if self.network == "label" else width  # small enough to be read
                own = {"answers": self.network, "labels": list(labels), "d_model": width}
                own["cell"] = self.cell
            case "text" | "next":
                own = {"answers": self.network, "cell": self.cell, "d_model": 2 * width}
            case "skipgram":
                return {"d_model": width}
            case "tuned":
                assert self.base is not None
                return {**self.base.sizes, "labels": list(labels), "dropout": dropout}
            case objective:
                shared = {name: transformer[name] for name in ("d_model", "d_ff", "heads")}
                own = {"objective": objective, "layers": transformer["encoder_layers"], **shared}
                own |= self._positions
        return {**own, "dropout": dropout}

    @property
    def _positions(self) -> dict[str, object]:
        return {} if self.positions == "sinusoidal" else {"positions": self.positions}


TRANSFORMER: Final = Kind()
