import pytest
import torch

from core.device import available_devices, best_device, describe_device
from core.errors import HeadlightError


@pytest.fixture(autouse=True)
def _no_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEADLIGHT_DEVICE", raising=False)


def pretend(monkeypatch: pytest.MonkeyPatch, *, cuda: bool, mps: bool) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)


@pytest.mark.parametrize(
    ("cuda", "mps", "best"),
    [(True, True, "cuda"), (True, False, "cuda"), (False, True, "mps"), (False, False, "cpu")],
)
def test_the_fastest_is_taken(
    monkeypatch: pytest.MonkeyPatch, cuda: bool, mps: bool, best: str
) -> None:
    pretend(monkeypatch, cuda=cuda, mps=mps)
    assert best_device().type == best
    assert available_devices()[-1] == "cpu"
    assert best_device("cpu").type == "cpu"


def test_the_environment_may_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, cuda=True, mps=False)
    monkeypatch.setenv("HEADLIGHT_DEVICE", "cpu")
    assert best_device().type == "cpu"
    assert best_device("cuda").type == "cuda"


@pytest.mark.parametrize("name", ["cuda", "tpu", "cuda:7"])
def test_a_device_that_is_not_here_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    pretend(monkeypatch, cuda=False, mps=False)
    with pytest.raises(HeadlightError) as caught:
        best_device(name)
    assert caught.value.code == "device_unknown"
    monkeypatch.setenv("HEADLIGHT_DEVICE", name)
    with pytest.raises(HeadlightError):
        best_device()


def test_devices_have_names_for_people() -> None:
    assert describe_device(torch.device("cpu")) == "CPU"
    assert "MPS" in describe_device(torch.device("mps"))
