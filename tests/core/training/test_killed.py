"""A run that is killed, whenever that is, ends with the very weights of one that was not."""

import random
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise, takewhile
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from core.training.events import Event, Saved, Started
from tests.core.training.conftest import DEVICES, HostStore, WriteRecipe
from tests.core.training.lives import LOST, Death, Place, ends, start, start_telling

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL"),
    pytest.mark.timeout(600),
]

Unharmed = Callable[[int], bytes]
STEPS, EVERY = 240, "save_every = 15"


def weights(out: Path) -> bytes:
    return (out / "model.safetensors").read_bytes()


def starts(events: Iterable[Event]) -> list[int]:
    """The steps that lives began at."""
    return [event.step for event in events if isinstance(event, Started)]


def live_to_the_end(recipe: Path, out: Path) -> None:
    life = start(recipe, out)
    life.join(120)
    assert life.exitcode == 0


def test_killed_at_any_moment(recipe: WriteRecipe, tmp_path: Path, unharmed: Unharmed) -> None:
    """Twenty times, some moments after one of its first events; most after a state was saved."""
    path, out = recipe(STEPS, old=EVERY, new="save_every = 5"), tmp_path / "out"
    moments = random.Random(0)
    resumed = []
    for _ in range(20):
        life, events = start_telling(path, out)
        began, *_ = islice(events, moments.randint(1, 10))
        time.sleep(moments.uniform(0, 0.02))  # not a wait for anything: the moment is the test
        life.kill()
        life.join()
        assert life.exitcode == -signal.SIGKILL, "the run is long enough to be killed"
        assert isinstance(began, Started)
        resumed.append(began.step)
    assert sum(step > 0 for step in resumed) >= 15
    assert resumed == sorted(resumed)
    live_to_the_end(path, out)
    assert weights(out) == unharmed(STEPS)


SAVE, FINISH = "core.training.bookkeeping.save_state", "core.training.session.Session.finish"


@pytest.mark.parametrize(("inside", "stride"), [(SAVE, 1), (FINISH, 4)])
def test_killed_at_every_point_of_a_save(
    recipe: WriteRecipe, tmp_path: Path, unharmed: Unharmed, inside: str, stride: int
) -> None:
    """One life after the other, each killed some changes of the disk later than the one before."""
    path, out = recipe(45), tmp_path / "out"
    deaths = 0
    for change in range(1, 100, stride):
        life = start(path, out, Death(inside, change))
        life.join(120)
        if life.exitcode == 0:
            break
        assert life.exitcode == -signal.SIGKILL
        deaths += 1
    assert deaths >= 5
    assert weights(out) == unharmed(45)


def live_together(
    recipe: Path, out: Path, port: int, device: str
) -> tuple[list[ForkServerProcess], Iterator[Event]]:
    """Two processes that meet at a port, and what the leading one tells."""
    leader, events = start_telling(recipe, out, Place(0, 2, port, device))
    return [leader, start(recipe, out, place=Place(1, 2, port, device))], events


@pytest.mark.parametrize("device", DEVICES)
def test_one_of_two_processes_killed(
    recipe: WriteRecipe, tmp_path: Path, host_store: HostStore, device: str
) -> None:
    """Five times; the other one ends by itself, and both go on together from what was saved."""
    path, whole, out = recipe(120, old=EVERY, new="save_every = 5"), tmp_path / "w", tmp_path / "o"
    lives, _ = live_together(path, whole, host_store(), device)
    assert ends(whole, lives, within=120) == [0, 0]
    moments = random.Random(1)
    began = []
    for victim in (0, 1, 0, 1, 0):
        lives, events = live_together(path, out, host_store(), device)
        began += starts(takewhile(lambda event: not isinstance(event, Saved), events))
        for _ in islice(events, moments.randint(0, 2)):
            pass
        lives[victim].kill()
        # Left to itself, gloo waits for half an hour; a starved machine took one minute.
        assert ends(out, lives, within=120) == [
            -signal.SIGKILL if rank == victim else LOST for rank in range(2)
        ]
    assert began[0] == 0
    lives, events = live_together(path, out, host_store(), device)
    began += starts(events)
    assert ends(out, lives, within=120) == [0, 0]
    assert len(began) == 6
    assert all(earlier < later for earlier, later in pairwise(began)), "all five went on"
    assert weights(out) == weights(whole)
