"""Settings are read whole: what is wrong or unknown is refused by its name."""

from __future__ import annotations

import dataclasses
import os
import re
from pathlib import Path

import pytest

from core import settings
from core.errors import HeadlightError
from core.settings import Settings, read


def refused(name: str, text: str) -> HeadlightError:
    with pytest.raises(HeadlightError) as caught:
        read({name: text})
    assert name in str(caught.value)
    return caught.value


def test_nothing_set_is_the_default() -> None:
    code = Path(settings.__file__).parent.parent
    assert read({"PATH": "/bin"}) == Settings(code / "checkpoints", code / "runs", None, 1)


@pytest.mark.parametrize("name", settings.KNOWN)
def test_an_empty_one_counts_as_not_set(name: str) -> None:
    assert read({name: ""}) == Settings()


def test_what_is_set_holds() -> None:
    environment = {
        "HEADLIGHT_CHECKPOINTS": "/models",
        "HEADLIGHT_RUNS": "/runs",
        "HEADLIGHT_DEVICE": "cpu",
        "HEADLIGHT_TRAININGS": "12",
        "HEADLIGHT_HOSTS": "Class.Example.org., lab",
        "HEADLIGHT_BROWSER": "brave",
        "HEADLIGHT_MODELS": os.pathsep.join(("/a", "/b")),
        "HEADLIGHT_ADD_MODELS": "anyone",
    }
    hosts = frozenset(("class.example.org", "lab"))
    places = Path("/models"), Path("/runs")
    theirs = (Path("/a"), Path("/b"))
    assert read(environment) == Settings(*places, "cpu", 12, hosts, "brave", theirs, "anyone")


@pytest.mark.parametrize("text", ["all", "Local", "yes", "anyone "])
def test_who_adds_models_is_one_of_three(text: str) -> None:
    assert refused("HEADLIGHT_ADD_MODELS", text).code == "setting_invalid"


@pytest.mark.parametrize(("text", "count"), [("0", 0), ("1", 1), ("2", 2), ("00", 0), ("999", 999)])
def test_a_number_of_trainings(text: str, count: int) -> None:
    assert read({"HEADLIGHT_TRAININGS": text}).trainings == count


@pytest.mark.parametrize(
    "text", ["-1", "off", " 0", "0 ", "1.5", "+1", "1e3", "٠", "²", "0x0", "9" * 4400]
)
def test_a_limit_never_fails_open(text: str) -> None:
    assert refused("HEADLIGHT_TRAININGS", text).code == "setting_invalid"


@pytest.mark.parametrize("text", ["abacus", "cuda:1", "CPU", " cpu"])
def test_a_device_is_one_of_three(text: str) -> None:
    assert refused("HEADLIGHT_DEVICE", text).code == "setting_invalid"


@pytest.mark.parametrize(
    "text",
    ["*", "*.example.org", "a b", "lab:8501", "http://lab", "a,,b", ",", "[::1]", "강의실", "a/b"],
)
def test_hosts_are_plain_names(text: str) -> None:
    assert refused("HEADLIGHT_HOSTS", text).code == "setting_invalid"


@pytest.mark.parametrize("name", ["HEADLIGHT_TRAINING", "HEADLIGHT_", "HEADLIGHT_trainings"])
def test_an_unknown_name_is_refused_and_the_known_ones_are_said(name: str) -> None:
    error = refused(name, "0")
    assert error.code == "setting_unknown"
    assert all(known in str(error) for known in settings.KNOWN)
    assert refused(name, "").code == "setting_unknown"


def test_a_long_value_is_not_repeated() -> None:
    assert len(str(refused("HEADLIGHT_TRAININGS", "a" * 100_000))) < 300


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().trainings = 9  # type: ignore[misc]


def test_every_setting_of_people_is_told() -> None:
    page = (Path(settings.__file__).parents[1] / "docs" / "serving.md").read_text("utf-8")
    said = set(re.findall(r"^\| `(HEADLIGHT_[A-Z_]+)` \|", page, re.MULTILINE))
    assert said == set(settings.KNOWN) - set(settings.OF_TESTS)
