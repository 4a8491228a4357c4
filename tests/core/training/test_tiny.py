"""The recipe that trains in seconds learns its task, and its scores can be had again."""

import json
from pathlib import Path

import pytest

from core.cli.app import main
from core.training.events import Validated
from core.training.run import run

RECIPE = Path(__file__).parents[2] / "recipes" / "tiny.toml"
ROOT = Path(__file__).parents[3]


def test_numerals_are_learnt_in_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)  # where its data is named from
    story = list(run(RECIPE, tmp_path / "tiny"))
    told = [event for event in story if isinstance(event, Validated)][-1].scores["numerals"]
    assert told.exact is not None
    assert told.exact > 0.5
    data = tmp_path / "tiny" / "held_out" / "numerals.valid.tsv"
    with pytest.raises(SystemExit):
        main(["evaluate", "--model", str(tmp_path / "tiny"), "--data", str(data), "--json"])
    again = json.loads(capsys.readouterr().out)
    assert again["pairs"] == told.pairs
    assert again["exact"] == pytest.approx(told.exact, abs=0.02)
    assert again["loss"] == pytest.approx(told.loss, abs=5e-3)
