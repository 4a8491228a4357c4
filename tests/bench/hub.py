"""A GPT-2-sized model as a Hugging Face folder, its weights random: opened, looked at, drawn.

Each contender in processes of its own, one a round, on one thread; rounds are interleaved. Seconds
are the processor's: what else the machine does takes nothing from them.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

import torch
from rich.box import SIMPLE_HEAD
from rich.table import Table
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from transformers.utils import logging

from tests.bench.hub_peer import PEERS, Told
from tests.bench.race import Spread
from tests.e2e.conftest import ROOT
from tests.hub import END, PAD, START, TEXTS, tokenizer

ROUNDS: Final = 3
TOKENS: Final = 64
BESIDE: Final = ("TransformerLens", "nnsight")
"""Who is installed for a run alone."""
_LISTED: Final = Path(__file__).with_name("requirements-peers.txt")
_SAME: Final = 1e-4
_MEASURED: Final = ("opened", "trace", "picture", "peak")
_PATIENCE: Final = 1200.0  # seconds, of a busy machine


@dataclass(frozen=True, slots=True)
class Looker:
    """Who looked, and what that took in each round; nothing of one that could not be installed."""

    name: str
    rounds: tuple[Told, ...]

    def median(self, what: str) -> float:
        """Of one of `_MEASURED`."""
        return float(statistics.median(getattr(told, what) for told in self.rounds))

    def share(self, what: str, other: Looker) -> Spread:
        """Of what the other took, round by round."""
        pairs = zip(self.rounds, other.rounds, strict=True)
        return Spread.of([getattr(own, what) / getattr(their, what) for own, their in pairs])


def measure(rounds: int | None = None) -> list[Looker]:
    """All of them; the first is the yardstick.

    Raises:
        RuntimeError: somebody failed, or saw something else.
    """
    with tempfile.TemporaryDirectory() as place, peers_python(Path(place) / "venv") as beside:
        folder, text = gpt2(Path(place) / "gpt2"), text_of(tokenizer(), TOKENS)
        there = [name for name in PEERS if beside is not None or name not in BESIDE]
        found: dict[str, list[Told]] = {name: [] for name in PEERS}
        for number in range(rounds or ROUNDS):
            for turn in range(len(there)):
                name = there[(turn + number) % len(there)]
                python = beside if beside and name in BESIDE else sys.executable
                found[name].append(_told(python, name, folder, text))
    told = [one for own in found.values() for one in own]
    steep = [one.steepness for one in told]
    if {one.tokens for one in told} != {TOKENS} or max(steep) - min(steep) > _SAME:
        raise RuntimeError("they did not look at the same")
    return [Looker(name, tuple(own)) for name, own in found.items()]


def gpt2(folder: Path, **sizes: int) -> Path:
    """Writes one; 12 layers of 12 heads, 768 wide, 50,257 entries, where nothing else is said."""
    logging.disable_progress_bar()
    torch.manual_seed(0)
    ids = {"pad_token_id": PAD, "bos_token_id": START, "eos_token_id": END}
    GPT2LMHeadModel(GPT2Config(**ids, **sizes)).save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    return folder


def text_of(own: PreTrainedTokenizerFast, tokens: int) -> str:
    """So many tokens; what follows its first letter is a token of its own."""
    whole = "I, too: " + " ".join(TEXTS * 4)
    for text in (whole[:end] for end in range(len(whole)) if not whole[:end].endswith(" ")):
        if len(own(text, add_special_tokens=False)["input_ids"]) == tokens:
            return text
    raise ValueError(f"the text has no {tokens} tokens")


@contextmanager
def peers_python(folder: Path) -> Iterator[str | None]:
    """A Python that has all that this one has, and the peers; None where they do not install."""
    venv.create(folder, with_pip=True, symlinks=True)
    python, own = folder / "bin" / "python", sysconfig.get_path("purelib")
    paths = {"base": str(folder), "platbase": str(folder)}
    Path(sysconfig.get_path("purelib", vars=paths), "ours.pth").write_text(own + "\n", "utf-8")
    kept = folder / "kept.txt"  # torch and transformers stay as they are here
    pinned = (f"{name}=={version(name).partition('+')[0]}" for name in ("torch", "transformers"))
    kept.write_text("\n".join(pinned) + "\n", "utf-8")
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    done = subprocess.run([*command, "-c", str(kept), "-r", str(_LISTED)], capture_output=True)
    yield str(python) if done.returncode == 0 else None


def _told(python: str, name: str, folder: Path, text: str) -> Told:
    command = [python, "-m", "tests.bench.hub_peer", name, str(folder), text]
    alone = {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "error"}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **alone},
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
    )
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
    return Told(**json.loads(done.stdout.splitlines()[-1]))


def table(found: Sequence[Looker]) -> Table:
    """For a terminal of 80 columns."""
    shown = Table(
        title=f"a GPT-2 of random weights, {TOKENS} tokens; x: times transformers' eager",
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        padding=0,
    )
    shown.add_column("", no_wrap=True)
    for heading in ("opened, s", "x", "trace, s", "x", "picture, s", "x", "peak, MB", "x"):
        shown.add_column(heading, justify="right")
    for looker in found:
        if not looker.rounds:
            shown.add_row(looker.name, "not installed")
            continue
        cells = []
        for what in _MEASURED:
            value = looker.median(what)
            cells.append(f"{value / 1e6:,.0f}" if what == "peak" else f"{value:.2f}")
            cells.append(f"{looker.share(what, found[0]).median:.2f}")
        shown.add_row(looker.name, *cells)
    return shown
