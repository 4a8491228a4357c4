"""Models that are opened beside the pages: each once, none that is waited for let go."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.errors import HeadlightError
from core.families.transformer import TransformerModel
from core.model import Inspectable
from viz.jobs.models import Failed, Loading, Models, Ready

WAIT = 60.0
SLOW, OFTEN = 0.08, 0.03  # seconds that a load takes, and after which a page asks again


class Loader:
    """Opens everything as one model, slowly, and counts."""

    def __init__(self, model: TransformerModel, seconds: float = 0.0) -> None:
        self.model = model
        self.seconds = seconds
        self.loaded: list[str] = []

    def __call__(self, model_id: str) -> Inspectable:
        self.loaded.append(model_id)
        threading.Event().wait(self.seconds)
        return self.model


def _until(true: Callable[[], bool], seconds: float = WAIT) -> bool:
    pause, end = threading.Event(), time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        pause.wait(OFTEN)
    return true()


def _page(models: Models, model_id: str) -> int:
    """What a page does: asks where a model stands until it is open; how often it asked."""
    asked = 0

    def ready() -> bool:
        nonlocal asked
        asked += 1
        return isinstance(models.state(model_id), Ready)

    assert _until(ready, 20 * SLOW), f"{model_id} was never ready"
    # The run that draws the page with it comes a moment later, and must find it.
    threading.Event().wait(OFTEN)
    assert isinstance(models.state(model_id), Ready)
    return asked


def test_what_a_model_says_of_itself_outlasts_it(tiny_model: TransformerModel) -> None:
    models = Models(Loader(tiny_model), kept=1, grace=0.0)
    models.wait("one", WAIT)
    models.wait("two", WAIT)
    assert models.opened("one") is None
    assert models.card("one") is tiny_model.card
    assert models.card("three") is None
    models.forget("one")  # its folder is another one
    assert models.card("one") is None


def test_the_page_is_told_how_long_a_model_takes(tiny_model: TransformerModel) -> None:
    release = threading.Event()

    def load(_: str) -> Inspectable:
        assert release.wait(WAIT)
        return tiny_model

    models = Models(load)
    first, second = models.state("a"), models.state("a")
    assert isinstance(first, Loading)
    assert isinstance(second, Loading)
    assert 0 <= first.seconds <= second.seconds
    assert isinstance(models.wait("a", 0.01), Loading)
    release.set()
    standing = models.wait("a", WAIT)
    assert isinstance(standing, Ready)
    assert standing.model is tiny_model


def test_a_crash_while_opening_becomes_a_sentence() -> None:
    def load(_: str) -> Inspectable:
        raise ZeroDivisionError

    standing = Models(load).wait("broken", WAIT)
    assert isinstance(standing, Failed)
    assert "ZeroDivisionError" in str(standing.error)


def test_what_fails_slowly_is_told_and_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.jobs.models.RETRY_SECONDS", 5 * OFTEN)
    tried: list[str] = []

    def load(model_id: str) -> Inspectable:
        tried.append(model_id)
        threading.Event().wait(10 * OFTEN)
        raise HeadlightError("model_unknown", model=model_id, known="")

    models = Models(load)
    assert _until(lambda: isinstance(models.state("a"), Failed))
    assert tried == ["a"]
    assert isinstance(models.state("a"), Failed)
    assert _until(lambda: isinstance(models.state("a"), Loading))
    assert _until(lambda: tried == ["a", "a"])


def test_a_model_that_was_forgotten_is_opened_anew(tiny_model: TransformerModel) -> None:
    load = Loader(tiny_model)
    models = Models(load)
    models.wait("a", WAIT)
    models.forget("a")
    models.forget("never opened")
    models.wait("a", WAIT)
    assert load.loaded == ["a", "a"]


def test_only_the_latest_models_stay_open(tiny_model: TransformerModel) -> None:
    load = Loader(tiny_model)
    models = Models(load, kept=2, grace=0.0)
    for model_id in ("a", "b", "a", "c", "a", "b"):
        models.wait(model_id, WAIT)
    assert load.loaded == ["a", "b", "c", "b"]


def test_more_pages_than_places_all_get_their_model(tiny_model: TransformerModel) -> None:
    """With 3 places, the fourth page's question pushed out what another page waited for."""
    load = Loader(tiny_model, SLOW)
    models = Models(load, kept=3)
    names = [f"model-{number}" for number in range(6)]
    with ThreadPoolExecutor(12) as pool:
        asked = list(pool.map(lambda name: _page(models, name), [*names, *names]))
    assert sorted(load.loaded) == names
    assert max(asked) > 1, "no page had to wait"


def test_many_who_ask_for_one_model_cause_one_load(tiny_model: TransformerModel) -> None:
    load = Loader(tiny_model, SLOW)
    models = Models(load, kept=1)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda _: _page(models, "a"), range(16)))
    assert load.loaded == ["a"]


def test_who_waits_in_silence_is_not_forgotten(tiny_model: TransformerModel) -> None:
    """A test or a command waits without asking again; nobody takes its model out of the queue."""
    load = Loader(tiny_model, SLOW)
    models = Models(load, kept=1, grace=0.0)
    with ThreadPoolExecutor(4) as pool:
        stood = list(pool.map(lambda name: models.wait(name, WAIT), "abcd"))
    assert all(isinstance(one, Ready | Loading) for one in stood)
    assert sorted(load.loaded)[0] == "a"
    assert set("abcd") <= set(load.loaded)


def test_once_nobody_waits_no_more_are_open_than_may(tiny_model: TransformerModel) -> None:
    """By itself: nobody has to ask for anything."""
    models = Models(Loader(tiny_model), kept=2, grace=0.2)
    for name in "abcdefgh":
        models.wait(name, WAIT)
    assert len(models) > 2, "nothing was kept for who waits"
    assert _until(lambda: len(models) <= 2)
    assert models.opened("h") is not None


def test_what_was_asked_for_and_left_is_not_opened(tiny_model: TransformerModel) -> None:
    """Somebody who turns over a list of models makes nobody wait for all of them."""
    release, loaded = threading.Event(), list[str]()

    def load(model_id: str) -> Inspectable:
        loaded.append(model_id)
        assert release.wait(WAIT)
        return tiny_model

    models = Models(load, kept=1, grace=0.1)
    for name in "abcde":
        models.state(name)
    assert _until(lambda: isinstance(models.state("e"), Loading) and len(models) <= 2, 5.0)
    release.set()
    assert isinstance(models.wait("e", WAIT), Ready)
    assert loaded == ["a", "e"]
