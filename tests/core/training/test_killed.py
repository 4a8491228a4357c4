"""A run that is killed, whenever that is, ends with the very weights of one that was not."""

import random
import signal
import sys
import time
from collections.abc import Callable
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from core.training.events import read_events
from core.training.folder import RunFolder
from tests.core.training.conftest import WriteRecipe
from tests.core.training.lives import DEVICES, LOST, Death, Place, free_port, start

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL"),
    pytest.mark.timeout(600),
]

Unharmed = Callable[[int], bytes]


def weights(out: Path) -> bytes:
    return (out / "model.safetensors").read_bytes()


def live_to_the_end(recipe: Path, out: Path) -> None:
    life = start(recipe, out)
    life.join(120)
    assert life.exitcode == 0


def test_killed_at_any_moment(recipe: WriteRecipe, tmp_path: Path, unharmed: Unharmed) -> None:
    """Fifteen times, at moments that nobody chose."""
    path, out = recipe(120), RunFolder(tmp_path / "out")
    moments = random.Random(0)
    killed = 0
    while killed < 15:
        if out.is_finished():  # it was faster than we: once more from the start
            assert weights(out.path) == unharmed(120)
            out.path.rename(tmp_path / f"finished-{killed}")
        life = start(path, out.path)
        time.sleep(moments.uniform(0.2, 1.5))  # not a wait for anything: the moment is the test
        life.kill()
        life.join()
        killed += life.exitcode == -signal.SIGKILL
    live_to_the_end(path, out.path)
    assert weights(out.path) == unharmed(120)


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


def live_together(recipe: Path, out: Path, device: str) -> list[ForkServerProcess]:
    port = free_port()
    return [start(recipe, out, place=Place(rank, 2, port, device)) for rank in range(2)]


@pytest.mark.parametrize("device", DEVICES)
def test_one_of_two_processes_killed(recipe: WriteRecipe, tmp_path: Path, device: str) -> None:
    """Five times; the other one ends by itself, says why, and both go on together later."""
    path = recipe(60)
    for life in live_together(path, tmp_path / "whole", device):
        life.join(120)
        assert life.exitcode == 0
    out = RunFolder(tmp_path / "out")
    moments = random.Random(1)
    killed = 0
    while killed < 5:
        lives = live_together(path, out.path, device)
        victim = killed % 2
        before = len(read_events(out.events))
        while len(read_events(out.events)) <= before + moments.randint(1, 3):
            if not lives[victim].is_alive():
                break
            time.sleep(0.005)
        lives[victim].kill()
        since = time.monotonic()
        for life in lives:
            life.join(60)
        assert time.monotonic() - since < 30
        codes = [life.exitcode for life in lives]
        if codes == [0, 0]:
            break
        assert codes[victim] == -signal.SIGKILL
        assert codes[1 - victim] == LOST
        killed += 1
    assert killed == 5, "the run is long enough to be killed five times"
    for life in live_together(path, out.path, device):
        life.join(120)
        assert life.exitcode == 0
    assert weights(out.path) == weights(tmp_path / "whole")
