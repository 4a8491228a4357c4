"""Compare: two sentences, two models or two milestones beside each other, and what differs."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

import streamlit as st

from core import registry
from core.checkpoint.manifest import run_of
from core.errors import HeadlightError
from core.model import TraceRequest
from core.registry import ModelEntry
from core.studies.informative import most_informative
from core.trace import AttentionSite, Kind
from core.training.folder import RunFolder
from viz.inspector.pair import alignment
from viz.inspector.spelling import CELL_OF_BOTH, MOST, SAME, SECOND_HEAD
from viz.inspector.states import described
from viz.jobs import services, visitor
from viz.jobs.owners import open_to
from viz.jobs.snapshots import Snapshot
from viz.screens import branch, component, forcing, guess, message, obtain, sampling, states
from viz.screens.inspect import saved_elsewhere
from viz.session import callbacks, fields, state, widgets
from viz.session.callbacks import OTHER, PLACE
from viz.text.compare import TEXT, CompareText
from viz.text.inspect import TEXT as INSPECT
from viz.text.plain import plain

# The page's own parameters beside those that the component writes; A is what Inspect shows.
SENTENCE, MODEL, FORCED = "beside", "beside_model", "beside_forced"

Choices = dict[str, tuple[str, Path | None]]
"""What may stand beside: by its name in an address, its label and a milestone's folder."""


def render() -> None:
    """Draws the page."""
    ui = state.current()
    text, words = TEXT[ui.language], INSPECT[ui.language]
    saved_elsewhere(words)
    asked = fields.own(SENTENCE, MODEL, FORCED, OTHER, PLACE)
    left, right = st.columns(2, gap="medium")
    with left:
        source = obtain.source_of()
        with st.container(key="sentence-a"):
            obtain.sentence(words.source, words.placeholder, source)
        request = obtain.request_of(source, forced=False)
        first = obtain.snapshot(request, words.looking)
        with st.container(horizontal=True, vertical_alignment="center", key="written-a"):
            _written(first, ui.model)
            forcing.note(request)
            sampling.note(request)
            message.switch()
        if first is not None:
            branch.note(first, words.looking)
    with right:
        choices = _choices(text)
        model = fields.one_of(MODEL, choices, ui.model)
        beside = _sentence(asked, source, model, choices)
        _controls(beside, model, choices, text)
        if first is None:
            return
        able = _may_force(first, model, choices)
        # Where only the model is another one, it writes the same unless somebody chose otherwise.
        usual = "on" if beside == source and model != ui.model else "off"
        forced = fields.one_of(FORCED, ("on", "off"), usual) == "on" and able
        second = _second(first, beside, model, choices, forced=forced)
        with st.container(horizontal=True, vertical_alignment="center", key="written-b"):
            _written(second, model)
            st.space("stretch")
            _force(text, forced=forced, able=able)
    if second is not None:
        shared = any(kind in second.trace.sites for kind in first.trace.sites)
        if shared or not described(first.trace) + described(second.trace):
            _pair(first, second, asked)
        same = run_of(model) == state.current().model  # a milestone's run, too
        states.render_pair(first, second, same_units=same)


def _choices(text: CompareText) -> Choices:
    found: Choices = {name: (name, None) for name in services.entries(visitor.current())}
    for run, folder in open_to(registry.milestone_runs(), visitor.current()).items():
        for kept in RunFolder(folder).milestones():
            template = text.milestone if kept.step else text.untrained
            found[f"{run}@{kept.step}"] = (
                template.format(run=run, step=f"{kept.step:,}"),
                kept.folder,
            )
    return found


def _entry(model: str, choices: Choices) -> ModelEntry | None:
    folder = choices[model][1] if model in choices else None
    if folder is not None:
        return registry.entry_of(model, folder)
    return services.entries(visitor.current()).get(model)


def _sentence(asked: dict[str, str], source: str, model: str, choices: Choices) -> str:
    """The sentence of B: as asked for, else the one of A for another model of its language, else
    the model's example that is most like it."""
    if SENTENCE in asked:
        return asked[SENTENCE]
    entry = _entry(model, choices)
    ours = _entry(state.current().model, choices)
    if entry is None:
        return source
    reads = ours is not None and ours.source_language == entry.source_language
    if model != state.current().model and reads:
        return source
    return _nearest(source, entry.examples)


def _nearest(source: str, examples: Sequence[str]) -> str:
    def likeness(example: str) -> float:
        return SequenceMatcher(None, source, example).ratio()

    return max((e for e in examples if e != source), key=likeness, default=source)


def _may_force(first: Snapshot, model: str, choices: Choices) -> bool:
    """Whether A wrote something that B can be made to write."""
    entry = _entry(model, choices)
    return bool(first.trace.written and first.translation) and (entry is None or entry.writes)


def _second(
    first: Snapshot, source: str, model: str, choices: Choices, *, forced: bool
) -> Snapshot | None:
    """The snapshot of B, or None after drawing what stands in its way."""
    ui = state.current()
    target = first.translation or None if forced else None
    entry, ready = _entry(model, choices), services.opened(model)
    can = None if ready is None else ready.model.card.capabilities
    writes = entry is None or entry.writes
    draws = target is None and (writes if can is None else can.sampling)  # as A was, unforced
    request = TraceRequest(
        source,
        target,
        sampling=ui.sampling if draws else None,
        message=first.request.message and can is not None and can.message,
    )
    waiting = INSPECT[ui.language].looking
    folder = choices[model][1] if model in choices else None
    if folder is None:
        return obtain.snapshot(request, waiting, model)
    try:
        return obtain.made(waiting, lambda: services.snapshot_of(folder, request))
    except HeadlightError as error:
        obtain.explain(error)
        return None


def _pair(first: Snapshot, second: Snapshot, asked: dict[str, str]) -> None:
    shared = [kind for kind in first.trace.sites if kind in second.trace.sites]
    sites = {kind: first.trace.sites[kind] for kind in shared}
    state.fit(component.extents(sites), MOST)
    if sites:
        state.open_with(lambda kind: most_informative(sites[kind], first.trace.keys(kind)))
    kind = state.current().kind
    other = _fitting(
        asked.get(OTHER) or _first_of(first, second, kind), second.trace.sites.get(kind)
    )
    if other != asked.get(OTHER, other):
        fields.refuse([OTHER])
    place = asked.get(PLACE)
    if place is not None and not _within(place, first, second, kind):
        fields.refuse([PLACE])
        place = None
    # At first None, so that it may be left out.
    fields.live({PLACE: None})
    fields.live({OTHER: other, PLACE: place})
    component.pair(first, second, {OTHER: other, PLACE: place})


def _first_of(first: Snapshot, second: Snapshot, kind: Kind) -> str:
    """The head of the second that nobody has chosen yet: the first's, or where that is another
    place among others, the one that points most."""
    one, two = first.trace.sites.get(kind), second.trace.sites.get(kind)
    if one is None or two is None or (one.layers, one.heads) == (two.layers, two.heads):
        return SAME
    layer, head = most_informative(two, second.trace.keys(kind))
    return f"{layer + 1}.{head + 1}"


def _fitting(other: str, site: AttentionSite | None) -> str:
    """The second snapshot's own head where it has such a one, else the first's."""
    head = SECOND_HEAD.tried(other, None)
    if site is None or head is None:
        return SAME
    return other if head[0] <= site.layers and head[1] <= site.heads else SAME


def _within(place: str, first: Snapshot, second: Snapshot, kind: Kind) -> bool:
    """A place among the tokens of both (`viz.inspector.pair.alignment`), such as 3.5."""
    at = CELL_OF_BOTH.tried(place, None)
    traces = first.trace, second.trace
    if at is None or any(kind not in trace.sites for trace in traces):
        return False
    rows, columns = (
        len(alignment(*axis))
        for axis in ([t.queries(kind) for t in traces], [t.keys(kind) for t in traces])
    )
    return at[0] <= rows and at[1] <= columns


# What is drawn above the pictures


def _written(snapshot: Snapshot | None, model: str) -> None:
    if snapshot is not None:
        st.markdown(plain(snapshot.translation), width="content")
        guess.note(snapshot, obtain.card_of(model))


def _controls(sentence: str, model: str, choices: Choices, text: CompareText) -> None:
    language = state.current().language
    hint = INSPECT[language].placeholder
    name = f"{MODEL}.{language}"  # by whose words the browser knows what is chosen
    with st.container(horizontal=True, vertical_alignment="bottom", key="sentence-b"):
        obtain.field(text.sentence, SENTENCE, sentence, hint, _take_sentence)
        st.selectbox(
            text.model,
            list(choices),
            list(choices).index(model) if model in choices else None,
            key=widgets.seed(name, model),
            format_func=lambda name: choices[name][0] if name in choices else name,
            on_change=_take_model,
            args=(name,),
            label_visibility="collapsed",
            width=290,
        )


def _force(text: CompareText, *, forced: bool, able: bool) -> None:
    st.toggle(
        text.forced,
        forced,
        key=widgets.seed(FORCED, forced),
        help=text.forced_help if able else text.nothing_written,
        disabled=not able,
        on_change=_take_forced,
    )


def _take_sentence() -> None:
    """A sentence; a blank one lets the page choose."""
    fields.drop(PLACE)  # of another sentence
    fields.let_go(callbacks.POSITION, callbacks.OF_STATES)
    callbacks.take_own(SENTENCE)


def _take_model(name: str) -> None:
    """Another model: its sentence, target and head are chosen anew."""
    model = widgets.drawn(name)
    if isinstance(model, str):
        fields.drop(SENTENCE, FORCED, OTHER, PLACE)
        fields.let_go(callbacks.POSITION, callbacks.OF_STATES)
        fields.change({MODEL: model})


def _take_forced() -> None:
    fields.change({FORCED: "on" if widgets.drawn(FORCED) else "off"})
