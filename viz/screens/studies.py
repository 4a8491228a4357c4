"""Studies: what was measured of what study notes say, drawn from what each study printed."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.checkpoint.manifest import CONFIG, read_bounded
from core.errors import HeadlightError
from core.registry import ModelEntry
from viz.figures.studies import study_lines
from viz.jobs import measured, services, studies, visitor
from viz.jobs.measured import Measurable
from viz.screens import component, obtain
from viz.screens.studies_commands import commands
from viz.screens.studies_pictures import DRAW, Made, Picture
from viz.session import callbacks, fields, state, visit, widgets
from viz.text.plain import plain
from viz.text.studies import TEXT, StudiesText

STUDY: Final = "study"
STUDIES: Final = tuple(DRAW)
CHOICES: Final = ("made", "when", "depth", "word", "what")
"""What single studies let one choose, as the address has it."""
_MOST_WORDS, _LONGEST, _MOST_MODELS = 64, 1000, 4
_PLACES: Final = ("--start=1", "--start=17", "--start=33")
_QUICK: Final = ("--seeds=1", "--updates=200")
_CHIPS: Final = 12  # more are a list


def render() -> None:
    """Draws the page."""
    text = TEXT[state.current().language]
    fields.own(STUDY, *CHOICES)  # all of them, whichever study is chosen

    def choose(name: str, names: Mapping[str, str], label: str, usual: str) -> str:
        value, known = fields.one_of(name, names, usual), list(names)
        key, take = widgets.seed(name, value), callbacks.take_own
        if len(known) > _CHIPS:
            at = known.index(value)
            st.selectbox(label, known, at, names.__getitem__, key, on_change=take, args=(name,))
            return value
        st.segmented_control(
            label,
            known,
            default=value,
            format_func=lambda one: plain(names[one]),
            required=True,
            key=key,
            on_change=take,
            args=(name,),
            # a word says nothing of what it is chosen for
            label_visibility="visible" if name == "word" else "collapsed",
        )
        return value

    names = {study: text.names[study] for study in STUDIES}
    study = choose(STUDY, names, text.choose, STUDIES[0])
    st.markdown(plain(text.questions[study]))
    made: Sequence[Made] = studies.kept(study)
    options = _options(study)
    name = None if options is None else measured.digest(options.study, options.arguments)
    here = None if name is None else measured.kept(name)
    if here is None:
        fields.one_of("made", ("kept",), "kept")  # whose link says "here" drew other numbers
    elif choose("made", text.sources, text.made, "here") == "here":
        made = [here]
    if made:
        _draw(study, DRAW[study](made, choose, text), text)
    else:
        st.info(plain(text.none))
    if options is not None and here is None and measured.allowed():
        _measure(options, text)
    st.caption(plain(text.made))
    drawn_here = options is not None and here is not None and here in made
    command = _command(options) if options is not None and drawn_here else commands(study, made)
    st.code(command, language=None, wrap_lines=True)  # colours are too faint
    st.caption(plain(text.report))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What can be measured here: by which arguments of its command, and of which models."""

    study: Measurable
    arguments: tuple[str, ...] = ()
    models: tuple[str, ...] = ()


def _options(study: str) -> _Asked | None:
    """What it is asked for here; None where no model here can be asked."""
    match study:
        case "gradients" | "complexity":
            return _Asked(study)
        case "receptive":
            return _Asked(study, _words())
        case "exposure":
            return _of_models(study, _like_it()[:1])
        case "alignment":
            return _of_models(study, [name for name in _like_it()[:1] if _looks_back(name)])
        case "bottleneck":
            return _of_models(study, _like_it()[:_MOST_MODELS])
        case "extrapolation":
            own = state.current().model
            reads = _sizes(own).get("objective") == "forward" and _is_of_texts(own)
            return _of_models(study, [own] if reads else [], *_PLACES)
        case "transfer":
            from core.training.networks import base_of  # here: it brings torch

            entries = services.entries(visitor.current()).values()
            korean = [one for one in entries if one.fills and one.source_language == "ko"]
            bases = [one.model_id for one in korean if base_of(one.folder)]
            return _of_models(study, bases[-1:], "--count=50", "--count=200", *_QUICK)
        case _:
            return None


def _words() -> tuple[str, ...]:
    """The sentence that was typed, where it has words enough."""
    typed = state.current().source
    words = "" if typed is None else " ".join(typed.split())
    fits = 2 <= len(words.split()) <= _MOST_WORDS and len(words) <= _LONGEST
    fits &= words.isprintable()  # a process takes no control characters
    return (f"--sentence={words}",) if fits else ()


def _like_it() -> list[str]:
    """Models that translate as the one in view does, it first, if the grammar knows how."""
    entries = services.entries(visitor.current())
    own = entries.get(state.current().model)
    if own is None or not own.writes or {own.source_language, own.target_language} != {"ko", "en"}:
        return []
    languages = (own.source_language, own.target_language)
    others = [
        name
        for name, one in entries.items()
        if one.writes
        and (one.source_language, one.target_language) == languages
        and _reads_sentences(one)
    ]
    if own.model_id not in others:
        return []
    return sorted(others, key=lambda name: name != own.model_id)


def _reads_sentences(entry: ModelEntry) -> bool:
    """Whether it is for sentences, and not for single words, such as one that spells them."""
    return any(len(example.split()) > 1 for example in entry.examples)


def _looks_back(name: str) -> bool:
    """Whether a model that writes has attention to its source."""
    sizes = _sizes(name)
    return "answers" not in sizes and sizes.get("attention") != "none"


def _is_of_texts(name: str) -> bool:
    """Whether it is a language model of Korean, whose texts the grammar draws."""
    entry = services.entries(visitor.current())[name]
    return entry.fills and entry.source_language == "ko"


def _sizes(name: str) -> dict[str, Any]:
    """What the config.json of a model says of its network; nothing where it is not readable."""
    entry = services.entries(visitor.current()).get(name)
    try:
        config = {} if entry is None else json.loads(read_bounded(entry.folder, CONFIG))
        return dict(config.get("model", {}))
    except (HeadlightError, ValueError, TypeError, AttributeError):
        return {}


def _of_models(study: Measurable, models: Sequence[str], *more: str) -> _Asked | None:
    named = tuple(f"--model={name}" for name in models)
    return _Asked(study, (*named, *more), tuple(models)) if models else None


def _command(options: _Asked) -> str:
    return shlex.join(["python", *measured.command(options.study, options.arguments)])


def _measure(options: _Asked, text: StudiesText) -> None:
    """A button that starts it; while it is measured, how far it is, and a button that stops it."""
    name, who = measured.digest(options.study, options.arguments), visitor.current()
    failed = measured.failure(name)
    if failed is not None:
        st.warning(plain(text.failed.format(said=failed)))
    with st.container(horizontal=True, vertical_alignment="center", key="measure"):
        # The same two places either way, the button first: nothing moves under a finger.
        button, told = st.empty(), st.empty()
    if measured.done(name) is None:
        label = text.measure_words if options.arguments and not options.models else text.measure
        takes = text.takes[options.study].format(models=", ".join(options.models))
        told.caption(plain(takes))
        if button.button(label, icon=":material/play_arrow:", key="measure-start"):
            _start(options)
        return
    _tell(told, name, text)
    if measured.may_cancel(name, who):
        button.button(text.cancel, key="measure-stop", on_click=measured.cancel, args=(name, who))
    visit.end_with(lambda _: _tell(told, name, text))


def _start(options: _Asked) -> None:
    try:
        measured.start(options.study, options.arguments, visitor.current())
    except HeadlightError as error:
        obtain.explain(error)
        return
    visit.again()


def _tell(told: DeltaGenerator, name: str, text: StudiesText) -> bool:
    """Says how far it is; whether it is being measured at all."""
    done = measured.done(name)
    if done is not None:
        finished, all = done
        said = text.measuring.format(finished=finished, all=all) if all else text.beginning
        told.progress(finished / all if all else 0.0, plain(said))
    return done is not None


def _draw(study: str, picture: Picture, text: StudiesText) -> None:
    figure = study_lines(
        picture.places,
        picture.series,
        x_title=picture.x_title,
        y_title=picture.y_title,
        logarithmic=picture.logarithmic,
        mode=component.mode(),
    )
    component.chart(figure, f"study-{study}", text.questions[study], {})
    banded = any(one.low and one.low != one.values for one in picture.series)
    notes = [*picture.notes, *([picture.band or text.band] if banded else [])]
    if notes:
        st.caption(plain(" ".join(notes)))
