"""What recurrent layers compute at each step, kept while they read."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from torch import Tensor

from core.nn.recurrent import RecurrentLayer, States
from core.trace import Floats


class Recorder:
    """Reads layers step by step and keeps what they compute."""

    def __init__(self) -> None:
        self._layers: list[States] = []

    def __call__(self, layer: RecurrentLayer, x: Tensor, start: States) -> tuple[Tensor, States]:
        states = layer(x, start)
        self._layers.append(states)
        return states["hidden"], {name: states[name][:, -1] for name in layer.CARRIED}

    def states(self) -> Mapping[str, Floats]:
        """(layer, place, unit) of what was kept since they were last asked for, by name."""
        layers, self._layers = self._layers, []
        return {
            name: np.stack([states[name][0].cpu().numpy() for states in layers])
            for name in layers[0]
        }
