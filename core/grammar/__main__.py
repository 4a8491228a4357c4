"""``python -m core.grammar --out DIR --pairs 200000 --seed 0 --into en`` writes the corpus."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from core.grammar.generate import HELDOUT_ROWS, corpus


def main() -> None:
    """Parse the command line and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m core.grammar", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the TSV files")
    parser.add_argument("--pairs", type=int, default=200_000, help="distinct pairs in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--into", choices=("en", "ko"), default="en", help="the target language")
    options = parser.parse_args()
    if options.pairs <= 3 * HELDOUT_ROWS:
        parser.error(f"--pairs must be above {3 * HELDOUT_ROWS}")
    options.out.mkdir(parents=True, exist_ok=True)
    made = corpus(options.pairs, options.seed, options.into)
    names = ("english", "korean") if options.into == "ko" else ("korean", "english")
    for part in fields(made):
        rows = getattr(made, part.name)
        lines = ["\t".join((*names, "frame"))]
        lines += ["\t".join((*(getattr(row, name) for name in names), row.frame)) for row in rows]
        (options.out / f"{part.name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{part.name}.tsv: {len(rows)} pairs")


if __name__ == "__main__":
    main()
