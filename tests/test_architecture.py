"""docs/architecture.md is a map of what is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("container", ["viz", "core"])
def test_its_floors_are_those_that_are_checked(container: str) -> None:
    """Each room of a contract stands in the picture, and no room above one that may import it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    (layers,) = (
        contract["layers"]
        for contract in contracts["contracts"]
        if contract.get("containers") == [container]
    )
    picture = MAP.split("```")[1].partition("-----")[0 if container == "viz" else 2]
    written = [line.removeprefix(f"{container}/").strip() for line in picture.splitlines()]
    floors: list[int] = []
    for layer in layers:
        rooms = [room.strip() for room in layer.split("|")]
        if {"device", "trace_file", "__main__"} & {*rooms} or rooms[0] in (
            "settings",
            "places",
            "errors",
        ):
            continue  # not drawn, or all in the last line
        floors += [
            next(at for at, line in enumerate(written) if re.search(rf"(^|   ){room}\b", line))
            for room in rooms
            if room != "reasons"
        ]
    assert floors == sorted(floors)
