"""Exposure bias: its ends are the model's likelihood and its own output."""

import json
from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from core import registry
from core.cli.app import app
from core.errors import HeadlightError
from core.families.own import OwnTranslator
from core.families.transformer import TransformerModel
from core.reasons import RefusedError
from core.studies.exposure import exposure
from tests.conftest import SENTENCES
from tests.small import WORDS, forced, learnt


@pytest.fixture(scope="module")
def recurrent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half learnt, so that there is something to lose."""
    folder = tmp_path_factory.mktemp("exposure") / "half"
    return learnt(folder, "seq2seq", {"cell": "gru", "d_model": 24}, steps=18)


def test_teacher_forcing_is_the_likelihood(recurrent: Path, tiny_model: TransformerModel) -> None:
    opened = registry.load(recurrent, torch.device("cpu"))
    assert isinstance(opened, OwnTranslator)
    for model, pairs in ((opened, WORDS), (tiny_model, SENTENCES)):
        found = exposure(model, pairs, (0.0,))
        wanted = [forced(model, *pair) for pair in pairs]
        tokens = sum(one.tokens for one in wanted)
        assert found.tokens == tokens
        assert found.pairs == len(pairs)
        loss = -sum(one.log_probability for one in wanted) / tokens
        assert found.points[0].loss == pytest.approx(loss, abs=1e-4)


def test_a_model_that_writes_what_is_right_loses_nothing(tiny_model: TransformerModel) -> None:
    known = [(one, other) for one, other in SENTENCES if tiny_model.generate(one).text == other]
    assert known
    forced, free = exposure(tiny_model, known, (0.0, 1.0)).points
    assert (forced.right, free.right) == (1.0, 1.0)
    assert free.loss == pytest.approx(forced.loss, abs=1e-5)


def test_its_own_words_cost_a_model_that_is_unsure(recurrent: Path) -> None:
    opened = registry.load(recurrent, torch.device("cpu"))
    assert isinstance(opened, OwnTranslator)
    told: list[tuple[int, int]] = []
    found = exposure(opened, WORDS, (0.0, 0.5, 1.0), done=lambda *at: told.append(at))
    assert told[-1] == (3, 3)
    forced, _, free = found.points
    assert 0 < forced.right < 1
    assert free.loss > forced.loss
    assert found == exposure(opened, WORDS, (0.0, 0.5, 1.0))
    with pytest.raises(RefusedError, match="longer"):
        exposure(opened, [("a" * 99, "b")])


def test_the_command(recurrent: Path, tmp_path: Path) -> None:
    data = tmp_path / "words.tsv"
    data.write_text("".join(f"{one}\t{other}\n" for one, other in WORDS), encoding="utf-8")
    arguments = ["study", "exposure", "--model", str(recurrent), "--data", str(data)]
    told = CliRunner().invoke(app, [*arguments, "--share", "0", "--share", "1", "--json"])
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout)
    assert [point["share"] for point in found["points"]] == [0, 1]
    assert found["options"] == {"model": "half", "data": "words.tsv", "seed": 0}
    assert "25% own" in CliRunner().invoke(app, arguments).output
    data.write_text("cafe\t카페\nalone\n", encoding="utf-8")
    assert "rows are no pair" in CliRunner().invoke(app, arguments).stderr
    data.write_text("a" * 99 + "\tb\n", encoding="utf-8")
    refused = CliRunner().invoke(app, arguments)
    assert isinstance(refused.exception, HeadlightError)
    assert "--data" in str(refused.exception)
