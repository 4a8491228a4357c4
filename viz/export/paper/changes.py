"""All heads of two traces: what the second has less the first, the most changed first."""

from __future__ import annotations

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from viz.export.paper.both import Both, Traces
from viz.export.paper.grid import add_scale, head_short
from viz.export.paper.notes import noted, swatches
from viz.export.paper.pair import sides, summed
from viz.export.paper.sheet import sheet
from viz.export.paper.shown import ends_of_scale, highest
from viz.export.paper.style import HATCH, Words, differences
from viz.inspector.options import Options
from viz.text.numbers import whole_percent


def changes(traces: Traces, laid: Both, options: Options, words: Words) -> Figure:
    """Every head's difference, with how much of its attention lies elsewhere.

    Args:
        laid: two traces with as many layers and heads.
        options: `stretch` is of use here.
    """
    changed = laid.changes()
    heads = laid.parts[0].site.heads
    across = min(len(changed), max(heads, 4))
    sheet_ = sheet(len(changed), across, laid.shape, named=True)
    hides = not all(laid.known((head, head)).all() for head in changed)
    figure, axes = sheet_.begun(hides=hides)
    table, drawn = differences(), []
    for at, head in enumerate(changed):
        values = laid.minus((head, head))
        drawn.append(values)
        reach = highest(np.abs(values), options)
        sheet_.draw(axes, at, values, laid.known((head, head)), table, Normalize(-reach, reach))
    named = [
        f"{head_short(head, words)} · {whole_percent(share)}" for head, share in changed.items()
    ]
    sheet_.name(axes, named)
    each = ["\N{MINUS SIGN}", f"+ {words['scale_each']}"]
    ends = each if options.stretch else ends_of_scale(-1, 1, *drawn)
    add_scale(figure, axes, ScalarMappable(Normalize(-1, 1), table), ends=ends)
    kind = words[f"kind_{laid.kind}"]
    figure.suptitle(f"{kind} · {words['difference']}", fontweight=600, fontsize=11)
    if hides:
        swatches(axes, [(HATCH, words["legend_pair"])])
    first = f"{words['most_first']} {words['changed_note']} {words['grid_axes']}"
    pooled = words["pooled_changes"] if sheet_.pooled else ""
    stretched = words["stretch_changes"] if options.stretch else ""
    noted(figure, [first, pooled, stretched, *sides(traces, words), summed(laid, words)])
    sheet_.fit(figure, axes)
    return figure
