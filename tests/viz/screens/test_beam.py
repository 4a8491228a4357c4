"""Beam search on the Step page: how wide, what the browser is sent, an address of its own."""

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.families.transformer import TransformerModel
from viz.jobs import services
from viz.jobs.models import Models, Ready
from viz.text.beam import TEXT

SOURCE = "나는 물을 마신다"


def app(**query: str) -> AppTest:
    services.MODELS.wait("tiny", 60)
    here = AppTest.from_string("from viz.main import run\nrun('step')", default_timeout=60)
    here.query_params.update({"source": SOURCE} | query)
    here.run()
    assert not here.exception
    return here


def trees(here: AppTest) -> list[dict[str, Any]]:
    sent = [json.loads(node.proto.json)["meta"] for node in here.get("bidi_component")]
    return [meta for meta in sent if "rows" in meta]


@pytest.mark.parametrize("beam", ["2", "5"])
def test_an_address_shows_the_tree(fresh: Models, tiny_model: TransformerModel, beam: str) -> None:
    here = app(beam=beam)
    (meta,) = trees(here)
    found = tiny_model.search(SOURCE, beam=int(beam))
    assert meta["totals"] == pytest.approx([node.total for node in found.nodes])
    assert meta["ids"] == [node.token.id for node in found.nodes]
    assert here.query_params["beam"] == beam


def test_it_is_off_until_it_is_asked_for_and_goes_off_again(fresh: Models) -> None:
    here = app()
    assert trees(here) == []
    assert here.segmented_control(key="widget.beam").label == TEXT["en"].kept
    here.segmented_control(key="widget.beam").set_value("3").run()
    assert trees(here)[0]["beam"] == 3
    assert here.query_params["beam"] == "3"
    here.segmented_control(key="widget.beam").set_value("").run()
    assert trees(here) == []
    assert "beam" not in here.query_params


@pytest.mark.parametrize("beam", ["1", "6", "x", "16"])
def test_another_width_is_refused(fresh: Models, beam: str) -> None:
    here = app(beam=beam)
    assert trees(here) == []
    assert not here.exception


def test_an_address_names_the_hypothesis_that_is_read(fresh: Models) -> None:
    here = app(beam="3", hypothesis="2")
    (meta,) = trees(here)
    assert meta["ui"]["selection"] == {"turn": 1, "hypothesis": 2}
    assert here.query_params["hypothesis"] == "2"
    here.segmented_control(key="widget.beam").set_value("4").run()  # another tree has other rows
    assert trees(here)[0]["ui"]["selection"]["hypothesis"] == 1
    assert here.query_params["hypothesis"] == "1"


@pytest.mark.parametrize("row", ["0", "999", "x", "-1"])
def test_a_hypothesis_that_there_is_not_is_refused(fresh: Models, row: str) -> None:
    here = app(beam="3", hypothesis=row)
    assert trees(here)[0]["ui"]["selection"]["hypothesis"] == 1
    assert here.query_params["hypothesis"] == "1"
    assert "hypothesis" in " ".join(note.value for note in here.caption)


def test_a_tree_is_searched_once(fresh: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    app(beam="4")
    monkeypatch.setattr(TransformerModel, "search", None)
    assert len(trees(app(beam="4", lang="ko"))) == 1


def test_few_trees_are_kept(fresh: Models, tiny_model: TransformerModel) -> None:
    ready = Ready(tiny_model)
    services._TREES.clear()
    for beam in range(1, 3):
        for at in range(services.KEPT_TREES):
            services.search(ready, f"나는 {at}", beam)
    assert len(services._TREES) == services.KEPT_TREES
    assert {made.tree.beam for made in services._TREES.values()} == {2}
