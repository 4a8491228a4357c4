"""Learning rates, and the steps at which checkpoints are kept."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.training.milestones import milestone_steps
from core.training.recipe import Schedule
from core.training.schedule import paper_rate, rate


def test_the_papers_rate_peaks_where_warmup_ends() -> None:
    assert paper_rate(4000, 512, 4000) == pytest.approx(6.9877124297e-4, rel=1e-10)
    rates = [paper_rate(step, 512, 4000) for step in range(1, 12_000)]
    assert rates.index(max(rates)) + 1 == 4000
    assert rates[:4000] == sorted(rates[:4000])
    assert rates[3999:] == sorted(rates[3999:], reverse=True)
    with pytest.raises(ValueError, match="count from 1"):
        paper_rate(0, 512, 4000)


@given(st.sampled_from(["linear", "cosine", "constant"]), st.integers(1, 500), st.integers(2, 1000))
def test_a_rate_rises_to_its_peak_and_never_again(kind: str, warmup: int, steps: int) -> None:
    schedule = Schedule.model_validate({"kind": kind, "warmup": warmup, "peak": 0.5})
    rates = [rate(schedule, step, steps, 512) for step in range(1, steps + 1)]
    assert all(0 < value <= 0.5 for value in rates)
    top = rates.index(max(rates)) + 1
    assert rates[:top] == sorted(rates[:top])
    assert rates[top - 1 :] == sorted(rates[top - 1 :], reverse=True)
    if warmup < steps:
        assert max(rates) == pytest.approx(0.5, rel=0.5 if kind != "constant" else 1e-9)


def test_schedules_end_where_they_say() -> None:
    ends = {
        kind: rate(
            Schedule.model_validate({"kind": kind, "warmup": 10, "peak": 1.0}), 1000, 1000, 1
        )
        for kind in ("linear", "cosine", "constant")
    }
    assert ends["constant"] == 1.0
    assert ends["linear"] == pytest.approx(1 / 990)
    assert 0 < ends["cosine"] < 1e-5


@given(st.integers(1, 10**7), st.integers(2, 100))
def test_milestones_lead_from_nothing_to_the_end(steps: int, count: int) -> None:
    found = milestone_steps(steps, count)
    assert found[0] == 0
    assert found[-1] == steps
    assert list(found) == sorted(set(found))
    assert len(found) <= max(count, 3)
    gaps = [later / earlier for earlier, later in pairwise(found[1:])]
    late = [gap for gap, step in zip(gaps, found[1:], strict=False) if step > 200]
    assert all(gap == pytest.approx(late[0], rel=0.02) for gap in late)


def test_milestones_can_be_few() -> None:
    assert milestone_steps(500, 0) == ()
    assert milestone_steps(500, 1) == (500,)
    assert len(milestone_steps(7000, 20)) in range(17, 21)
