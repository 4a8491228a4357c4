"""A run from a recipe to a checkpoint folder, and the ways in which it may end."""

import json
import math
import shutil
import sys
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import torch
from filelock import FileLock
from safetensors.torch import load_file

from core import registry
from core.checkpoint import folder as checkpoint
from core.checkpoint.calibration import Calibration
from core.errors import HeadlightError
from core.text.corpora import read_pairs
from core.text.sources import Source
from core.training import events
from core.training.folder import RunFolder
from core.training.held_out import main
from core.training.recipe import load_recipe
from core.training.run import run
from tests.core.training.conftest import WriteRecipe

Unharmed = Callable[[int], bytes]


def test_a_run_learns_and_becomes_a_checkpoint(recipe: WriteRecipe, tmp_path: Path) -> None:
    out = tmp_path / "out"
    story = list(run(recipe(60), out))
    assert events.read_events(RunFolder(out).events) == tuple(story)
    validated = [event for event in story if isinstance(event, events.Validated)]
    assert [event.step for event in validated] == [20, 40, 60]
    assert validated[-1].scores["numbers"].loss < validated[0].scores["numbers"].loss
    opened = checkpoint.load(out)
    assert opened.manifest.step == 60
    modes = {path.stat().st_mode for path in out.iterdir() if path.is_file()}
    assert len(modes) == 1, "other users may read all of it or none"
    last = story[-1]
    assert last == events.Finished(60, str(out), "steps")


def test_validation_is_what_evaluate_says_of_the_same_weights(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    from core.studies.evaluation import evaluate

    story = list(run(recipe(40), tmp_path / "out"))
    told = [event for event in story if isinstance(event, events.Validated)][-1]
    opened = registry.load(tmp_path / "out", torch.device("cpu"))
    held_out = tmp_path / "out" / "held_out" / "numbers.valid.tsv"
    pairs = read_pairs(Source(str(held_out))).pairs
    found = evaluate(opened, pairs)
    scores = told.scores["numbers"]
    assert scores.pairs == len(pairs)
    # Saved as half floats, hence not to the last digit.
    assert scores.loss == pytest.approx(found.loss, abs=2e-3)
    assert scores.chrf == pytest.approx(found.chrf, abs=2.0)
    assert [sample.output for sample in told.samples] == list(found.outputs[:5])


def test_milestones_are_checkpoints_of_their_step(recipe: WriteRecipe, tmp_path: Path) -> None:
    out = RunFolder(tmp_path / "out")
    story = list(run(recipe(40), out.path))
    told = [(e.step, Path(e.folder)) for e in story if isinstance(e, events.Milestone)]
    assert told == [(kept.step, kept.folder) for kept in out.milestones()]
    assert told[0][0] == 0
    assert told[-1][0] == 40
    opened = [checkpoint.load(folder) for _, folder in told]
    assert [each.manifest.step for each in opened] == [step for step, _ in told]
    assert len({each.digest for each in opened}) == len(opened)
    assert opened[-1].digest == checkpoint.load(out.path).digest


def test_a_run_may_keep_no_milestone(recipe: WriteRecipe, tmp_path: Path) -> None:
    out = RunFolder(tmp_path / "out")
    story = list(run(recipe(20, old="milestones = 6", new="milestones = 0"), out.path))
    assert not [event for event in story if isinstance(event, events.Milestone)]
    assert out.is_finished()
    assert not out.milestones()


def test_the_best_weights_are_kept(recipe: WriteRecipe, tmp_path: Path) -> None:
    out = RunFolder(tmp_path / "out")
    story = list(run(recipe(60), out.path))
    best = [event for event in story if isinstance(event, events.Best)][-1]
    losses = {
        event.step: event.scores["numbers"].loss
        for event in story
        if isinstance(event, events.Validated)
    }
    assert best.step == min(losses, key=lambda step: losses[step])
    assert best.loss == losses[best.step]
    assert checkpoint.load(out.best).manifest.step == best.step


def test_a_run_that_no_longer_improves_ends_with_its_best(
    recipe: WriteRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    falling = iter([3.0, 2.0, 2.5, 2.4, 2.3, 1.0])
    monkeypatch.setattr("core.training.bookkeeping.mean_loss", lambda _: next(falling))
    path = recipe(200, "patience = 2", old="validate_every = 20", new="validate_every = 10")
    story = list(run(path, tmp_path / "out"))
    assert story[-1] == events.Finished(20, str(tmp_path / "out"), "patience")
    assert max(getattr(event, "step", 0) for event in story) == 40
    ended, best = (checkpoint.load(tmp_path / "out" / name) for name in ("", "best"))
    assert ended.manifest.step == 20
    assert ended.digest == best.digest
    again = list(run(path, tmp_path / "out", resume=True))  # it is over, and stays so
    assert again[-1] == story[-1]


def test_the_last_weights_can_be_averaged(recipe: WriteRecipe, tmp_path: Path) -> None:
    path = recipe(30, "average = 3", old="save_every = 15", new="save_every = 10")
    list(run(path, tmp_path / "out"))
    states = sorted((tmp_path / "out" / "work").glob("state-*"))
    assert [state.name for state in states] == [f"state-{n:08d}" for n in (10, 20, 30)]
    saved = [load_file(state / "state.safetensors") for state in states]
    for name, ended in load_file(tmp_path / "out" / "model.safetensors").items():
        mean = sum(tensors[f"weight.{name}"] for tensors in saved) / 3
        torch.testing.assert_close(ended.float(), mean, atol=1e-3, rtol=1e-3)
    last = load_file(states[-1] / "state.safetensors")["weight.embedding.weight"]
    ended = load_file(tmp_path / "out" / "model.safetensors")["embedding.weight"]
    assert not torch.allclose(ended.float(), last, atol=1e-3)


def test_a_mean_is_the_same_after_a_stop_between_states(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    path = recipe(40, "average = 3", old="save_every = 15", new="save_every = 10")
    list(run(path, tmp_path / "never"))
    seen: list[events.Event] = []
    for event in run(path, tmp_path / "out", asked=lambda: events.Saved(20) in seen):
        seen.append(event)
    assert isinstance(seen[-1], events.Stopped)
    assert 20 < seen[-1].step < 30
    list(run(path, tmp_path / "out", resume=True))
    names = [state.name for state in sorted((tmp_path / "out" / "work").glob("state-*"))]
    assert names == [f"state-{n:08d}" for n in (20, 30, 40)]
    never, stopped = (tmp_path / name / "model.safetensors" for name in ("never", "out"))
    assert stopped.read_bytes() == never.read_bytes()


def test_a_damaged_state_of_a_mean_is_named_and_the_run_ends_without_it(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    path = recipe(30, "average = 3", old="save_every = 15", new="save_every = 10")
    for event in run(path, tmp_path / "out"):
        if event == events.Saved(20):
            break
    bad = tmp_path / "out" / "work" / "state-00000010"
    flip(bad)
    with pytest.raises(HeadlightError) as caught:
        list(run(path, tmp_path / "out", resume=True))
    assert caught.value.code == "state_damaged"
    assert caught.value.parameters == {"path": str(bad)}
    shutil.rmtree(bad)
    assert isinstance(list(run(path, tmp_path / "out", resume=True))[-1], events.Finished)


@pytest.mark.parametrize("name", ["recipe.toml", "events.jsonl"])
@pytest.mark.parametrize("resume", [False, True])
def test_what_no_run_made_is_not_written_over(
    recipe: WriteRecipe, tmp_path: Path, name: str, resume: bool
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine", "utf-8")
    for _ in range(2):
        with pytest.raises(HeadlightError) as caught:
            list(run(recipe(4), tmp_path / "out", resume=resume))
        assert caught.value.code == "folder_foreign"
    assert [path.name for path in (tmp_path / "out").iterdir()] == [name]
    assert (tmp_path / "out" / name).read_text("utf-8") == "mine"


def test_what_a_run_left_that_never_saved_is_no_part_of_the_next(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    out = RunFolder(tmp_path / "out")
    killed = run(recipe(40, old="save_every = 15", new="save_every = 1000"), out.path)
    kept = [event for event, _ in zip(killed, range(9), strict=False)]
    assert isinstance(killed, Generator)
    killed.close()
    assert any(isinstance(event, events.Milestone) for event in kept)
    (out.work / "tokenizer.model").write_bytes(b"of another kind")
    out.best.mkdir(exist_ok=True)
    shorter = recipe(2, old="valid = 0.1", new="valid = 0.0")
    list(run(shorter, out.path))
    assert [kept.step for kept in out.milestones()] == [0, 1, 2]
    assert not (out.work / "tokenizer.model").exists()
    assert not out.best.exists()
    assert not list(out.held_out.glob("*valid*"))


def test_what_was_measured_of_a_run_outlives_going_on_where_nothing_is_left(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    list(run(recipe(4), out))
    measured = Calibration(
        sure_from=-1.0, right=1, wrong=1, marked_right=0.0, marked_wrong=1.0, auc=1.0
    )
    (out / "calibration.json").write_text(measured.model_dump_json())
    checkpoint.seal(out)
    list(run(recipe(4), out, resume=True))
    assert checkpoint.load(out).calibration == measured


def test_a_recipe_may_begin_with_a_mark_of_its_encoding(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    path = recipe(2)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert isinstance(list(run(path, tmp_path / "out"))[-1], events.Finished)
    assert (tmp_path / "out" / "recipe.toml").read_bytes().startswith(b"\nmodel_id")


def test_a_recipe_may_lie_where_its_run_will(recipe: WriteRecipe, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    own = Path(shutil.copy(recipe(4), tmp_path / "out" / "recipe.toml"))
    assert isinstance(list(run(own, tmp_path / "out"))[-1], events.Finished)


def test_accumulated_batches_make_one_update(recipe: WriteRecipe, tmp_path: Path) -> None:
    """Two batches of half the size differ from one by their padding alone: the same loss."""
    losses = []
    for more, budget in (("accumulate = 2", 100_000), ("accumulate = 1", 200_000)):
        new = f"tokens_per_batch = {budget}"
        path = recipe(4, more, old="tokens_per_batch = 512", new=new)
        old = path.read_text(encoding="utf-8")
        path.write_text(
            old.replace("report_every = 10", "report_every = 1").replace(
                "[model]", "[model]\ndropout = 0.0"
            ),
            encoding="utf-8",
        )
        story = list(run(path, tmp_path / more.replace(" ", "")))
        losses.append([event.loss for event in story if isinstance(event, events.Progress)])
    # All pairs fit one batch: two of them are two epochs, whose mean gradient is that of one.
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


def test_many_who_ask_whether_a_run_trains_do_not_see_each_other(tmp_path: Path) -> None:
    """Each opens the lock for itself, as the threads of one server and of two do."""
    folder = RunFolder(tmp_path)
    with folder.claim():
        assert folder.is_running()
    with ThreadPoolExecutor(8) as pool:
        answers = pool.map(lambda _: [folder.is_running() for _ in range(200)], range(8))
        assert not any(map(any, answers))


def test_a_run_that_is_removed_while_it_is_asked_for_stays_away(tmp_path: Path) -> None:
    """The name would be taken for good, by a folder in which nothing stands but a lock."""
    folder, over = RunFolder(tmp_path / "run"), Event()

    def asked() -> int:
        return sum(not folder.is_running() for _ in iter(over.is_set, True))

    with ThreadPoolExecutor(2) as pool:
        asking = [pool.submit(asked) for _ in range(2)]
        try:
            for number in range(300):
                folder.work.mkdir(parents=True)
                (folder.work / "lock").touch()
                folder.path.rename(tmp_path / str(number))
        finally:
            over.set()
    assert all(future.result() for future in asking)


@pytest.mark.parametrize("way", ["asked", "file"])
def test_a_run_that_is_asked_to_stop_saves_first(
    recipe: WriteRecipe, tmp_path: Path, unharmed: Unharmed, way: str
) -> None:
    out = RunFolder(tmp_path / "out")
    wishes: list[str] = []
    story: list[events.Event] = []
    for event in run(recipe(30), out.path, asked=lambda: bool(wishes)):
        story.append(event)
        if isinstance(event, events.Progress) and way == "asked":
            wishes.append("stop")
        elif isinstance(event, events.Progress):
            out.ask_to_stop()
            assert out.is_running()
    assert story[-2:] == [events.Saved(11), events.Stopped(11)]
    assert not out.is_running()
    assert not out.is_finished()
    rest = list(run(recipe(30), out.path, resume=True))
    assert next(e for e in rest if isinstance(e, events.Started)).step == 11
    assert (out.path / "model.safetensors").read_bytes() == unharmed(30)


def test_a_folder_that_holds_a_run_is_not_overwritten(
    recipe: WriteRecipe, tmp_path: Path, tiny_checkpoint: Path
) -> None:
    list(run(recipe(20), tmp_path / "out"))
    for folder in (tmp_path / "out", tiny_checkpoint):
        with pytest.raises(HeadlightError) as caught:
            list(run(recipe(20), folder))
        assert caught.value.code == "run_exists"


@pytest.mark.parametrize("kept", ["work", "nothing"])
def test_a_model_whose_states_are_gone_is_not_written_over(
    recipe: WriteRecipe, tmp_path: Path, kept: str
) -> None:
    out = RunFolder(tmp_path / "out")
    list(run(recipe(4), out.path))
    for left in out.work.glob("state-*"):
        shutil.rmtree(left)
    if kept == "nothing":
        shutil.rmtree(out.work)
    before = (out.path / "model.safetensors").read_bytes(), out.events.read_bytes()
    with pytest.raises(HeadlightError) as caught:
        list(run(recipe(8), out.path, resume=True))
    assert caught.value.code == "run_ended"
    assert before == ((out.path / "model.safetensors").read_bytes(), out.events.read_bytes())


def test_two_runs_in_one_folder_are_refused(
    recipe: WriteRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.training.folder._PATIENCE", 0.05)
    first = run(recipe(20), tmp_path / "out")
    next(first)
    assert RunFolder(tmp_path / "out").is_running()
    with pytest.raises(HeadlightError) as caught:
        list(run(recipe(20), tmp_path / "out", resume=True))
    assert caught.value.code == "run_busy"
    assert isinstance(list(first)[-1], events.Finished), "the first run is none the worse"


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("valid = 0.1", "repeat = 0", "no pair is left"),
        ("max_target = 32", "max_target = 2", "every pair is longer"),
        ('kind = "characters"', "vocab_size = 6000", "Vocabulary size too high"),
    ],
)
def test_data_that_cannot_be_trained_on_is_named(
    recipe: WriteRecipe, tmp_path: Path, old: str, new: str, named: str
) -> None:
    with pytest.raises(HeadlightError, match=named) as caught:
        list(run(recipe(old=old, new=new), tmp_path / "out"))
    assert caught.value.code == "recipe_invalid"


def test_patience_without_anything_to_measure_is_refused(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    path = recipe(30, "patience = 3", old="valid = 0.1", new="valid = 0.0")
    with pytest.raises(HeadlightError, match="no corpus has a valid part with a pair"):
        list(run(path, tmp_path / "out"))


@pytest.mark.parametrize(("validate_every", "what"), [(20, "the loss"), (1, "embedding")])
def test_a_diverged_run_says_so_and_saves_nothing(
    recipe: WriteRecipe,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    validate_every: int,
    what: str,
) -> None:
    monkeypatch.setattr("core.training.loop.rate", lambda *_: math.inf)
    new = f"validate_every = {validate_every}"
    path = recipe(30, old="validate_every = 20", new=new)
    if what == "the loss":
        path.write_text(path.read_text("utf-8").replace("milestones = 6", "milestones = 0"))
    with pytest.raises(HeadlightError, match=what) as caught:
        list(run(path, tmp_path / "out"))
    assert caught.value.code == "training_diverged"
    text = (tmp_path / "out" / "events.jsonl").read_text(encoding="utf-8")
    assert "NaN" not in text
    assert json.loads(text.splitlines()[-1])["code"] == "training_diverged"
    assert not list((tmp_path / "out" / "work").glob("state-*"))


def test_a_run_that_diverges_late_keeps_its_last_good_state(
    recipe: WriteRecipe, tmp_path: Path, unharmed: Unharmed, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.training.schedule import rate

    def late(*arguments: object) -> float:
        step = arguments[1]
        assert isinstance(step, int)
        return math.inf if step > 20 else rate(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("core.training.loop.rate", late)
    with pytest.raises(HeadlightError):
        list(run(recipe(40), tmp_path / "out"))
    monkeypatch.undo()
    rest = list(run(recipe(40), tmp_path / "out", resume=True))
    assert next(e for e in rest if isinstance(e, events.Started)).step == 15
    assert (tmp_path / "out" / "model.safetensors").read_bytes() == unharmed(40)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
    ],
)
def test_no_memory_names_the_setting_to_lower(
    recipe: WriteRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    from core.training.loop import _share

    def full(*arguments: object) -> object:
        if next(calls) == 25:
            raise error
        return _share(*arguments)  # type: ignore[arg-type]

    calls = iter(range(100))
    monkeypatch.setattr("core.training.loop._share", full)
    with pytest.raises(HeadlightError, match="tokens_per_batch") as caught:
        list(run(recipe(40), tmp_path / "out"))
    assert caught.value.code == "memory_full"
    told = events.read_events(tmp_path / "out" / "events.jsonl")[-1]
    assert isinstance(told, events.Failed)
    assert told.code == "memory_full"
    assert [path.name for path in (tmp_path / "out" / "work").glob("state-*")] == ["state-00000015"]


def test_a_fault_of_ours_is_not_worded_away(
    recipe: WriteRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("shapes do not match")

    monkeypatch.setattr("core.training.loop._share", broken)
    with pytest.raises(RuntimeError, match="shapes"):
        list(run(recipe(20), tmp_path / "out"))


def test_weights_too_large_for_half_floats_are_stored_whole(
    recipe: WriteRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.training.session._LARGEST_HALF", 0.0)
    list(run(recipe(1), tmp_path / "out"))
    weights = load_file(tmp_path / "out" / "model.safetensors")
    assert {tensor.dtype for tensor in weights.values()} == {torch.float32}


def test_a_checkpoint_of_whole_numbers_translates_as_the_other(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    outputs = []
    for storage in ("float16", "int8"):
        out = tmp_path / storage
        list(run(recipe(60, f'storage = "{storage}"'), out))
        assert (torch.int8 in {t.dtype for t in load_file(out / "model.safetensors").values()}) == (
            storage == "int8"
        )
        model = registry.load(out, torch.device("cpu"))
        outputs.append(model.likelihoods([("일이삼", "123"), ("구팔칠", "987")]))
    for one, other in zip(*outputs, strict=True):
        assert one is not None
        assert other is not None
        assert other.per_token == pytest.approx(one.per_token, abs=0.02)


def test_a_repeated_pair_makes_no_word_familiar(recipe: WriteRecipe, tmp_path: Path) -> None:
    counted = []
    for repeat in ("1", "10"):
        path = recipe(1, old="valid = 0.1", new=f"repeat = {repeat}")
        list(run(path, tmp_path / repeat))
        opened = checkpoint.load(tmp_path / repeat)
        assert opened.familiarity is not None
        counted.append(opened.familiarity.words(opened.tokenizer, "이영일"))
    assert counted[0] == counted[1]


def test_held_out_parts_are_written_without_training(
    recipe: WriteRecipe, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    list(run(recipe(20), tmp_path / "out"))
    assert main([str(recipe(20)), str(tmp_path / "alone")]) == 0
    assert "numbers.test.tsv" in capsys.readouterr().out
    for name in ("numbers.test.tsv", "numbers.valid.tsv"):
        texts = [(tmp_path / place / name).read_text() for place in ("alone", "out/held_out")]
        assert texts[0] == texts[1]
    assert main(["nowhere.toml", str(tmp_path)]) == 2
    assert main([str(recipe(20)), str(recipe(20))]) == 2  # a file is no folder
    assert "cannot be written" in capsys.readouterr().err
    assert main([]) == 2


def test_numbers_go_to_tensorboard_where_asked(recipe: WriteRecipe, tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    story = list(run(recipe(20), tmp_path / "out", tensorboard=True))
    board = EventAccumulator(str(tmp_path / "out" / "tensorboard"))
    board.Reload()
    told = {event.step: event.loss for event in story if isinstance(event, events.Progress)}
    written = {scalar.step: scalar.value for scalar in board.Scalars("train/loss")}
    assert written == pytest.approx(told)
    assert len(board.Scalars("numbers/bleu")) == 1


def test_without_its_package_tensorboard_says_what_to_install(
    recipe: WriteRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(HeadlightError, match="pip install tensorboard"):
        list(run(recipe(20), tmp_path / "out", tensorboard=True))


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on file sizes")
def test_a_full_disk_ends_the_run_and_keeps_what_was_saved(
    recipe: WriteRecipe, tmp_path: Path, unharmed: Unharmed
) -> None:
    """The system refuses to write more than 20 kB of a file: as a full disk does, mid-file."""
    import resource

    out = RunFolder(tmp_path / "out")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def run_into_it() -> None:
        for event in run(recipe(40), out.path):
            if event == events.Saved(15):
                resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))

    try:
        with pytest.raises(HeadlightError) as caught:
            run_into_it()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.code == "file_unwritable"
    told = events.read_events(out.events)[-1]
    assert isinstance(told, events.Failed)
    assert told.code == "file_unwritable"
    assert [path.name for path in out.work.glob("state-*")] == ["state-00000015"]
    assert not list(out.path.rglob("*.partial"))
    list(run(recipe(40), out.path, resume=True))
    assert (out.path / "model.safetensors").read_bytes() == unharmed(40)


Corrupt = Callable[[Path], None]


def cut(folder: Path) -> None:
    file = folder / "state.safetensors"
    file.write_bytes(file.read_bytes()[:-40])


def flip(folder: Path) -> None:
    file = folder / "state.safetensors"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def empty(folder: Path) -> None:
    (folder / "state.json").write_bytes(b"")


def gone(folder: Path) -> None:
    (folder / "state.safetensors").unlink()


@pytest.mark.parametrize("damage", [cut, flip, empty, gone])
def test_a_damaged_newest_state_gives_way_to_the_one_before(
    recipe: WriteRecipe, tmp_path: Path, unharmed: Unharmed, damage: Corrupt
) -> None:
    work = tmp_path / "out" / "work"
    for event in run(recipe(40), tmp_path / "out"):
        if event == events.Saved(30):
            break
    assert [path.name for path in sorted(work.glob("state-*"))] == [
        "state-00000015",
        "state-00000030",
    ]
    damage(work / "state-00000030")
    rest = list(run(recipe(40), tmp_path / "out", resume=True))
    assert next(e for e in rest if isinstance(e, events.Started)).step == 15
    assert events.FellBack(15, "state-00000030") in rest
    assert (tmp_path / "out" / "model.safetensors").read_bytes() == unharmed(40)


def test_when_no_state_is_whole_that_is_said(recipe: WriteRecipe, tmp_path: Path) -> None:
    for event in run(recipe(40), tmp_path / "out"):
        if event == events.Saved(30):
            break
    for state in (tmp_path / "out" / "work").glob("state-*"):
        cut(state)
    with pytest.raises(HeadlightError) as caught:
        list(run(recipe(40), tmp_path / "out", resume=True))
    assert caught.value.code == "run_damaged"


def test_a_run_goes_on_with_its_own_recipe_and_data_alone(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    list(run(recipe(20), tmp_path / "out"))
    with pytest.raises(HeadlightError, match=r"model.d_ff"):
        list(run(recipe(20, old="d_ff = 48", new="d_ff = 64"), tmp_path / "out", resume=True))
    data = tmp_path / "pairs.tsv"
    data.write_text(data.read_text(encoding="utf-8") + "\n일일일일\t1111\n", encoding="utf-8")
    with pytest.raises(HeadlightError, match="the data changed"):
        list(run(recipe(20), tmp_path / "out", resume=True))


def test_who_asks_a_run_to_stop_as_it_begins_is_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs as soon as it holds its folder; what an earlier one was asked is over."""
    folder = RunFolder(tmp_path / "run")
    with folder.claim():
        folder.ask_to_stop()
    with folder.claim():
        assert not folder.asked_to_stop()
    acquire = FileLock.acquire

    def at_once(lock: FileLock, **more: Any) -> Any:
        held = acquire(lock, **more)
        folder.ask_to_stop()
        return held

    monkeypatch.setattr(FileLock, "acquire", at_once)
    with folder.claim():
        assert folder.asked_to_stop()


def test_a_run_without_a_folder_is_where_runs_are_looked_for(
    recipe: WriteRecipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path / "all"))
    path = recipe(1)
    last = list(run(path))[-1]
    model_id = load_recipe(path).model_id
    assert last == events.Finished(1, str(tmp_path / "all" / model_id), "steps")
    assert registry.find_folder(model_id) == tmp_path / "all" / model_id
