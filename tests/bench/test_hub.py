"""Whom the bench has look at a Hugging Face model: they see the same."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.bench.hub import BESIDE, Looker, gpt2, table, text_of
from tests.bench.hub_peer import PEERS, Told, told
from tests.hub import tokenizer


def test_ours_sees_what_transformers_sees(tmp_path: Path) -> None:
    folder = gpt2(tmp_path / "gpt2", n_layer=2, n_head=2, n_embd=16, vocab_size=400)
    text = text_of(tokenizer(), 20)
    found = [told(PEERS[name], folder, text) for name in PEERS if name not in BESIDE]
    assert [one.tokens for one in found] == [20, 20]
    assert found[0].steepness == pytest.approx(found[1].steepness, abs=1e-6)
    assert all(one.peak > 10**6 and one.picture >= one.opened for one in found)


def test_the_table_tells_shares_and_who_is_missing() -> None:
    first = Looker(
        "eager", (Told(2.0, 0.5, 4.0, 10**9, 0.1, 64), Told(4.0, 0.5, 8.0, 10**9, 0.1, 64))
    )
    other = Looker("ours", (Told(1.0, 1.0, 4.0, 2 * 10**9, 0.1, 64),) * 2)
    assert other.share("opened", first).median == 0.375  # of 1/2 and 1/4
    text = StringIO()
    Console(file=text, width=80).print(table([first, other, Looker("nnsight", ())]))
    lines = {line.split()[0]: line.split() for line in text.getvalue().splitlines() if line.strip()}
    assert lines["ours"][1:] == ["1.00", "0.38", "1.00", "2.00", "4.00", "0.75", "2,000", "2.00"]
    assert "not installed" in " ".join(lines["nnsight"])
