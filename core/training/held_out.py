"""The held-out parts of a recipe, as the TSV files behind the scores of a model card.

python -m core.training.held_out checkpoints/en-hangul/recipe.toml held_out
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.errors import HeadlightError, unwritable
from core.training.data import read_corpora, write_held_out
from core.training.recipe import load_recipe


def main(arguments: list[str]) -> int:
    """Write one TSV a held-out part; 0 on success, 2 for what a person can put right."""
    if len(arguments) != 2:
        print("usage: python -m core.training.held_out RECIPE.toml FOLDER", file=sys.stderr)
        return 2
    recipe, folder = (Path(argument) for argument in arguments)
    try:
        written = write_held_out(read_corpora(load_recipe(recipe)), folder)
    except HeadlightError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(unwritable(folder, error), file=sys.stderr)
        return 2
    for path, pairs in written.items():
        print(f"{path}: {len(pairs):,} pairs")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
