"""Masks that differ by head, in what leaves the app: each head with its own."""

import csv
import io
import json
from itertools import product
from typing import Final

import numpy as np
import pytest
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from core.studies.words import words_of
from core.trace import AttentionTrace
from tests.viz.inspector.made import vocabulary_tokens, windowed
from viz.export.one import Choice, exported
from viz.export.pair import PairChoice, pair_exported
from viz.export.paper.both import both
from viz.export.paper.shown import shown
from viz.export.paper.stages import stages
from viz.export.paper.style import paper
from viz.export.paper.views import head
from viz.export.request import Format, View
from viz.inspector.options import Options
from viz.inspector.pack import pack
from viz.text.browser import inspector_words

KIND: Final = "decoder_self"


@pytest.fixture(scope="module")
def windows() -> AttentionTrace:
    return windowed(lifted=1)


def told(trace: AttentionTrace, view: View, form: Format) -> str:
    packed = pack(trace, trace_id="x", vocabulary_tokens=vocabulary_tokens)
    choice = Choice(view, KIND, 3, 2)
    return exported(packed, choice, form, language="en").decode("utf-8-sig")


def test_numbers_are_of_each_heads_own(windows: AttentionTrace) -> None:
    site = windows.sites[KIND]
    assert json.loads(told(windows, "head", "json"))["allowed"] == site.mask(2, 1).tolist()
    assert json.loads(told(windows, "grid", "json"))["allowed"] == site.allowed.tolist()
    rows = csv.DictReader(io.StringIO(told(windows, "grid", "csv"), newline=""))
    for row in rows:
        layer, which, query, key = (int(row[n]) - 1 for n in ("layer", "head", "query", "key"))
        assert bool(int(row["allowed"])) == site.mask(layer, which)[query, key]


def test_words_are_of_each_heads_own(windows: AttentionTrace) -> None:
    found = shown(windows, KIND, words=True)
    axes = words_of(windows.written), words_of(windows.target)
    for layer, which in product(range(3), range(8)):
        mask = windows.sites[KIND].mask(layer, which)
        expected = [[mask[np.ix_(row, column)].any() for column in axes[1]] for row in axes[0]]
        assert found.mask(layer, which).tolist() == expected


def hidden(figure: Figure, panel: int) -> int:
    """Cells of a panel that are not drawn."""
    image = figure.axes[panel].images[0]
    assert isinstance(image.norm, Normalize)
    cells = image.get_array()
    assert cells is not None
    return int(np.ma.getmaskarray(cells).sum())


@pytest.mark.parametrize("which", [0, 3, 7])
def test_a_figure_hides_what_its_head_may_not_see(windows: AttentionTrace, which: int) -> None:
    words = inspector_words("en")
    shut = int((~windows.sites[KIND].mask(2, which)).sum())
    with paper():
        drawn = head(shown(windows, KIND, words=False), 2, which, Options(), words)
        assert hidden(drawn, 0) == shut
        steps = stages(windows, KIND, 2, which, 14, words)
        assert [hidden(steps, panel) for panel in range(4)] == [0, shut, shut, shut]


def test_a_difference_is_known_where_either_of_the_two_heads_may_look() -> None:
    first, second = windowed(), windowed(lifted=1)
    found = both((first, second), KIND)
    for at in ((0, 3), (2, 7)):
        masks = [trace.sites[KIND].mask(*at) for trace in (first, second)]
        np.testing.assert_array_equal(found.known((at, at)), masks[0] | masks[1])
    body = pair_exported((first, second), PairChoice("grid", KIND), "json", language="en")
    for one in json.loads(body)["heads"]:
        at = (one["layer"] - 1, one["head"] - 1)
        assert one["known"] == found.known((at, at)).tolist()
