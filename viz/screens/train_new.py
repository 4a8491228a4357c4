"""A new training: what to learn from, what becomes of it, and the button that starts it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

import streamlit as st

from core.errors import HeadlightError
from core.text.corpora import Pair, read_pairs
from core.text.sources import Source
from core.training import ready
from core.training.networks import SIZES
from core.training.ready import Choices
from viz.jobs import runs
from viz.screens import obtain, train_file, train_kind, train_start
from viz.screens.train_file import bound
from viz.screens.train_start import Draft
from viz.session import fields, state, widgets
from viz.text.plain import plain
from viz.text.reasons import filled
from viz.text.tokens import spelt_lines
from viz.text.train import TEXT, TrainText

LEARNS: Final = "learns"
"""The page's parameter for what a new run is to learn from."""
_WHAT: Final = "train_what"
STEPS: Final = (100, 200, 400, 1000, 2000, 4000, 10_000, 20_000)
_EXAMPLE_STEPS: Final = 400
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_HANGUL: Final = re.compile("[가-힣]")


class Material(NamedTuple):
    """What a run is to learn from: a file's content, its ending, and the pairs in it."""

    content: bytes
    suffix: str
    pairs: tuple[Pair, ...]


def render() -> None:
    """Draws the page's part for a run that is not yet."""
    text = TEXT[state.current().language]
    if runs.limit() == 0:
        st.info(plain(text.closed))
        return
    parts = {
        "example": (text.what_example, _example),
        "pairs": (text.what_pairs, _pairs),
        "again": (text.what_again, _again),
    }
    what = fields.one_of(LEARNS, parts, "example")
    st.segmented_control(
        text.what,
        list(parts),
        default=what,
        key=widgets.seed(_WHAT, what),
        format_func=lambda one: parts[one][0],
        required=True,
        on_change=_take_what,
    )
    parts[what][1](text)


def _take_what() -> None:
    what = widgets.drawn(_WHAT)
    if isinstance(what, str):
        fields.change({LEARNS: what})


def _example(text: TrainText) -> None:
    material = _digits()
    choices = Choices(
        free_name("numbers"), "en", "en", "tiny", _EXAMPLE_STEPS, "characters", dropout=0.0
    )
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.subheader(text.example_title, anchor=False)
        st.markdown(text.example)
        offer = st.container()
    with right:
        draft = _draft(choices, material, text, private=False)
    with offer:
        train_start.offer(draft, text)


@lru_cache(maxsize=1)
def _digits() -> Material:
    pairs = ready.digits()
    content = "".join(f"{source}\t{target}\n" for source, target in pairs)
    return Material(content.encode(), ".tsv", pairs)


# Pairs of one's own


def _pairs(text: TrainText) -> None:
    left, right = st.columns(2, gap="large")
    draft = None
    with left:
        content, suffix, name = train_file.brought(text)
        with right:
            material = _read(content, suffix, name, text)
        choices = _chosen(material, text)
        offer = st.container()
    if material is not None and choices is not None:
        with right:
            draft = _draft(choices, material, text, private=True)
    with offer:
        train_start.offer(draft, text)


def _read(content: bytes, suffix: str, name: str, text: TrainText) -> Material | None:
    """The pairs, or None after saying what stands in their way.

    Args:
        name: of the file that was chosen; "" for what was typed, of whose file nobody knows.
    """
    if not content.strip():
        st.info(plain(text.empty))
        return None
    try:
        pairs = _read_pairs(content, name or train_start.PAIRS + suffix)
    except HeadlightError as error:
        if name or error.code != "data_invalid":
            obtain.explain(error)
        else:
            said = filled(text.typed_invalid, error.parameters, state.current().language)
            st.warning(plain(said))
        st.caption(plain(text.hint))
        return None
    return Material(content, suffix, pairs)


@lru_cache(maxsize=2)
def _read_pairs(content: bytes, name: str) -> tuple[Pair, ...]:
    return read_pairs(Source(name, content=content)).pairs


def _chosen(material: Material | None, text: TrainText) -> Choices | None:
    """Name, languages, size and steps; None where the name cannot be taken."""
    pairs = () if material is None else material.pairs
    kind, vocabulary = ready.vocabulary_for(pairs) if pairs else ("characters", 0)
    guessed = _languages(pairs)
    with st.container(horizontal=True, key="train-choices"):
        name = st.text_input(
            text.name,
            help=text.name_help,
            max_chars=40,
            width=200,
            **bound("name", free_name("my-pairs")),
        )
        source, target = (
            st.selectbox(
                label,
                list(text.languages),
                format_func=lambda tag: text.languages[tag],
                width=150,
                **bound(side, tag, "index", list(text.languages)),
            )
            for side, label, tag in (
                ("reads", text.reads, guessed[0]),
                ("writes", text.writes, guessed[1]),
            )
        )
        model = train_kind.chosen(pairs, text)
        cut = st.segmented_control(
            text.cut,
            ("characters", "sentencepiece"),
            format_func=lambda one: text.cut_letters if one == "characters" else text.cut_pieces,
            help=text.cut_help,
            required=True,
            disabled=model.base is not None,
            **bound("cut", kind, "default"),
        )
        size = st.segmented_control(
            text.size,
            SIZES,
            format_func=lambda one: text.sizes[one],
            help=text.size_help,
            required=True,
            disabled=model.base is not None,
            **bound("size", SIZES[0], "default"),
        )
        steps = st.select_slider(
            text.steps,
            STEPS,
            help=text.steps_help,
            width=160,
            **bound("steps", 1000),
        )
    fault = _fault(name, text)
    if fault:
        st.caption(plain(fault))
        return None
    return Choices(name, source, target, size, steps, cut, vocabulary or 1000, kind=model)


def _languages(pairs: Sequence[Pair]) -> tuple[str, str]:
    """Korean where a side is written in Hangul, else English."""
    sides = list(zip(*pairs[:200], strict=True)) if pairs else [(), ()]
    return tuple("ko" if _HANGUL.search(" ".join(side)) else "en" for side in sides)  # type: ignore[return-value]


def _fault(name: str, text: TrainText) -> str:
    if not _NAME.fullmatch(name):
        return text.name_invalid
    return "" if runs.is_free(name) else text.name_taken.format(name=name)


def free_name(wanted: str) -> str:
    """That name, or the first of NAME-2, NAME-3, ... that nobody has."""
    names = [wanted, *(f"{wanted}-{number}" for number in range(2, runs.MOST_RUNS + 3))]
    return next(name for name in names if runs.is_free(name))


def _draft(choices: Choices, material: Material, text: TrainText, *, private: bool) -> Draft | None:
    """The run that these choices make, after showing what becomes of its pairs.

    Args:
        private: the pairs are the visitor's own.
    """
    content, suffix, pairs = material
    file = train_start.PAIRS + suffix
    # Under one name for all, so that it is not read anew with every letter of a name.
    trial = ready.recipe_text(replace(choices, model_id="trial"), file, pairs)
    vocabulary = train_start.vocabulary_of(trial, content, text)
    if not vocabulary:
        return None
    written = ready.recipe_text(choices, runs.path_of(choices.model_id, file), pairs)
    return Draft(choices.model_id, written, {file: content}, vocabulary, private)


# A shipped model, once more


def _again(text: TrainText) -> None:
    recipes = train_start.shipped()
    if not recipes:
        st.info(plain(text.again_none))
        return
    opened = state.current().model
    first = opened if opened in recipes else next(iter(recipes))
    left, right = st.columns([2, 3], gap="large")
    with left:
        model_id = st.selectbox(
            text.again_label,
            list(recipes),
            **bound("again", first, "index", list(recipes)),
        )
        st.caption(plain(text.again_long))
        offer = st.container()
    recipe = recipes[model_id]
    with right:
        whole = train_start.corpora(recipe, text)
        if whole and st.toggle(text.again_look, **bound("again_look", False)):
            train_start.vocabulary_of(recipe, None, text)
        with st.expander(text.again_label):
            st.code(spelt_lines(recipe), language="toml")
    with offer:
        if not whole:
            st.caption(plain(text.again_whole))
        name = free_name(f"{model_id}-again")
        size = ready.recipe_of(recipe).tokenizer.vocab_size
        train_start.offer(Draft(name, recipe, {}, size, private=False) if whole else None, text)
