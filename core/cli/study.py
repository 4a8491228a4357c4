"""`study`: what the notes say of models, measured here."""

from __future__ import annotations

from typing import Final

import typer

from core.cli import study_layers, study_models

studies: Final = typer.Typer(
    help="Measure what is said of models: each study prints what it found."
)
for command in (
    study_layers.gradients,
    study_layers.receptive,
    study_layers.complexity,
    study_models.exposure,
    study_models.bottleneck,
    study_models.extrapolation,
    study_models.alignment,
    study_models.transfer,
):
    studies.command()(command)
