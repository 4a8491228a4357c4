"""What a soak makes of what it saw."""

import random

import pytest

from tests.bench.soak import MOST_MB, Sample, Soaked, sentence


def soaked(growth_mb: float, *troubles: str) -> Soaked:
    """Four visitors for a minute: a store that fills in the first quarter, then a steady growth."""
    found = Soaked(4, 1.0, troubles=list(troubles))
    for second in range(60):
        filled = 100.0 * min(second, 15)
        grown = growth_mb * 4 * max(0.0, (second - 22) / (52 - 22))
        found.samples.append(Sample(second, 400.0 + filled + grown, 30, 9))
    return found


@pytest.mark.parametrize(("growth", "met"), [(0.0, True), (4.0, True), (6.0, False), (-3.0, True)])
def test_growth_is_told_for_each_visitor_once_stores_are_full(growth: float, met: bool) -> None:
    found = soaked(growth)
    assert found.settled_mb == pytest.approx(1900, abs=max(1.0, abs(growth)))
    assert found.growth_mb == pytest.approx(growth, abs=0.15 * abs(growth))
    assert (found.growth_mb <= MOST_MB) == found.met == met


def test_what_went_wrong_is_not_met() -> None:
    assert not soaked(0.0, "TimeoutError").met


def test_nobody_looked_at_a_sentence_before() -> None:
    made = [sentence(random.Random(0)) for _ in range(200)]
    assert len(set(made)) == 200
