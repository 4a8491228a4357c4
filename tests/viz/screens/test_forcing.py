"""A target and a lifted mask on the pages that have no fields for them."""

from pathlib import Path

import pytest

from tests import hub
from tests.viz.screens.test_branch import SOURCE, app
from viz.jobs import services
from viz.jobs.models import Models
from viz.text.language import LANGUAGES, Language
from viz.text.step import TEXT

TARGET = "it rained"


def lines(page: str, **query: str) -> tuple[str, list[str]]:
    """All captions, and the labels of the buttons."""
    here = app(page, source=SOURCE, **query)
    said = "\n".join(element.value for element in here.caption).replace("\\", "")
    return said, [button.label for button in here.button]


@pytest.mark.parametrize("language", LANGUAGES)
def test_bertviz_says_what_it_shows_and_goes_back(fresh: Models, language: Language) -> None:
    text = TEXT[language]
    query = {"target": TARGET, "mask": "off", "lang": language}
    said, labels = lines("bertviz", **query)
    assert f"{text.here.format(target=TARGET)} · {text.lifted}" in said
    assert text.free_again in labels
    here = app("bertviz", source=SOURCE, **query)
    next(button for button in here.button if button.label == text.free_again).click().run()
    assert not {"target", "mask"} & here.query_params.keys()
    assert text.lifted not in "\n".join(element.value for element in here.caption)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ["inspect", "compare"])
@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"target": TARGET}, "target_elsewhere"),
        ({"mask": "off"}, "mask_elsewhere"),
        ({"target": TARGET, "mask": "off"}, "both_elsewhere"),
    ],
)
def test_a_page_without_it_says_where_it_is(
    fresh: Models, query: dict[str, str], says: str, page: str, language: Language
) -> None:
    said, labels = lines(page, lang=language, **query)
    assert getattr(TEXT[language], says) in said
    assert TEXT[language].show in labels


@pytest.mark.parametrize("page", ["inspect", "step", "compare", "bertviz"])
def test_nothing_is_said_where_nothing_was_asked(fresh: Models, page: str) -> None:
    _, labels = lines(page)
    assert not {TEXT["en"].show, TEXT["en"].free_again} & set(labels)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mask_that_is_there_is_not_denied(
    fresh: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    """BLOOM attends in a way of its own: it has a causal mask, and none that could be reached."""
    hub.folder(tmp_path / "bloom", "bloom", hub.OWN_WAYS["bloom"], "goes on")
    monkeypatch.setenv("HEADLIGHT_MODELS", str(tmp_path))
    monkeypatch.setattr(services, "MODELS", Models(services._load))
    services.MODELS.wait("bloom", 60)
    said, _ = lines("step", model="bloom", lang=language)
    assert TEXT[language].mask_fixed in said
    assert TEXT[language].no_mask not in said


def test_step_has_its_own_fields(fresh: Models) -> None:
    _, labels = lines("step", target=TARGET, mask="off")
    assert not {TEXT["en"].show, TEXT["en"].free_again} & set(labels)
