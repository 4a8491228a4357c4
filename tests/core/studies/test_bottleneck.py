"""BLEU by the length of the source is that of the sentences of that length."""

from pathlib import Path

import pytest
import sacrebleu
import torch
from typer.testing import CliRunner

from core import registry
from core.cli.app import app
from core.errors import HeadlightError
from core.studies.bottleneck import FEWEST, bottleneck
from core.text.corpora import Pair
from tests.small import WORDS, learnt

CPU = torch.device("cpu")


def test_each_group_is_scored_by_itself(tmp_path: Path) -> None:
    sizes = {"cell": "gru", "attention": "dot", "d_model": 16}
    model = registry.load(learnt(tmp_path / "words", "seq2seq", sizes), CPU)
    one = [Pair(*WORDS[at % len(WORDS)]) for at in range(FEWEST)]
    three = [Pair(f"{source} bus {source}", target) for source, target in one]
    few = [Pair("a b c d e f g h i", "j")]
    ticks: list[tuple[int, int]] = []
    found = bottleneck([model, model], [*one, *three, *few], done=lambda *tick: ticks.append(tick))
    assert [(group.least, group.most) for group in found.groups] == [
        (1, 2), (3, 4), (5, 6), (7, 8), (9, None),
    ]  # fmt: skip
    assert [group.pairs for group in found.groups] == [FEWEST, FEWEST, 0, 0, 1]
    curve, again = found.curves
    assert curve == again
    assert (curve.model, curve.family, curve.attention) == ("words", "seq2seq", "dot")
    assert curve.parameters == model.card.total_parameters
    for group, pairs in ((0, one), (1, three)):
        outputs = model.generate_all([pair.source for pair in pairs])
        references = [pair.target for pair in pairs]
        wanted = sacrebleu.corpus_bleu(outputs, [references], tokenize="char").score
        assert curve.bleu[group] == pytest.approx(wanted)
    assert curve.bleu[2:] == (None, None, None)  # too few to tell of their length
    assert ticks[-1] == (2 * (2 * FEWEST + 1), 2 * (2 * FEWEST + 1))


def test_groups_begin_one_behind_the_other() -> None:
    for pairs, starts in (([], (1, 2)), ([Pair("a", "b")], (2, 2))):
        with pytest.raises(ValueError, match="one behind the other"):
            bottleneck([], pairs, starts=starts)


def test_models_of_another_direction_are_refused(tmp_path: Path) -> None:
    """They would be fed the wrong language, and judged by it."""
    sizes = {"cell": "gru", "d_model": 8}
    models = [
        learnt(tmp_path / "".join(ends), "seq2seq", sizes, steps=1, languages=ends)
        for ends in (("en", "ko"), ("ko", "en"))
    ]
    data = tmp_path / "pairs.tsv"
    data.write_text("en\tko\ncafe\t카페\n", encoding="utf-8")
    both = [f"--model={folder}" for folder in models]
    refused = CliRunner().invoke(app, ["study", "bottleneck", f"--data={data}", *both])
    assert isinstance(refused.exception, HeadlightError)
    assert "koen" in str(refused.exception)
    assert (
        CliRunner().invoke(app, ["study", "bottleneck", f"--data={data}", both[0]]).exit_code == 0
    )
