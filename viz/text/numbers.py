"""Numbers as both languages print them."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MINUS: Final = "\u2212"
_ROOM: Final = Context(prec=330)  # digits of the largest float, and some behind its point
_PERCENT: Final = "\u00a0%"  # never alone on a line


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


def percent(share: float) -> str:
    """Per cent with a digit, as web/data/text.js says it: only nothing is 0, only all is 100."""
    if 0 < share < 0.0005:
        return f"< 0.1{_PERCENT}"
    if 0.9995 <= share < 1:
        return f"> 99.9{_PERCENT}"
    return f"{_rounded(share * 100, '0.1')}{_PERCENT}"


def points(before: float, after: float) -> float:
    """By how many points a share changed: the difference of what `percent` prints of both."""
    return float(_rounded(after * 100, "0.1") - _rounded(before * 100, "0.1"))


def whole_percent(share: float) -> str:
    """Whole per cent, as web/data/text.js says it: only nothing is 0."""
    return f"< 1{_PERCENT}" if 0 < share < 0.005 else f"{_rounded(share * 100, '1')}{_PERCENT}"


def _rounded(value: float, digit: str) -> Decimal:
    """A number up to a digit, half of it up as in a browser: f"{12.5:.0f}" would be 12."""
    return Decimal(float(value)).quantize(Decimal(digit), ROUND_HALF_UP, _ROOM)


def weighed(value: float) -> str:
    """Three digits of a weight, as web/data/text.js says it: only nothing is 0.000."""
    return "< 0.001" if 0 < value < 0.0005 else str(_rounded(value, "0.001"))
