"""Numbers as both languages print them."""

from __future__ import annotations

import math
from typing import Final

_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MINUS: Final = "\u2212"


def count(value: int) -> str:
    """A whole number with its thousands apart: 63,082,496."""
    return f"{value:,}".replace("-", _MINUS)


def fixed(value: float, digits: int = 3) -> str:
    """A number with so many decimals and a true minus sign; never "−0.000"."""
    text = f"{value:,.{digits}f}"
    if float(text.replace(",", "")) == 0.0:
        text = text.lstrip("-")
    return text.replace("-", _MINUS)


def significant(value: float, digits: int = 4) -> str:
    """A number of any size in so many significant digits, thousands apart: 62,830."""
    if value == 0 or not math.isfinite(value):
        return fixed(value, 0)
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return fixed(value, decimals)


def scientific(value: float) -> str:
    """A tiny or huge number by its power of ten: 8.9 × 10⁻¹⁶; zero stays 0."""
    if value == 0:
        return "0"
    mantissa, power = f"{value:.1e}".split("e")
    mantissa = mantissa.replace("-", _MINUS)
    return f"{mantissa} × 10{str(int(power)).translate(_RAISED)}"
