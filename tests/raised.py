"""Codes of refusals, as the source raises them."""

import ast
from collections.abc import Collection
from pathlib import Path

ROOT = Path(__file__).parents[1]


def raised(room: str, *raisers: str) -> dict[str, str]:
    """Every code that calls in a room name, and where.

    Args:
        room: a folder of the source: "core" or "viz".
        raisers: what is called, its first argument the code or a choice of codes.
    """
    return {
        part.value: f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for call in _calls(path, raisers)
        for part in ast.walk(call.args[0])
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def _calls(path: Path, raisers: Collection[str]) -> list[ast.Call]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.args]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id in raisers]
