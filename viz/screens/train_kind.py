"""Which model is to learn: its kind, and what that leaves to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import streamlit as st

from core.text.corpora import Pair
from core.training import ready
from core.training.networks import (
    ATTENDING,
    CELLS,
    NETWORKS,
    POSITIONS,
    RECURRENT,
    SCORES,
    Base,
    Kind,
    Network,
    base_of,
)
from viz.jobs import services, visitor
from viz.screens.train_file import bound
from viz.text.train import TrainText

Value = TypeVar("Value", bound=str)


def chosen(pairs: Sequence[Pair], text: TrainText) -> Kind:
    """Draws the choices; a kind that these pairs do not make is not among them."""
    labelled, tagged = bool(ready.labels_of(pairs)), bool(ready.tags_of(pairs))
    bases = _bases() if labelled else {}
    there = {"label": labelled, "labels": tagged, "tuned": bool(bases)}
    offered: list[Network] = [one for one in NETWORKS if there.get(one, True)]
    usual: Network = "label" if labelled else "labels" if tagged else offered[0]
    network: Network = st.selectbox(
        text.network,
        offered,
        format_func=lambda one: text.networks[one],
        help=text.network_help,
        width=250,
        **bound("network", usual, "index", offered),
    )
    kind = Kind(network)
    if network in RECURRENT:
        kind = Kind(network, cell=_one_of("cell", CELLS, text.cell, text.cells))
    if network == "attention":
        score = _one_of("score", SCORES, text.score, text.scores)
        kind = Kind(network, cell=kind.cell, score=score)
    if network in ATTENDING:
        positions = _one_of("positions", POSITIONS, text.positions, text.position_kinds)
        kind = Kind(network, positions=positions)
    if network == "tuned":
        names = list(bases)
        name = st.selectbox(
            text.base,
            names,
            help=text.base_help,
            width=200,
            **bound("base", names[-1], "index", names),
        )
        kind = Kind(network, base=bases[name])
    return kind


def _bases() -> dict[str, Base]:
    """Language models that labels can be learned on, by their names."""
    entries = services.entries(visitor.current())
    found = {name: base_of(entry.folder) for name, entry in entries.items() if entry.fills}
    return {name: base for name, base in found.items() if base is not None}


def _one_of(name: str, values: Sequence[Value], label: str, names: Mapping[Value, str]) -> Value:
    chosen: Value = st.selectbox(
        label,
        values,
        format_func=lambda one: names[one],
        width=150,
        **bound(name, values[0], "index", values),
    )
    return chosen
