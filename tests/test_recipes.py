"""Recipes that the documentation brings: what they say is what a run takes."""

from pathlib import Path

import pytest

from core.training.recipe import load_recipe

DOCS = Path(__file__).parents[1] / "docs"


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.toml")), ids=lambda path: path.stem)
def test_a_recipe_of_the_documentation_is_one(path: Path) -> None:
    recipe = load_recipe(path)
    assert recipe.model_id in (path.stem, f"study-{path.stem}")
    command = next(line for line in path.read_text("utf-8").splitlines() if "core.grammar" in line)
    folder = command.split("--out ")[1].split()[0]
    assert all(corpus.path.startswith(folder) for corpus in recipe.corpora)
