"""Which rows hold weights that no softmax made."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.studies.forced import forced_rows
from core.trace import KINDS, AttentionTrace, Kind
from tests.viz.inspector.made import sunk, trace, windowed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("made", [trace, sunk, windowed])
def test_a_row_is_forced_where_its_weights_are_not_of_its_scores(
    made: Callable[[], AttentionTrace], kind: Kind
) -> None:
    """An edit that changes nothing leaves a softmax's."""
    site = made().sites[kind]
    assert forced_rows(site) is None
    assert forced_rows(replace(site, forced=True)) is None
    weights = np.copy(site.weights)
    weights[1, 4, 2] = 0.25
    weights[2, :, 3] *= 1.5
    found = forced_rows(replace(site, weights=weights, forced=True))
    wanted = np.zeros(weights.shape[:3], np.bool_)
    wanted[1, 4, 2] = wanted[2, :, 3] = True
    assert found is not None
    np.testing.assert_array_equal(found, wanted)


def test_without_scores_any_row_may_be() -> None:
    site = trace(scores=False).sites["cross"]
    assert forced_rows(site) is None
    found = forced_rows(replace(site, forced=True))
    assert found is not None
    assert found.all()


def test_a_row_that_may_look_at_nothing_is_no_exception() -> None:
    site = trace().sites["cross"]
    allowed, weights = np.copy(site.allowed), np.copy(site.weights)
    allowed[3], weights[:, :, 3] = False, 0
    shut = replace(site, allowed=allowed, weights=weights, forced=True)
    assert forced_rows(shut) is None
