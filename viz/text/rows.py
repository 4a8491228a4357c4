"""Tables of texts: a name a row, and beside it what it says in each language."""

from __future__ import annotations

from typing import Any, Final, Generic, NoReturn, TypeVar, overload

from viz.text.language import LANGUAGES, Language

T = TypeVar("T")
TableT = TypeVar("TableT", bound="Table")


class Row(Generic[T]):
    """One text, or several that belong together, in every language.

    Args:
        en, ko: what it says; braces are filled in by whoever shows it.
    """

    def __init__(self, en: T, ko: T) -> None:
        self._said: Final[dict[Language, T]] = {"en": en, "ko": ko}

    @overload
    def __get__(self, table: None, owner: type[Table]) -> Row[T]: ...
    @overload
    def __get__(self, table: Table, owner: type[Table]) -> T: ...
    def __get__(self, table: Table | None, owner: type[Table]) -> Row[T] | T:
        return self if table is None else self._said[table._language]

    def __set__(self, table: Table, value: object) -> NoReturn:
        raise AttributeError("texts stay as they are written")


class Table:
    """The rows of one page or part, as one language reads them."""

    def __init__(self, language: Language) -> None:
        self._language: Final = language


def names(table: type[Table]) -> tuple[str, ...]:
    """Of all rows, in their order."""
    return tuple(name for name, row in vars(table).items() if isinstance(row, Row))


def by_name(table: Table) -> dict[str, Any]:
    """What every row says, by its name."""
    return {name: getattr(table, name) for name in names(type(table))}


def in_languages(table: type[TableT]) -> dict[Language, TableT]:
    """The table as each language reads it."""
    return {language: table(language) for language in LANGUAGES}
