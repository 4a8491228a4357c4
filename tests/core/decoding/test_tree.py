"""The recorded beam search finds what the fast one finds, and its nodes add up."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.beam import beam_search, score
from core.decoding.tree import ROOT, beam_tree
from tests.core.decoding.test_search import END, MODELS, START, Ids, next_log_probabilities

TOKENS = {"start_id": START, "end_id": END}


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, len(MODELS) - 1),
    Ids,
    st.integers(1, 10),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.6, 1.5]),
)
def test_it_answers_as_the_fast_search(
    model: int, source: list[int], limit: int, beam: int, alpha: float
) -> None:
    batch = torch.tensor([source])
    how = {"beam": beam, "alpha": alpha, **TOKENS}
    fast = beam_search(MODELS[model], batch, [limit], **how)[0]  # type: ignore[arg-type]
    tree = beam_tree(MODELS[model], batch, limit, **how)  # type: ignore[arg-type]
    assert [tree.path(place) for place in tree.ranked] == [found.tokens for found in fast]
    for place, found in zip(tree.ranked, fast, strict=True):
        assert tree.nodes[place].total == pytest.approx(found.log_probability, abs=1e-4)
        assert tree.score(place, alpha) == pytest.approx(score(found, alpha), abs=1e-4)
        assert (tree.fates[place] == "ended") == found.finished


def test_every_node_is_the_models_own_number_and_has_one_fate() -> None:
    source = [4, 5, 6]
    tree = beam_tree(MODELS[1], torch.tensor([source]), 8, beam=3, **TOKENS)
    parents = {node.parent for node in tree.nodes}
    for place, node in enumerate(tree.nodes):
        path = tree.path(place)
        assert node.parent < place
        gains = next_log_probabilities(MODELS[1], source, path[:-1])
        assert node.gain == pytest.approx(float(gains[node.token]), abs=1e-4)
        before = 0.0 if node.parent == ROOT else tree.nodes[node.parent].total
        assert node.total == before + node.gain
        assert (tree.fates[place] == "grew") == (place in parents)
        assert (tree.fates[place] == "ended") == (node.token == END)
    lengths = [len(tree.path(place)) for place in range(len(tree.nodes))]
    for length in range(1, max(lengths) + 1):
        live = [at for at, n in enumerate(tree.nodes) if lengths[at] == length and n.token != END]
        assert len(live) <= 3
    assert {"grew", "left"} <= set(tree.fates)


def test_parameters_have_bounds() -> None:
    for limit, beam, alpha in ((0, 1, 0.6), (1, 0, 0.6), (1, 1, -1.0)):
        with pytest.raises(ValueError, match="beam >= 1"):
            beam_tree(MODELS[0], torch.tensor([[4]]), limit, beam=beam, alpha=alpha, **TOKENS)
