"""All the words of the in-browser inspector, from the tables that hold them."""

from __future__ import annotations

from collections.abc import Mapping

from viz.text.heads import TEXT as HEADS
from viz.text.inspector import TEXT as INSPECTOR
from viz.text.language import Language
from viz.text.next_token import TEXT as NEXT_TOKEN
from viz.text.rows import Table, by_name
from viz.text.stages import TEXT as STAGES


def inspector_words(language: Language, *beside: Mapping[Language, Table]) -> dict[str, str]:
    """Texts by name, and of tables beside, as `viz.inspector.payload.component_data` takes them."""
    own: tuple[Mapping[Language, Table], ...] = (INSPECTOR, HEADS, NEXT_TOKEN, STAGES)
    return {name: said for table in own + beside for name, said in by_name(table[language]).items()}
