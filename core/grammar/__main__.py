"""``python -m core.grammar --out DIR --pairs 200000 --seed 0 --into en`` writes the corpus.

``--into sentiment``, ``tags`` or ``topic`` writes Korean sentences and their labels instead,
``alignment`` translations and which of their words belong together.
Of the fixed phrases, those that are typed first stand alone in ``common.tsv`` as well.
Names, numbers, times, dates and copies that training never shows have tables of their own.
``--spelled 60000`` also writes rows of such values alone, which teach how they are spelled.
``--passages 5`` writes rows of one to five sentences, and held-out ones of forty.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Final

from core.grammar.needed import told

with told():
    from core.grammar import passages
    from core.grammar.common import common
    from core.grammar.generate import HELDOUT_ROWS, corpus, spelled
    from core.grammar.labels import LABELLED, labelled
    from core.grammar.sentences import Sentence

_COLUMNS: Final = ("source", "target", "links")


def main() -> None:
    """Parse the command line and write the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m core.grammar",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the TSV files")
    pairs_help = "distinct pairs to draw, beside the fixed phrases"
    parser.add_argument("--pairs", type=int, default=200_000, help=pairs_help)
    parser.add_argument("--seed", type=int, default=0)
    into = ("en", "ko", *LABELLED)
    parser.add_argument("--into", choices=into, default="en", help="what the second column holds")
    parser.add_argument("--passages", type=int, metavar="N", help="sentences of a row, at most")
    parser.add_argument("--spelled", type=int, default=0, metavar="N", help="rows of spelled.tsv")
    options = parser.parse_args()
    if options.pairs <= 3 * HELDOUT_ROWS:
        parser.error(f"--pairs must be above {3 * HELDOUT_ROWS}")
    most = options.passages
    if most is not None and not 1 <= most <= HELDOUT_ROWS // passages.BEYOND:
        parser.error(f"--passages must be 1 to {HELDOUT_ROWS // passages.BEYOND}")
    if most is not None and options.into in LABELLED:
        parser.error("--passages are of sentences and translations: --into en or ko")
    if options.spelled < 0 or (options.spelled and options.into in LABELLED):
        parser.error("--spelled is 0 or more, of translations: --into en or ko")
    options.out.mkdir(parents=True, exist_ok=True)
    if options.into in LABELLED:
        made = labelled(options.into, options.pairs, options.seed)
        for name, rows in zip(("train", "heldout_words"), made, strict=True):
            if rows:
                _write(options.out / f"{name}.tsv", _COLUMNS[: len(rows[0])], rows)
        return
    parts = corpus(options.pairs, options.seed, options.into)
    for part in fields(parts):
        sentences = getattr(parts, part.name)
        if most is not None and part.name.startswith("heldout"):
            sentences = passages.long(sentences, most)
        elif most is not None:
            sentences = passages.short(sentences, most, options.seed)
        _write_sentences(options.out / f"{part.name}.tsv", options.into, sentences)
    if most is None:
        _write_sentences(options.out / "common.tsv", options.into, common(parts.phrases))
    if options.spelled:
        own = spelled(options.spelled, options.seed, options.into)
        _write_sentences(options.out / "spelled.tsv", options.into, own)


def _write_sentences(path: Path, into: str, sentences: Iterable[Sentence]) -> None:
    names = ("english", "korean") if into == "ko" else ("korean", "english")
    columns = (*names, "frame")
    cells = ([getattr(sentence, column) for column in columns] for sentence in sentences)
    _write(path, columns, cells)


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    lines = ["\t".join(columns), *map("\t".join, rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(lines) - 1} pairs")


if __name__ == "__main__":
    main()
