"""What is drawn by chance, on the pages: the switch, another draw, the address."""

import pytest

from core.families.transformer import TransformerModel
from core.model import Sampling, TraceRequest
from tests.viz.screens.test_branch import SOURCE, app, drawn, said, spelled
from viz.jobs.models import Models
from viz.text import step
from viz.text.branch import EN as BRANCH
from viz.text.language import LANGUAGES, Language
from viz.text.plain import plain
from viz.text.sampling import EN, TEXT


def written(model: TransformerModel, seed: int, temperature: float = 1.0) -> list[str]:
    sampling = Sampling(seed, temperature)
    return [t.text for t in model.trace(TraceRequest(SOURCE, sampling=sampling)).written]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("page", ["inspect", "step"])
def test_an_address_with_a_seed_shows_the_text_of_that_seed(
    fresh: Models, tiny_model: TransformerModel, page: str, language: Language
) -> None:
    here = app(page, source=SOURCE, seed="7", sample_temperature="1.8", lang=language)
    meta = drawn(here)
    assert meta["written"]["text"] == written(tiny_model, 7, 1.8)
    assert meta["sampled"]["seed"] == "7"
    beside = meta.get("compare")
    assert (beside is None) == (page == "inspect")
    if beside is not None:
        text = TEXT[language]
        assert (beside["label"], beside["base_label"]) == (text.greedy, text.sampled)
        free = tiny_model.trace(TraceRequest(SOURCE))
        assert beside["written"]["text"] == [token.text for token in free.written]
    here.button(key="another-draw").click().run()
    assert here.query_params["seed"] == "8"
    assert here.query_params["sample_temperature"] == "1.8"
    assert drawn(here)["written"]["text"] == written(tiny_model, 8, 1.8)


def test_the_switch_goes_to_chance_and_back_and_keeps_the_seed(
    fresh: Models, tiny_model: TransformerModel
) -> None:
    here = app("inspect", source=SOURCE)
    assert drawn(here)["sampled"] == {}
    here.segmented_control(key="widget.sampled").set_value("sampled").run()
    assert here.query_params["seed"] == "1"
    assert drawn(here)["written"]["text"] == written(tiny_model, 1)
    here.number_input(key="widget.seed").set_value(20).run()
    here.number_input(key="widget.sample_temperature").set_value(1.8).run()
    here.number_input(key="widget.sample_top_p").set_value(0.9).run()
    assert here.query_params["seed"] == "20"
    assert drawn(here)["written"]["text"] == written(tiny_model, 20, 1.8)
    here.segmented_control(key="widget.sampled").set_value("greedy").run()
    assert "seed" not in here.query_params
    here.segmented_control(key="widget.sampled").set_value("sampled").run()
    assert here.query_params["seed"] == "20"
    assert not here.exception


def test_a_branch_goes_on_by_chance_and_says_so(
    fresh: Models, tiny_model: TransformerModel
) -> None:
    prefix = tuple(token.id for token in tiny_model.trace(TraceRequest(SOURCE)).written)[:1]
    here = app("step", source=SOURCE, branch=spelled(prefix), seed="3")
    found = tiny_model.trace(TraceRequest(SOURCE, prefix=prefix, sampling=Sampling(3)))
    assert drawn(here)["written"]["text"] == [token.text for token in found.written]
    told = BRANCH.given_sampled.format(count=1, token=found.written[0].text)
    assert told in said(here)
    beside = drawn(here)["compare"]
    assert beside["base_label"] == BRANCH.label
    assert beside["written"]["text"] == written(tiny_model, 3)


def test_a_target_leaves_nothing_to_chance(fresh: Models) -> None:
    here = app("step", source=SOURCE, target="I", seed="3")
    assert drawn(here)["sampled"] == {}
    assert drawn(here)["compare"]["label"] == step.EN.free
    assert "another-draw" not in [button.key for button in here.button]
    assert here.query_params["seed"] == "3"  # it waits


def test_a_page_without_the_switch_says_so_and_leads_back(fresh: Models) -> None:
    here = app("compare", source=SOURCE, seed="3")
    assert plain(EN.drawn.format(seed=3)) in [caption.value for caption in here.caption]
    here.button(key="greedy-again").click().run()
    assert "seed" not in here.query_params
