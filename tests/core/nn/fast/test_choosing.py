"""What works here is tried once, what is faster is timed on the work itself."""

import threading
from collections.abc import Callable
from itertools import count

import pytest

from core.nn.fast.timed import FastestWay
from core.nn.fast.tried import works


@pytest.mark.parametrize(
    "fault", [RuntimeError("no primitive"), NotImplementedError(), AttributeError("_linear")]
)
def test_what_fails_does_not_work_and_is_tried_once(fault: Exception) -> None:
    tries = count()

    def trial() -> None:
        next(tries)
        raise fault

    assert [works(trial) for _ in range(3)] == [False, False, False]
    assert next(tries) == 1


def test_what_ends_works() -> None:
    assert works(lambda: None)


class Clock:
    """Seconds that pass only in the work."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr("core.nn.fast.timed.time.perf_counter", lambda: self.now)

    def way(self, name: str, *seconds: float) -> Callable[[], str]:
        """Takes one after the other, and the last for good."""
        left = list(seconds)

        def work() -> str:
            self.now += left.pop(0) if len(left) > 1 else left[0]
            return name

        return work


def after(ways: FastestWay[str, [], str]) -> str:
    """Which way is taken once all were timed."""
    for _ in range(100):
        ways("work")
    return ways("work")


def test_the_fastest_is_taken_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    ways: FastestWay[str, [], str] = FastestWay(
        {"plain": clock.way("plain", 3.0), "other": clock.way("other", 1.0)}
    )
    assert {ways("work") for _ in range(4)} == {"plain", "other"}
    assert ways.chosen() == {}
    assert after(ways) == "other"
    assert ways.chosen() == {"work": "other"}


def test_what_saves_too_little_is_not_worth_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    ways = {"plain": clock.way("plain", 1.0), "other": clock.way("other", 0.97)}
    timed_here: FastestWay[str, [], str] = FastestWay(ways)
    assert after(timed_here) == "plain"


def test_making_ready_and_a_busy_moment_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    busy = clock.way("other", 90.0, 1.0, 50.0, 1.0)
    ways: FastestWay[str, [], str] = FastestWay(
        {"plain": clock.way("plain", 0.1, 2.0), "other": busy}
    )
    assert after(ways) == "other"


def test_sizes_are_timed_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)

    def plain(size: int) -> str:
        clock.now += 1.0
        return "plain"

    def large(size: int) -> str:
        clock.now += 2.0 / size
        return "large"

    ways: FastestWay[int, [int], str] = FastestWay({"plain": plain, "large": large})
    for _ in range(50):
        for size in (1, 8):
            ways(size, size)
    assert ways.chosen() == {1: "plain", 8: "large"}


def test_threads_may_come_at_once() -> None:
    ways: FastestWay[str, [], str] = FastestWay({"plain": lambda: "done", "other": lambda: "done"})
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.extend(ways("work") for _ in range(200)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["done"] * 1600
    assert ways.chosen().keys() == {"work"}
