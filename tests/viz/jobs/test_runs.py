"""Runs as the app sees them: by their folders, and as processes that it starts."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core import registry
from core.errors import HeadlightError
from core.training.events import (
    Event,
    Failed,
    Finished,
    Progress,
    Saved,
    Started,
    Stopped,
    append_event,
)
from core.training.folder import RunFolder
from core.training.ready import Choices, digits, recipe_text
from viz.jobs import owners, runs
from viz.jobs.priority import NICENESS

STARTED = Started(0, 10, 1000, 30, 9, "cpu", 1)
PROGRESS = Progress(5, 1.0, 100.0, 1e-3, 1.0, 2.0)
Make = Callable[..., Path]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny_checkpoint: Path) -> Path:
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path))
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tiny_checkpoint.parent))
    monkeypatch.delenv("HEADLIGHT_TRAININGS", raising=False)
    monkeypatch.setattr(runs, "_PROCESSES", {})
    return tmp_path


@pytest.fixture
def make(root: Path) -> Make:
    """Makes a run's folder with these events; `here` as if it was started from a page."""

    def made(run_id: str, *told: Event, here: bool = True, finished: bool = False) -> Path:
        folder = RunFolder(root / run_id)
        folder.work.mkdir(parents=True)
        folder.recipe.write_text("# a test's own\n")
        for event in told:
            append_event(folder.events, event)
        if here:
            (folder.path / owners.LOG).touch()
        if finished:
            (folder.path / "config.json").write_text("{}")
            (folder.path / "manifest.json").write_text("{}")
        return folder.path

    return made


def files(steps: int = 400, pairs: int = 400) -> dict[str, bytes]:
    made = digits(pairs)
    choices = Choices("mine", "en", "en", "tiny", steps, "characters", dropout=0.0)
    content = "".join(f"{source}\t{target}\n" for source, target in made)
    recipe = recipe_text(choices, runs.path_of("mine", "pairs.tsv"), made)
    return {"recipe.toml": recipe.encode(), "pairs.tsv": content.encode()}


def code_of(call: Callable[..., object], *arguments: object) -> str:
    with pytest.raises(HeadlightError) as caught:
        call(*arguments)
    return caught.value.code


def until(true: Callable[[], bool]) -> None:
    """Waits on what another process does."""
    pause = threading.Event()
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < 200, "it never came"
        pause.wait(0.05)


# What a folder tells


@pytest.mark.parametrize(
    ("told", "state", "resumable"),
    [
        ((STARTED, PROGRESS), "lost", True),
        ((STARTED, PROGRESS, Saved(5)), "lost", True),
        ((STARTED, Saved(5), Stopped(5)), "stopped", True),
        ((STARTED, Failed(5, "memory_full", {"step": 5, "now": 9})), "failed", True),
        ((STARTED, Failed(5, "training_diverged", {"step": 5, "what": "it"})), "failed", False),
    ],
)
def test_a_run_that_does_not_train_says_how_it_ended(
    make: Make, told: tuple[Event, ...], state: str, resumable: bool
) -> None:
    make("mine", *told)
    found = runs.run("mine")
    assert (found.state, found.resumable) == (state, resumable)
    assert found.removable
    assert found.model is None


def test_a_finished_run_is_a_model(make: Make) -> None:
    make("mine", STARTED, Finished(10, "x"), finished=True)
    make("tiny", STARTED, Finished(10, "x"), finished=True)
    assert (runs.run("mine").state, runs.run("mine").model) == ("finished", "mine")
    assert runs.run("tiny").model == "tiny.run"
    assert not runs.run("mine").resumable


def test_who_holds_the_folder_trains(make: Make) -> None:
    folder = RunFolder(make("mine", STARTED, Stopped(5)))
    with folder.claim():
        assert runs.run("mine").state == "running"
        assert runs.active() == ("mine",)
        runs.stop("mine")
        assert folder.asked_to_stop()
        assert runs.run("mine").state == "stopping"
        assert not runs.run("mine").removable
    assert runs.run("mine").state == "stopped"


def test_what_was_just_begun_by_another_server_is_starting(make: Make) -> None:
    folder = make("mine")
    assert runs.run("mine").state == "starting"
    old = time.time() - 600
    os.utime(folder / "recipe.toml", (old, old))
    assert runs.run("mine").state == "lost"


def test_the_run_that_told_something_last_comes_first(make: Make) -> None:
    for age, name in enumerate(("c", "a", "b")):
        folder = make(name, STARTED)
        os.utime(folder / "events.jsonl", (1e9 - age, 1e9 - age))
    assert [run.id for run in runs.runs()] == ["c", "a", "b"]


@pytest.mark.parametrize("run_id", ["", "..", "../mine", "none", "/etc", "mine/work"])
def test_only_known_runs_can_be_asked_for(make: Make, run_id: str) -> None:
    make("mine", STARTED)
    for call in (runs.run, runs.stop, runs.go_on, runs.remove):
        assert code_of(call, run_id) == "parameter_invalid"


# Removing


def test_a_run_that_is_removed_while_they_are_listed_is_left_out(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    make("here", STARTED, PROGRESS)
    gone = make("gone", STARTED, PROGRESS)
    ids = registry.run_ids

    def listed() -> tuple[str, ...]:
        found = tuple(ids())
        shutil.rmtree(gone, ignore_errors=True)
        return found

    monkeypatch.setattr(registry, "run_ids", listed)
    assert [run.id for run in runs.runs()] == ["here"]
    assert runs.active() == ()


def test_a_run_of_the_command_line_is_not_removed_from_a_page(make: Make) -> None:
    make("theirs", STARTED, Stopped(5), here=False)
    assert code_of(runs.remove, "theirs") == "parameter_invalid"
    assert runs.run("theirs").state == "stopped"


def test_what_trains_is_not_removed(make: Make) -> None:
    with RunFolder(make("mine", STARTED)).claim():
        assert code_of(runs.remove, "mine") == "parameter_invalid"


def test_a_removed_run_leaves_nothing_and_its_name_is_free(make: Make, root: Path) -> None:
    make("mine", STARTED, Stopped(5))
    assert not runs.is_free("mine")
    runs.remove("mine")
    assert list(root.iterdir()) == []
    assert runs.is_free("mine")


# Starting


def test_one_trains_at_a_time(make: Make, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make("old", STARTED, Stopped(5))
    with RunFolder(make("mine", STARTED)).claim():
        assert code_of(runs.start, "other", files()) == "run_busy"
        assert code_of(runs.go_on, "old") == "run_busy"
    monkeypatch.setenv("HEADLIGHT_TRAININGS", "0")
    assert code_of(runs.start, "other", files()) == "run_busy"
    assert not (root / "other").exists()


def test_a_disk_is_not_filled_with_runs(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "MOST_RUNS", 2)
    make("a", STARTED, Stopped(5))
    make("b", STARTED, Stopped(5))
    assert code_of(runs.start, "c", files()) == "file_unwritable"


def test_a_name_is_taken_once(make: Make) -> None:
    make("mine", STARTED, Stopped(5))
    assert code_of(runs.start, "mine", files()) == "run_exists"
    assert code_of(runs.start, "tiny", files()) == "run_exists"  # a model's


def test_what_another_began_meanwhile_under_the_name_stays(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make("mine", STARTED)
    monkeypatch.setattr(runs, "is_free", lambda name: True)
    assert code_of(runs.start, "mine", files()) == "file_unwritable"
    assert RunFolder(folder).events.exists()


def test_a_recipe_that_is_none_leaves_no_folder(root: Path) -> None:
    assert code_of(runs.start, "mine", {"recipe.toml": b"steps = 3"}) == "recipe_invalid"
    assert list(root.iterdir()) == []


def test_paths_of_this_machine_are_not_shown(root: Path) -> None:
    assert runs.shown(root / "mine" / "pairs.tsv") == "runs/mine/pairs.tsv"
    assert runs.shown(Path(runs.__file__).parents[1] / "x") == "viz/x"


@pytest.fixture
def trained(root: Path) -> Iterator[Path]:
    """A run of 4,000 steps that was started from a page, and ends with the test."""
    runs.start("mine", files(steps=4000))
    process = runs._PROCESSES["mine"].popen
    yield root / "mine"
    if process.poll() is None:
        process.kill()
    process.wait(30)


def test_a_run_is_a_process_that_is_stopped_and_goes_on(trained: Path) -> None:
    assert runs.run("mine").state == "starting"
    until(lambda: b'"progress"' in _told(trained))
    assert runs.run("mine").state == "running"
    process = runs._PROCESSES["mine"].popen.pid
    assert _niceness(process) in (None, {NICENESS})
    assert _niceness_of_session(process) in (None, NICENESS)
    runs.stop("mine")
    until(lambda: runs.run("mine").state == "stopped")
    first = runs._PROCESSES["mine"].popen
    first.wait(60)
    runs.go_on("mine")
    assert runs.run("mine").state == "starting"
    second = runs._PROCESSES["mine"].popen
    assert os.getsid(second.pid) != os.getsid(0)
    until(lambda: _told(trained).count(b'"started"') == 2)
    # Whoever kills it leaves a run that ended without a word.
    second.kill()
    second.wait(30)
    assert (runs.run("mine").state, runs.run("mine").resumable) == ("lost", True)


def test_a_run_is_stopped_before_it_trains_and_goes_on(trained: Path) -> None:
    assert (runs.run("mine").state, runs.run("mine").stoppable) == ("starting", True)
    runs.stop("mine")
    until(lambda: runs.run("mine").state == "stopped")
    assert not runs.run("mine").stoppable
    assert _told(trained) == b""
    runs.go_on("mine")
    until(lambda: b'"started"' in _told(trained))
    runs._PROCESSES["mine"].popen.kill()


def test_a_process_that_ended_is_let_go(make: Make) -> None:
    """However much its run has told: what nobody waits for stays in the system's table."""
    folder = make("mine", STARTED, PROGRESS)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    runs._PROCESSES["mine"] = runs._Process(ended, told=0)
    assert RunFolder(folder).events.stat().st_size > 0
    until(lambda: (runs.run("mine"), ended.returncode)[1] is not None)


def test_a_run_outlives_the_server_that_started_it(root: Path) -> None:
    code = (
        "import pickle, sys; from viz.jobs import runs; runs.start(*pickle.load(sys.stdin.buffer))"
    )
    subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(("mine", files(30))), check=True
    )
    until(lambda: runs.run("mine").state == "finished")
    assert runs.run("mine").model == "mine"
    assert "mine" in registry.model_ids()


def _niceness(pid: int) -> set[int] | None:
    """Of all threads of a process: who uses a page goes before them. None where nobody says."""
    threads = Path(f"/proc/{pid}/task")
    if not threads.is_dir():
        return None
    return {os.getpriority(os.PRIO_PROCESS, int(thread.name)) for thread in threads.iterdir()}


def _niceness_of_session(pid: int) -> int | None:
    """By which Linux weighs it against the server; None where sessions are not weighed."""
    try:
        return int(Path(f"/proc/{pid}/autogroup").read_text().split()[-1])
    except OSError:
        return None


def _told(folder: Path) -> bytes:
    try:
        return (folder / "events.jsonl").read_bytes()
    except OSError:
        return b""
