"""Which tokens a model reads as nearly the same: the nearest of its embedding, and a map of them.

Near is the angle between two vectors, whose lengths tell of how often a token is met (Mikolov et
al. 2013, section 4).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.outputs import Embedding
from core.trace import Bools, Floats, Token

_BYTE: Final = re.compile("<0x[0-9A-F]{2}>")  # what is left of a letter that is cut
_ALIKE: Final = 32  # tokens that may read the same as another, at most


@dataclass(frozen=True, slots=True)
class Near:
    """One token, and those nearest to it.

    Attributes:
        token: in the text.
        ids: of its neighbours, the nearest first.
        cosines: of the angle to each, -1 to 1.
    """

    token: Token
    ids: tuple[int, ...]
    cosines: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The tokens of a text among their neighbours.

    Attributes:
        near: of each token of the text, in order, once.
        places: two coordinates of each token that is named, by its id. Two of them lie no farther
            apart than their arrows' tips do, and maybe nearer: so much as a plane can show.
        kept: share of what tells the named tokens apart that the plane shows, 0 to 1.
    """

    near: tuple[Near, ...]
    places: dict[int, tuple[float, float]]
    kept: float

    def called(self, tokens: Sequence[Token]) -> dict[int, str]:
        """The text of each token that is named, by its id.

        One of the text is called as it is there: alone, a byte does not say of which letter it is.

        Args:
            tokens: the whole vocabulary.
        """
        alone = {id: tokens[id].text for id in self.places}
        return alone | {one.token.id: one.token.text for one in self.near}


def neighbours(embedding: Embedding, count: int) -> Neighbours:
    """Each token's nearest.

    Args:
        count: neighbours of each, 1 or more; fewer where the vocabulary has fewer. Special tokens
            and parts of letters are nobody's, and what reads the same as the token is not its own.

    Raises:
        ValueError: a count below 1.
    """
    if count < 1:
        raise ValueError("at least one neighbour")
    units = _units(embedding.vectors)
    candidates = np.array([_names_something(token) for token in embedding.tokens], dtype=np.bool_)
    candidates &= units.any(axis=1)
    centres: dict[int, Token] = {}
    for token in embedding.read:
        if not token.special:
            centres.setdefault(token.id, token)
    near = tuple(
        _near(token, units, candidates, embedding.tokens, count) for token in centres.values()
    )
    if not near:
        return Neighbours((), {}, 1.0)
    named = list(dict.fromkeys([*centres, *(id for one in near for id in one.ids)]))
    plane, kept = _plane(units[named])
    places = {id: (float(x), float(y)) for id, (x, y) in zip(named, plane, strict=True)}
    return Neighbours(near, places, kept)


def _units(vectors: Floats) -> Floats:
    """Each of length 1; one that has none stays."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _names_something(token: Token) -> bool:
    part = token.byte or _BYTE.search(token.text)
    return not token.special and bool(token.text.strip()) and not part


def _near(
    token: Token, units: Floats, candidates: Bools, tokens: Sequence[Token], count: int
) -> Near:
    cosines = np.where(candidates, units @ units[token.id], -np.inf)
    cosines[token.id] = -np.inf
    most = min(len(cosines), count + _ALIKE)
    nearest = np.argpartition(-cosines, most - 1)[:most]
    order = [int(id) for id in nearest[np.argsort(-cosines[nearest], kind="stable")]]
    others = [id for id in order if np.isfinite(cosines[id]) and tokens[id].text != token.text][
        :count
    ]
    return Near(token, tuple(others), tuple(float(np.clip(cosines[id], -1, 1)) for id in others))


def _plane(units: Floats) -> tuple[Floats, float]:
    """(token, 2) principal components, and the share of the variance that they are."""
    spread = units - units.mean(0)
    left, singular, _ = np.linalg.svd(spread, full_matrices=False)
    plane: Floats = np.zeros((len(units), 2), dtype=np.float32)
    width = min(2, len(singular))
    plane[:, :width] = left[:, :width] * singular[:width]
    whole = float((singular**2).sum())
    return plane, float((singular[:2] ** 2).sum()) / whole if whole else 1.0
