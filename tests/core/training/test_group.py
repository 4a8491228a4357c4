"""Several processes share one training: the same curve, and a clear end when one is lost."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path

import pytest
import torch
import torch.distributed as dist

from core.checkpoint.folder import load
from core.errors import HeadlightError
from core.text.examples import translation
from core.training import group as groups
from core.training.events import Progress, Started, Validated, read_events
from core.training.folder import RunFolder
from core.training.group import Group, join_group
from core.training.loop import _share
from tests.core.families.test_skipgram import RECIPE as SKIPGRAM
from tests.core.training.conftest import DEVICES, HostStore, WriteRecipe
from tests.core.training.lives import CONTEXT, LOST, Place

pytestmark = pytest.mark.timeout(600)
ROOT = Path(__file__).parents[3]


def together(
    processes: int, recipe: Path, out: Path, device: str, host_store: HostStore
) -> list[subprocess.Popen[str]]:
    """The README's own way on the CPU: one torchrun. On GPUs one process after the other, since
    torchrun gives each a GPU of its own, and there may be one only."""
    run = ["-m", "core", "train", str(recipe), "--out", str(out), "--device", device]
    if device == "cpu":
        several = ["-m", "torch.distributed.run", "--standalone"]
        return [python([*several, "--nproc-per-node", str(processes), *run], {})]
    port = host_store()
    places = [Place(rank, processes, port, device) for rank in range(processes)]
    return [python(run, place.environment()) for place in places]


def python(arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_every_row_is_somebodys() -> None:
    examples = [translation((4 + i,), (5 + i,)) for i in range(5)]
    for size in range(1, 9):
        shares = [_share(examples, Group(rank, size)) for rank in range(size)]
        assert sum(share.tokens for share in shares) == 2 * len(examples)
        read = {int(s) for share in shares for s in share.source[:, 0][share.written.any(dim=1)]}
        assert read == {4 + i for i in range(5)}


def test_a_process_without_a_gpu_of_its_own_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    gpus = torch.cuda.device_count()
    monkeypatch.setenv("WORLD_SIZE", str(gpus + 2))  # one alone is no group
    monkeypatch.setenv("LOCAL_RANK", str(gpus))
    with (
        pytest.raises(HeadlightError, match=f"cuda:{gpus}") as caught,
        join_group(torch.device("cuda")),
    ):
        pass
    assert caught.value.code == "device_unknown"
    assert not dist.is_initialized()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("killed", [None, 0, 1, 2])
def test_the_lifeline_tells_who_waits_that_a_process_is_gone(
    host_store: HostStore, killed: int | None
) -> None:
    """What CUDA's processes hold on to, here between three of the CPU."""
    port, leave = host_store(), CONTEXT.Event()
    together = CONTEXT.Barrier(4)
    lives = [
        CONTEXT.Process(target=_hold_on, args=(Place(rank, 3, port), together, leave), daemon=True)
        for rank in range(3)
    ]
    for life in lives:
        life.start()
    together.wait(60)
    if killed is None:
        leave.set()
    else:
        lives[killed].kill()
    for life in lives:
        life.join(30)
    expected = [0 if killed is None else LOST] * 3
    if killed is not None:
        expected[killed] = -signal.SIGKILL
    assert [life.exitcode for life in lives] == expected


def _hold_on(place: Place, together: Barrier, leave: Event) -> None:
    os.environ.update(place.environment())
    setattr(groups, "_abort", lambda: os._exit(LOST))  # noqa: B010
    dist.init_process_group("gloo")
    with groups._lifeline():
        together.wait(60)
        leave.wait(60)
    os._exit(0)


@pytest.mark.parametrize("device", DEVICES)
def test_two_processes_take_the_same_steps_as_one(
    recipe: WriteRecipe, tmp_path: Path, host_store: HostStore, device: str
) -> None:
    path = recipe(30, "accumulate = 2", old="[schedule]", new="dropout = 0.0\n[schedule]")
    path.write_text(path.read_text("utf-8").replace("report_every = 10", "report_every = 1"))
    curves, ends = [], []
    for processes in (1, 2):
        out = tmp_path / str(processes)
        jobs = together(processes, path, out, device, host_store)
        ended = [(*job.communicate(timeout=300), job.returncode) for job in jobs]
        assert {code for *_, code in ended} == {0}, ended
        story = read_events(RunFolder(out).events)
        began = next(event for event in story if isinstance(event, Started))
        assert (began.processes, began.device) == (processes, device)
        said = "".join(said for said, *_ in ended)
        assert said.count("is a checkpoint now") == 1, "one process speaks"
        curves.append([event.loss for event in story if isinstance(event, Progress)])
        ends.append([e.scores["numbers"].loss for e in story if isinstance(e, Validated)])
    assert len(curves[0]) == 30
    assert curves[1] == pytest.approx(curves[0], rel=1e-4)
    assert ends[1] == pytest.approx(ends[0], rel=1e-3)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("device", DEVICES)
def test_a_dead_process_ends_the_job_with_a_sentence(
    recipe: WriteRecipe, tmp_path: Path, host_store: HostStore, device: str
) -> None:
    out = RunFolder(tmp_path / "out")
    jobs = together(2, recipe(100_000), out.path, device, host_store)
    try:
        while not any(isinstance(event, Progress) for event in read_events(out.events)):
            assert jobs[0].poll() is None, jobs[0].communicate()
            time.sleep(0.05)
        started = [job.pid for job in jobs[1:]] or children(jobs[0].pid)
        victim = next(pid for pid in started if environment(pid)["RANK"] == "1")
        os.kill(victim, signal.SIGKILL)
        since = time.monotonic()
        _, wrong = jobs[0].communicate(timeout=180)
    finally:
        for job in jobs:
            job.kill()
    assert time.monotonic() - since < 120  # gloo by itself waits for half an hour
    assert jobs[0].returncode != 0
    assert "error: A process of this training is gone" in wrong


@pytest.mark.parametrize("device", DEVICES)
def test_what_ends_one_process_ends_all(
    recipe: WriteRecipe, tmp_path: Path, host_store: HostStore, device: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "milestones").write_text("in the way")
    jobs = together(2, recipe(100_000), out, device, host_store)
    since = time.monotonic()
    wrong = "".join(job.communicate(timeout=120)[1] for job in jobs)
    assert time.monotonic() - since < 60
    assert 0 not in {job.returncode for job in jobs}
    assert "milestones cannot be written" in wrong


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def environment(pid: int) -> dict[str, str]:
    entries = Path(f"/proc/{pid}/environ").read_text().split("\0")
    return dict(entry.split("=", 1) for entry in entries if "=" in entry)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("more", ["average = 2\n", "patience = 3\n"])
def test_settled_weights_end_every_process_well(
    recipe: WriteRecipe, tmp_path: Path, host_store: HostStore, device: str, more: str
) -> None:
    """The leader settles what it saved; and another run into the same folder is refused once."""
    path, out = recipe(20, more), tmp_path / "out"
    jobs = together(2, path, out, device, host_store)
    ended = [(*job.communicate(timeout=300), job.returncode) for job in jobs]
    assert {code for *_, code in ended} == {0}, ended
    assert load(out).manifest.step == 20
    refused = [
        job.communicate(timeout=300)[1] for job in together(2, path, out, device, host_store)
    ]
    assert "".join(refused).count("error: ") == 1, refused
    assert "is gone" not in "".join(refused)


def test_tokens_of_every_process_are_counted(tmp_path: Path, host_store: HostStore) -> None:
    """What a skip-gram's checkpoint holds of them is that of a run of one process."""
    words = tmp_path / "words.tsv"
    words.write_text("en\tko\n" + "".join(f"a{n} b{n % 7}\tc\n" for n in range(60)), "utf-8")
    path = tmp_path / "skipgram.toml"
    path.write_text(SKIPGRAM.format(steps=4).replace("words.tsv", str(words)), "utf-8")
    counts = []
    for processes in (1, 2):
        out = tmp_path / str(processes)
        jobs = together(processes, path, out, "cpu", host_store)
        assert [(job.communicate(timeout=300), job.returncode)[1] for job in jobs] == [0]
        counts.append(load(out).model.state_dict()["log_counts"].exp())
    assert torch.equal(counts[0].round(), counts[1].round())
    assert counts[0].sum() > 4 * 100
