"""Models that write nothing and give no label: what they read is looked at, and that is all."""

from __future__ import annotations

from collections.abc import Sequence

from core.families.reader import Reader
from core.families.refusing import check_output
from core.model import Done, Sampling, untold
from core.outputs import Generation
from core.probe import Edit
from core.trace import Floats


class Silent(Reader):
    """Its answer to any text is none."""

    answers = "tokens"

    def answer(
        self,
        source: Sequence[int],
        logits: Floats,
        sampling: Sampling | None = None,
        edits: tuple[Edit, ...] = (),
    ) -> tuple[str, bool]:
        """Nothing, and that is all."""
        return "", True

    def output(self, ids: Sequence[int], sampling: Sampling | None) -> Generation:
        """Nothing, with certainty."""
        return Generation("", (), (), True)

    def generate_all(
        self, sources: Sequence[str], *, beam: int = 1, done: Done = untold
    ) -> list[str]:
        """Nothing of each, as `generate`."""
        check_output(self._card, beam, None)
        return [""] * len(sources)
