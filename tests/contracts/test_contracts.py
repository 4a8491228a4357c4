"""What people have made with an earlier version goes on working: see README.md beside this."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import typer
from safetensors.torch import load_file
from torch import Tensor
from typer.testing import CliRunner

from core.checkpoint import folder as checkpoint
from core.checkpoint.verify import verify
from core.cli.app import app as core_app
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.probe import LIFTED_MASK
from core.trace import load_trace, save_trace
from core.training import events
from core.training.folder import RunFolder
from core.training.run import run
from viz.__main__ import app as viz_app

MADE = Path(__file__).parent / "made"
NUMERALS, STOPPED = MADE / "numerals", MADE / "stopped"
TRACES = {
    "look.npz": TraceRequest("삼이일"),
    "lifted.npz": TraceRequest("삼이일", "321", (LIFTED_MASK,)),
}
PARTS = ("weights", "scores", "queries", "keys")


def read(name: str) -> Any:
    return json.loads((MADE / name).read_text("utf-8"))


@pytest.fixture(scope="module")
def numerals() -> TransformerModel:
    return TransformerModel(checkpoint.load(NUMERALS, torch.device("cpu")))


@pytest.mark.parametrize("folder", [NUMERALS, *sorted((NUMERALS / "milestones").iterdir())])
def test_a_checkpoint_is_whole(folder: Path) -> None:
    assert not [finding.message for finding in verify(folder) if finding.serious]


@pytest.mark.parametrize("name", TRACES)
def test_a_model_shows_what_it_showed(numerals: TransformerModel, name: str) -> None:
    """Within what another processor may make of the same sums."""
    then, now = load_trace(MADE / name), numerals.trace(TRACES[name])
    assert (now.source, now.target, now.written) == (then.source, then.target, then.written)
    assert now.vocabulary == then.vocabulary
    assert {**now.meta, "device": ""} == {**then.meta, "device": ""}
    assert now.logits == pytest.approx(then.logits, abs=1e-4)
    assert list(now.sites) == list(then.sites)
    for kind, site in then.sites.items():
        assert (now.sites[kind].allowed == site.allowed).all()
        for part in PARTS:
            told = getattr(site, part)
            assert getattr(now.sites[kind], part) == pytest.approx(told, abs=1e-4), (kind, part)


@pytest.mark.parametrize("name", TRACES)
def test_a_trace_is_read_and_written_as_it_was(name: str, tmp_path: Path) -> None:
    save_trace(tmp_path / name, load_trace(MADE / name))
    with np.load(MADE / name) as then, np.load(tmp_path / name) as now:
        assert now.files == then.files
        for part in then.files:
            assert now[part].dtype == then[part].dtype, part
            assert now[part].tobytes() == then[part].tobytes(), part


def test_a_run_that_was_begun_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To the weights that it would have had, as far as another processor allows."""
    monkeypatch.chdir(tmp_path)
    for name in ("pairs.tsv", "recipe.toml"):
        shutil.copy(MADE / name, tmp_path)
    out = Path(shutil.copytree(STOPPED, tmp_path / "stopped"))
    story = list(run(Path("recipe.toml"), out, resume=True))
    started = next(event for event in story if isinstance(event, events.Started))
    assert started.step == 81
    assert story[-1] == events.Finished(200, str(out), "steps")
    told = events.read_events(RunFolder(out).events)
    assert [each.step for each in told if isinstance(each, events.Progress)] == [50, 100, 150, 200]
    milestones = [milestone.step for milestone in RunFolder(out).milestones()]
    assert milestones == [milestone.step for milestone in RunFolder(NUMERALS).milestones()]
    now, then = weights(out), weights(NUMERALS)
    # Between processors they are 0.004 apart, and 0.1 when Adam's moments are lost.
    assert (now - then).norm() < 0.01 * then.norm()


def weights(folder: Path) -> Tensor:
    """All of a checkpoint, flat."""
    tensors = load_file(folder / "model.safetensors")
    return torch.cat([tensors[name].float().flatten() for name in sorted(tensors)])


@pytest.mark.parametrize("line", read("said.json"), ids=lambda line: " ".join(line["arguments"]))
def test_a_command_prints_what_it_printed(
    line: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(MADE)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", ".")
    arguments = [part.replace("{out}", str(tmp_path)) for part in line["arguments"]]
    done = CliRunner().invoke(core_app, arguments)
    assert done.exit_code == 0, done.output
    told = done.stdout.replace(str(tmp_path), "{out}")
    if "--json" not in arguments:
        assert told == line["said"]
        return
    now, then = ([json.loads(row) for row in text.splitlines()] for text in (told, line["said"]))
    assert len(now) == len(then)
    for ours, theirs in zip(now, then, strict=True):
        for key, value in theirs.items():  # a later version may tell more
            assert ours[key] == (pytest.approx(value, abs=1e-3) if is_float(value) else value), key


def is_float(value: Any) -> bool:
    return isinstance(value, float)


@pytest.mark.parametrize(("name", "commands"), [("core", core_app), ("viz", viz_app)])
def test_every_option_is_taken_that_was(name: str, commands: typer.Typer) -> None:
    now = options(commands)
    for command, taken in read("options.json")[name].items():
        assert set(taken) <= set(now[command]), command


def options(commands: typer.Typer) -> dict[str, list[str]]:
    """The options of each command, and the names of its arguments."""
    group = typer.main.get_command(commands)
    found = getattr(group, "commands", {"": group})
    return {
        command: sorted({name for parameter in own.params for name in parameter.opts})
        for command, own in found.items()
    }


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("core.nn.transformer", {"Transformer", "TransformerConfig"}),
        ("core.registry", {"load"}),
        ("core.trace_file", {"load_trace", "save_trace"}),
        ("viz.inspector", {"show"}),
    ],
)
def test_what_programs_import_is_there(module: str, names: set[str]) -> None:
    assert names <= set(dir(importlib.import_module(module)))


def test_the_command_of_cards_and_recipes_writes_the_grammar() -> None:
    command = [sys.executable, "-m", "core.text.grammar", "--help"]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    for option in ("--out", "--pairs", "--seed", "--into {en,ko"):
        assert option in told


def test_what_streamlit_runs_is_there() -> None:
    assert (Path(__file__).parents[2] / "viz" / "main.py").is_file()
