"""What each study drew from what it printed: lines over places, and what there is to choose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, Literal

from core.cli.drawn import DRAWN
from viz.figures.studies import Drawn, Series
from viz.text.studies import StudiesText

if TYPE_CHECKING:
    from core.nn.relative import Positions

Made = Mapping[str, Any]
"""What one run of a study printed."""


@dataclass(frozen=True, slots=True)
class Picture:
    """Lines over places.

    Attributes:
        places, series: as `viz.figures.studies.study_lines` takes them.
        x_title, y_title: of the axes.
        logarithmic: which axes are; "": neither.
        notes: what to know of it, each a sentence.
        band: what its bands reach between; "": the least and the most of its seeds.
    """

    places: Sequence[str] | Sequence[float]
    series: Sequence[Series]
    x_title: str
    y_title: str
    logarithmic: Literal["", "y", "xy"] = ""
    notes: tuple[str, ...] = ()
    band: str = ""


Choose = Callable[[str, Mapping[str, str], str, str], str]
"""Draws a choice: its name in an address, what each value is called, a label, and the usual value.
It says which value is chosen, the usual one where none is."""


def bottleneck(made: Sequence[Made], choose: Choose, text: StudiesText) -> Picture:
    """BLEU by length."""
    first, kinds = made[0], dict[str, list[Sequence[float | None]]]()
    by_model = first.get("options", {}).get("data") == [DRAWN]  # measured here, of any models
    for curve in first["curves"]:
        kind = curve["model"] if by_model else curve["attention"] or curve["family"]
        kinds.setdefault(kind, []).append(curve["bleu"])
    groups = [_span(group["least"], group["most"]) for group in first["groups"]]
    lines = [_mean(text.kinds.get(kind, kind), curves) for kind, curves in kinds.items()]
    return Picture(groups, lines, text.source_words, "BLEU")


def gradients(made: Sequence[Made], choose: Choose, text: StudiesText) -> Picture:
    """|d h_t / d h_0| by t: at the start none was clipped, and without clipping the bound is 0.

    What an LSTM's cell keeps of itself by its forget gate alone is a picture of its own.
    """
    when = choose("when", text.whens, text.when, "start")
    if when == "kept":
        return _kept(made[0]["kept"], text)
    bounds = {"start": None, "trained": 0.0}
    curves = [
        curve
        for curve in made[0]["curves"]
        if (curve["clip"] == bounds[when] if when in bounds else curve["clip"])
    ]
    places = list(range(1, 1 + len(curves[0]["norms"])))
    lines = [_gradient(curve, text) for curve in curves]
    return Picture(places, lines, text.steps, "|d h_t / d h_0|", "y", band=text.quartiles)


def _kept(kept: Mapping[str, Sequence[float]], text: StudiesText) -> Picture:
    lines = [Series(f"f = {float(forget):g}", tuple(left)) for forget, left in kept.items()]
    steps = range(1, 1 + max(len(one.values) for one in lines))
    return Picture(steps, lines, text.steps, "c_t / c_0", "y", (text.cell_alone,))


def _gradient(curve: Made, text: StudiesText) -> Series:
    name = str(curve["cell"]).upper()
    if curve["radius"] is not None:
        name = text.radius.format(cell=name, radius=f"{curve['radius']:g}")
    elif curve["hold"]:
        name = text.hold.format(cell=name, hold=f"{curve['hold']:g}")
    norms, low, high = (tuple(curve[part]) for part in ("norms", "low", "high"))
    return Series(name, norms, low, high)


def receptive(made: Sequence[Made], choose: Choose, text: StudiesText) -> Picture:
    """How much each word changes the output at one of them; what changes nothing is not drawn.

    It opens in the middle: at the last word masked self-attention is self-attention.
    """
    every = made[0]["fields"]
    words = [f"{at}. {word}" for at, word in enumerate(made[0]["options"]["words"], start=1)]
    places = dict(zip(map(str, range(1, 1 + len(words))), words, strict=True))
    middle = str((1 + len(words)) // 2)
    depths = tuple(dict.fromkeys(str(one["depth"]) for one in every))
    names = {one: text.deep.format(depth=one) for one in depths}
    depth = choose("depth", names, text.depth, depths[0])
    word = choose("word", places, text.output_at, middle)
    lines = []
    for one in every:
        if str(one["depth"]) == depth:
            name = text.layers.get(one["layer"], one["layer"])
            if one["kernel"]:
                name = text.kernel.format(layer=name, kernel=one["kernel"])
            norms = tuple(norm or None for norm in one["norms"][int(word) - 1])
            # which lies on the masked one wherever that reads all there is
            drawn: Drawn = "dashed" if one["layer"] == "attention" else "line"
            lines.append(Series(name, norms, drawn=drawn))
    return Picture(words, lines, text.changed, f"|d y_{word} / d x_s|", "y")


def exposure(made: Sequence[Made], choose: Choose, text: StudiesText) -> Picture:
    """The loss by the share of own tokens, a model a file."""
    shares = [100 * point["share"] for point in made[0]["points"]]
    lines = [
        Series(str(one["options"]["model"]), tuple(point["loss"] for point in one["points"]))
        for one in made
        if len(one["points"]) == len(shares)
    ]
    models = {one["options"]["model"] for one in made}
    notes = (text.sampled,) if models & {"study-forced", "study-sampled"} else ()
    return Picture(shares, lines, text.own_tokens, text.nats, notes=notes)


def extrapolation(made: Sequence[Made], choose: Choose, text: StudiesText) -> Picture:
    """The loss by place, or at some places how far back attention goes."""
    first = made[0]
    ends = [*(place - 1 for place in first["places"][1:]), first["longest"]]
    places = [_span(place, end) for place, end in zip(first["places"], ends, strict=True)]
    some = (min(1, len(places) - 1), len(places) - 1)
    names = {"loss": text.loss_by_place}
    names |= {f"{at}": text.looks_at.format(places=places[at]) for at in some}
    what = choose("what", names, text.what, "loss")
    kinds: dict[Positions, list[Sequence[float | None]]] = {}
    for curve in first["curves"]:
        found = curve["nats"] if what == "loss" else curve["distances"][int(what)]
        kinds.setdefault(curve["positions"], []).append(found)
    lines = [_mean(text.schemes.get(kind, kind), curves) for kind, curves in kinds.items()]
    if what == "loss":
        return Picture(places, lines, text.places, text.nats)
    nearer = [*(far - 1 for far in first["far"][1:]), None]
    spans = [_span(far, end) for far, end in zip(first["far"], nearer, strict=True)]
    return Picture(spans, lines, text.distance, text.looked)


def complexity(made: Sequence[Made], choose: Choose, text: StudiesText) -> Picture:
    """One quantity by n or d, with the exponent that was fitted beside the printed one.

    One kernel is drawn last: it keeps as much as a recurrent layer, and asks for as many operations
    in a row as a convolution, whose lines are seen between its dashes.
    """
    growths, options = made[0]["growths"], made[0]["options"]
    known = tuple(dict.fromkeys(f"{one['quantity']}-{one['axis']}" for one in growths))
    names = {
        one: text.grows.format(quantity=text.quantities[one.split("-")[0]], axis=one.split("-")[1])
        for one in known
    }
    what = choose("what", names, text.what, known[0])
    quantity, axis = what.split("-")
    chosen = [one for one in growths if (one["quantity"], one["axis"]) == (quantity, axis)]
    chosen.sort(key=lambda one: one["layer"] == "fused")
    lines = [
        Series(
            _grown(one, text),
            tuple(one["values"]),
            drawn="dashed" if one["layer"] == "fused" else "line",
        )
        for one in chosen
    ]
    notes = [text.fixed[axis].format(**options)]
    if quantity == "path":
        notes.append(text.paths)
    notes += [
        text.skipped.format(
            layer=text.layers.get(layer, layer), length=length, megabytes=f"{kept / 2**20:,.0f}"
        )
        for layer, length, kept in made[0]["skipped"]
        if axis == "n"
    ]
    titles = text.axes[axis], text.quantities[quantity]
    return Picture(chosen[0]["at"], lines, *titles, "xy", tuple(notes))


def _grown(one: Made, text: StudiesText) -> str:
    name = text.layers.get(one["layer"], one["layer"])
    if one["exponent"] is None:
        return name
    power = f"{one['axis']}^{one['exponent']:.2f}".replace("-", "\u2212")
    if one["printed"] is None:
        return f"{name}: {power}"
    return text.printed.format(layer=name, power=power, printed=one["printed"])


def alignment(made: Sequence[Made], choose: Choose, text: StudiesText) -> Picture:
    """The error rate of every head, and of two who do not look, in each direction."""
    rows = choose("what", text.rows, text.what, "written")
    found = made[0]
    tables = [one[rows] for one in found["models"]]
    layers = max(map(len, tables), default=1)
    most = max((len(row) for table in tables for row in table), default=1)
    heads = [(layer, head) for layer in range(layers) for head in range(most)]

    def rate(one: Made, layer: int, head: int) -> float | None:
        table = one[rows]
        there = layer < len(table) and head < len(table[layer])
        return 100 * table[layer][head] if there else None

    def named(name: str, pairs: int) -> str:
        """With how few it read, of a model and of who does not look at those."""
        every = found["pairs"]
        some = text.some.format(name=name, pairs=f"{pairs:,}", all=f"{every:,}")
        return name if pairs == every else some

    lines = [
        Series(
            named(str(one["model"]), one["pairs"]),
            tuple(rate(one, *head) for head in heads),
            drawn="marks",
        )
        for one in found["models"]
    ]
    ways = found["blind"]
    directions = {(way["source"], way["target"]) for way in ways}
    lines += [
        Series(
            named(
                text.one_way.format(name=name, **way) if len(directions) > 1 else name,
                way["pairs"],
            ),
            (100 * way[which],) * len(heads),
        )
        for way in ways
        for which, name in (("diagonal", text.diagonal), ("chance", text.chance))
    ]
    names = [f"{layer + 1}.{head + 1}" for layer, head in heads]
    return Picture(names, lines, text.heads, text.error_rate)


def transfer(made: Sequence[Made], choose: Choose, text: StudiesText) -> Picture:
    """What is labelled right by how many examples were taught, begun with and without."""
    found = made[0]
    counts = list(dict.fromkeys(score["count"] for score in found["scores"]))
    lines = []
    for begun, name in ((True, text.pretrained), (False, text.scratch)):
        seeds: dict[int, list[float]] = {}
        for score in found["scores"]:
            if score["pretrained"] == begun:
                seeds.setdefault(score["seed"], []).append(100 * score["right"])
        lines.append(_mean(name, seeds.values()))
    lines.append(Series(text.commonest, (100 * found["most"],) * len(counts)))
    return Picture([f"{count:,}" for count in counts], lines, text.examples, text.right)


DRAW: Final[Mapping[str, Callable[[Sequence[Made], Choose, StudiesText], Picture]]] = {
    "bottleneck": bottleneck,
    "alignment": alignment,
    "transfer": transfer,
    "extrapolation": extrapolation,
    "complexity": complexity,
    "gradients": gradients,
    "receptive": receptive,
    "exposure": exposure,
}
"""The studies, in the order in which they are offered."""


def _mean(name: str, curves: Iterable[Sequence[float | None]]) -> Series:
    """Models of one kind as one line: their mean, between the least and the most."""
    columns = [
        [value for value in column if value is not None] for column in zip(*curves, strict=True)
    ]
    values, low, high = (
        tuple(made_of(column) if column else None for column in columns)
        for made_of in (fmean, min, max)
    )
    return Series(name, values, low, high)


def _span(least: int, most: int | None) -> str:
    if most is None:
        return f"{least}+"
    return str(least) if least == most else f"{least}–{most}"
