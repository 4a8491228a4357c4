"""The in-browser inspector, and the film made of its parts, as Streamlit components."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from core.studies.informative import most_informative
from core.trace import AttentionSite, Kind
from viz.inspector.beam import beam_data
from viz.inspector.film import film_data
from viz.inspector.gaps import Filled, gaps_data
from viz.inspector.pair import pair_data
from viz.inspector.payload import Comparison, View, component_data
from viz.inspector.states import states_data, states_pair_data
from viz.jobs.filming import Film
from viz.jobs.services import Searched
from viz.jobs.snapshots import Snapshot
from viz.screens import obtain
from viz.session import address, callbacks, state
from viz.session.address import Extent
from viz.text.beam import TEXT as BEAM_TEXT
from viz.text.browser import inspector_words
from viz.text.film import TEXT as FILM_TEXT
from viz.text.gaps import TEXT as GAPS_TEXT
from viz.text.pair import TEXT as PAIR_TEXT
from viz.text.states import TEXT as STATES_TEXT

if TYPE_CHECKING:  # the first page draws no figure
    import plotly.graph_objects as go

    from viz.figures.theme import Mode

# The code is served as modules (viz.server.routes), so a change of data sends none of it again.
# Streamlit calls the function with every change. What it leaves on the element's document is
# for viz/server/frame/frame.js: it takes an unreported selection along to another page, and knows
# which parameters of the address a view owns.
LOADER: Final = """
export default function (component) {
  const { parentElement } = component;
  let cleanup = null;
  let gone = false;
  // Two imports under way may end in the other order; the data asked for last is drawn.
  parentElement.headlightAsked = component;
  import(new URL("{module}", document.baseURI)).then((main) => {
    if (gone) return;
    cleanup = main.mount(parentElement.headlightAsked);
    if (parentElement.headlight) (document.headlights ??= new Set()).add(drawn);
  });
  const drawn = {
    // The Train page draws something that has no selection.
    behind: (...asked) => parentElement.headlight?.behind?.(...asked) ?? false,
    rests: () => parentElement.headlight?.rests?.() ?? false,
    forget: () => parentElement.headlight?.forget?.(),
    report: () => parentElement.headlight?.report?.(),
    owned: () => parentElement.headlight?.owned ?? [],
  };
  return () => {
    gone = true;
    document.headlights?.delete(drawn);
    cleanup?.();
  };
}
"""


@cache
def _component(name: str, module: str) -> Any:
    return st.components.v2.component(f"headlight.{name}", js=LOADER.replace("{module}", module))


def inspector(
    snapshot: Snapshot, view: View, comparison: Comparison | None = None, *, branches: bool = True
) -> None:
    """Draws a snapshot; what is chosen in it becomes the app's state.

    Args:
        snapshot: what to draw.
        view: the page's arrangement of it.
        comparison: a second snapshot beside it.
        branches: its model is at hand, to go on from another token or with another sentence.
    """
    sites = snapshot.trace.sites
    state.fit(extents(sites), len(snapshot.trace.target))
    if sites:
        state.open_with(
            lambda kind: most_informative(snapshot.trace.sites[kind], snapshot.trace.keys(kind))
        )
    ui, card = state.current(), obtain.card_of()
    key = f"inspector-{view}"
    other = comparison.packed.meta["trace_id"] if comparison else ""
    data = component_data(
        snapshot.packed,
        view=view,
        language=ui.language,
        text=inspector_words(ui.language),
        selection=state.start(f"{view}/{snapshot.id}/{other}"),
        comparison=comparison,
        branches=branches and (card is None or card.capabilities.branching),
        asks=_asks(comparison) if branches else {},
    )
    draw(
        "inspector",
        "inspector/main.js",
        key,
        data,
        on_branch_change=lambda: callbacks.take_branch(key),
    )


def _asks(comparison: Comparison | None) -> dict[str, str]:
    """What is asked of a sentence that is typed; nothing where it is compared with itself.

    With a mask that is lifted, or drawn by chance beside what is greedy: that takes the page's run.
    """
    ui, card = state.current(), obtain.card_of()
    if ui.lift_mask:
        return {}
    messages = card is None or card.capabilities.message
    plain = {"model": ui.model, **(address.message(ui) if messages else {})}
    able = card is None or card.capabilities.sampling
    if ui.sampling is None or not able:
        return plain
    return {} if comparison is not None else {**plain, **address.chance(ui)}


def extents(sites: Mapping[Kind, AttentionSite]) -> dict[Kind, Extent]:
    """How much there is to choose of a snapshot."""
    return {k: Extent(site.layers, site.heads, *site.shape) for k, site in sites.items()}


def beam(made: Searched, shown: Sequence[int], fields: Mapping[str, int]) -> None:
    """Draws a beam search; a hypothesis that is opened becomes the branch in view.

    Args:
        shown: vocabulary rows that the snapshot in view was made to write.
        fields: where it starts: `hypothesis`, the row that is read.
    """
    language, key = state.current().language, "beam-tree"
    started = state.start(f"beam/{made.id}", fields)
    data = beam_data(
        made.tree,
        search_id=made.id,
        language=language,
        text=inspector_words(language, BEAM_TEXT),
        shown=shown,
        selection={name: started[name] for name in ("turn", *fields)},
    )
    draw(
        "beam",
        "inspector/beam/main.js",
        key,
        data,
        on_branch_change=lambda: callbacks.take_branch(key),
    )


def film(shown: Film, fields: Mapping[str, str | int | None]) -> None:
    """Draws a film; what is chosen in it becomes the app's state.

    Args:
        fields: where its slider starts, milestone, compare and view; speed and loop, where unusual.
    """
    language = state.current().language
    data = film_data(
        shown.packed,
        language=language,
        text=inspector_words(language, FILM_TEXT),
        selection=state.start(f"film/{shown.id}", fields),
    )
    draw("film", "inspector/film/main.js", "film", data)


def pair(first: Snapshot, second: Snapshot, fields: Mapping[str, str | None]) -> None:
    """Draws two snapshots and their difference; what is chosen in them becomes the app's state.

    Args:
        fields: where it starts, beside the first's head: `other`, the second's, and `place`, the
            pinned cell where the first has no such cell.
    """
    language = state.current().language
    data = pair_data(
        first.packed,
        second.packed,
        language=language,
        text=inspector_words(language, PAIR_TEXT),
        selection=state.start(f"pair/{first.id}/{second.id}", fields),
    )
    draw("pair", "inspector/compare/main.js", "pair", data)


def states(snapshot: Snapshot, fields: Mapping[str, str | None], *, tells_next: bool) -> None:
    """Draws what the recurrent layers of a snapshot carried; what is chosen becomes the state.

    Args:
        fields: where it starts (`viz.screens.states`).
        tells_next: with what may come next.
    """
    language = state.current().language
    started = state.start(f"states/{snapshot.id}", fields)
    data = states_data(
        snapshot.packed,
        language=language,
        text=inspector_words(language, STATES_TEXT),
        selection={name: started[name] for name in ("turn", *fields)},
        tells_next=tells_next,
    )
    draw("states", "inspector/states/main.js", "states", data)


def states_pair(
    first: Snapshot, second: Snapshot, fields: Mapping[str, str | None], *, same_units: bool
) -> None:
    """Draws what recurrent layers carried in two snapshots; what is chosen becomes the state.

    Args:
        fields: where it starts (`viz.screens.states`).
        same_units: unit 7 of one is unit 7 of the other.
    """
    language = state.current().language
    started = state.start(f"states-pair/{first.id}/{second.id}", fields)
    data = states_pair_data(
        first.packed,
        second.packed,
        language=language,
        text=inspector_words(language, PAIR_TEXT, STATES_TEXT),
        selection={name: started[name] for name in ("turn", *fields)},
        same_units=same_units,
    )
    draw("states-pair", "inspector/states/pairs.js", "states-pair", data)


def gaps(models: Sequence[Filled], fields: Mapping[str, str]) -> None:
    """Draws what language models fill a text's gaps with; `fields` has the first `gap`, from 1."""
    language = state.current().language
    data = gaps_data(
        models,
        language=language,
        text=inspector_words(language, GAPS_TEXT),
        selection=state.start("/".join(("gaps", *(filled.id for filled in models))), fields),
    )
    draw("gaps", "inspector/gaps/main.js", "gaps", data)


def framed(path: str, *, title: str, height: int) -> None:
    """Draws a page of its own within the page.

    Args:
        path: of it, on this server.
        title: for those who do not see it.
        height: in pixels, until the page tells its own.
    """
    data = {"path": path, "title": title, "height": height}
    _component("framed", "inspector/framed.js")(key="framed", data=data)


def chart(figure: go.Figure, key: str, alt: str, config: dict[str, Any]) -> None:
    """Draws a figure of Plotly's, saved by the name of its key; `alt` is read out in its place."""
    saved = {"filename": f"headlight-{key.replace('_', '-')}", "scale": 2}
    config = {"displaylogo": False, "toImageButtonOptions": saved, **config}
    # theme=None: our template, not Streamlit's, decides how a figure looks
    st.plotly_chart(figure, theme=None, key=key, alt=alt, config=config)


def mode() -> Mode:
    """Whether the page is light or dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


def kept(run_id: str, steps: Sequence[int]) -> None:
    """Has the page run again by itself when a run has kept more than these `steps`."""
    _component("kept", "inspector/training/kept.js")(
        key=f"kept-{run_id}",
        data={"run": run_id, "steps": list(steps)},
        on_kept_change=lambda: None,  # hearing of it is enough
    )


def draw(
    name: str, module: str, key: str, data: dict[str, Any], **more: Callable[[], None]
) -> None:
    """Draws what has a selection, which becomes the app's state."""
    _component(name, module)(
        key=key,
        data=data,
        on_selection_change=lambda: callbacks.take_selection(key),
        **more,
    )
