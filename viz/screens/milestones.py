"""Milestones: one sentence at every milestone of a training run, as a film."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import partial
from typing import Final

import streamlit as st

from core import registry
from core.registry import ModelEntry
from core.studies.informative import most_informative
from core.training.folder import RunFolder
from viz.inspector.spelling import MOST
from viz.jobs import services, visitor
from viz.jobs.filming import Film, FilmRequest, Silent, Stopped, TooLong
from viz.jobs.films import FILMS, Filming, FilmState
from viz.jobs.models import Failed
from viz.jobs.owners import foreign, open_to
from viz.jobs.runs import active
from viz.screens import component, obtain
from viz.session import address, callbacks, fields, state, visit, widgets
from viz.text.errors import worded
from viz.text.inspect import TEXT as INSPECT
from viz.text.milestones import TEXT, MilestonesText
from viz.text.plain import plain

POLL_SECONDS: Final = 0.12
QUIET_SECONDS: Final = 0.3
"""What takes no longer says nothing of it."""

# The page's own parameters. The sentence and the target are shared with the other pages where
# the run speaks the languages of the model at work; else they are the page's own.
RUN, SENTENCE, FORCED = "film", "sentence", "forced"
_FOREIGN = "foreign-film"
LIVE: Final = ("milestone", "compare", "view")
PLAYED: Final = {"speed": ("1", "0.5", "2", "4"), "loop": ("off", "on")}
"""How a film may be played, the usual way first, which an address leaves out."""


def render() -> None:
    """Draws the page."""
    text = TEXT[state.current().language]
    _follow()
    every = registry.milestone_runs()
    runs = open_to(every, visitor.current())
    if not runs:
        st.info(plain(text.none))
        return
    asked = fields.own(RUN, SENTENCE, FORCED, *LIVE, *PLAYED)
    _told_of(asked.get(RUN, ""), every.keys() - runs.keys())
    usual = next(name for name in (state.current().model, *runs) if name in runs)
    run_id = fields.one_of(RUN, runs, usual)
    folder = runs[run_id]
    entry = registry.entry_of(run_id, RunFolder(folder).milestones()[-1].folder)
    source, target = _words(entry, asked)
    _sentence(entry, source, list(runs), text)
    request = FilmRequest(folder, source, target or None)
    standing = FILMS.state(request)
    with st.container(horizontal=True, vertical_alignment="center", key="shared"):
        place = st.empty()
        _target(entry, target, text)
    film = _film_of(standing)
    if film is not None:
        _film(film, asked, grows=isinstance(standing, Filming))
    if isinstance(standing, Filming):
        _wait(request, place, text)
        visit.again()
    if isinstance(standing, Film):
        place.caption(plain(_reading(standing, request, text)))
    else:
        with place.container(horizontal=True, vertical_alignment="center"):
            _obstacle(standing, request, run_id, text)


def _told_of(asked: str, others: AbstractSet[str]) -> None:
    """Whose run an address names, if it is another's; until something else is chosen."""
    if asked:
        visit.keep(_FOREIGN, asked if asked in others else "")
    run = visit.kept(_FOREIGN, "")
    if run and (asked or RUN in state.refused()):
        obtain.explain(foreign(run))


def _follow() -> None:
    """Shows by itself what a run keeps that trains now."""
    for run_id in active():
        kept = RunFolder(registry.runs_root() / run_id).milestones()
        component.kept(run_id, [milestone.step for milestone in kept])


def _film_of(standing: FilmState) -> Film | None:
    """The film, or what there is of it."""
    match standing:
        case Film():
            return standing
        case Filming(film=film) | Stopped(film=film):
            return film
    return None


def _film(film: Film, asked: dict[str, str], *, grows: bool) -> None:
    """Draws a film.

    Args:
        film: with the milestones that there are by now.
        asked: what an address, or who looks at it, asks for.
        grows: others follow at once, and what is asked for may be of those.
    """
    trace = film.snapshots[-1].trace
    if not trace.sites or not trace.target:
        st.info(plain(TEXT[state.current().language].unfilmed))
        return
    sites = {k: address.Extent(site.layers, site.heads) for k, site in trace.sites.items()}
    state.fit(sites, MOST)  # rows are not steps here: theirs stays as it is
    state.open_with(lambda kind: most_informative(trace.sites[kind], trace.keys(kind)))
    first, last = film.steps[0], film.steps[-1]
    steps = {
        name: _step(asked.get(name, ""), film.steps, otherwise)
        for name, otherwise in (("milestone", last), ("compare", first))
    }
    if len(film.steps) == 1:  # that says nothing of what a longer film is to be compared with
        del steps["compare"]
    view = "difference" if asked.get("view") == "difference" else "maps"
    wanted = {**{name: str(step) for name, step in steps.items()}, "view": view}
    played = _played(asked)
    if grows:
        fields.hear(*wanted, *played)
    else:
        fields.refuse([name for name in wanted if asked.get(name, wanted[name]) != wanted[name]])
        fields.live({**wanted, **played})
    component.film(film, {**steps, "view": view, **played})


def _played(asked: dict[str, str]) -> dict[str, str | None]:
    """How the film is played, None for as usual; what cannot be is refused."""
    chosen = {name: asked.get(name, ways[0]) for name, ways in PLAYED.items()}
    fields.refuse([name for name, way in chosen.items() if way not in PLAYED[name]])
    return {name: way if way in PLAYED[name][1:] else None for name, way in chosen.items()}


def _step(text: str, steps: tuple[int, ...], otherwise: int) -> int:
    """The milestone nearest to the step that an address names."""
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        return otherwise
    return min(steps, key=lambda step: abs(step - int(text)))


# Waiting


def _wait(
    request: FilmRequest, place: st.delta_generator.DeltaGenerator, text: MilestonesText
) -> None:
    """Ends with the film, or with what became of it; says how far it is meanwhile."""
    bar = None
    while isinstance(standing := FILMS.state(request), Filming):
        if standing.seconds > QUIET_SECONDS:
            if bar is None:
                with place.container(horizontal=True, vertical_alignment="center"):
                    bar = st.empty()
                    st.button(text.stop, key="film-stop", on_click=FILMS.stop, args=(request,))
            words = text.watching.format(done=min(standing.done + 1, standing.of), of=standing.of)
            bar.progress(standing.done / max(standing.of, 1), text=plain(words))
        services.pause(POLL_SECONDS)


def _obstacle(standing: FilmState, request: FilmRequest, run_id: str, text: MilestonesText) -> None:
    """Why there is no film, and what to do."""
    match standing:
        case Stopped(done=done, of=of):
            st.caption(plain(text.stopped.format(done=done, of=of)), width="content")
            st.button(text.go_on, key="film-go-on", on_click=FILMS.go_on, args=(request,))
        case TooLong(side, length, limit, milestones):
            template = text.long_source if side == "source" else text.long_target
            st.warning(plain(template.format(length=length, limit=limit, milestones=milestones)))
        case Silent():
            st.info(plain(text.silent))
        case Failed(error) if error.code.startswith("checkpoint"):
            reason = worded(error, state.current().language)
            st.error(plain(text.failed.format(run=run_id, reason=reason)))
        case Failed(error):
            obtain.explain(error)


def _reading(film: Film, request: FilmRequest, text: MilestonesText) -> str:
    template = text.shared_cut if film.target.cut else text.shared
    if request.target is not None:
        template = text.forced
    return template.format(target=f"“{film.target.text}”")


# What is asked for


def _shares(entry: ModelEntry) -> bool:
    """Whether the run speaks the languages of the model at work."""
    model = services.entries(visitor.current()).get(state.current().model)
    ours = (entry.source_language, entry.target_language)
    return model is not None and (model.source_language, model.target_language) == ours


def _words(entry: ModelEntry, asked: dict[str, str]) -> tuple[str, str]:
    """The sentence, and the target or ""."""
    ui = state.current()
    if _shares(entry):
        source, target = ui.source, ui.target or ""
    else:
        source, target = asked.get(SENTENCE), asked.get(FORCED, "")
    example = entry.examples[0] if entry.examples else ""
    return example if source is None else source, target


def _sentence(entry: ModelEntry, source: str, runs: list[str], text: MilestonesText) -> None:
    words = INSPECT[state.current().language]
    with st.container(horizontal=True, vertical_alignment="bottom", key="sentence"):
        shared, hint = _shares(entry), text.placeholder
        take = partial(_take_source, shared)
        obtain.field(words.source, "film-source", source, hint, take)
        with st.popover(words.examples, type="tertiary", key=widgets.menu("examples")):
            for index, example in enumerate(entry.examples):
                st.button(
                    plain(example),
                    key=f"film-example-{index}",
                    type="tertiary",
                    on_click=_set_source,
                    args=(example, shared),
                )
        st.selectbox(
            text.run,
            runs,
            runs.index(entry.model_id),
            key=widgets.seed("film-run", entry.model_id),
            on_change=_take_run,
            label_visibility="collapsed",
            width=230,
        )


def _target(entry: ModelEntry, target: str, text: MilestonesText) -> None:
    with st.popover(text.target, type="tertiary"):
        st.caption(text.target_help, width=360)
        st.text_input(
            text.target_label,
            target,
            key=widgets.seed("film-target", target),
            placeholder=text.target_placeholder,
            on_change=_take_target,
            args=(_shares(entry),),
        )


def _take_run() -> None:
    run_id = widgets.drawn("film-run")
    if isinstance(run_id, str):
        fields.drop(SENTENCE, FORCED, *LIVE)
        fields.change({RUN: run_id})


def _take_source(shared: bool) -> None:
    source = widgets.drawn("film-source")
    if isinstance(source, str):
        _set_source(source, shared)


def _set_source(source: str, shared: bool) -> None:
    if shared:
        callbacks.choose_source(source)
    else:
        widgets.close("examples")
        fields.drop(FORCED)
        fields.change({SENTENCE: address.clean_text(source)})


def _take_target(shared: bool) -> None:
    target = widgets.drawn("film-target")
    if not isinstance(target, str):
        return
    if shared:
        callbacks.choose_target(target)
    elif target.strip():
        fields.change({FORCED: address.clean_text(target).strip()})
    else:
        fields.drop(FORCED)
