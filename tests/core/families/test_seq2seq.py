"""A Seq2Seq is trained, resumed, opened and traced as any model is; its gates are in the trace."""

from pathlib import Path

import numpy as np
import pytest
import torch

from core import registry
from core.checkpoint.verify import verify
from core.errors import HeadlightError
from core.model import Inspectable, TraceRequest
from core.nn.recurrent import CELLS, CellName
from core.probe import Edit, Place
from core.training import events
from core.training.run import run
from tests.small import forced

CPU = torch.device("cpu")
RECIPE = """
family = "seq2seq"
model_id = "reader"
source_language = "en"
target_language = "en"
examples = ["dad"]
max_source = 16
max_target = 16
[tokenizer]
kind = "characters"
[[corpora]]
name = "words"
path = "words.tsv"
valid = 0.1
[model]
cell = "{cell}"
attention = "{attention}"
d_model = 32
dropout = 0.0
[schedule]
kind = "constant"
warmup = 1
peak = 0.01
[training]
steps = {steps}
tokens_per_batch = 256
precision = "fp32"
milestones = 2
"""


def trained(folder: Path, cell: CellName, attention: str, steps: int = 30) -> Path:
    words = [left + right for left in "abcdefgh" for right in ("a", "one", "two", "gap", "dad")]
    pairs = "\n".join(f"{word}\t{word}" for word in words)
    (folder / "words.tsv").write_text(pairs, encoding="utf-8")
    recipe = RECIPE.format(cell=cell, attention=attention, steps=steps)
    (folder / "recipe.toml").write_text(recipe, encoding="utf-8")
    *_, last = run(Path("recipe.toml"), folder / "reader")
    assert isinstance(last, events.Finished)
    return folder / "reader"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def opened(folder: Path, cell: CellName, attention: str, steps: int = 30) -> Inspectable:
    return registry.load(trained(folder, cell, attention, steps), CPU)


@pytest.mark.parametrize("cell", CELLS)
def test_its_gates_are_in_the_trace(here: Path, cell: CellName) -> None:
    model = opened(here, cell, "dot")
    found = model.trace(TraceRequest("dad", "bad"))
    own = {*CELLS[cell].GATES, *CELLS[cell].CARRIED}
    assert set(found.states) == {"encoder", "decoder"}
    read = (found.states["encoder"], found.source), (found.states["decoder"], found.target)
    for states, axis in read:
        assert set(states) > own
        assert all(values.shape == (1, len(axis), 32) for values in states.values())
    assert found.sites["cross"].weights.shape == (1, 1, len(found.written), len(found.source))
    assert model.card.capabilities.search
    assert model.search("dad", beam=2).nodes


@pytest.mark.parametrize("attention", ["dot", "general", "additive", "none"])
def test_its_trace_says_what_a_score_is(here: Path, attention: str) -> None:
    """Not q·k / sqrt(d_k): a dot product of its states is not divided."""
    found = opened(here, "rnn", attention, 1).trace(TraceRequest("dad"))
    assert found.meta.get("score") == (None if attention == "none" else attention)


def test_nothing_of_its_source_can_be_hidden(here: Path) -> None:
    with pytest.raises(HeadlightError, match="reader has no way to hide a token of its source"):
        opened(here, "rnn", "none", 1).trace(TraceRequest("dad", hidden=(0,)))


def test_an_edit_is_refused_for_what_is_so(here: Path) -> None:
    """Its cross-attention is shown, and other attention it has not."""
    model = opened(here, "gru", "dot", 1)
    places: tuple[Place, ...] = ("weights", "scores")
    for place in places:
        with pytest.raises(HeadlightError, match=f"this model's {place} of cross cannot be edited"):
            model.trace(TraceRequest("ab", edits=(Edit(place, "cross", "scale", 0.0),)))
    with pytest.raises(HeadlightError, match="this model has no decoder_self attention"):
        model.trace(TraceRequest("ab", edits=(Edit("weights", "decoder_self"),)))
    with pytest.raises(HeadlightError, match="residual of encoder cannot be edited"):
        model.trace(TraceRequest("ab", edits=(Edit("residual", "encoder"),)))


def test_without_attention_there_is_none(here: Path) -> None:
    model = opened(here, "lstm", "none")
    found = model.trace(TraceRequest("dad"))
    assert model.card.kinds == {}
    assert found.sites == {}
    assert found.logits is not None


def test_what_it_writes_step_by_step_is_what_the_trace_says(here: Path) -> None:
    model = opened(here, "gru", "general", 120)
    found = model.trace(TraceRequest("hdad"))
    assert found.logits is not None
    written = [token.id for token in found.written]
    assert np.argmax(found.logits, axis=1).tolist() == written
    said = model.generate("hdad")
    assert [token.id for token in said.tokens] == written
    one = forced(model, "hdad", said.text)
    assert one.log_probability == pytest.approx(said.log_probability, abs=1e-4)


def test_a_run_goes_on_to_the_same_weights(here: Path) -> None:
    whole = trained(here, "lstm", "additive")
    for event in run(Path("recipe.toml"), here / "again", asked=lambda: True):
        assert not isinstance(event, events.Finished)
    *_, last = run(Path("recipe.toml"), here / "again", resume=True)
    assert isinstance(last, events.Finished)
    assert registry.load(here / "again", CPU).digest == registry.load(whole, CPU).digest
    assert not [finding for finding in verify(whole) if finding.serious]


@pytest.mark.parametrize("cell", CELLS)
def test_it_trains_in_bf16(here: Path, cell: CellName, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.RECIPE", RECIPE.replace('"fp32"', '"bf16"'))
    assert opened(here, cell, "additive").trace(TraceRequest("dad")).logits is not None
