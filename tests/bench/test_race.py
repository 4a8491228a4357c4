"""The harness, on a clock that the test turns."""

import json
import re
import statistics
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from tests.bench.race import Contender, Spread, Timing, race
from tests.bench.report import Machine, as_json, rows, table

SECONDS = st.floats(0.001, 100.0)


class Clock:
    """Time passes only when somebody works."""

    def __init__(self) -> None:
        self.now = 0.0
        self.turns: list[tuple[str, int]] = []

    def __call__(self) -> float:
        return self.now

    def worker(self, name: str, seconds: float) -> Contender:
        def work(number: int) -> None:
            self.turns.append((name, number))
            self.now += seconds * (1 + number)

        return Contender(name, work)


@settings(max_examples=5)  # a round collects the garbage of a whole process
@given(st.lists(SECONDS, min_size=1, max_size=4), st.integers(1, 6))
def test_everybody_is_charged_for_their_own_work_alone(paces: list[float], rounds: int) -> None:
    clock = Clock()
    workers = [clock.worker(str(place), pace) for place, pace in enumerate(paces)]
    timings = race(workers, rounds, clock=clock)
    assert [timing.name for timing in timings] == [worker.name for worker in workers]
    for pace, timing in zip(paces, timings, strict=True):
        assert timing.seconds == pytest.approx([pace * (1 + n) for n in range(rounds)], rel=1e-6)
        ratio = timing.times_as_fast_as(timings[0])
        assert ratio == pytest.approx((paces[0] / pace,) * 3, rel=1e-6)


def test_all_do_the_same_rounds_in_turn_and_nobody_always_starts() -> None:
    clock = Clock()
    race([clock.worker(name, 1.0) for name in "abc"], 3, clock=clock)
    shown = [clock.turns[place : place + 3] for place in range(0, len(clock.turns), 3)]
    assert len(shown) == 4, "one round more than counted, to warm up"
    for number, turns in enumerate(shown):
        assert sorted(turns) == [(name, max(number - 1, 0)) for name in "abc"]
    assert {turns[0][0] for turns in shown[1:]} == set("abc")


@given(st.lists(SECONDS, min_size=1, max_size=20))
def test_a_spread_is_the_median_between_its_quartiles(values: list[float]) -> None:
    spread = Spread.of(values)
    assert spread.median == pytest.approx(statistics.median(values))
    assert min(values) <= spread.low <= spread.median <= spread.high <= max(values)


def test_ratios_are_medians_of_rounds_not_ratios_of_medians() -> None:
    mine, theirs = Timing("mine", (1.0, 10.0, 4.0)), Timing("theirs", (2.0, 10.0, 12.0))
    assert mine.times_as_fast_as(theirs).median == 2.0  # of 2, 1 and 3
    assert mine.speed([8.0, 10.0, 8.0]) == 2.0  # of 8, 1 and 2


def test_the_table_and_the_json_say_who_missed_a_target() -> None:
    timings = [Timing("peer", (2.0, 2.0)), Timing("fast", (1.0, 1.0)), Timing("slow", (4.0, 4.0))]
    targets = {"fast": 1.5, "slow": 1.5}
    found = list(rows("training", "tiny", timings, [100.0, 100.0], "tokens/s", targets))
    text = StringIO()
    Console(file=text, width=80).print(table("training", found))
    lines = {line.split()[0]: line for line in text.getvalue().splitlines() if line.strip()}
    assert re.search(r" 100 +2\.00 .*1\.50 +met", lines["fast"])
    assert re.search(r" 25 +0\.50 .*1\.50 +missed", lines["slow"])
    assert not re.search("met|missed", lines["peer"])
    report = json.loads(json.dumps(as_json(Machine.here(), found)))
    assert [row["ratio"]["median"] for row in report["rows"]] == [1.0, 2.0, 0.5]
    assert report["machine"]["cores"] >= 1
