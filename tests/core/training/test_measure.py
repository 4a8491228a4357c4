"""The time of an update is measured on the recipe that will run."""

import pytest
import torch

from core.errors import HeadlightError
from core.training.measure import seconds_per_update
from core.training.ready import Choices, digits, recipe_of, recipe_text


def test_a_larger_model_takes_longer_and_randomness_is_left_alone() -> None:
    before = torch.random.get_rng_state()
    tiny, small = (
        seconds_per_update(
            recipe_of(recipe_text(Choices("m", "en", "en", size, 9, "characters"), "p", digits(9))),
            100,
        )
        for size in ("tiny", "small")
    )
    assert 0 < tiny < small
    assert torch.equal(before, torch.random.get_rng_state())


def test_a_device_that_is_not_here_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLIGHT_DEVICE", "mps")
    monkeypatch.setattr("core.device.available_devices", lambda: ("cpu",))
    choices = Choices("m", "en", "en", "tiny", 9, "characters")
    with pytest.raises(HeadlightError) as caught:
        seconds_per_update(recipe_of(recipe_text(choices, "p", digits(9))), 100)
    assert caught.value.code == "device_unknown"
