"""Gradients through time: against differences, and as the notes say of them."""

import json

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from core.cli.app import app
from core.nn.recurrent import CELLS, CellName
from core.studies.gradients import GradientOptions, gradients
from core.studies.through_time import SYMBOLS, carried_norms, kept_cell, set_radius


@pytest.mark.parametrize("cell", CELLS)
def test_the_norm_is_that_of_the_jacobian(cell: CellName) -> None:
    """By differences: every number that is carried in is moved a little."""
    torch.manual_seed(0)
    layer = CELLS[cell](SYMBOLS, 3).double()
    x = torch.randn(2, 6, SYMBOLS, dtype=torch.float64)
    norms = carried_norms(layer, x)
    width, step = 3 * len(layer.CARRIED), 1e-6

    def after(moved: torch.Tensor) -> torch.Tensor:
        parts = moved.expand(2, -1).chunk(len(layer.CARRIED), -1)
        before = dict(zip(layer.CARRIED, parts, strict=True))
        states = layer(x, before)
        return torch.cat([states[name] for name in layer.CARRIED], -1)

    with torch.no_grad():
        columns = [
            (after(step * one) - after(-step * one)) / (2 * step)
            for one in torch.eye(width, dtype=torch.float64)
        ]
    wanted = torch.linalg.matrix_norm(torch.stack(columns, -1), ord=2)
    torch.testing.assert_close(norms, wanted, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("radius", [0.5, 1.0, 1.5])
def test_a_radius_is_the_largest_eigenvalue(radius: float) -> None:
    layer = CELLS["rnn"](SYMBOLS, 16)
    set_radius(layer, radius)
    found = torch.linalg.eigvals(layer.from_hidden.weight.detach()).abs().max()
    assert float(found) == pytest.approx(radius, rel=1e-5)


def test_a_cell_is_kept_for_ever_or_fades_with_the_powers_of_its_gate() -> None:
    assert kept_cell(8, 300, 1.0).eq(1).all()
    faded = kept_cell(8, 40, 0.9)
    np.testing.assert_allclose(faded, 0.9 ** np.arange(1, 41), rtol=1e-4)


def test_the_study_finds_what_vanishes_and_what_grows() -> None:
    told: list[tuple[int, int]] = []
    options = GradientOptions(units=16, length=12, radii=(0.5, 2.0), updates=2, seeds=2)
    found = gradients(options, lambda *at: told.append(at))
    assert told == [(at, 18) for at in range(1, 19)]
    first = [curve for curve in found.curves if curve.clip is None]
    ends = {(curve.cell, curve.radius or curve.hold): curve.norms[-1] for curve in first}
    assert len(ends) == 6
    assert ends["rnn", 0.5] < 0.01
    assert ends["rnn", 2.0] > 10 * ends["rnn", 0.5]
    for cell in ("lstm", "gru"):
        assert ends[cell, 3.0] > 10 * ends[cell, 0.0]
    for curve in found.curves:
        assert all(low <= mid for low, mid in zip(curve.low, curve.norms, strict=True))
        assert all(mid <= high for mid, high in zip(curve.norms, curve.high, strict=True))
        assert len(curve.recalled) == (0 if curve.clip is None else 2)
    assert found == gradients(options)


def test_the_command_prints_what_was_found() -> None:
    arguments = ["study", "gradients", "--units", "4", "--length", "4", "--updates", "1"]
    arguments += ["--seeds", "1", "--radius", "0.9"]
    told = CliRunner().invoke(app, [*arguments, "--json"])
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout)
    assert found["study"] == "gradients"
    assert found["options"]["radii"] == [0.9]
    assert len(found["curves"]) == 15
    shown = CliRunner().invoke(app, arguments)
    assert "rnn 0.9" in shown.output
