"""Tables of texts: one row a text, both languages beside each other."""

from importlib import import_module
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from viz import text as room
from viz.text.language import LANGUAGES
from viz.text.rows import Row, Table, by_name, in_languages, names


class Fruit(Table):
    apple = Row("apple", "사과")
    colours: Row[dict[str, str]] = Row({"red": "red"}, {"red": "빨강"})


def test_a_table_speaks_one_language() -> None:
    assert in_languages(Fruit)["ko"].apple == "사과"
    assert by_name(Fruit("en")) == {"apple": "apple", "colours": {"red": "red"}}
    assert names(Fruit) == ("apple", "colours")


def test_texts_stay_as_they_are_written() -> None:
    with pytest.raises(AttributeError):
        Fruit("en").apple = "pear"


TABLES = [
    table
    for path in sorted(Path(room.__path__[0]).glob("*.py"))
    for table in vars(import_module(f"viz.text.{path.stem}")).values()
    if isinstance(table, type) and issubclass(table, Table) and table is not Table
]


def holes(said: Any) -> set[str]:
    """What is filled into a text, or into several that belong together."""
    if isinstance(said, str):
        return {name.split(":")[0] for _, name, _, _ in Formatter().parse(said) if name}
    each = said.values() if isinstance(said, dict) else said
    return {name for one in each for name in holes(one)}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_every_language_has_the_same_holes_and_nothing_empty(table: type[Table]) -> None:
    tables = [by_name(own) for own in in_languages(table).values()]
    assert len(tables) == len(LANGUAGES)
    for name in names(table):
        first, *others = (own[name] for own in tables)
        assert all(own[name] for own in tables), name
        assert all(holes(other) == holes(first) for other in others), name
