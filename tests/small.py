"""Small models of any family, trained for a second or two so that they write real sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from core.checkpoint import folder as checkpoint
from core.checkpoint.config import CheckpointConfig
from core.family import find
from core.model import Inspectable
from core.outputs import Likelihood
from core.text.characters import CharacterTokenizer
from core.text.corpora import Pair
from core.text.examples import collate

WORDS = (("cafe", "카페"), ("bus", "버스"), ("tomato", "토마토"), ("radio", "라디오"))


def forced(model: Inspectable, source: str, target: str = "") -> Likelihood:
    """How likely a model finds one text behind another that it can read."""
    (found,) = model.likelihoods([(source, target)])
    assert found is not None
    return found


def learnt(
    folder: Path,
    family: str,
    sizes: Mapping[str, Any],
    pairs: Sequence[tuple[str, str]] = WORDS,
    steps: int = 150,
    languages: tuple[str, str] = ("en", "ko"),
    longest: int = 32,
) -> Path:
    """A checkpoint folder, sealed, by a tokenizer of characters.

    Args:
        longest: in tokens, of what it reads and of what it writes.
    """
    kind = find(family)
    tokenizer = CharacterTokenizer.train(text for pair in pairs for text in pair)
    certain = {"dropout": 0.0} if "dropout" in kind.sizes.model_fields else {}
    model = kind.sizes.model_validate(
        {"vocab_size": tokenizer.size, "max_length": 64, **certain, **sizes}
    )
    config = CheckpointConfig[Any](
        family=family,
        model=model,
        tokenizer=tokenizer.kind,
        source_language=languages[0],
        target_language=languages[1],
        max_source=longest,
        max_target=longest,
        examples=tuple(source for source, _ in pairs[:3]),
    )
    batch = collate(
        model.task.examples(tokenizer, [Pair(*pair) for pair in pairs], longest, longest)
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        network = kind.network(model)
        optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
        for _ in range(steps):
            optimizer.zero_grad()
            torch.autograd.backward(kind.loss(network, batch, 0.0) / len(pairs))
            optimizer.step()
    checkpoint.save(folder, config, network.eval(), tokenizer, step=steps, seed=3)
    return folder
