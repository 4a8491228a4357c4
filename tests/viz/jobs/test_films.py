"""Films are computed once, beside the pages, from real milestones, and do not pile up."""

import shutil
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from core import registry
from core.families.transformer import TransformerModel
from core.model import Inspectable, TraceRequest
from core.studies.likelihood import log_probabilities
from core.studies.milestones import SharedTarget
from tests.twins.packed import unpack
from viz.inspector.quantise import WEIGHT_ERROR
from viz.jobs import filming, films
from viz.jobs.filming import Film, FilmRequest, Silent, Stopped, TooLong
from viz.jobs.films import Filming, Films, FilmState
from viz.jobs.models import Failed
from viz.jobs.snapshots import SNAPSHOTS

WAIT = 60.0
STEPS = (0, 2, 8, 20, 80)


@pytest.fixture
def run(tiny_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(tiny_run, tmp_path / "tiny-run"))


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    SNAPSHOTS.clear()
    yield
    SNAPSHOTS.clear()


def outcome(shop: Films, request: FilmRequest) -> FilmState:
    """The state of a film once it is no longer being computed."""
    pause, began = threading.Event(), time.monotonic()
    while isinstance(standing := shop.state(request), Filming):
        assert time.monotonic() - began < WAIT
        pause.wait(0.01)
    return standing


def made(shop: Films, request: FilmRequest) -> Film:
    found = outcome(shop, request)
    assert isinstance(found, Film), found
    return found


def stopped(found: object, *steps: int) -> Film:
    """What was filmed of a film that was stopped."""
    assert isinstance(found, Stopped), found
    assert (found.done, found.of) == (len(steps), len(STEPS))
    assert found.film.steps == steps
    return found.film


def opened(run: Path, step: int) -> Inspectable:
    return registry.load(run / "milestones" / f"{step:08d}")


def test_every_frame_is_what_that_milestone_computes(run: Path) -> None:
    film = made(Films(), FilmRequest(run, "tomato"))
    assert film.steps == STEPS
    assert film.target == ("토마토", False)
    for index, step in enumerate(STEPS):
        model = opened(run, step)
        trace = model.trace(TraceRequest("tomato", "토마토"))
        facts = film.packed.meta["milestones"][index]
        kept = film.snapshots[index].trace  # nothing that a film does not show
        assert kept.logits is None
        assert all(s.queries is None and s.keys is None for s in kept.sites.values())
        free = model.generate("tomato")
        assert facts["output"]["piece"] == [token.piece for token in free.tokens]
        assert facts["finished"] == free.finished
        likely = log_probabilities(trace)
        assert likely is not None
        assert facts["loss"] == pytest.approx(-likely.mean(), abs=1e-5)
        exact = SNAPSHOTS.get(facts["trace_id"])
        assert exact is not None
        sites = film.packed.meta["milestones"][index]["sites"]
        for kind, (weights, _) in unpack(sites, film.packed.array).items():
            computed = trace.sites[kind].weights
            np.testing.assert_allclose(exact.trace.sites[kind].weights, computed, atol=1e-6)
            np.testing.assert_allclose(weights, computed, atol=WEIGHT_ERROR)


def test_the_model_learns_to_write_it(run: Path) -> None:
    milestones = made(Films(), FilmRequest(run, "tomato")).packed.meta["milestones"]
    losses = [m["loss"] for m in milestones]
    assert losses[0] > 3 > 0.2 > losses[-1]
    assert "".join(milestones[-1]["output"]["text"]) != "".join(milestones[0]["output"]["text"])


def test_what_the_run_reported_comes_along(run: Path) -> None:
    meta = made(Films(), FilmRequest(run, "bus")).packed.meta
    assert meta["validation"]["words"]["loss"] == [[40, 1.5], [80, 0.125]]
    assert meta["validation"]["words"]["exact"] == [[40, 0.25], [80, 1.0]]
    assert meta["training"]["loss"] == [[40, 2.5], [80, 1.125]]
    (run / "events.jsonl").unlink()
    quiet = made(Films(), FilmRequest(run, "bus")).packed.meta
    assert quiet["validation"] == quiet["training"] == {}
    assert quiet["film_id"] != meta["film_id"]


def test_a_film_is_computed_once_and_its_exact_numbers_come_back(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, request = Films(), FilmRequest(run, "bus")
    film = made(shop, request)
    monkeypatch.setattr(registry, "load", lambda _: pytest.fail("opened again"))
    assert made(shop, request) is film
    SNAPSHOTS.clear()
    made(shop, request)
    assert all(SNAPSHOTS.get(snapshot.id) is not None for snapshot in film.snapshots)
    assert sum(snapshot.nbytes for snapshot in film.snapshots) < 4_000_000


def test_milestones_are_let_go_of_again(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alive: list[int] = []
    most: list[int] = []
    load = registry.load

    def counting(folder: Path) -> Inspectable:
        model = load(folder)
        assert isinstance(model, TransformerModel)
        alive.append(1)
        most.append(len(alive))
        weakref.finalize(model.checkpoint.model, alive.pop)
        return model

    monkeypatch.setattr(registry, "load", counting)
    made(Films(), FilmRequest(run, "radio"))
    assert len(most) == len(STEPS)
    assert max(most) == 1
    assert len(alive) == 0


def test_a_target_of_ones_own_is_read_by_all(run: Path) -> None:
    film = made(Films(), FilmRequest(run, "bus", "라디오"))
    assert film.target == ("라디오", False)
    written = "".join(film.packed.meta["written"]["piece"][:-1])
    assert written == "".join(
        made(Films(), FilmRequest(run, "radio")).packed.meta["written"]["piece"][:-1]
    )


def test_a_new_milestone_makes_another_film(run: Path) -> None:
    shop, request = Films(), FilmRequest(run, "bus")
    before = made(shop, request)
    shutil.copytree(run / "milestones" / "00000080", run / "milestones" / "00000090")
    after = made(shop, request)
    assert after.steps == (*STEPS, 90)
    assert after.id != before.id


class Gate:
    """Holds back the opening of every milestone but the last, until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open = threading.Event()
        self.waiting = threading.Event()
        self.opened: list[str] = []
        load = registry.load

        def held(folder: Path) -> Inspectable:
            self.opened.append(folder.name)
            if not folder.name.endswith("80"):
                self.waiting.set()
                assert self.open.wait(WAIT)
            return load(folder)

        monkeypatch.setattr(registry, "load", held)


def test_it_says_how_far_it_is_and_can_be_stopped_and_gone_on_with(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    shop, request = Films(), FilmRequest(run, "bus")
    assert isinstance(shop.state(request), Filming)
    assert gate.waiting.wait(WAIT)
    standing = shop.state(request)
    assert isinstance(standing, Filming)
    assert (standing.done, standing.of) == (1, len(STEPS))
    shop.stop(request)
    gate.open.set()
    part = stopped(outcome(shop, request), 0, 80)
    assert stopped(outcome(shop, request), 0, 80) is part
    assert all(SNAPSHOTS.get(snapshot.id) for snapshot in part.snapshots), (
        "exact numbers can be fetched"
    )
    gate.opened.clear()
    shop.go_on(request)
    going_on = shop.state(request)
    assert isinstance(going_on, Filming)
    assert going_on.film is part
    whole = made(shop, request)
    assert gate.opened == ["00000080", "00000002", "00000008", "00000020"], "one was taken before"
    assert whole.id == made(Films(), request).id
    assert [snapshot.id for snapshot in part.snapshots] == [
        whole.snapshots[0].id,
        whole.snapshots[-1].id,
    ]


def test_another_milestone_of_the_run_is_filmed_beside_what_was(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = shutil.move(run / "milestones" / "00000080", tmp_path / "kept")
    shop, request = Films(), FilmRequest(run, "bus", "버스")
    before = made(shop, request)
    assert before.steps == STEPS[:-1]
    gate = Gate(monkeypatch)
    shutil.move(kept, run / "milestones" / "00000080")
    standing = shop.state(request)
    assert isinstance(standing, Filming)
    assert standing.film is before
    whole = made(shop, request)
    assert gate.opened == ["00000080"], "the others were taken before"
    monkeypatch.undo()
    assert whole.id == made(Films(), request).id


def test_frames_of_another_target_are_taken_anew(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = shutil.move(run / "milestones" / "00000080", tmp_path / "kept")
    shop, request = Films(), FilmRequest(run, "tomato")
    with monkeypatch.context() as patched:
        patched.setattr(filming, "shared_target", lambda *_: SharedTarget("버스", False))
        assert made(shop, request).target.text == "버스"
    shutil.move(kept, run / "milestones" / "00000080")
    whole = made(shop, request)
    assert whole.target.text == "토마토"
    assert whole.id == made(Films(), request).id


def test_a_film_that_was_stopped_waits_whatever_the_run_keeps(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = shutil.move(run / "milestones" / "00000008", tmp_path / "kept")
    gate = Gate(monkeypatch)
    shop, request = Films(), FilmRequest(run, "bus")
    shop.state(request)
    assert gate.waiting.wait(WAIT)
    shop.stop(request)
    shutil.move(kept, run / "milestones" / "00000008")
    gate.open.set()
    standing = outcome(shop, request)
    assert isinstance(standing, Stopped)
    assert (standing.done, standing.of) == (2, len(STEPS) - 1)
    shop.go_on(request)
    assert made(shop, request).steps == STEPS


def test_what_nobody_asks_for_stops_and_begins_again_when_asked(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    shop, request = Films(), FilmRequest(run, "bus")
    shop.state(request)
    (job,) = shop._jobs.values()
    assert gate.waiting.wait(WAIT)
    monkeypatch.setattr(films, "ABANDONED_SECONDS", 0.0)
    gate.open.set()
    stopped(job.future.result(WAIT), 0, 80)
    monkeypatch.setattr(films, "ABANDONED_SECONDS", WAIT)
    made(shop, request)


def test_only_the_latest_films_stay(run: Path) -> None:
    shop = Films(kept=2)
    first, second, third = (FilmRequest(run, word) for word in ("bus", "radio", "cafe"))
    kept = made(shop, first)
    made(shop, second)
    assert made(shop, first) is kept
    made(shop, third)
    assert made(shop, first) is kept
    assert len(shop._jobs) == 2
    small = Films(budget=1)
    made(small, first)
    made(small, second)
    assert len(small._jobs) == 1


@pytest.mark.parametrize(
    ("source", "target", "side"), [("o" * 40, None, "source"), ("bus", "버" * 15, "target")]
)
def test_what_is_too_long_for_a_browser_is_said(
    run: Path, monkeypatch: pytest.MonkeyPatch, source: str, target: str | None, side: str
) -> None:
    monkeypatch.setattr(filming, "longest_side", lambda heads, milestones: 12)
    standing = outcome(Films(), FilmRequest(run, source, target))
    assert isinstance(standing, TooLong)
    assert (standing.side, standing.limit, standing.milestones) == (side, 12, len(STEPS))
    assert standing.length > 12


@pytest.mark.parametrize(
    ("source", "target", "code"),
    [
        (" ", None, "text_empty"),
        ("bus", " ", "text_empty"),
        ("a" * 20_000, None, "text_too_large"),
        ("o" * 60, None, "source_too_long"),
        ("bus", "버" * 60, "target_too_long"),
    ],
)
def test_bad_words_get_an_error_that_can_be_worded(
    run: Path, source: str, target: str | None, code: str
) -> None:
    standing = outcome(Films(), FilmRequest(run, source, target))
    assert isinstance(standing, Failed)
    assert standing.error.code == code


def test_a_run_that_ends_at_once_is_silent(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filming, "shared_target", lambda *_: SharedTarget("", False))
    assert outcome(Films(), FilmRequest(run, "bus")) == Silent()


def test_a_damaged_milestone_is_said_and_can_be_mended(run: Path) -> None:
    weights = run / "milestones" / "00000008" / "model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    shop, request = Films(), FilmRequest(run, "bus")
    standing = outcome(shop, request)
    assert isinstance(standing, Failed)
    assert standing.error.code == "checkpoint_altered"
    weights.write_bytes(whole)
    shop.go_on(request)
    made(shop, request)


def test_a_run_that_vanishes_is_no_crash(run: Path) -> None:
    shutil.rmtree(run)
    standing = outcome(Films(), FilmRequest(run, "bus"))
    assert isinstance(standing, Failed)
