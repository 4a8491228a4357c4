"""Table 1: what is counted is what the formulas say, and what is fitted is what grows."""

import json
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from core.cli.app import app
from core.nn.attention import attend
from core.studies.complexity import PRINTED, ComplexityOptions, complexity, fitted
from core.studies.layers import (
    PATHS,
    builders,
    chain,
    kept_bytes,
    path,
    products,
    restricted_attention,
)

SIZES = st.tuples(st.integers(2, 40), st.sampled_from([2, 4, 8]))
SMALL = ComplexityOptions((16, 32, 64), (8, 16, 32), 8, 16, 3, 4, 1)


@settings(max_examples=20, deadline=None)
@given(SIZES, st.sampled_from([1, 3, 5]), st.integers(2, 8))
def test_products_are_those_of_the_table(size: tuple[int, int], kernel: int, window: int) -> None:
    n, d = size
    built, x = builders(kernel, window), torch.randn(1, n, d)
    counted = {name: products(build(d), x) for name, build in built.items() if name != "fused"}
    assert counted == {
        "attention": 2 * n * n * d,  # QK^T and the mean of values
        "recurrent": 2 * n * d * d,  # W_xh x and W_hh h
        "convolution": kernel * n * d * d,
        "restricted": 2 * window * n * d,
    }


@settings(max_examples=20, deadline=None)
@given(SIZES, st.integers(2, 50))
def test_restricted_attention_is_attention_within_a_band(
    size: tuple[int, int], window: int
) -> None:
    n, d = size
    torch.manual_seed(0)
    x = torch.randn(1, n, d)
    places = torch.arange(n)
    apart = places[:, None] - places
    band = (apart >= 0) & (apart < window)
    whole = attend(x[:, None], x[:, None], x[:, None], band[None, None])[:, 0]
    torch.testing.assert_close(restricted_attention(x, window), whole, atol=1e-5, rtol=1e-5)


def test_the_two_attentions_are_one() -> None:
    built, x = builders(3, 4), torch.randn(1, 9, 4)
    torch.testing.assert_close(built["attention"](4)(x), built["fused"](4)(x))


def test_only_recurrence_waits_and_only_attention_keeps_pairs() -> None:
    built = builders(3, 4)
    for name, build in built.items():
        short, long = (chain(build(4), torch.randn(1, n, 4)) for n in (16, 32))
        assert (long > short) == (name == "recurrent")
    kept = {
        name: [kept_bytes(build(4), torch.randn(1, n, 4)) for n in (64, 128)]
        for name, build in built.items()
    }
    assert kept["attention"][1] > 3.5 * kept["attention"][0]
    for name in ("fused", "recurrent", "restricted"):
        assert kept[name][1] < 2.2 * kept[name][0]
    assert kept["convolution"] == [4 * 4 * n for n in (64, 128)]  # its input, and no more


@pytest.mark.parametrize("length", [4, 9, 30, 700])  # 3^-699 is 0 in any float
def test_paths_are_as_long_as_the_layers_make_them(length: int) -> None:
    depths = {name: path(name, length, 3, 4)[0] for name in PATHS}
    assert depths == {
        "attention": 1,
        "recurrent": 1,
        "convolution": length - 1,
        "dilated": math.ceil(math.log(length, 3) - 1e-9),
        "restricted": math.ceil((length - 1) / 3),
    }
    steps = {name: path(name, length, 3, 4)[1] for name in PATHS}
    assert steps["recurrent"] >= length
    assert steps["attention"] == path("attention", 2 * length, 3, 4)[1]


@given(st.floats(0.1, 3), st.floats(0.1, 10))
def test_an_exponent_is_found_again(exponent: float, factor: float) -> None:
    found, error = fitted([(x, factor * x**exponent) for x in (1, 2, 4, 8)])
    assert found == pytest.approx(exponent)
    assert error == pytest.approx(0, abs=1e-6)
    assert fitted([(1, 1), (2, 2)]) == (None, None)


def test_the_table_is_measured_and_its_exponents_are_the_printed() -> None:
    told: list[tuple[int, int]] = []
    found = complexity(SMALL, lambda *step: told.append(step))
    assert told[-1] == (len(told), len(told))
    assert found.skipped == ()
    of = {(one.layer, one.quantity, one.axis): one for one in found.growths}
    for layer, printed in PRINTED.items():
        for (quantity, axis), exponent in printed.items():
            growth = of[layer, quantity, axis]
            assert growth.printed == exponent
            if quantity in ("products", "sequential"):
                assert growth.exponent == pytest.approx(exponent, abs=0.08)
    assert ("fused", "products", "n") not in of  # one kernel's are not counted
    assert all(
        value is None or value > 0
        for one in found.growths
        for value in one.values
        if one.quantity == "time"
    )


def test_what_would_keep_too_much_is_skipped_and_told() -> None:
    tight = ComplexityOptions((16, 32, 64), (8, 16, 32), 8, 16, 3, 4, 1, most_bytes=20_000)
    found = complexity(tight)
    assert {layer for layer, *_ in found.skipped} >= {"attention"}
    assert all(kept > 20_000 for *_, kept in found.skipped)
    growth = next(one for one in found.growths if one.layer == "attention" and one.axis == "n")
    assert growth.values[-1] is None
    assert growth.exponent is None


@pytest.mark.parametrize(
    "options",
    [
        ComplexityOptions(lengths=(1, 2)),
        ComplexityOptions(widths=(4, 4, 4)),
        ComplexityOptions(kernel=2),
        ComplexityOptions(kernel=1),
        ComplexityOptions(window=1),
    ],
)
def test_what_cannot_be_fitted_is_refused(options: ComplexityOptions) -> None:
    with pytest.raises(ValueError, match=r"rising|odd"):
        complexity(options)


def test_the_command_says_the_same_in_both_forms() -> None:
    sizes = [part for n in (16, 32, 64) for part in ("--length", str(n), "--width", str(n))]
    arguments = ["study", "complexity", *sizes, "--window", "4", "--megabytes", "1"]
    plain = CliRunner().invoke(app, arguments)
    assert plain.exit_code == 0, plain.output
    assert "attention     products by n" in plain.output
    found = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert found["study"] == "complexity"
    assert found["options"]["lengths"] == [16, 32, 64]
    for wrong in (["--length", "8"], ["--kernel", "4"]):
        refused = CliRunner().invoke(app, ["study", "complexity", *wrong])
        assert refused.exit_code != 0
        assert wrong[0] in str(refused.exception)
