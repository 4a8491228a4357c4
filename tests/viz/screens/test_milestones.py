"""The Milestones page as Streamlit runs it: its run, its sentence, its target, and bad input."""

import json
import shutil
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from core.errors import HeadlightError
from core.training.folder import RunFolder
from viz.inspector.options import OPTIONS
from viz.jobs import owners, services, visitor
from viz.jobs.filming import Film, FilmRequest, Silent, Stopped, TooLong, outcome
from viz.jobs.films import Filming, Films, FilmState
from viz.jobs.models import Failed, Models
from viz.jobs.visitor import Visitor
from viz.screens import milestones as page
from viz.text import frame
from viz.text.errors import TEXT as ERRORS
from viz.text.language import LANGUAGES, Language
from viz.text.milestones import EN, TEXT

TIMEOUT = 60
RUN = "from viz.main import run\nrun('milestones')"


@pytest.fixture
def runs(fresh: Models, tiny_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One run of English words to Hangul beside the two tiny models."""
    shutil.copytree(tiny_run, tmp_path / "tiny-run")
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path))
    monkeypatch.setattr(page, "FILMS", Films())
    return tmp_path


def opened(**query: str) -> AppTest:
    app = AppTest.from_string(RUN, default_timeout=TIMEOUT)
    app.query_params.update(query)
    return whole(app.run())


def whole(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def drawn(app: AppTest) -> dict[str, Any]:
    """What the film was sent, without its array."""
    (node,) = app.get("bidi_component")
    meta: dict[str, Any] = json.loads(node.proto.mixed.json)["meta"]
    return meta


def said(app: AppTest) -> str:
    kinds = (app.caption, app.info, app.warning, app.error, app.markdown)
    return "\n".join(element.value for kind in kinds for element in kind).replace("\\", "")


def written(app: AppTest) -> str:
    return unicodedata.normalize("NFC", "".join(drawn(app)["written"]["piece"][:-1]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_clone_without_milestones_says_what_to_do(fresh: Models, language: Language) -> None:
    app = opened(lang=language)
    assert TEXT[language].none in said(app)
    assert not app.get("bidi_component")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_is_shown_at_once_with_a_sentence_of_its_own(runs: Path, language: Language) -> None:
    app = opened(lang=language)
    meta = drawn(app)
    assert [m["step"] for m in meta["milestones"]] == [0, 2, 8, 20, 80]
    assert app.text_input(key="widget.film-source").value == "cafe"
    assert meta["ui"]["language"] == language
    unasked = {"turn": 0, "kind": 0, "layer": 0, "head": 0}
    assert meta["ui"]["selection"] | unasked == dict.fromkeys(OPTIONS) | unasked | {
        "milestone": 80,
        "compare": 0,
        "view": "maps",
        "speed": None,
        "loop": None,
    }
    assert TEXT[language].shared.format(target="“카페”") in said(app)
    assert app.query_params["milestone"] == "80"
    assert app.query_params["compare"] == "0"


def test_the_address_brings_everything_back(runs: Path) -> None:
    query = {
        "lang": "ko",
        "model": "tiny",
        "film": "tiny-run",
        "sentence": "bus",
        "forced": "라디오",
        "milestone": "8",
        "compare": "2",
        "view": "difference",
        "speed": "0.5",
        "loop": "on",
        "kind": "decoder_self",
        "layer": "2",
        "head": "3",
    }
    app = opened(**query)
    assert dict(app.query_params) == query
    selection = drawn(app)["ui"]["selection"]
    assert selection == dict.fromkeys(OPTIONS) | {
        "turn": 1,
        "kind": "decoder_self",
        "layer": 2,
        "head": 3,
        "milestone": 8,
        "compare": 2,
        "view": "difference",
        "speed": "0.5",
        "loop": "on",
    }
    assert app.text_input(key="widget.film-source").value == "bus"
    assert app.text_input(key="widget.film-target").value == "라디오"
    assert TEXT["ko"].forced.format(target="“라디오”") in said(app)


@pytest.mark.parametrize(
    ("name", "value", "nearest"),
    [
        ("milestone", "77", "80"),
        ("milestone", "-1", "80"),
        ("compare", "3", "2"),
        ("view", "sideways", "maps"),
        ("speed", "3", None),
        ("loop", "maybe", None),
        ("film", "../etc", None),
    ],
)
def test_a_wrong_address_gets_the_nearest_and_a_notice(
    runs: Path, name: str, value: str, nearest: str | None
) -> None:
    app = opened(lang="en", **{name: value})
    drawn(app)
    assert frame.EN.refused.format(names=name) in said(app)
    if nearest is not None:
        assert app.query_params[name] == nearest


def test_the_usual_way_of_playing_needs_no_notice_and_is_left_out(runs: Path) -> None:
    app = opened(lang="en", speed="1", loop="off")
    drawn(app)
    assert frame.EN.refused.split("{", maxsplit=1)[0] not in said(app)
    assert not {"speed", "loop"} & set(app.query_params)


def test_a_speed_stays_with_another_run(runs: Path) -> None:
    shutil.copytree(runs / "tiny-run", runs / "another")
    app = opened(lang="en", model="tiny-run", speed="4")
    app.selectbox(key="widget.film-run").set_value("another").run()
    assert app.query_params["speed"] == "4"
    assert drawn(app)["ui"]["selection"]["speed"] == "4"


def test_a_sentence_of_another_language_stays_on_this_page(runs: Path) -> None:
    app = opened(lang="en", model="tiny", source="어제 비가 왔어")
    assert app.text_input(key="widget.film-source").value == "cafe"
    app.text_input(key="widget.film-source").set_value("bus").run()
    assert written(whole(app)) == "버스"
    assert app.query_params["sentence"] == "bus"
    assert app.query_params["source"] == "어제 비가 왔어"


def test_a_sentence_of_the_same_languages_is_shared(runs: Path) -> None:
    app = opened(lang="en", model="tiny-spelling", source="radio", target="버스")
    assert app.text_input(key="widget.film-source").value == "radio"
    assert written(app) == "버스"
    app.text_input(key="widget.film-source").set_value("tomato").run()
    assert written(whole(app)) == "토마토"
    assert app.query_params["source"] == "tomato"
    assert "target" not in app.query_params
    assert "sentence" not in app.query_params
    app.text_input(key="widget.film-target").set_value(" 카페 ").run()
    assert app.query_params["target"] == "카페"
    app.text_input(key="widget.film-target").set_value("  ").run()
    assert "target" not in app.query_params
    assert written(whole(app)) == "토마토"


def test_a_target_of_this_page_goes_with_its_sentence(runs: Path) -> None:
    app = opened(lang="en", model="tiny")
    app.text_input(key="widget.film-target").set_value("버스").run()
    assert app.query_params["forced"] == "버스"
    assert written(whole(app)) == "버스"
    app.button(key="film-example-1").click().run()
    assert "forced" not in app.query_params
    assert written(whole(app)) == "버스"
    assert app.text_input(key="widget.film-source").value == "bus"


def test_whose_run_it_is_stays_said_until_another_is_chosen(
    runs: Path, tiny_run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page runs again as its film comes, and more often than that."""
    shutil.copytree(tiny_run, runs / "secret")
    owner = owners.Owner("somebody else", private=True)
    (runs / "secret" / owners.OWNER).write_bytes(owners.file_of(owner))
    monkeypatch.setattr(visitor, "current", lambda: Visitor(local=False))
    told = ERRORS["en"]["run_foreign"].format(run="secret")
    app = opened(film="secret")
    assert told in said(app)
    for _ in range(2):
        assert told in said(whole(app.run()))
    assert told not in said(opened(film="tiny-run"))
    assert told not in said(opened(film="nobody's"))


def test_another_run_starts_anew(runs: Path) -> None:
    shutil.copytree(runs / "tiny-run", runs / "tiny")  # a run named like a model
    shutil.rmtree(runs / "tiny" / "milestones" / "00000020")
    app = opened(lang="en", model="tiny", sentence="bus", milestone="20")
    box = app.selectbox(key="widget.film-run")
    assert box.options == ["tiny.run", "tiny-run"]
    assert box.value == "tiny.run"
    box.set_value("tiny-run").run()
    assert app.query_params["film"] == "tiny-run"
    assert "sentence" not in app.query_params
    assert app.query_params["milestone"] == "80"
    assert app.text_input(key="widget.film-source").value == "cafe"


def test_the_run_of_the_model_at_work_comes_first(runs: Path) -> None:
    shutil.copytree(runs / "tiny-run", runs / "another")
    assert opened(model="tiny-run").selectbox(key="widget.film-run").value == "tiny-run"
    assert opened(model="another").selectbox(key="widget.film-run").value == "another"


def test_what_was_chosen_in_the_film_survives_a_rerun_and_sends_nothing_again(runs: Path) -> None:
    app = opened(lang="en", model="tiny")
    before = drawn(app)
    chosen = {"kind": "cross", "layer": 2, "head": 4, "milestone": 2, "compare": 8}
    app.session_state["film"] = {"selection": {**chosen, "view": "difference", "pinned": None}}
    script = (
        "from viz import main\nfrom viz.session import callbacks\n"
        "import streamlit as st\n"
        "if st.session_state.get('film'): callbacks.take_selection('film')\n"
        "main.run('milestones')"
    )
    again = AppTest.from_string(script, default_timeout=TIMEOUT)
    again.session_state["headlight"] = app.session_state["headlight"]
    again.session_state["film"] = app.session_state["film"]
    whole(again.run())
    assert again.query_params["milestone"] == "2"
    assert again.query_params["view"] == "difference"
    assert drawn(again) == before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("typed", "code"),
    [("", "text_empty"), ("a" * 1_000_000, "text_too_large"), ("o" * 60, "source_too_long")],
)
def test_bad_sentences_get_a_sentence_back(
    runs: Path, typed: str, code: str, language: Language
) -> None:
    app = opened(lang=language)
    app.text_input(key="widget.film-source").set_value(typed).run()
    assert not whole(app).get("bidi_component")
    assert ERRORS[language][code].split("{")[0].strip() in said(app)
    assert app.text_input(key="widget.film-source").value == typed


@pytest.mark.parametrize("typed", ["<script>alert(1)</script>", "**a** :red[b] $c$", "한글", "🙂"])
def test_odd_text_is_only_text(runs: Path, typed: str) -> None:
    app = opened(lang="en")
    app.text_input(key="widget.film-source").set_value(typed).run()
    assert drawn(whole(app))["source"]["text"]
    app.text_input(key="widget.film-target").set_value(typed).run()
    assert f"“{typed}”" in said(whole(app))
    assert ":red[" not in "".join(caption.value for caption in app.caption)


class Standing:
    """Films whose state is given."""

    def __init__(self, *states: FilmState) -> None:
        self.states = list(states)
        self.heard: list[str] = []

    def state(self, _: FilmRequest) -> FilmState:
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]

    def stop(self, _: FilmRequest) -> None:
        self.heard.append("stop")

    def go_on(self, _: FilmRequest) -> None:
        self.heard.append("go on")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stands_in_the_way_is_said(
    runs: Path, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    words = TEXT[language]
    error = HeadlightError("checkpoint_missing", path="x", file="manifest.json")
    for standing, sentence in (
        (TooLong("source", 70, 53, 20), words.long_source),
        (TooLong("target", 70, 53, 20), words.long_target),
        (Silent(), words.silent),
        (Failed(error), words.failed),
    ):
        monkeypatch.setattr(page, "FILMS", Standing(standing))
        app = opened(lang=language)
        assert not app.get("bidi_component")
        expected = sentence.split("{")[0].strip() or sentence.split("}")[-1].strip()
        assert expected in said(app)


def watched(app: AppTest) -> list[dict[str, Any]]:
    """What the watches of training runs were told."""
    told = [json.loads(node.proto.json or "{}") for node in app.get("bidi_component")]
    return [data for data in told if "run" in data]


def test_runs_are_watched_while_they_train(runs: Path) -> None:
    assert not watched(opened())
    with RunFolder(runs / "tiny-run").claim():
        assert watched(opened()) == [{"run": "tiny-run", "steps": [0, 2, 8, 20, 80]}]
        shutil.rmtree(runs / "tiny-run" / "milestones")
        app = opened(lang="en")
    assert EN.none in said(app)
    assert watched(app) == [{"run": "tiny-run", "steps": []}]


def test_the_first_frame_alone_decides_no_comparison(
    runs: Path, part: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = replace(part, steps=part.steps[-1:], snapshots=part.snapshots[-1:])
    monkeypatch.setattr(page, "FILMS", Standing(Stopped(1, 5, one)))
    app = opened(lang="en")
    assert app.query_params["milestone"] == "80"
    assert "compare" not in app.query_params
    assert "compare" not in drawn(app)["ui"]["selection"]


@pytest.fixture
def part(tiny_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Film:
    """The film of the first two and the last milestones."""
    folder = tmp_path_factory.mktemp("part") / "tiny-run"
    shutil.copytree(tiny_run, folder)
    for step in (8, 20):
        shutil.rmtree(RunFolder(folder).milestone(step))
    milestones = RunFolder(folder).milestones()
    film = outcome(FilmRequest(folder, "cafe"), milestones, lambda _: True, {})
    assert isinstance(film, Film)
    return film


def test_a_film_that_takes_long_can_be_stopped_and_gone_on_with(
    runs: Path, part: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = Standing(Filming(3, 5, 2.5), Stopped(3, 5, part))
    monkeypatch.setattr(page, "FILMS", busy)
    app = opened(lang="en")
    assert EN.stopped.format(done=3, of=5) in said(app)
    assert [m["step"] for m in drawn(app)["milestones"]] == [0, 2, 80], "what has been filmed"
    app.button(key="film-go-on").click().run()
    assert busy.heard == ["go on"]


def test_what_was_filmed_stays_while_the_rest_is(
    runs: Path, part: Film, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "FILMS", Standing(Filming(3, 5, 2.5, part)))
    monkeypatch.setattr(services, "pause", lambda _: streamlit.stop())
    app = opened(lang="en", milestone="2")
    assert [m["step"] for m in drawn(app)["milestones"]] == [0, 2, 80]
    assert drawn(app)["ui"]["selection"]["milestone"] == 2
    assert app.get("progress")


@pytest.mark.parametrize("asked", [{}, {"milestone": "80", "compare": "2"}])
def test_a_film_that_grows_opens_where_it_would_open_whole(
    runs: Path, part: Film, monkeypatch: pytest.MonkeyPatch, asked: dict[str, str]
) -> None:
    early = replace(part, id="early", steps=part.steps[:1], snapshots=part.snapshots[:1])
    growing = Filming(1, 3, 2.5, early)
    monkeypatch.setattr(page, "FILMS", Standing(growing, growing, part))
    app = opened(lang="en", **asked)
    wanted = {"milestone": "80", "compare": "0"} | asked
    assert wanted.items() <= dict(app.query_params).items()
    assert drawn(app)["ui"]["selection"]["milestone"] == 80
    assert frame.EN.refused.split("{")[0] not in said(app)


def test_how_far_it_is_stands_beside_the_way_to_stop_it(
    runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = Standing(Filming(7, 20, 2.5))
    monkeypatch.setattr(page, "FILMS", busy)
    monkeypatch.setattr(services, "pause", lambda _: streamlit.stop())
    app = opened(lang="en")
    (bar,) = app.get("progress")
    assert bar.proto.value == 35
    assert bar.proto.text.replace("\\", "") == EN.watching.format(done=8, of=20)
    app.button(key="film-stop").click().run()
    assert busy.heard == ["stop"]
    monkeypatch.setattr(page, "FILMS", Standing(Filming(7, 20, 0.1)))
    assert not opened(lang="en").get("progress")
