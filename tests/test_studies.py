"""What docs/studies.md says is what the studies printed: their JSON stands beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import fmean, median
from typing import Any

import pytest

from viz.text.studies import TEXT

DOCS = Path(__file__).parents[1] / "docs"
STUDIES = DOCS / "studies"


def told(name: str, model: str = "") -> dict[str, Any]:
    file = STUDIES / (f"{name}.{model}.json" if model else f"{name}.json")
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    assert found["study"] == name
    return found


def gradients_table() -> str:
    """Rows of the report's table: a layer, its norms at the start, then each training."""
    study = told("gradients")
    layers: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for curve in study["curves"]:
        layers.setdefault((curve["cell"], curve["radius"], curve["hold"]), []).append(curve)
    rows = []
    for (cell, radius, hold), curves in layers.items():
        name = cell.upper()
        if radius is not None:
            name += f", radius {radius:g}"
        if hold:
            name += f", gates hold by {hold:g}"
        start, free, clipped = curves
        cells = [f"{start['norms'][at]:.2g}" for at in (0, 9, 29)]
        for trained in (free, clipped):
            recalled = " ".join(f"{100 * share:.0f}" for share in trained["recalled"])
            cells += [f"{trained['norms'][29]:.2g}", recalled]
        cells.append(f"{median(free['largest']):.2g}")
        rows.append(" | ".join(["", name, *cells, ""]).strip())
    return "\n".join(rows)


def exposure_table() -> str:
    """Rows of the report's table: a model, its losses by share, its right tokens at both ends."""
    return _exposures("ko-en-everyday", "ko-en-seq2seq", "ko-en-bottleneck")


def sampled_table() -> str:
    """The same of two models that were taught by right words, and by some of their own."""
    return _exposures("study-forced", "study-sampled")


def _exposures(*models: str) -> str:
    rows = []
    for model in models:
        points = told("exposure", model)["points"]
        cells = [f"{point['loss']:.3f}" for point in points]
        cells += [f"{100 * points[at]['right']:.1f}" for at in (0, -1)]
        rows.append(" | ".join(["", f"`{model}`", *cells, ""]).strip())
    return "\n".join(rows)


def bottleneck_table() -> str:
    """Rows of the report's table: a kind of model, the mean and half the reach of its seeds."""
    study = told("bottleneck")
    kinds: dict[str, list[dict[str, Any]]] = {}
    for curve in study["curves"]:
        kinds.setdefault(curve["attention"] or curve["family"], []).append(curve)
    names = {
        "transformer": "Transformer",
        "dot": "GRU with attention",
        "none": "GRU without",
    }
    rows = [
        " | ".join(
            ["", "pairs", "", *(str(group["pairs"]) for group in study["groups"]), "", ""]
        ).strip()
    ]
    for kind, curves in kinds.items():
        assert len(curves) == 3
        columns = zip(*([*curve["bleu"], curve["all"]] for curve in curves), strict=True)
        cells = [
            f"{fmean(column):.1f} ± {(max(column) - min(column)) / 2:.1f}" for column in columns
        ]
        parameters = f"{curves[0]['parameters']:,}"
        rows.append(" | ".join(["", names[kind], parameters, *cells, ""]).strip())
    return "\n".join(rows)


def receptive_table() -> str:
    """Rows of the report's table: a stack, what it sees, and what moves its last output."""
    rows = []
    for field in told("receptive")["fields"]:
        name = field["layer"] if field["layer"] not in ("rnn", "lstm") else field["layer"].upper()
        name += f" of {field['kernel']}" if field["kernel"] else ""
        cells = ["0" if norm == 0 else f"{norm:.2g}" for norm in field["norms"][-1]]
        seen = f"{100 * field['share']:.0f}"
        rows.append(" | ".join(["", name, str(field["depth"]), seen, *cells, ""]).strip())
    return "\n".join(rows)


def complexity_table() -> str:
    """Rows of the report's table: a layer, and each exponent with the printed one behind it."""
    found = {(g["layer"], g["quantity"], g["axis"]): g for g in told("complexity")["growths"]}
    names = {
        "attention": "self-attention",
        "fused": "the same, one kernel",
        "recurrent": "recurrent (RNN)",
        "convolution": "convolution, k = 3",
        "restricted": "restricted, r = 32",
        "dilated": "dilated convolution, k = 3",
    }
    rows = []
    for layer, name in names.items():
        cells = [
            _exponent(found.get((layer, quantity, axis)))
            for quantity, axis in (
                ("products", "n"),
                ("products", "d"),
                ("sequential", "n"),
                ("path", "n"),
                ("time", "n"),
                ("time", "d"),
                ("memory", "n"),
            )
        ]
        rows.append(" | ".join(["", name, *cells, ""]).strip())
    return "\n".join(rows)


def _exponent(growth: dict[str, Any] | None) -> str:
    if growth is None:
        return ""
    told = f"{growth['exponent']:.2f}"
    if growth["error"] >= 0.005:
        told += f" ± {growth['error']:.2f}"
    return told if growth["printed"] is None else f"{told} ({growth['printed']})"


def alignment_table() -> str:
    """Rows of the report's table: a model, and its best and worst head in each layer."""
    rows = []
    for model in told("alignment")["models"]:
        layers = [
            f"{100 * min(rates):.1f}" + (f" to {100 * max(rates):.1f}" if len(rates) > 1 else "")
            for rates in model["written"]
        ]
        late = f"{100 * min(min(rates) for rates in model['read']):.1f}"
        cells = [*layers, *[""] * (3 - len(layers)), late]
        rows.append(" | ".join(["", f"`{model['model']}`", *cells, ""]).strip())
    return "\n".join(rows)


def extrapolation_table() -> str:
    """Rows of the report's table: what tells of places, and the loss at each, of three seeds."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for curve in told("extrapolation")["curves"]:
        kinds.setdefault(curve["positions"], []).append(curve)
    names = {"alibi": "ALiBi", "relative": "relative (T5)"}
    rows = []
    for kind, curves in kinds.items():
        assert len(curves) == 3
        columns = zip(*(curve["nats"] for curve in curves), strict=True)
        cells = [
            f"{fmean(column):.2f} ± {(max(column) - min(column)) / 2:.2f}" for column in columns
        ]
        rows.append(" | ".join(["", names.get(kind, kind), *cells, ""]).strip())
    return "\n".join(rows)


def transfer_table() -> str:
    """Rows of the report's table: how many examples, and the mean and reach of either beginning."""
    study = told("transfer")
    rows = []
    for count in dict.fromkeys(score["count"] for score in study["scores"]):
        cells = []
        for begun in (True, False):
            right = [
                100 * score["right"]
                for score in study["scores"]
                if (score["count"], score["pretrained"]) == (count, begun)
            ]
            assert len(right) == 3
            cells.append(f"{fmean(right):.1f} ± {(max(right) - min(right)) / 2:.1f}")
        rows.append(" | ".join(["", f"{count:,}", *cells, ""]).strip())
    return "\n".join(rows)


@pytest.mark.parametrize(
    "table",
    [
        gradients_table,
        exposure_table,
        sampled_table,
        bottleneck_table,
        receptive_table,
        complexity_table,
        alignment_table,
        extrapolation_table,
        transfer_table,
    ],
)
def test_the_report_says_what_was_measured(table: Any) -> None:
    assert table() in (DOCS / "studies.md").read_text("utf-8"), table()


def test_what_the_report_says_in_words() -> None:
    study = told("gradients")
    start = {(c["cell"], c["radius"], c["hold"]): c for c in study["curves"] if c["clip"] is None}
    assert start["rnn", 0.5, None]["norms"][-1] < 1e-6
    assert start["rnn", 1.5, None]["norms"][-1] > 5
    assert start["lstm", None, 0.0]["norms"][-1] < 1e-4
    assert start["lstm", None, 3.0]["norms"][-1] > 1e3 * start["lstm", None, 0.0]["norms"][-1]
    assert set(study["kept"]["1.0"]) == {1.0}


def test_what_the_report_says_of_table_1_in_words() -> None:
    for growth in told("complexity")["growths"]:
        if growth["printed"] is not None and growth["quantity"] in ("products", "sequential"):
            assert growth["exponent"] == pytest.approx(growth["printed"], abs=0.01)


def test_what_the_report_says_of_alignment_in_words() -> None:
    study = told("alignment")
    there, back = (
        " and ".join(f"{100 * blind[who]:.1f}" for who in ("diagonal", "chance"))
        for blind in study["blind"]
    )
    report = (DOCS / "studies.md").read_text("utf-8")
    assert f"has {there.replace(' and', ' and chance')};" in " ".join(report.split())
    assert f"to choose from, {back}." in report
    for model in study["models"]:
        blind = study["blind"][model["model"].startswith("en")]
        assert max(map(max, model["written"])) < blind["chance"]


def test_the_page_says_as_the_report_how_long_texts_were_in_training() -> None:
    report = (DOCS / "studies.md").read_text("utf-8")
    found = re.search(r"\((\d+) tokens on average,[^)]* the longest (\d+)\)", report)
    assert found is not None
    for text in TEXT.values():
        numbers = re.findall(r"\d+", text.questions["extrapolation"])
        assert set(found.groups()) <= set(numbers)


def test_what_the_report_says_of_long_texts_in_words() -> None:
    nats: dict[str, list[list[float]]] = {}
    for curve in told("extrapolation")["curves"]:
        nats.setdefault(curve["positions"], []).append(curve["nats"])
    last = {kind: [curve[-1] for curve in curves] for kind, curves in nats.items()}
    first = {kind: [curve[2] for curve in curves] for kind, curves in nats.items()}
    assert max(last["alibi"]) < min(first["alibi"]) + 0.2
    for kind in nats.keys() - {"alibi"}:
        assert min(last[kind]) > max(first[kind]) + 0.9
