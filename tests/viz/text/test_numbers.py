import math
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from viz.text.numbers import (
    count,
    fixed,
    percent,
    points,
    scientific,
    significant,
    weighed,
    whole_percent,
)

RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@settings(deadline=None)
@given(st.integers(-(10**12), 10**12))
def test_a_count_reads_back(value: int) -> None:
    assert int(count(value).replace(",", "").replace("−", "-")) == value


@settings(deadline=None)
@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_a_fixed_number_is_near_and_has_its_decimals(value: float, digits: int) -> None:
    text = fixed(value, digits)
    assert "-" not in text
    read = float(text.replace(",", "").replace("−", "-"))
    assert abs(read - value) <= 0.5000001 * 10**-digits + 1e-6
    assert len(text.partition(".")[2]) == digits


@pytest.mark.parametrize("value", [0.0, -0.0, -0.0004])
def test_zero_has_no_sign(value: float) -> None:
    assert fixed(value) == "0.000"


@settings(deadline=None)
@given(st.floats(1e-6, 1e9))
def test_significant_digits_keep_the_number(value: float) -> None:
    read = float(significant(value).replace(",", ""))
    assert math.isclose(read, value, rel_tol=6e-4)


@settings(deadline=None)
@given(st.floats(1e-300, 1e300) | st.floats(-1e300, -1e-300))
def test_a_power_of_ten_reads_back(value: float) -> None:
    mantissa, power = scientific(value).split(" × 10")
    read = float(mantissa.replace("−", "-")) * 10.0 ** int(power.translate(RAISED))
    assert math.isclose(read, value, rel_tol=0.06)


def test_examples() -> None:
    assert scientific(8.881784197001252e-16) == "8.9 × 10⁻¹⁶"
    assert scientific(0.0) == "0"
    assert count(63_082_496) == "63,082,496"
    assert count(-7) == "−7"
    assert significant(62831.853) == "62,832"
    assert significant(6.2831853) == "6.283"
    assert fixed(-0.987654) == "−0.988"


def test_a_number_of_any_size_is_written() -> None:
    assert len(weighed(3e38)) > 38
    assert percent(-1e300).startswith("-1")


@pytest.mark.parametrize(
    ("share", "fine", "whole"),
    [
        (0.0, "0.0\u00a0%", "0\u00a0%"),
        (0.0004, "< 0.1\u00a0%", "< 1\u00a0%"),
        (0.0007, "0.1\u00a0%", "< 1\u00a0%"),
        (0.005, "0.5\u00a0%", "1\u00a0%"),
        (0.125, "12.5\u00a0%", "13\u00a0%"),
        (0.1225, "12.3\u00a0%", "12\u00a0%"),
        (0.625, "62.5\u00a0%", "63\u00a0%"),
        (0.9994, "99.9\u00a0%", "100\u00a0%"),
        (0.9997, "> 99.9\u00a0%", "100\u00a0%"),
        (1.0, "100.0\u00a0%", "100\u00a0%"),
    ],
)
def test_per_cent_are_those_of_the_screen(share: float, fine: str, whole: str) -> None:
    """All of them are held against the screen's own in tests/e2e/inspector/test_modules.py."""
    assert percent(share) == fine
    assert whole_percent(share) == whole


@given(st.floats(0.0005, 0.9994), st.floats(0.0005, 0.9994))
@example(0.9216, 0.2314)
def test_a_change_in_points_is_that_of_what_is_printed(before: float, after: float) -> None:
    """All of it is held against the screen's own in tests/e2e/inspector/test_stages.py."""
    shown = [Decimal(percent(share).removesuffix("\u00a0%")) for share in (before, after)]
    assert points(before, after) == float(shown[1] - shown[0])
