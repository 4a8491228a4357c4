"""A beam search for the browser: every hypothesis, its numbers, and where it left the beam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.inspectable import SearchTree
from viz.inspector.pack import token_columns


def beam_data(
    tree: SearchTree,
    *,
    language: str,
    text: Mapping[str, str],
    shown: Sequence[int] = (),
) -> dict[str, Any]:
    """What assets/beam/main.js takes as `data`.

    Args:
        language: BCP 47 tag of the texts.
        text: all the words that the inspector may show, and those of the beam.
        shown: vocabulary rows of the branch that is open as a look.
    """
    nodes = tree.nodes
    meta = {
        "beam": tree.beam,
        "ranked": list(tree.ranked),
        "parents": [node.parent for node in nodes],
        "ids": [node.token.id for node in nodes],
        "tokens": token_columns(tuple(node.token for node in nodes)),
        "gains": [node.gain for node in nodes],
        "totals": [node.total for node in nodes],
        "scores": [node.score for node in nodes],
        "fates": [node.fate for node in nodes],
        "shown": list(shown),
        "language": language,
        "text": dict(text),
    }
    return {"meta": meta}
