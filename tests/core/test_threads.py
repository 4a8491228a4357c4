"""Small work gets one thread, and nobody's setting is another one behind it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch

from core import threads
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.nn.transformer import Transformer
from core.threads import SMALL, threads_for

SOURCE = "어제 카페 갔었어 거기 사람 많더라"


@pytest.fixture(autouse=True)
def three() -> Iterator[None]:
    """A user's own setting, of this process and of this thread."""
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


@pytest.fixture(params=["OpenMP's", "torch's"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where OpenMP cannot be asked, torch is."""
    if request.param == "torch's":
        monkeypatch.setattr(threads, "_openmp", lambda: None)
    return str(request.param)


def elsewhere(ask: Callable[[], int]) -> int:
    """The answer of a thread that has not used torch before."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(ask()))
    thread.start()
    thread.join()
    return found[0]


def test_small_work_gets_one_thread_and_large_work_all(way: str) -> None:
    with threads_for(SMALL):
        assert torch.get_num_threads() == 1
        with threads_for(1):
            assert torch.get_num_threads() == 1
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 3
    with threads_for(SMALL + 1):
        assert torch.get_num_threads() == 3


def test_a_setting_survives_what_goes_wrong(way: str) -> None:
    with pytest.raises(KeyError), threads_for(1):
        raise KeyError
    assert torch.get_num_threads() == elsewhere(torch.get_num_threads) == 3


def test_a_thread_that_begins_with_small_work_has_the_process_setting_after_it(way: str) -> None:
    def work() -> int:
        with threads_for(1):
            torch.ones(2) + 1
        return torch.get_num_threads()

    assert elsewhere(work) == 3


@pytest.mark.skipif(threads._openmp() is None, reason="this torch does not show its OpenMP")
def test_other_threads_notice_nothing() -> None:
    with threads_for(1):
        assert elsewhere(torch.get_num_threads) == 3


def test_a_sentence_is_small_and_a_long_text_is_not(
    tiny_model: TransformerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[int] = []
    forward, decode = Transformer.forward, Transformer.decode

    def watched(way: Callable[..., object]) -> Callable[..., object]:
        def run(*args: object, **more: object) -> object:
            used.append(torch.get_num_threads())
            return way(*args, **more)

        return run

    monkeypatch.setattr(Transformer, "forward", watched(forward))
    monkeypatch.setattr(Transformer, "decode", watched(decode))
    look = tiny_model.trace(TraceRequest(SOURCE))
    tiny_model.trace(TraceRequest(SOURCE, prefix=(look.written[0].id,)))
    tiny_model.generate(SOURCE, beam=4)
    tiny_model.search(SOURCE, beam=2)
    assert set(used) == {1}
    used.clear()
    monkeypatch.setattr(threads, "SMALL", 0)
    tiny_model.trace(TraceRequest(SOURCE))
    assert set(used) == {3}
    assert torch.get_num_threads() == 3


def test_numbers_are_the_same_with_one_thread(
    tiny_model: TransformerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = tiny_model.trace(TraceRequest(SOURCE))
    monkeypatch.setattr(threads, "SMALL", 0)
    many = tiny_model.trace(TraceRequest(SOURCE))
    assert one.written == many.written
    for kind, site in one.sites.items():
        np.testing.assert_allclose(site.weights, many.sites[kind].weights, atol=1e-6)
    assert one.logits is not None
    assert many.logits is not None
    np.testing.assert_allclose(one.logits, many.logits, atol=1e-5)
