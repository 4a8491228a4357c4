"""Scheduled sampling: what is read becomes the model's own, what is asked for stays."""

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core import registry
from core.errors import HeadlightError
from core.text.corpora import Pair
from core.text.examples import Batch, collate
from core.text.tokenizer import PAD_ID, START_ID
from core.training.events import Progress
from core.training.recipe import load_recipe
from core.training.run import run
from core.training.sampled import sampled, share_at
from tests.core.training.conftest import WriteRecipe
from tests.small import WORDS, learnt

WRITERS: dict[str, dict[str, Any]] = {
    "transformer": {
        "d_model": 16, "d_ff": 16, "heads": 2, "encoder_layers": 1, "decoder_layers": 1,
    },
    "seq2seq": {"cell": "gru", "d_model": 16},
    "recurrent": {"answers": "text", "d_model": 16},
}  # fmt: skip


@pytest.fixture(scope="module", params=sorted(WRITERS))
def writer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("sampled") / request.param
    learnt(folder, request.param, WRITERS[request.param], steps=5)
    return registry.load(folder, torch.device("cpu"))


def batch_of(opened: Any) -> Batch:
    checkpoint = opened.checkpoint
    pairs = [Pair(*pair) for pair in WORDS]
    task = checkpoint.model.config.task
    return collate(task.examples(checkpoint.tokenizer, pairs, 32, 32))


def test_none_of_its_own_is_teacher_forcing(writer: Any) -> None:
    batch = batch_of(writer)
    assert sampled(writer.checkpoint.model, batch, 0.0) is batch


def test_all_of_its_own_is_what_it_found_likeliest_before(writer: Any) -> None:
    batch, model = batch_of(writer), writer.checkpoint.model
    found = sampled(model, batch, 1.0)
    logits, _ = model.step(batch.target, model.start(batch.source))
    real = batch.target != PAD_ID
    real[:, 0] = False
    wanted = torch.cat((batch.target[:, :1], logits.argmax(-1)[:, :-1]), dim=1)
    assert (found.target[real] == wanted[real]).all()
    assert (found.target[:, 0] == START_ID).all()
    assert (found.target[batch.target == PAD_ID] == PAD_ID).all()
    assert (found.target != batch.target).any()
    assert found.written is batch.written
    assert found.source is batch.source


def test_a_share_is_drawn_of_the_seed(writer: Any) -> None:
    batch, model = batch_of(writer), writer.checkpoint.model
    made = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        made.append(sampled(model, batch, 0.5).target)
    assert torch.equal(made[0], made[1])
    assert not torch.equal(made[0], made[2])


def test_a_run_goes_on_exactly_and_learns_otherwise_than_forced(recipe: WriteRecipe) -> None:
    path = recipe(30, "scheduled_sampling = 0.5")
    whole, parts, forced = (path.parent / name for name in ("whole", "parts", "forced"))
    list(run(path, whole))
    wishes: list[str] = []
    for event in run(path, parts, asked=lambda: bool(wishes)):
        if isinstance(event, Progress):
            wishes.append("stop")
    list(run(path, parts, resume=True))
    list(run(recipe(30), forced))
    weights = [(out / "model.safetensors").read_bytes() for out in (whole, parts, forced)]
    assert weights[0] == weights[1] != weights[2]


@given(st.floats(0, 1), st.integers(1, 1000), st.integers(1, 1000))
def test_its_share_rises_to_the_last_step(most: float, step: int, steps: int) -> None:
    step = min(step, steps)
    assert 0 <= share_at(most, step, steps) <= most
    assert share_at(most, steps, steps) == most


def test_who_writes_nothing_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "recipe.toml"
    path.write_text(
        'family = "language"\nmodel_id = "m"\nsource_language = "ko"\ntarget_language = "ko"\n'
        '[[corpora]]\nname = "a"\npath = "a.tsv"\n'
        "[training]\nsteps = 1\nscheduled_sampling = 0.5\n",
        "utf-8",
    )
    said = r"training\.scheduled_sampling: a model of this family reads none of its own words"
    with pytest.raises(HeadlightError, match=said):
        load_recipe(path)
