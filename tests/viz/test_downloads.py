"""Downloads as pages see them: asked for, fetched, stopped, and closed to who may not."""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from core import settings
from core.errors import HeadlightError
from tests import hub
from tests.hub_server import Hub, serving
from viz.jobs import downloads
from viz.jobs.downloads import Download
from viz.jobs.visitor import STRANGER, Visitor

HERE = Visitor(local=True)
NAME, OTHER = "some/whole", "some/other"
SECONDS = 60


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    whole = hub.folder(tmp_path / "whole", "gpt2", hub.GPT2, "goes on")
    with serving(Hub({name: {"main": whole} for name in (NAME, OTHER)})) as server:
        for name, value in server.environment(tmp_path / "cache").items():
            monkeypatch.setenv(name, value)
        yield server


def _until(state: str, name: str = NAME) -> Download:
    pause, end = Event(), time.monotonic() + SECONDS
    while time.monotonic() < end:
        found = downloads.download(name)
        if found is not None and found.state == state:
            return found
        pause.wait(0.05)
    pytest.fail(f"it never was {state}: {downloads.download(name)}")


def test_a_model_is_offered_with_its_size_stopped_and_fetched(there: Hub) -> None:
    downloads.ask(NAME, HERE)
    offered = _until("offered")
    assert offered.files >= 4
    assert offered.bytes > 10_000
    there.pause = 30.0
    downloads.fetch(NAME, HERE)
    assert _until("fetching").bytes == offered.bytes
    downloads.stop(NAME, HERE)
    assert _until("offered").folder is None
    there.pause = 0.0
    downloads.fetch(NAME, HERE)
    here = _until("here")
    assert here.folder is not None
    assert (here.folder / "model.safetensors").is_file()
    assert here.done == here.bytes


def test_what_fails_says_why_and_can_be_asked_again(there: Hub) -> None:
    folders, there.folders = there.folders, {}
    downloads.ask(OTHER, HERE)
    failed = _until("failed", OTHER)
    assert failed.error is not None
    assert "there is no model of that name" in str(failed.error)
    there.folders = folders
    downloads.ask(OTHER, HERE)
    assert _until("offered", OTHER).error is None


@pytest.mark.parametrize(
    ("setting", "visitor", "may"),
    [
        ("", STRANGER, False),
        ("", HERE, True),
        ("anyone", STRANGER, True),
        ("nobody", HERE, False),
    ],
)
def test_who_may_add_is_who_sits_here_or_whom_the_owner_lets(
    monkeypatch: pytest.MonkeyPatch, setting: str, visitor: Visitor, may: bool
) -> None:
    monkeypatch.setenv("HEADLIGHT_ADD_MODELS", setting)
    assert downloads.may_add(visitor) is may
    if not may:
        for act in (downloads.ask, downloads.fetch, downloads.stop):
            with pytest.raises(HeadlightError, match="HEADLIGHT_ADD_MODELS"):
                act(NAME, visitor)


def _saying(folder: Path, monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """In the place of the command line."""
    (folder / "core").mkdir()
    (folder / "core" / "__main__.py").write_text(program, "utf-8")
    monkeypatch.setattr(settings, "CODE", folder)


def test_so_many_models_come_at_a_time_and_a_stopped_one_makes_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was stopped before its size was told was never asked for."""
    _saying(tmp_path, monkeypatch, "import time; time.sleep(600)")
    names = ("busy/first", "busy/second", "busy/third")
    for name in names[:2]:
        downloads.ask(name, HERE)
    downloads.ask(names[0], HERE)  # it is: nothing more to do
    with pytest.raises(HeadlightError, match="busy/first, busy/second"):
        downloads.ask(names[2], HERE)
    assert downloads.download(names[2]) is None
    downloads.stop(names[0], HERE)
    assert downloads.download(names[0]) is None
    downloads.ask(names[2], HERE)
    for name in names[1:]:
        assert downloads.download(name) == Download(name)
        downloads.stop(name, HERE)


@pytest.mark.parametrize("program", ["", "print('no JSON')", "print('{}')", "raise SystemExit(3)"])
def test_a_process_that_ends_without_a_word_has_failed_and_leaves_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    _saying(tmp_path, monkeypatch, program)
    for name in ("mute/first", "mute/second", "mute/third"):
        downloads.ask(name, HERE)
        failed = _until("failed", name)
        assert failed.error is not None
        assert name in str(failed.error)


def test_the_version_that_was_offered_is_the_one_that_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However its name moves on meanwhile: it is what was said to take so many bytes."""
    offer = '{"revision": "abc", "files": 1, "bytes": 9, "parameters": 7}'
    _saying(
        tmp_path,
        monkeypatch,
        f"""import json, sys
if "--offer" in sys.argv:
    print('{offer}')
else:
    print('{{"done": 99}}', flush=True)
    print(json.dumps({{"folder": " ".join(sys.argv[1:])}}))
""",
    )
    downloads.ask("some/moving", HERE)
    offered = _until("offered", "some/moving")
    assert (offered.revision, offered.files, offered.bytes) == ("abc", 1, 9)
    downloads.fetch("some/moving", HERE)
    here = _until("here", "some/moving")
    assert here.folder == Path("download some/moving --revision=abc --json")
    assert here.done == here.bytes, "never more than there is"
