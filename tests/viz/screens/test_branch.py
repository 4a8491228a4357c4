"""Branches on the pages: their line, the way back, their address, the look beside them."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.text.tokenizer import END_ID
from viz.inspector.pack import pack
from viz.jobs import services
from viz.jobs.models import Models
from viz.jobs.snapshots import Snapshot
from viz.screens.branch import departures
from viz.text import step
from viz.text.branch import EN, KO, TEXT, BranchText
from viz.text.language import LANGUAGES, Language
from viz.text.rows import names

SOURCE = "나는 물을 마신다"


def app(page: str = "step", **query: str) -> AppTest:
    services.MODELS.wait("tiny", 60)
    here = AppTest.from_string(f"from viz.main import run\nrun({page!r})", default_timeout=60)
    here.query_params.update(query)
    here.run()
    assert not here.exception
    return here


def drawn(here: AppTest) -> dict[str, Any]:
    (meta,) = [json.loads(node.proto.json)["meta"] for node in here.get("bidi_component")]
    assert isinstance(meta, dict)
    return meta


def said(here: AppTest) -> str:
    return "\n".join(element.value for element in here.markdown).replace("\\", "")


def spelled(ids: tuple[int, ...]) -> str:
    return ".".join(map(str, ids))


@pytest.fixture(scope="module")
def free(tiny_model: TransformerModel) -> tuple[int, ...]:
    return tuple(token.id for token in tiny_model.trace(TraceRequest(SOURCE)).written)


@pytest.fixture(scope="module")
def other(tiny_model: TransformerModel, free: tuple[int, ...]) -> tuple[int, ...]:
    """A branch at step 2: the second choice there."""
    logits = tiny_model.trace(TraceRequest(SOURCE)).logits
    assert logits is not None
    return (free[0], int(np.argsort(-logits[1])[1]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ["inspect", "step"])
def test_an_address_shows_the_branch_and_the_way_back(
    fresh: Models,
    tiny_model: TransformerModel,
    other: tuple[int, ...],
    page: str,
    language: Language,
) -> None:
    here = app(page, source=SOURCE, branch=spelled(other), lang=language)
    branch = tiny_model.trace(TraceRequest(SOURCE, prefix=other))
    text = TEXT[language]
    token, own = branch.written[1].text, tiny_model.vocabulary_tokens
    assert branch.logits is not None
    liked = own([int(branch.logits[1].argmax())])[0].text
    assert text.branched.format(step=2, token=token, own=liked) in said(here)
    assert drawn(here)["written"]["text"] == [token.text for token in branch.written]
    assert here.query_params["branch"] == spelled(other)
    next(button for button in here.button if button.label == text.back).click().run()
    assert "branch" not in here.query_params
    assert text.branched[:6] not in said(here)
    assert drawn(here)["facts"]["free_running"] is True


@pytest.mark.parametrize(("language", "end"), [("en", "[end]"), ("ko", "[끝]")])
def test_the_end_is_called_as_everywhere(
    fresh: Models, free: tuple[int, ...], language: Language, end: str
) -> None:
    """Written too soon, and passed over."""
    assert free[-1] == END_ID
    for branch in ((*free[:1], END_ID), (*free[:-1], free[0])):
        here = app("step", source=SOURCE, branch=spelled(branch), lang=language)
        assert f"“{end}”" in said(here)


def test_on_the_step_page_the_free_translation_stands_beside_it(
    fresh: Models, tiny_model: TransformerModel, other: tuple[int, ...]
) -> None:
    beside = drawn(app(source=SOURCE, branch=spelled(other)))["compare"]
    free = tiny_model.trace(TraceRequest(SOURCE))
    assert beside["written"]["text"] == [token.text for token in free.written]
    assert (beside["label"], beside["base_label"]) == (step.EN.free, EN.label)


def test_back_leads_from_branch_to_branch(
    fresh: Models, tiny_model: TransformerModel, other: tuple[int, ...]
) -> None:
    snapshot = tiny_model.trace(TraceRequest(SOURCE, prefix=other))
    assert snapshot.logits is not None
    assert len(snapshot.written) > 3
    third = int(np.argsort(-snapshot.logits[2])[2])
    here = app(source=SOURCE, branch=spelled((*other, third)))
    labels = [button.label for button in here.button]
    assert EN.start in labels
    next(button for button in here.button if button.label == EN.back).click().run()
    assert here.query_params["branch"] == spelled(other)


def test_a_branch_of_a_target_leads_back_to_the_target(
    fresh: Models, other: tuple[int, ...]
) -> None:
    here = app(source=SOURCE, target="water the I", branch=spelled(other))
    assert drawn(here)["compare"]["label"] == step.EN.forced
    next(button for button in here.button if button.label == EN.back).click().run()
    assert drawn(here)["facts"]["target_text"] == "water the I"


def test_another_sentence_or_target_leaves_the_branch(
    fresh: Models, other: tuple[int, ...]
) -> None:
    here = app(source=SOURCE, branch=spelled(other))
    here.text_input(key="widget.target").set_value("I drink").run()
    assert "branch" not in here.query_params
    assert drawn(here)["facts"]["target_text"] == "I drink"
    again = app(source=SOURCE, branch=spelled(other))
    again.text_input(key="widget.source").set_value("어제 비가 왔어").run()
    assert "branch" not in again.query_params


@pytest.mark.parametrize("branch", ["4..5", "x", "-1", "1e3", "9" * 2000, "٣"])
def test_an_address_that_is_no_branch_is_free(fresh: Models, branch: str) -> None:
    assert drawn(app(source=SOURCE, branch=branch))["facts"]["free_running"] is True


def test_a_branch_that_is_too_long_is_said(fresh: Models) -> None:
    """As the browser sends it; the notice would be forgotten by what is done after it."""
    services.MODELS.wait("tiny", 60)
    code = (
        "from viz.session import callbacks, state\n"
        "state.begin(('tiny',))\n"
        "callbacks.take_branch('x')\n"
        "assert state.refused() == ('branch',), state.refused()\n"
        "assert state.current().prefix == ()\n"
    )
    here = AppTest.from_string(code, default_timeout=60)
    here.session_state["x"] = {"branch": {"selection": {}, "prefix": [1000] * 400}}
    assert not here.run().exception


@pytest.mark.parametrize("branch", ["9999999", "3.5", ".".join(["5"] * 90)])
def test_what_the_model_cannot_write_is_said(fresh: Models, branch: str) -> None:
    here = app(source=SOURCE, branch=branch)
    assert len(here.warning) == 1
    assert not here.get("bidi_component")


def test_the_mask_can_be_lifted_in_a_branch(fresh: Models, other: tuple[int, ...]) -> None:
    here = app(source=SOURCE, branch=spelled(other), mask="off")
    assert EN.branched.format(step=2, token="", own="")[:20] in said(here)
    assert drawn(here)["facts"]["lift_mask"] is True


@pytest.mark.parametrize("name", names(BranchText))
def test_both_languages_say_it(name: str) -> None:
    english, korean = getattr(EN, name), getattr(KO, name)
    assert english
    assert korean
    assert english.count("{") == korean.count("{")


def test_what_its_own_settings_have_it_write_is_no_branch(tiny_model: TransformerModel) -> None:
    free = tiny_model.trace(TraceRequest(SOURCE))
    first, second = (token.id for token in free.written[:2])
    assert free.logits is not None
    for told, liked in (
        ({}, {}),
        ({"overruled": "0:5"}, {0: 5}),
        ({"overruled": f"0:{first} 1:{second}"}, {}),
    ):
        trace = replace(free, meta={**free.meta, **told})
        packed = pack(trace, trace_id="x")
        found = Snapshot("x", TraceRequest(SOURCE, prefix=(first, second)), trace, packed)
        assert departures(found) == liked
