"""How likely texts are found, many at once: of each what it is alone."""

from pathlib import Path
from typing import Any

import pytest
import torch

from core import registry
from tests.small import WORDS, learnt

FAMILIES: dict[str, tuple[str, dict[str, Any]]] = {
    "transformer": ("transformer", {"d_model": 16, "d_ff": 32, "heads": 2}),
    "seq2seq": ("seq2seq", {"d_model": 16}),
    "forward": ("language", {"d_model": 16, "d_ff": 32, "heads": 2, "objective": "forward"}),
    "masked": ("language", {"d_model": 16, "d_ff": 32, "heads": 2, "objective": "masked"}),
    "skipgram": ("skipgram", {"d_model": 16}),
    "recurrent": ("recurrent", {"d_model": 16, "answers": "text"}),
}


@pytest.mark.parametrize("name", FAMILIES)
def test_of_each_pair_what_it_is_alone(name: str, tmp_path: Path) -> None:
    model = registry.load(learnt(tmp_path / name, *FAMILIES[name], steps=3), torch.device("cpu"))
    pairs = [*WORDS, ("", ""), ("a" * 500, "버스"), ("bus", "토마토 라디오 카페")]
    together = model.likelihoods(pairs)
    assert together[4:6] == (None, None)
    for pair, found in zip(pairs, together, strict=True):
        (alone,) = model.likelihoods([pair])
        if found is None or alone is None:
            assert alone is found is None
        else:
            assert found.tokens == alone.tokens > 0
            assert found.log_probability == pytest.approx(alone.log_probability, rel=1e-5)
    assert model.likelihoods([]) == ()
