"""Colour ramps whose lightness changes evenly, through OKLab (Ottosson 2020).

The same hues and the same rule as the in-browser inspector's `colour.js`, so that a value
has one colour all over the app.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Rgb = npt.NDArray[np.float64]

_TO_LMS: Final = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB: Final = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _linear(colour: str) -> Rgb:
    """Linear-light red, green, blue of "#rrggbb", 0 to 1."""
    unit = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(unit <= 0.04045, unit / 12.92, ((unit + 0.055) / 1.055) ** 2.4)


def _to_lab(colour: str) -> Rgb:
    return np.asarray(_TO_LAB @ np.cbrt(_TO_LMS @ _linear(colour)), dtype=np.float64)


def _from_lab(lab: Rgb) -> str:
    linear = np.linalg.solve(_TO_LMS, np.linalg.solve(_TO_LAB, lab) ** 3).clip(0, 1)
    unit = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    red, green, blue = np.rint(unit * 255).astype(int)
    return f"#{red:02x}{green:02x}{blue:02x}"


def full(hue: str, *, dark: bool) -> str:
    """The end of a ramp in one hue: a step darker on white, lighter on a dark page."""
    lightness, a, b = _to_lab(hue)
    lab = (max(lightness, 0.78), a, b) if dark else (lightness * 0.82, a * 0.92, b * 0.92)
    return _from_lab(np.array(lab))


def ramp(start: str, end: str, stops: int) -> list[str]:
    """Colours from one to another, evenly spaced in OKLab.

    Args:
        start, end: "#rrggbb".
        stops: 2 or more, both ends included.
    """
    first, last = _to_lab(start), _to_lab(end)
    return [_from_lab(first + (last - first) * t) for t in np.linspace(0, 1, stops)]
