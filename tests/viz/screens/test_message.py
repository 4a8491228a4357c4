"""A sentence read as a user's message, on the pages: the switch, the address, what is beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest

from core.model import Inspectable, Sampling, TraceRequest
from tests import hub
from tests.viz.asgi import get
from tests.viz.screens.test_branch import drawn, spelled
from viz.jobs import services
from viz.jobs.models import Models, Ready
from viz.jobs.snapshots import SNAPSHOTS, snapshot_id
from viz.server.routes import ROUTES
from viz.text.inspect import TEXT
from viz.text.language import LANGUAGES, Language

TEXT_OF = "cafe went"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("chats")
    hub.chat(root / "chatty")
    hub.chat(root / "odd", "{{ messages[0].content | upper }}")
    return root


@pytest.fixture
def chatty(fresh: Models, folders: Path, monkeypatch: pytest.MonkeyPatch) -> Inspectable:
    monkeypatch.setenv("HEADLIGHT_MODELS", str(folders))
    monkeypatch.setattr(services, "MODELS", Models(services._load))
    return opened("chatty")


def opened(model: str) -> Inspectable:
    state = services.MODELS.wait(model, 60)
    assert isinstance(state, Ready)
    return state.model


def app(page: str, **query: str) -> AppTest:
    here = AppTest.from_string(f"from viz.main import run\nrun({page!r})", default_timeout=60)
    here.query_params.update({"model": "chatty", "source": TEXT_OF, **query})
    here.run()
    assert not here.exception
    return here


def read(meta: dict[str, Any]) -> list[str]:
    return list(meta["read"]["piece"])


def pieces(model: Inspectable, **asked: Any) -> list[str]:
    return [token.piece for token in model.trace(TraceRequest(TEXT_OF, **asked)).target]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ["inspect", "step"])
def test_the_switch_and_the_address_read_a_message_and_back(
    chatty: Inspectable, page: str, language: Language
) -> None:
    here = app(page, lang=language)
    assert read(drawn(here)) == pieces(chatty)
    (toggle,) = [one for one in here.toggle if one.label == TEXT[language].as_message]
    toggle.set_value(True).run()
    assert here.query_params["message"] == "on"
    assert read(drawn(here)) == pieces(chatty, message=True)
    assert drawn(here)["facts"]["message"] is True
    assert drawn(here)["ui"]["asks"] == {"model": "chatty", "message": "on"}
    again = app(page, lang=language, message="on")
    assert drawn(again)["trace_id"] == drawn(here)["trace_id"]
    (toggle,) = [one for one in again.toggle if one.label == TEXT[language].as_message]
    toggle.set_value(False).run()
    assert "message" not in again.query_params
    assert read(drawn(again)) == pieces(chatty)


def test_what_is_beside_a_message_is_one_too(chatty: Inspectable) -> None:
    plain = pieces(chatty, message=True)
    sampled = drawn(app("step", message="on", seed="3", sample_temperature="1.8"))
    assert read(sampled) == pieces(chatty, message=True, sampling=Sampling(3, 1.8))
    assert read(sampled["compare"]) == plain
    forced = drawn(app("step", message="on", target="the tea"))
    assert read(forced) == pieces(chatty, message=True, target="the tea")
    assert read(forced["compare"]) == plain
    free = chatty.trace(TraceRequest(TEXT_OF, message=True))
    prefix = (*(token.id for token in free.written[: int(free.meta["given"])]), 9)
    branched = drawn(app("step", message="on", branch=spelled(prefix)))
    assert read(branched) == pieces(chatty, message=True, prefix=prefix)
    assert read(branched["compare"]) == plain


def test_another_switch_leaves_a_branch_that_went_through_other_tokens(
    chatty: Inspectable,
) -> None:
    free = chatty.trace(TraceRequest(TEXT_OF))
    prefix = (*(token.id for token in free.written[: int(free.meta["given"])]), 9)
    here = app("step", branch=spelled(prefix), target="the tea")
    (toggle,) = [one for one in here.toggle if one.label == TEXT["en"].as_message]
    toggle.set_value(True).run()
    assert "branch" not in here.query_params
    assert here.query_params["target"] == "the tea"
    assert read(drawn(here)) == pieces(chatty, message=True, target="the tea")


def test_both_sides_of_compare_read_messages(chatty: Inspectable) -> None:
    app("compare", message="on", beside="the tea")
    for text in (TEXT_OF, "the tea"):
        request = TraceRequest(text, message=True)
        assert SNAPSHOTS.get(snapshot_id(chatty.digest, "cpu", request)) is not None


def test_beams_go_on_from_a_message(chatty: Inspectable) -> None:
    here = app("step", message="on", beam="2")
    assert not here.warning
    ready = services.opened("chatty")
    assert ready is not None
    made = services.search(ready, TEXT_OF, 2, message=True)
    assert made.tree.given
    assert made.id != services.search(ready, TEXT_OF, 2).id
    assert made.id in [node.proto.json for node in here.get("bidi_component")][-1]


@pytest.mark.parametrize("model", ["odd", "tiny"])
def test_a_model_without_such_a_template_has_no_switch(chatty: Inspectable, model: str) -> None:
    own = opened(model)
    here = app("inspect", model=model, message="on")
    assert TEXT["en"].as_message not in [one.label for one in here.toggle]
    assert "message" not in drawn(here)["facts"]
    assert drawn(here)["ui"]["asks"] == {"model": model}
    assert not own.card.capabilities.message


def test_a_typed_message_is_looked_at_as_one(chatty: Inspectable) -> None:
    asked = urlencode({"model": "chatty", "source": TEXT_OF, "message": "on"})
    ready = services.opened("chatty")
    assert ready is not None
    reply = get(Starlette(routes=ROUTES), f"/snapshot?{asked}", method="POST")
    found = services.snapshot(ready, TraceRequest(TEXT_OF, message=True))
    assert json.loads(reply.body)["trace_id"] == found.id
    assert found.packed.meta["facts"]["message"] is True
