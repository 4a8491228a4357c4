"""The Studies page draws what studies printed, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from viz.jobs import studies
from viz.screens.studies import STUDIES
from viz.text.language import LANGUAGES, Language
from viz.text.plain import plain
from viz.text.studies import EN, TEXT

pytestmark = pytest.mark.usefixtures("fresh")


def page() -> None:
    from viz.main import run

    run("studies")


def opened(**query: str) -> AppTest:
    at = AppTest.from_function(page, default_timeout=60)
    for name, text in query.items():
        at.query_params[name] = text
    at.run()
    assert not at.exception
    return at


def traces(at: AppTest) -> list[dict[str, Any]]:
    (chart,) = at.get("plotly_chart")
    lines: list[dict[str, Any]] = json.loads(chart.proto.spec)["data"]
    return [line for line in lines if line.get("name")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("study", STUDIES)
def test_every_study_that_is_kept_is_drawn(study: str, language: Language) -> None:
    at = opened(study=study, lang=language)
    assert plain(TEXT[language].questions[study]) in [one.value for one in at.markdown]
    if not studies.kept(study):
        assert [one.value for one in at.info] == [plain(TEXT[language].none)]
        return
    assert len(traces(at)) >= 3


def test_gradients_are_those_of_the_time_that_is_chosen() -> None:
    (made,) = studies.kept("gradients")
    for when, clip in (("start", None), ("trained", 0.0), ("clipped", 1.0)):
        drawn = traces(opened(study="gradients", when=when))
        wanted = [curve["norms"] for curve in made["curves"] if curve["clip"] == clip]
        assert [line["y"] for line in drawn] == wanted
        assert drawn[0]["name"] == EN.radius.format(cell="RNN", radius="0.5")


def test_models_of_one_kind_are_a_mean_between_their_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    curve = {"family": "seq2seq", "attention": "none"}
    made = {
        "study": "bottleneck",
        "groups": [{"least": 1, "most": 2, "pairs": 20}, {"least": 3, "most": None, "pairs": 3}],
        "curves": [{**curve, "bleu": [80.0, None]}, {**curve, "bleu": [90.0, None]}],
    }
    (tmp_path / "bottleneck.json").write_text(json.dumps(made), "utf-8")
    (tmp_path / "exposure.json").write_text("no JSON", "utf-8")
    monkeypatch.setattr(studies, "FOLDER", tmp_path)
    (line,) = traces(opened(study="bottleneck"))
    assert (line["x"], line["y"]) == (["1–2", "3+"], [85.0, None])
    assert line["name"] == EN.kinds["none"]
    assert opened(study="exposure").info[0].value == plain(EN.none)
    assert opened(study="gradients").info[0].value == plain(EN.none)


def test_a_study_that_is_not_there_is_said() -> None:
    at = opened(study="astrology")
    assert any("study" in one.value for one in at.caption)
