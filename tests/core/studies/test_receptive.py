"""What a layer sees of a sentence is what its formula reads, and nothing else."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from core.studies.receptive import Field, ReceptiveOptions, receptive

OPTIONS = ReceptiveOptions(words=tuple("abcdefghi"), width=8, seeds=2, depths=(1, 3))
COUNT = len(OPTIONS.words)


@cache
def found() -> dict[tuple[str, int, int], Field]:
    return {(field.layer, field.kernel, field.depth): field for field in receptive(OPTIONS).fields}


@pytest.mark.parametrize("kernel", [3, 5])
@pytest.mark.parametrize("depth", [1, 3])
def test_a_convolution_sees_as_far_as_its_kernels_add_up(kernel: int, depth: int) -> None:
    field = found()["convolution", kernel, depth]
    reach = min(COUNT - 1, depth * (kernel // 2))
    assert field.farthest == reach
    for t, row in enumerate(field.norms):
        assert [norm > 0 for norm in row] == [abs(t - s) <= reach for s in range(COUNT)]


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("layer", ["rnn", "lstm", "causal attention"])
def test_what_goes_one_way_sees_all_that_came_before(layer: str, depth: int) -> None:
    field = found()[layer, 0, depth]
    for t, row in enumerate(field.norms):
        assert [norm > 0 for norm in row] == [s <= t for s in range(COUNT)]
    assert field.share == pytest.approx((COUNT + 1) / (2 * COUNT))


def test_attention_sees_all_alike_and_recurrence_forgets() -> None:
    assert found()["attention", 0, 1].share == 1.0
    last = found()["attention", 0, 1].norms[-1]
    assert max(last[:-1]) < 5 * min(last[:-1])
    for layer in ("rnn", "lstm"):
        first, *_, newest = found()[layer, 0, 1].norms[-1]
        assert first < newest / 10


def test_norms_are_the_median_over_the_seeds() -> None:
    """Of two: what lies in the middle between them."""
    small = ReceptiveOptions(words=("a", "b"), kernels=(3,), depths=(1,), width=4)
    one, two = (receptive(replace(small, seeds=seeds)).fields for seeds in (1, 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.studies.receptive.range", lambda _: (1,), raising=False)
        other = receptive(replace(small, seeds=1)).fields
    for first, second, both in zip(one, other, two, strict=True):
        middle = (np.array(first.norms) + np.array(second.norms)) / 2
        np.testing.assert_allclose(np.array(both.norms), middle, rtol=1e-12)


def test_progress_is_told_and_odd_wishes_are_refused() -> None:
    ticks: list[tuple[int, int]] = []
    small = ReceptiveOptions(words=("a", "b"), kernels=(3,), depths=(1,), width=4, seeds=1)
    receptive(small, lambda *tick: ticks.append(tick))
    assert ticks == [(at, 5) for at in range(1, 6)]
    for wrong in ({"words": ("a",)}, {"kernels": (4,)}, {"width": 6}):
        with pytest.raises(ValueError, match="two words or more"):
            receptive(ReceptiveOptions(**wrong))
