import pytest

from viz.text.plain import plain
from viz.text.tables import markdown_table


def test_a_table_has_its_header_rule_and_rows() -> None:
    made = markdown_table(("part", "n"), [("norms", "5"), ("cross", "7")], ("left", "right"))
    assert made.splitlines() == [
        "| part | n |",
        "| :--- | ---: |",
        "| norms | 5 |",
        "| cross | 7 |",
    ]


def test_a_bar_in_a_cell_does_not_open_a_column() -> None:
    made = markdown_table(("a",), [(plain("x|y"),)], ("left",))
    assert r"x\|y" in made


def test_rows_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        markdown_table(("a", "b"), [("x",)], ("left", "left"))
    with pytest.raises(ValueError, match="does not fit"):
        markdown_table(("a", "b"), [], ("left",))
