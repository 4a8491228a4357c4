"""A look of a file on every page: shown where no model is needed, said to be elsewhere else."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.trace import AttentionSite, Floats, Kind, Stack, save_trace
from tests.viz.inspector.made import trace
from tests.viz.test_app import _app, _drawn, _texts, _whole
from tests.viz.text.korean import english_in
from viz.jobs.models import Models
from viz.jobs.saved import LIMIT, open_saved
from viz.jobs.snapshots import SNAPSHOTS, Snapshot
from viz.session import callbacks
from viz.text import frame
from viz.text.bertviz import TEXT as BERTVIZ
from viz.text.inspect import TEXT
from viz.text.language import LANGUAGES, Language

ROOT = Path(__file__).parents[3]


@pytest.fixture
def saved(fresh: Models, tmp_path: Path) -> Iterator[Snapshot]:
    """Of five layers, where the model at work has three."""
    save_trace(tmp_path / "look.npz", trace(layers=5, heads=6, model_id="elsewhere"))
    yield open_saved((tmp_path / "look.npz").read_bytes(), "look.npz")
    SNAPSHOTS.clear()


@pytest.mark.parametrize("page", ["inspect", "step"])
def test_pages_that_need_no_model_show_it(saved: Snapshot, page: str) -> None:
    app = _whole(_app(page, lang="en", trace=saved.id, kind="cross", layer="5", head="6"))
    (meta,) = _drawn(app)
    assert meta["trace_id"] == saved.id
    assert meta["ui"]["selection"]["layer"] == 5
    assert "as elsewhere computed it" in _texts(app)
    assert "not there" not in _texts(app)
    assert app.query_params["trace"] == saved.id
    (back,) = [button for button in app.button if button.label == TEXT["en"].saved_back]
    back.click().run()
    assert _drawn(_whole(app))[0]["model_id"] == "tiny"
    assert "trace" not in app.query_params


@pytest.mark.parametrize("axis", ["source", "target"])
def test_a_file_of_pieces_alone_is_said_as_a_sentence(
    fresh: Models, tmp_path: Path, axis: str
) -> None:
    """Of an encoder, and of a decoder that has no source, as other programs save them."""
    count = 101
    kind = "encoder_self" if axis == "source" else "decoder_self"
    arrays: dict[str, Any] = {
        f"{side}_tokens": np.array([], np.str_) for side in ("source", "target")
    }
    arrays[f"{axis}_tokens"] = np.array(["<s>", *("Ġthe", "Ġcat", "s", "Ġsat") * 25])
    arrays |= {
        f"{kind}_weights": np.eye(count, dtype=np.float32)[None, None],
        f"{kind}_allowed": np.eye(count, dtype=np.bool_),
        "meta": np.array(json.dumps({"model_id": "foreign", "format": 1})),
    }
    np.savez(tmp_path / "look.npz", **arrays)
    found = open_saved((tmp_path / "look.npz").read_bytes(), "look.npz")
    said = _texts(_whole(_app("inspect", lang="en", trace=found.id))).replace("\\", "")
    assert "as foreign computed it: the cats sat the cats sat" in said
    assert "start" not in said
    (line,) = [line for line in said.splitlines() if "as foreign" in line]
    assert len(line) < 200
    assert line.endswith("…")
    SNAPSHOTS.clear()


def test_bertviz_draws_it(saved: Snapshot) -> None:
    app = _whole(_app("bertviz", lang="en", trace=saved.id, layer="5"))
    (view,) = app.get("bidi_component")
    path = json.loads(view.proto.json)["path"]
    assert path == f"bertviz/{saved.id}/head?kind=cross&layer=5&lang=en"
    assert "as elsewhere computed it" in _texts(app)


def test_the_neuron_view_has_a_head_and_no_other_view_asks_for_one(saved: Snapshot) -> None:
    app = _whole(_app("bertviz", lang="en", trace=saved.id, layer="5", head="4"))
    words = BERTVIZ["en"]
    for view, labels, asked in (
        ("head", [words.layer], "layer=5"),
        ("model", [], "layer=5"),
        ("neuron", [words.layer, words.head], "layer=5&head=4"),
    ):
        app.segmented_control(key="widget.bertviz").set_value(view).run()
        app = _whole(app)
        own = [one.label for one in app.segmented_control if one.label in (words.layer, words.head)]
        assert own == labels
        (drawn,) = app.get("bidi_component")
        path = json.loads(drawn.proto.json)["path"]
        assert path == f"bertviz/{saved.id}/{view}?kind=cross&{asked}&lang=en"
    app.segmented_control(key="widget.head").set_value("6").run()
    assert _whole(app).query_params["head"] == "6"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_that_cannot_says_where_it_is_and_complains_of_nothing(
    saved: Snapshot, language: Language
) -> None:
    app = _whole(_app("compare", lang=language, trace=saved.id, layer="5", head="6"))
    words = TEXT[language]
    assert words.saved_elsewhere in _texts(app).replace("\\", "")
    assert frame.TEXT[language].refused.split("(")[0] not in _texts(app).replace("\\", "")
    assert app.query_params["trace"] == saved.id
    assert words.saved_show in [button.label for button in app.button]


def test_without_a_saved_look_no_page_speaks_of_one(fresh: Models) -> None:
    app = _whole(_app("compare", lang="en"))
    assert TEXT["en"].saved_elsewhere not in _texts(app)
    asked = _whole(_app("step", lang="en", layer="99"))
    assert "not there (layer)" in _texts(asked).replace("\\", "")


@pytest.mark.parametrize("page", ["inspect", "step"])
def test_where_it_is_gone_what_else_the_address_asks_for_in_vain_is_said(
    fresh: Models, page: str
) -> None:
    wrong = {"kind": "foo", "layer": "99", "head": "1.5", "mode": "table"}
    app = _whole(_app(page, lang="en", trace="abc", **wrong))
    assert TEXT["en"].saved_gone in _texts(app).replace("\\", "")
    told = next(one.value for one in app.caption if "not there" in one.value)
    assert all(name in told for name in wrong)
    assert "trace" not in told
    assert "trace" not in app.query_params


@pytest.mark.parametrize("kind", ["encoder", "no scores", "no logits"])
def test_step_shows_what_there_is(fresh: Models, tmp_path: Path, kind: str) -> None:
    snapshot = trace(scores=kind != "no scores")
    if kind == "encoder":
        only: dict[Kind, AttentionSite] = {"encoder_self": snapshot.sites["encoder_self"]}
        snapshot = replace(snapshot, target=(), written=(), sites=only, logits=None)
    elif kind != "no scores":
        snapshot = replace(snapshot, logits=None)
    save_trace(tmp_path / "look.npz", snapshot)
    found = open_saved((tmp_path / "look.npz").read_bytes(), "look.npz")
    (meta,) = _drawn(_whole(_app("step", trace=found.id)))
    assert meta["trace_id"] == found.id


@pytest.mark.parametrize("page", ["inspect", "step", "bertviz"])
def test_states_without_attention_are_opened(fresh: Models, tmp_path: Path, page: str) -> None:
    """As the app itself exports them of a model that has no more."""
    carried: dict[Stack, dict[str, Floats]] = {
        "encoder": {"hidden": np.zeros((1, len(trace().source), 4), np.float32)}
    }
    alone = replace(trace(model_id="elsewhere"), sites={}, states=carried)
    save_trace(tmp_path / "look.npz", alone)
    found = open_saved((tmp_path / "look.npz").read_bytes(), "look.npz")
    app = _whole(_app(page, lang="en", trace=found.id))
    assert not app.exception
    assert "as elsewhere computed it" in _texts(app)
    drawn = [json.loads(one.proto.json) for one in app.get("bidi_component")]
    if page != "bertviz":
        assert [one["meta"]["states"][0]["units"] for one in drawn if "meta" in one] == [4]


def test_an_upload_may_be_as_large_as_a_saved_look() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert config["server"]["maxUploadSize"] * 1024 * 1024 == LIMIT


def test_a_korean_page_refuses_a_file_in_korean(saved: Snapshot, tmp_path: Path) -> None:
    content = (tmp_path / "look.npz").read_bytes()
    app = _whole(_app("inspect", lang="ko"))
    app.file_uploader(key="widget.saved").upload("broken.npz", content[:3000]).run()
    said = _whole(app).warning[0].value.replace("\\", "")
    assert said.startswith("broken.npz 파일은")
    assert not english_in(said, ["broken.npz"]), said


def test_a_file_is_read_once_and_what_is_wrong_with_it_is_said_until_it_goes(
    saved: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []

    def noted(content: bytes, name: str, *, holder: str) -> Snapshot:
        names.append(name)
        return open_saved(content, name, holder=holder)

    monkeypatch.setattr(callbacks, "open_saved", noted)
    content = (tmp_path / "look.npz").read_bytes()
    app = _whole(_app("inspect", lang="en"))
    app.file_uploader(key="widget.saved").upload("broken.npz", content[:3000]).run()
    refusal = "broken.npz is not a trace that Headlight can draw"
    assert refusal in _texts(_whole(app)).replace("\\", "")
    assert refusal in _texts(_whole(app.run())).replace("\\", "")
    app.file_uploader(key="widget.saved").upload("look.npz", content).run()
    assert _drawn(_whole(app))[0]["model_id"] == "elsewhere"
    (back,) = [button for button in app.button if button.label == TEXT["en"].saved_back]
    back.click().run()
    assert _drawn(_whole(app))[0]["model_id"] == "tiny"
    assert refusal not in _texts(app).replace("\\", "")
    assert names == ["broken.npz", "look.npz"]


def test_a_visit_holds_no_file_that_was_read(
    saved: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit keeps what a field holds as long as the visit, beside its own store of files."""
    held: list[UploadedFile] = []
    take = callbacks.take_saved

    def noted(uploaded: UploadedFile | None) -> bool:
        held.extend([] if uploaded is None else [uploaded])
        return take(uploaded)

    monkeypatch.setattr(callbacks, "take_saved", noted)
    content = (tmp_path / "look.npz").read_bytes()
    app = _whole(_app("inspect", lang="en"))
    for body in (content[:3000], content):
        app.file_uploader(key="widget.saved").upload("look.npz", body).run()
    assert _drawn(_whole(app))[0]["model_id"] == "elsewhere"
    assert len(held) >= 2
    assert [one.getvalue() for one in held] == [b""] * len(held)
