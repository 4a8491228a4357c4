"""The search's tree is that of its slow twin, and its nodes add up."""

from itertools import accumulate

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core.decoding.beam import ROOT, beam_search
from core.text.tokenizer import Ends
from tests.core.decoding.slow import slow_beam_search
from tests.core.decoding.test_search import END, MODELS, Ids, next_log_probabilities


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, len(MODELS) - 1),
    Ids,
    st.integers(1, 10),
    st.integers(1, 5),
    st.sampled_from([0.0, 0.6, 1.5]),
    st.sampled_from([(END,), (END, 5), (5, 6, 7)]),
)
def test_it_holds_what_its_slow_twin_holds(
    model: int, source: list[int], limit: int, beam: int, alpha: float, closing: tuple[int, ...]
) -> None:
    batch = torch.tensor([source])
    ends = Ends(closing=closing)
    (fast,) = beam_search(MODELS[model], batch, [limit], ends, beam=beam, alpha=alpha)
    slow = slow_beam_search(MODELS[model], batch, limit, ends, beam=beam, alpha=alpha)
    assert [fast.path(place) for place in fast.ranked] == [
        slow.path(place) for place in slow.ranked
    ]
    assert [(node.parent, node.token) for node in fast.nodes] == [
        (node.parent, node.token) for node in slow.nodes
    ]
    assert fast.fates == slow.fates
    for one, other in zip(fast.nodes, slow.nodes, strict=True):
        assert one.total == pytest.approx(other.total, abs=1e-4)
    for place, found in zip(fast.ranked, fast.hypotheses(), strict=True):
        assert found.tokens == fast.path(place)
        assert found.gains == fast.gains(place)
        assert [*accumulate(found.gains)][-1] == fast.nodes[place].total
        assert sum(found.gains) == pytest.approx(fast.nodes[place].total, abs=1e-12)
        assert found.finished == (fast.fates[place] == "ended")


def test_every_node_is_the_models_own_number_and_has_one_fate() -> None:
    source = [4, 5, 6]
    (tree,) = beam_search(MODELS[1], torch.tensor([source]), [8], beam=3)
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
