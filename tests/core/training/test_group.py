"""Several processes share one training: the same curve, and a clear end when one is lost."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
import torch.distributed as dist

from core.errors import HeadlightError
from core.training.batches import Example
from core.training.events import Progress, Started, Validated, read_events
from core.training.folder import RunFolder
from core.training.group import Group, join_group
from core.training.loop import _share
from tests.core.training.conftest import WriteRecipe

pytestmark = pytest.mark.timeout(600)
ROOT = Path(__file__).parents[3]


def torchrun(processes: int, recipe: Path, out: Path) -> subprocess.Popen[str]:
    """The README's own way to use more than one device, here with gloo on the CPU."""
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "torch.distributed.run", "--standalone"),
            *("--nproc-per-node", str(processes), "-m", "core"),
            *("train", str(recipe), "--out", str(out), "--device", "cpu"),
        ],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_every_row_is_somebodys() -> None:
    examples = [Example((4 + i,), (5 + i,)) for i in range(5)]
    for size in range(1, 9):
        shares = [_share(examples, Group(rank, size)) for rank in range(size)]
        assert sum(share.tokens for share in shares) == 2 * len(examples)
        read = {int(s) for share in shares for s in share.source[:, 0][share.written.any(dim=1)]}
        assert read == {4 + i for i in range(5)}


@pytest.mark.parametrize(("device", "transport"), [("cuda", "nccl"), ("cpu", "gloo")])
def test_each_process_has_a_gpu_of_its_own(
    monkeypatch: pytest.MonkeyPatch, device: str, transport: str
) -> None:
    """What can be seen of it without a GPU: who is asked for what."""
    asked: list[object] = []
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("LOCAL_RANK", "1")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "set_device", asked.append)
    monkeypatch.setattr(dist, "init_process_group", asked.append)
    monkeypatch.setattr(dist, "get_rank", lambda: 1)
    monkeypatch.setattr(dist, "destroy_process_group", lambda: asked.append("end"))
    with join_group(torch.device(device)) as group:
        assert (group.rank, group.size) == (1, 2)
    assert asked == [*([1] if device == "cuda" else []), transport, "end"]
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    if device == "cuda":
        with (
            pytest.raises(HeadlightError, match=r"cuda:1.*Known: cuda:0"),
            join_group(torch.device(device)),
        ):
            pass


def test_two_processes_take_the_same_steps_as_one(recipe: WriteRecipe, tmp_path: Path) -> None:
    path = recipe(30, "accumulate = 2", old="[schedule]", new="dropout = 0.0\n[schedule]")
    path.write_text(path.read_text("utf-8").replace("report_every = 10", "report_every = 1"))
    curves, ends = [], []
    for processes in (1, 2):
        out = tmp_path / str(processes)
        done = torchrun(processes, path, out)
        said, wrong = done.communicate(timeout=300)
        assert done.returncode == 0, wrong
        story = read_events(RunFolder(out).events)
        assert next(event.processes for event in story if isinstance(event, Started)) == processes
        assert said.count("is a checkpoint now") == 1, "one process speaks"
        curves.append([event.loss for event in story if isinstance(event, Progress)])
        ends.append([e.scores["numbers"].loss for e in story if isinstance(e, Validated)])
    assert len(curves[0]) == 30
    assert curves[1] == pytest.approx(curves[0], rel=1e-4)
    assert ends[1] == pytest.approx(ends[0], rel=1e-3)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_dead_process_ends_the_job_with_a_sentence(recipe: WriteRecipe, tmp_path: Path) -> None:
    out = RunFolder(tmp_path / "out")
    job = torchrun(2, recipe(100_000), out.path)
    try:
        while not any(isinstance(event, Progress) for event in read_events(out.events)):
            assert job.poll() is None, job.communicate()
            time.sleep(0.05)
        victim = next(pid for pid in children(job.pid) if environment(pid)["RANK"] == "1")
        os.kill(victim, signal.SIGKILL)
        since = time.monotonic()
        _, wrong = job.communicate(timeout=60)
    finally:
        job.kill()
    assert time.monotonic() - since < 30
    assert job.returncode != 0
    assert "error: A process of this training is gone" in wrong


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def environment(pid: int) -> dict[str, str]:
    entries = Path(f"/proc/{pid}/environ").read_text().split("\0")
    return dict(entry.split("=", 1) for entry in entries if "=" in entry)
