"""The data of a recipe, looked at before training: the same numbers as the run's own."""

import pytest

from core.errors import HeadlightError
from core.training.data import encode_corpora, read_corpora, train_tokenizer
from core.training.preview import preview
from core.training.recipe import CorpusRecipe, Recipe

PASTED = "\n".join(
    ["한국어\tEnglish"]
    + [f"{person} {place}에 {n}번 갔어요\t{name} went to {where} {n} times"
       for person, name in (("나는", "I"), ("너는", "You"), ("우리는", "We"))
       for place, where in (("학교", "school"), ("카페", "a cafe"), ("시장", "the market"))
       for n in range(1, 30)]
    + ["한 칸뿐", "가\t" + "long " * 200]
)  # fmt: skip


def recipe(kind: str, **tokenizer: object) -> Recipe:
    return Recipe.model_validate(
        {
            "model_id": "tiny",
            "source_language": "ko",
            "target_language": "en",
            "max_source": 64,
            "max_target": 64,
            "tokenizer": {"kind": kind, **tokenizer},
            "corpora": [{"name": "pasted", "path": "pasted", "valid": 0.1, "test": 0.1}],
            "training": {"steps": 1},
        }
    )


@pytest.mark.parametrize("kind", ["sentencepiece", "characters"])
def test_a_preview_is_what_the_run_would_report(kind: str) -> None:
    made = recipe(kind, vocab_size=400)
    contents = {"pasted": PASTED.encode()}
    seen = preview(made, contents)
    whole = read_corpora(made, contents)
    tokenizer = train_tokenizer(made, whole)
    examples, corpora = encode_corpora(made, whole, tokenizer)
    assert seen.reports == corpora.reports
    (report,) = seen.reports
    assert report.bad_rows == ("line 263: one column",)
    assert report.too_long == 1
    assert report.train + report.too_long == len(whole.train)
    assert set(whole.train) - set(corpora.train) == {("가", "long " * 199 + "long")}
    assert len(corpora.train) == len(examples)
    assert seen.train == corpora.train[:5]
    assert seen.valid == corpora.valid["pasted"][:5]
    assert seen.test == corpora.test["pasted"][:5]
    assert seen.tokens is not None
    assert seen.tokens.vocabulary == tokenizer.size
    assert sum(count for _, count in seen.tokens.source.lengths) == len(examples)
    widest = max(len(example.written) - 1 for example in examples)
    assert seen.tokens.target.lengths[-1][0] == widest
    source, target = seen.tokens.pairs[0]
    assert tokenizer.decode([token.id for token in source]) == corpora.train[0].source
    assert tokenizer.decode([token.id for token in target]) == corpora.train[0].target


def test_characters_without_an_entry_are_told_as_bytes() -> None:
    # Of 10,000 letters, SentencePiece leaves the rarest 2 to bytes.
    rare = PASTED.replace("\n", "\n뷁\tq\n", 1)
    seen = preview(recipe("sentencepiece", vocab_size=330), {"pasted": rare.encode()}).tokens
    assert seen is not None
    assert 0 < seen.source.bytes < 1
    assert seen.source.unknown == 0


def test_a_tokenizer_that_cannot_be_learned_leaves_the_counts() -> None:
    seen = preview(recipe("sentencepiece", vocab_size=6000), {"pasted": "가\tgo".encode()})
    assert seen.tokens is None
    assert "Vocabulary size too high" in str(seen.trouble)
    assert seen.reports[0].rows == 1


@pytest.mark.parametrize(("content", "single"), [("가 나\tgo", True), (PASTED, False)])
def test_a_preview_tells_of_a_single_pair(content: str, single: bool) -> None:
    made = recipe("characters").model_copy(
        update={"corpora": (CorpusRecipe(name="pasted", path="pasted"),)}
    )
    seen = preview(made, {"pasted": content.encode()})
    assert [report.single for report in seen.reports] == [single]
    assert seen.tokens is not None


@pytest.mark.parametrize("content", ["", "one column", "\0\0\0"])
def test_what_is_no_data_is_refused_as_in_a_run(content: str) -> None:
    with pytest.raises(HeadlightError, match="pasted line 1"):
        preview(recipe("characters"), {"pasted": content.encode()})


@pytest.mark.parametrize("objective", ["forward", "backward", "masked"])
def test_the_tokens_of_a_language_model_are_those_of_the_text(objective: str) -> None:
    """Its start is no part of a text, nor is its end."""
    changed = {"family": "language", "model": {"objective": objective}}
    made = Recipe.model_validate(recipe("characters").model_dump(exclude_none=True) | changed)
    seen = preview(made, {"pasted": "\n".join(f"{n}\t{n}" for n in range(10_000, 10_100)).encode()})
    assert seen.tokens is not None
    assert seen.tokens.source.lengths == seen.tokens.target.lengths == ((5, 80),)
    for sides, pair in zip(seen.tokens.pairs, seen.train, strict=True):
        for side in sides:
            assert "".join(token.text for token in side) == pair.source
