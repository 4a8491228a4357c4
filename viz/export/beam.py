"""A beam search, taken along: as a figure for paper, or as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from matplotlib.figure import Figure

from core.outputs import SearchTree
from viz.export.paper.beam import beam_tree
from viz.export.paper.style import paper, printed
from viz.export.paper.table import table, told_as_json
from viz.export.request import Format, wrong
from viz.text.beam import TEXT
from viz.text.browser import inspector_words
from viz.text.language import Language
from viz.text.refusals import because

_LONGEST: Final = 200  # inches: what a page of a PDF may measure
_LARGEST: Final = 1000  # square inches: 90 million dots, some 400 MB while they are drawn


def beam_exported(
    tree: SearchTree, form: Format, *, language: Language, source: str, model_id: str
) -> bytes:
    """The bytes of a file: png, svg, pdf, csv or json.

    Args:
        source: the sentence that was searched for.
        model_id: who searched.

    Raises:
        HeadlightError: parameter_invalid for a form that holds one trace, and for a figure of a
            tree that is larger than paper.
    """
    if form in ("npz", "html"):
        raise wrong("out", form, because("search_form"))
    if form == "csv":
        return table(_nodes(tree))
    if form == "json":
        told: dict[str, Any] = {"view": "beam", "model_id": model_id, "source": source}
        told |= {"beam": tree.beam, "nodes": list(_nodes(tree))}
        return told_as_json(told)
    words = inspector_words(language, TEXT)
    with paper():
        figure = beam_tree(tree, words, f"{source} ({model_id})")
        _refuse_large(figure)
        return printed(figure, form)


def _refuse_large(figure: Figure) -> None:
    """Refuses a tree that no page has room for, before it takes the memory of all its dots."""
    wide, tall = figure.get_size_inches()
    if max(wide, tall) > _LONGEST or wide * tall > _LARGEST:
        room = {"side": _LONGEST, "room": _LARGEST}
        size = {"wide": float(wide), "tall": float(tall)}
        instead = because("instead_numbers")
        raise wrong("view", "tree", because("paper_tree", **room, **size, instead=instead))


def _nodes(tree: SearchTree) -> Iterator[dict[str, object]]:
    """One line a token that a hypothesis wrote; what has no parent or no rank is empty.

    The first token of each reads the start, which is no node.
    """
    ranks = {place: rank + 1 for rank, place in enumerate(tree.ranked)}
    steps: list[int] = []
    for place, node in enumerate(tree.nodes):
        first = node.parent < 0
        steps.append(1 if first else steps[node.parent] + 1)
        yield {
            "node": place + 1,
            "parent": "" if first else node.parent + 1,
            "step": steps[-1],
            "id": node.token.id,
            "token": node.token.text,
            "reads": "" if first else tree.nodes[node.parent].token.text,
            "log_probability": node.gain,
            "sum": node.total,
            "score": node.score,
            "fate": node.fate,
            "answer": ranks.get(place, ""),
        }
