"""docs/architecture.md is a map of what is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8")
NAMED = re.findall(r"`((?:viz|core|tests)/[\w./-]*|[\w-]+\.(?:py|toml))`", MAP)


def test_every_file_that_it_names_is_there() -> None:
    assert len(NAMED) > 60
    assert [name for name in NAMED if not (ROOT / name).exists()] == []


def test_every_function_that_it_names_beside_a_file_is_in_it() -> None:
    beside = re.findall(r"`((?:viz|core)/[\w./-]+)`\s+\(`(\w+)`\)", MAP)
    assert len(beside) >= 5
    for file, name in beside:
        assert re.search(rf"\b{name}\b", (ROOT / file).read_text("utf-8")), (file, name)


def test_its_floors_are_those_that_are_checked() -> None:
    """Each room of the app's contract stands on a line of the picture, in the same order."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (layers,) = (
        contract["layers"]
        for contract in contracts["contracts"]
        if contract.get("containers") == ["viz"]
    )
    picture = MAP.split("```")[1]
    places = [
        [next(m.start() for m in re.finditer(rf"\b{room.strip()}\b", picture)) for room in row]
        for row in (layer.split("|") for layer in layers)
    ]
    assert [min(row) for row in places] == sorted(min(row) for row in places)
    for name in ("viz", "core"):
        rooms = {path.name for path in (ROOT / name).iterdir() if path.is_dir()} - {"__pycache__"}
        assert [room for room in rooms if not re.search(rf"\b{room}\b", picture)] == []


def test_the_readme_leads_to_it() -> None:
    assert "(docs/architecture.md)" in (ROOT / "README.md").read_text("utf-8")
