"""What a browser is told of a text with a gap is what the models say."""

import numpy as np
import pytest

from core.outputs import Gaps
from core.trace import Token
from viz.inspector.gaps import TOP, Filled, filled, gaps_data

START, END = Token("<s>", "start", 2), Token("</s>", "end", 3)
TOKENS = (START, Token("a", "a", 4, 0), Token("b", "b", 5, 1), END)
UNKNOWN = Token("<unk>", "unknown", 1)
NAMES = [f"token {row}" for row in range(20)]
ROWS = [UNKNOWN if row == 1 else Token("", name, row, 0) for row, name in enumerate(NAMES)]


def made(name: str, tokens: tuple[Token, ...] = TOKENS) -> tuple[Filled, Gaps]:
    logits = np.random.default_rng(len(name)).normal(size=(len(tokens) - 2, 20))
    gaps = Gaps(tokens, logits.astype(np.float32))
    return filled(f"id of {name}", name, "before", gaps, lambda ids: [ROWS[i] for i in ids]), gaps


def test_what_goes_on_with_the_word_before_a_gap_says_so() -> None:
    """Whoever fills the first gap has no word before it; of the second, odd rows go on with one."""
    tokens = (START, Token("▁a", "a", 4, 0), Token("▁b", "b", 5, 1), END)
    gaps = made("one", tokens)[1]

    def odd(before: int, ids: list[int]) -> list[bool]:
        assert before == tokens[1].id
        return [row % 2 == 1 for row in ids]

    found = filled("id", "one", "before", gaps, lambda ids: [ROWS[i] for i in ids], odd)
    assert not any(found.next[0]["joins"])
    assert found.next[1]["joins"] == [row % 2 == 1 for row in found.next[1]["ids"]]


def test_each_gap_has_its_likeliest_and_what_stands_there() -> None:
    both = [made("one"), made("other")]
    models = [model for model, _ in both]
    meta = gaps_data(models, language="en", text={"gaps": "Gaps"}, selection={"gap": "2"})["meta"]
    assert meta["gaps_id"] == "id of one.id of other"
    assert meta["tokens"]["text"] == ["start", "a", "b", "end"]
    assert meta["ui"]["selection"] == {"gap": "2"}
    for told, (model, found) in zip(meta["models"], both, strict=True):
        assert (told["model"], told["context"]) == (model.model_id, "before")
        assert len(told["next"]) == 2
        for entry, row, token in zip(told["next"], found.logits, TOKENS[1:3], strict=True):
            exact = np.exp(row.astype(float)) / np.exp(row.astype(float)).sum()
            assert TOP <= len(entry["ids"]) <= TOP + 1
            np.testing.assert_allclose(entry["p"], exact[entry["ids"]], rtol=1e-5)
            assert entry["ids"][entry["chosen"]] == token.id
            assert entry["texts"] == [ROWS[id].text for id in entry["ids"]]
            assert entry["specials"] == ["<unk>" if id == 1 else None for id in entry["ids"]]
            assert entry["rank"] == 1 + int((exact > exact[token.id]).sum())


def test_models_that_cut_a_text_in_other_ways_are_no_company() -> None:
    for models in ([], [made("one")[0], made("other", TOKENS[:2] + TOKENS[3:])[0]]):
        with pytest.raises(ValueError, match="same tokens"):
            gaps_data(models, language="en", text={})
