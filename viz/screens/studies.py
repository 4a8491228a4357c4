"""Studies: what was measured of what study notes say, drawn from what each study printed."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Any, Final

import streamlit as st

from viz.figures.studies import Series, study_lines
from viz.jobs import studies
from viz.session import callbacks, fields, state, widgets
from viz.text.plain import plain
from viz.text.studies import TEXT, StudiesText

STUDY, WHEN, DEPTH = "study", "when", "depth"
STUDIES: Final = ("bottleneck", "gradients", "receptive", "exposure")
WHENS: Final = ("start", "trained", "clipped")
COMMANDS: Final[Mapping[str, str]] = {
    "gradients": "python -m core study gradients --json",
    "receptive": "python -m core study receptive --json",
    "bottleneck": "python -m core study bottleneck --model … --data … --json",
    "exposure": "python -m core study exposure --model … --data … --json",
}
_CONFIG: Final = {"displaylogo": False, "toImageButtonOptions": {"scale": 2}}


def render() -> None:
    """Draws the page."""
    text = TEXT[state.current().language]
    asked = fields.own(STUDY, WHEN, DEPTH)
    study = _one_of(STUDY, asked, STUDIES)
    _choice(STUDY, study, STUDIES, text.names, text.choose)
    st.markdown(plain(text.questions[study]))
    made = studies.kept(study)
    if not made:
        st.info(plain(text.none))
    elif study == "gradients":
        when = _one_of(WHEN, asked, WHENS)
        _choice(WHEN, when, WHENS, text.whens, text.when)
        curves = _of_training(made[0], when)
        places = range(1, 1 + len(curves[0]["norms"]))
        _draw(study, list(places), [_gradient(curve, text) for curve in curves], text)
    elif study == "receptive":
        depths = tuple(dict.fromkeys(str(one["depth"]) for one in made[0]["fields"]))
        depth = _one_of(DEPTH, asked, depths)
        names = {one: text.deep.format(depth=one) for one in depths}
        _choice(DEPTH, depth, depths, names, text.depth)
        lines = [_field(one, text) for one in made[0]["fields"] if str(one["depth"]) == depth]
        words = made[0]["options"]["words"]
        _draw(study, [f"{at}. {word}" for at, word in enumerate(words, start=1)], lines, text)
    elif study == "exposure":
        shares = [100 * point["share"] for point in made[0]["points"]]
        lines = [_exposure(one) for one in made if len(one["points"]) == len(shares)]
        _draw(study, shares, lines, text)
    else:
        groups = [_length(group) for group in made[0]["groups"]]
        _draw(study, groups, _bottleneck(made[0], text), text)
    st.caption(plain(text.made))
    st.code(COMMANDS[study], language=None)  # its colours are too faint
    st.caption(plain(text.report))


def _draw(study: str, places: list[Any], series: list[Series], text: StudiesText) -> None:
    st.plotly_chart(
        study_lines(
            places,
            series,
            x_title=text.x_titles[study],
            y_title=text.y_titles[study],
            logarithmic=study in ("gradients", "receptive"),
            mode="dark" if st.context.theme.type == "dark" else "light",
        ),
        theme=None,
        key=f"study-{study}",
        alt=text.questions[study],
        config=_CONFIG,
    )
    if any(one.low for one in series):
        st.caption(plain(text.band))


def _of_training(made: Mapping[str, Any], when: str) -> list[Mapping[str, Any]]:
    """Curves of one time: at the start none was clipped, and without clipping the bound is 0."""
    bounds = {"start": None, "trained": 0.0}
    if when in bounds:
        return [curve for curve in made["curves"] if curve["clip"] == bounds[when]]
    return [curve for curve in made["curves"] if curve["clip"]]


def _gradient(curve: Mapping[str, Any], text: StudiesText) -> Series:
    name = str(curve["cell"]).upper()
    if curve["radius"] is not None:
        name = text.radius.format(cell=name, radius=f"{curve['radius']:g}")
    elif curve["hold"]:
        name = text.hold.format(cell=name, hold=f"{curve['hold']:g}")
    return Series(name, *(tuple(curve[part]) for part in ("norms", "low", "high")))


def _field(made: Mapping[str, Any], text: StudiesText) -> Series:
    """How much each word changes the output at the last; what changes nothing is not drawn."""
    name = text.layers.get(made["layer"], made["layer"])
    if made["kernel"]:
        name = text.kernel.format(layer=name, kernel=made["kernel"])
    return Series(name, tuple(norm or None for norm in made["norms"][-1]))


def _exposure(made: Mapping[str, Any]) -> Series:
    values = tuple(point["loss"] for point in made["points"])
    return Series(str(made["options"]["model"]), values)


def _bottleneck(made: Mapping[str, Any], text: StudiesText) -> list[Series]:
    """Models of one kind are one line: their mean, between the least and the most."""
    kinds: dict[str, list[list[float | None]]] = {}
    for curve in made["curves"]:
        kinds.setdefault(curve["attention"] or curve["family"], []).append(curve["bleu"])
    lines = []
    for kind, curves in kinds.items():
        columns = [list(filter(_there, column)) for column in zip(*curves, strict=True)]
        values, low, high = (
            tuple(made_of(column) if column else None for column in columns)
            for made_of in (fmean, min, max)
        )
        lines.append(Series(text.kinds.get(kind, kind), values, low, high))
    return lines


def _there(value: float | None) -> bool:
    return value is not None


def _length(group: Mapping[str, Any]) -> str:
    return f"{group['least']}–{group['most']}" if group["most"] else f"{group['least']}+"


def _one_of(name: str, asked: Mapping[str, str], known: tuple[str, ...]) -> str:
    """What the address asks for, else the first."""
    if name in asked and asked[name] not in known:
        fields.refuse([name])
        return known[0]
    return asked.get(name, known[0])


def _choice(
    name: str, value: str, known: tuple[str, ...], names: Mapping[str, str], label: str
) -> None:
    st.segmented_control(
        label,
        known,
        default=value,
        format_func=lambda one: names[one],
        required=True,
        key=widgets.seed(name, value),
        on_change=callbacks.take_own,
        args=(name,),
        label_visibility="collapsed",
    )
