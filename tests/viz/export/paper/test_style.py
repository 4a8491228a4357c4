"""Labels of figures: cut between letters, and turning nothing round beside them."""

import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from core.trace import Token
from viz.export.paper.notes import noted
from viz.export.paper.style import isolated, label, legible, paper, printed, shortened
from viz.text.inspector import EN
from viz.text.rows import by_name

WORDS = by_name(EN)
ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("카페" * 9, "카페" * 9),
        ("a" * 30, "a" * 17 + "…"),
        ("a" * 16 + "e\u0301" * 4, "a" * 16 + "…"),
        (legible("\U0001f9ff" * 3), "⟨U+1F9FF⟩…"),
        ("a" + "\u0301" * 40, "a" + "\u0301" * 16 + "…"),
    ],
)
def test_what_is_long_is_cut_between_letters(text: str, shown: str) -> None:
    assert shortened(text) == shown


def test_what_faces_lack_is_asked_in_silence() -> None:
    """As of a page that draws no figure, in a process of its own: what was found once is kept."""
    asked = "from viz.export.paper.style import legible; legible('a')"
    asking = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True)
    assert (asking.returncode, asking.stderr) == (0, "")


def test_what_is_written_from_right_to_left_turns_nothing_round() -> None:
    assert isolated("cafe 카페") == "cafe 카페"
    assert label(Token("שם", "שם", 7, 0), WORDS, joint=True) == "-\u2068שם\u2069"
    assert label(Token("x", "اسم", 7, 0), WORDS) == "\u2068اسم\u2069"


def test_a_narrow_figure_is_as_tall_as_its_notes_need() -> None:
    """What it draws has the room that it has with few of them."""
    heights = []
    with paper():
        for notes in (["카페에 갔어"] * 3, ["나는 어제 친구들이랑 카페에 갔어 " * 9]):
            figure = Figure((3.6, 2.4), layout="constrained")
            axes = figure.subplots()
            noted(figure, notes)
            printed(figure, "png")
            heights.append(axes.get_position().height * figure.get_figheight())
    assert heights[1] == pytest.approx(heights[0], rel=0.12)
