"""Studies measured from the page: one at a time, kept by digest, stopped by whoever began them."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cachetools import FIFOCache

from core.checkpoint.manifest import MANIFEST
from core.errors import HeadlightError
from viz.jobs import measured, runs
from viz.jobs.visitor import STRANGER, Visitor

ANNE, BERT, NEAR = Visitor("anne"), Visitor("bert"), Visitor("", local=True)
FOUND = "import sys; print('1/2', file=sys.stderr, flush=True); print('{\"study\": \"x\"}')"
SLOW = "import sys, time; print('1/2', file=sys.stderr, flush=True); time.sleep(60)"


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(runs, "limit", lambda: 1)
    yield
    for one in [*measured._NOW]:
        measured.cancel(one.digest, NEAR)
        until(lambda: not measured._NOW)
    measured._KEPT.clear()
    measured._FAILED.clear()


def doing(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """In the place of a study."""
    monkeypatch.setattr(measured, "command", lambda study, options: ["-c", program])


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_study_is_what_its_command_says() -> None:
    options = ["--sentence=one two", "--kernel=3", "--depth=1", "--seeds=1"]
    name = measured.digest("receptive", options)
    measured.start("receptive", options, ANNE)
    until(lambda: measured.done(name) is None)
    assert measured.failure(name) is None
    made = measured.kept(name)
    assert made is not None
    assert made["study"] == "receptive"
    assert made["options"]["words"] == ["one", "two"]
    measured.start("receptive", options, BERT)  # it is there: nothing is measured again
    assert measured.done(name) is None


def test_a_digest_is_of_the_options_and_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    name = measured.digest("receptive", ["--sentence=a b"])
    assert name == measured.digest("receptive", ["--sentence=a b"])
    assert name != measured.digest("receptive", ["--sentence=a c"])
    assert name != measured.digest("gradients", ["--sentence=a b"])
    monkeypatch.setattr(measured, "_code", lambda: "other")
    assert name != measured.digest("receptive", ["--sentence=a b"])


def test_one_is_measured_at_a_time_and_tells_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    doing(monkeypatch, SLOW)
    name = measured.digest("gradients", [])
    measured.start("gradients", [], ANNE)
    until(lambda: measured.done(name) == (1, 2))
    measured.start("gradients", [], BERT)  # the same, which is on its way
    with pytest.raises(HeadlightError) as busy:
        measured.start("complexity", [], BERT)
    assert busy.value.code == "study_busy"
    for who in (BERT, STRANGER):
        assert not measured.may_cancel(name, who)
        measured.cancel(name, who)
        assert measured.done(name) is not None
    assert measured.may_cancel(name, NEAR)
    measured.cancel(measured.digest("complexity", []), ANNE)  # is not measured: nothing happens
    assert measured.done(name) is not None
    measured.cancel(name, ANNE)
    until(lambda: measured.done(name) is None)
    assert measured.kept(name) is None
    assert measured.failure(name) is None  # it was asked to end
    doing(monkeypatch, FOUND)
    measured.start("complexity", [], BERT)
    until(lambda: measured.kept(measured.digest("complexity", [])) == {"study": "x"})


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; print('out of luck', file=sys.stderr); sys.exit(3)", "out of luck"),
        ("print('no JSON')", ""),
        ("print('[1]')", ""),
    ],
)
def test_what_ends_without_a_result_says_why(
    monkeypatch: pytest.MonkeyPatch, program: str, said: str
) -> None:
    doing(monkeypatch, program)
    name = measured.digest("gradients", [])
    measured.start("gradients", [], ANNE)
    until(lambda: measured.done(name) is None)
    assert measured.failure(name) == said
    assert measured.kept(name) is None


def test_where_no_training_may_start_no_study_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "limit", lambda: 0)
    assert not measured.allowed()
    with pytest.raises(HeadlightError):
        measured.start("gradients", [], NEAR)


def test_few_results_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    doing(monkeypatch, FOUND)
    monkeypatch.setattr(measured, "_KEPT", FIFOCache(2))
    names = [measured.digest("receptive", [f"--seeds={seeds}"]) for seeds in (1, 2, 3)]
    for seeds, name in enumerate(names, start=1):
        measured.start("receptive", [f"--seeds={seeds}"], ANNE)
        until(lambda name=name: measured.kept(name) is not None)  # type: ignore[misc]
    assert [measured.kept(name) is None for name in names] == [True, False, False]


def test_a_command_is_one_of_python() -> None:
    assert measured.command("gradients", []) == ["-m", "core", "study", "gradients", "--json"]
    assert sys.executable


def test_a_digest_is_of_the_weights_of_the_models_that_it_names(
    tiny_checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that was trained anew under its name is measured anew."""
    folder = Path(shutil.copytree(tiny_checkpoint, tmp_path / "tiny"))
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path))
    options = ["--model=tiny", "--seeds=1"]
    of_it, of_none = (measured.digest("alignment", asked) for asked in (options, options[1:]))
    assert measured.digest("alignment", options) == of_it
    manifest = folder / MANIFEST
    manifest.write_bytes(manifest.read_bytes() + b"\n")
    assert measured.digest("alignment", options) != of_it
    assert measured.digest("alignment", options[1:]) == of_none
    manifest.unlink()
    assert measured.digest("alignment", options) != of_it  # what is wrong with it, the study says
