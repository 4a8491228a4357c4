"""Studies: what was measured of what study notes say, drawn from what each study printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from viz.figures.studies import study_lines
from viz.jobs import studies
from viz.screens.studies_pictures import DRAW, Picture
from viz.session import callbacks, fields, state, widgets
from viz.text.plain import plain
from viz.text.studies import TEXT, StudiesText

STUDY: Final = "study"
STUDIES: Final = tuple(DRAW)
CHOICES: Final = ("when", "depth", "what")
"""What single studies let one choose, as the address has it."""
COMMANDS: Final[Mapping[str, str]] = {
    "gradients": "python -m core study gradients --json",
    "receptive": "python -m core study receptive --json",
    "complexity": "python -m core study complexity --json",
    "bottleneck": "python -m core study bottleneck --model … --data … --json",
    "exposure": "python -m core study exposure --model … --data … --json",
    "extrapolation": "python -m core study extrapolation --model … --data … --json",
    "alignment": "python -m core study alignment --model … --data … --json",
}
_CONFIG: Final = {"displaylogo": False, "toImageButtonOptions": {"scale": 2}}


def render() -> None:
    """Draws the page."""
    text = TEXT[state.current().language]
    asked = fields.own(STUDY, *CHOICES)

    def choose(name: str, known: Sequence[str], names: Mapping[str, str], label: str) -> str:
        """What is chosen of some; the first, where nothing is."""
        value = _one_of(name, asked, tuple(known))
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
        return value

    study = choose(STUDY, STUDIES, text.names, text.choose)
    st.markdown(plain(text.questions[study]))
    made = studies.kept(study)
    if made:
        _draw(study, DRAW[study](made, choose, text), text)
    else:
        st.info(plain(text.none))
    st.caption(plain(text.made))
    st.code(COMMANDS[study], language=None)  # its colours are too faint
    st.caption(plain(text.report))


def _draw(study: str, picture: Picture, text: StudiesText) -> None:
    st.plotly_chart(
        study_lines(
            picture.places,
            picture.series,
            x_title=picture.x_title,
            y_title=picture.y_title,
            logarithmic=picture.logarithmic,
            mode="dark" if st.context.theme.type == "dark" else "light",
        ),
        theme=None,
        key=f"study-{study}",
        alt=text.questions[study],
        config=_CONFIG,
    )
    notes = [*picture.notes, *([text.band] if any(one.low for one in picture.series) else [])]
    if notes:
        st.caption(plain(" ".join(notes)))


def _one_of(name: str, asked: Mapping[str, str], known: tuple[str, ...]) -> str:
    """What the address asks for, else the first."""
    if name in asked and asked[name] not in known:
        fields.refuse([name])
        return known[0]
    return asked.get(name, known[0])
