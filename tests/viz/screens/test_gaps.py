"""The Gaps page as Streamlit runs it: models that cannot read a sentence leave it to the others."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import HeadlightError
from tests.small import WORDS, learnt
from viz.jobs.models import Models
from viz.screens import gaps, obtain
from viz.text.errors import worded
from viz.text.gaps import TEXT
from viz.text.inspect import TEXT as INSPECT
from viz.text.language import LANGUAGES, Language
from viz.text.plain import plain

SIZES = {"layers": 1, "d_model": 8, "d_ff": 8, "heads": 1}


@pytest.fixture
def root(fresh: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, objective in (("ahead", "forward"), ("back", "backward")):
        learnt(tmp_path / name, "language", {**SIZES, "objective": objective}, steps=1)
    labels = {**SIZES, "labels": ["a", "b"]}
    learnt(tmp_path / "kinds", "language", labels, [("cafe", "a"), ("bus", "b")], 1)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path))
    return tmp_path


def opened(**parameters: str) -> AppTest:
    app = AppTest.from_string("from viz.main import run\nrun('gaps')", default_timeout=60)
    for name, value in {"source": WORDS[0][0], **parameters}.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def models(app: AppTest) -> list[str]:
    return [
        one["model"]
        for node in app.get("bidi_component")
        for one in json.loads(node.proto.json)["meta"]["models"]
    ]


def test_models_that_fill_gaps_are_shown_and_no_other(root: Path) -> None:
    assert models(opened()) == ["ahead", "back"]


@pytest.mark.parametrize("few", [1, 2])
def test_who_cannot_read_a_sentence_leaves_it_to_the_others(
    root: Path, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    by, error = gaps._by, HeadlightError("source_too_long", length=37, limit=32)
    refusing = ["back", "ahead"][:few]

    def tried(model_id: str, source: str) -> object:
        if model_id in refusing:
            raise error
        return by(model_id, source)

    monkeypatch.setattr(gaps, "_by", tried)
    app = opened()
    assert models(app) == ["ahead", "back"][: 2 - few]
    said = [one.value for one in (app.warning if few == 2 else app.caption)]
    told = worded(error, "en")
    if few == 1:
        assert plain(f"back: {told}") in said
    else:  # once, and not of one model where it is of both
        assert said == [plain(TEXT["en"].too_long.format(length=37, limit=32))]


def test_refusals_that_differ_stand_in_the_order_of_the_pictures(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = {
        "ahead": HeadlightError("source_too_long", length=37, limit=32),
        "back": HeadlightError("text_too_large", size=400, limit=300),
    }
    (root / "ahead").rename(root / "zahead")  # the alphabet has it last

    def refusing(model_id: str, source: str) -> object:
        obtain.ready(model_id)
        raise refusals[model_id.removeprefix("z")]

    monkeypatch.setattr(gaps, "_by", refusing)
    app = opened()
    ahead, back = (worded(refusals[name], "en") for name in ("ahead", "back"))
    assert [one.value for one in app.warning] == [plain(f"zahead: {ahead} back: {back}")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_in_another_language_than_they_read_is_told(
    root: Path, language: Language
) -> None:
    text = INSPECT[language]
    names = {"read": text.languages["en"], "written": text.languages["ko"]}
    told = plain(TEXT[language].other_language.format(**names))
    assert told in [one.value for one in opened(source="카페", lang=language).caption]
    assert told not in [one.value for one in opened(lang=language).caption]
