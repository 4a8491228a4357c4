"""How well a text stands out from its ground, as WCAG 2 measures it."""

from __future__ import annotations

from viz.figures.colour import luminance


def contrast(one: str, other: str) -> float:
    """Contrast ratio of WCAG 2, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
