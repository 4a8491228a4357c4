"""Recipes for pairs that somebody brings along, and the small example."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.family import find
from core.nn.transformer import TransformerConfig
from core.text.corpora import Pair
from core.text.pieces import SentencePieceTokenizer
from core.text.tokenizer import clean
from core.training.data import read_corpora
from core.training.ready import (
    CORPUS,
    NETWORKS,
    SIZES,
    Choices,
    Network,
    Size,
    digits,
    examples_of,
    labels_of,
    recipe_of,
    recipe_text,
    tab_separated,
    vocabulary_for,
)

texts = st.text(min_size=1, max_size=30).map(clean).filter(str.strip)
pairs = st.lists(st.builds(Pair, texts, texts), min_size=1, max_size=20)


def choices(**others: Any) -> Choices:
    usual: dict[str, Any] = {"size": "tiny", "steps": 400, "tokenizer": "characters"}
    return Choices("mine", "en", "ko", **{**usual, **others})


@given(pairs, st.sampled_from(SIZES), st.integers(1, 100_000))
def test_whatever_the_pairs_are_the_recipe_is_whole(
    pairs: list[Pair], size: Size, steps: int
) -> None:
    recipe = recipe_of(recipe_text(choices(size=size, steps=steps), "runs/mine/pairs.tsv", pairs))
    assert recipe.model_id == "mine"
    assert recipe.training.steps == steps
    assert recipe.examples == examples_of(pairs)
    assert recipe.corpora[0].path == "runs/mine/pairs.tsv"
    sizes = recipe.model_config_for(1000)
    assert isinstance(sizes, TransformerConfig)
    assert sizes.d_model % sizes.heads == 0


LABELLED = [Pair(f"{count} geese", "even" if count % 2 == 0 else "odd") for count in range(40)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("network", NETWORKS)
def test_every_network_that_is_offered_is_one(network: Network, size: Size) -> None:
    recipe = recipe_of(recipe_text(choices(network=network, size=size), "p.tsv", LABELLED))
    sizes = recipe.model_config_for(100)
    built = find(recipe.family).network(sizes)
    told: dict[str, dict[str, object]] = {
        "attention": {"cell": "gru", "attention": "dot"},
        "bottleneck": {"cell": "gru", "attention": "none"},
        "labels": {"answers": "label", "labels": ("even", "odd")},
        "forward": {"objective": "forward"},
        "backward": {"objective": "backward"},
        "masked": {"objective": "masked"},
        "skipgram": {"negatives": 5},
    }
    assert told.get(network, {}).items() <= sizes.model_dump().items()
    assert recipe.task.writes == (network in ("transformer", "attention", "bottleneck"))
    assert sum(parameter.numel() for parameter in built.parameters()) > 1000
    content = "".join(f"{source}\t{target}\n" for source, target in LABELLED).encode()
    corpora = read_corpora(recipe, {CORPUS: content})
    assert len(corpora.train) >= 0.7 * len(LABELLED)
    assert bool(corpora.valid) is not recipe.task.writes


def test_labels_are_few_words_again_and_again() -> None:
    assert labels_of(LABELLED) == ("even", "odd")
    assert labels_of(LABELLED[:7]) == ()  # too few to tell
    assert labels_of([Pair(str(at), "one") for at in range(40)]) == ()
    assert labels_of([Pair(str(at), f"text {at % 2}") for at in range(40)]) == ()
    assert labels_of([Pair(str(at), str(at)) for at in range(40)]) == ()
    assert labels_of([]) == ()


@given(pairs)
def test_examples_are_few_and_sources(pairs: list[Pair]) -> None:
    found = examples_of(pairs)
    assert 1 <= len(found) <= 6
    assert len(set(found)) == len(found)
    assert set(found) <= {pair.source for pair in pairs}


def test_quotes_in_a_path_and_in_a_sentence_stay_what_they_are() -> None:
    odd = 'say "no" \\ [x] = 1 # \u00e9'
    recipe = recipe_of(recipe_text(choices(), f"{odd}.tsv", [Pair(odd, odd)]))
    assert recipe.corpora[0].path == f"{odd}.tsv"
    assert recipe.examples == (odd,)


@pytest.mark.parametrize("count", [2, 9, 100, 3000, 200_000])
def test_a_tenth_is_held_out_and_of_many_a_few_hundred(count: int) -> None:
    text = recipe_text(choices(), "p.tsv", [Pair(f"a {at}", "b") for at in range(count)])
    corpus = recipe_of(text).corpora[0]
    assert corpus.valid == corpus.test
    assert 0 < corpus.valid * count <= max(500, count / 10)


@given(texts, texts, st.integers(1, 3))
def test_a_single_pair_is_taught_whatever_its_text_is(source: str, target: str, often: int) -> None:
    recipe = recipe_of(recipe_text(choices(), "p.jsonl", [Pair(source, target)] * often))
    content = json.dumps({"source": source, "target": target}) + "\n"
    corpora = read_corpora(recipe, {CORPUS: (content * often).encode()})
    assert len(corpora.train) == 1
    assert corpora.reports[0].single


def test_the_number_is_said_digit_by_digit_and_none_twice() -> None:
    made = digits(500, seed=3)
    assert made == digits(500, seed=3)
    assert len({pair.source for pair in made}) == 500
    names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    for number, words in made:
        assert [names.index(word) for word in words.split(" ")] == [int(d) for d in number]


def test_the_example_is_read_with_nothing_bad_in_it() -> None:
    made = digits()
    recipe = recipe_of(recipe_text(choices(dropout=0.0), "digits.tsv", made))
    content = "".join(f"{source}\t{target}\n" for source, target in made).encode()
    (report,) = read_corpora(recipe, {CORPUS: content}).reports
    assert (report.rows, report.bad, report.repeated) == (len(made), 0, 0)
    assert report.valid > 100
    assert report.train > 2000


def test_words_are_spelled_and_sentences_cut_into_subwords() -> None:
    spellings = [Pair(f"word{n}", f"단어{n}") for n in range(500)]
    assert vocabulary_for(spellings)[0] == "characters"
    few = [Pair("I drink water", "나는 물을 마신다")] * 9
    assert vocabulary_for(few)[0] == "characters"


@given(st.integers(150, 600), st.integers(2, 9), st.sampled_from([ord("a"), ord("가")]))
def test_a_vocabulary_can_always_be_filled(words: int, length: int, first: int) -> None:
    made = [_word(n, first) for n in range(words)]
    sentences = [" ".join(made[at : at + length]) for at in range(0, words, length)]
    pairs = [Pair(text, text) for text in sentences if " " in text]
    kind, size = vocabulary_for(pairs)
    assert kind == "sentencepiece"
    taught = [text for pair in pairs[: len(pairs) * 8 // 10] for text in pair]
    assert SentencePieceTokenizer.train(taught, size).size == size


def _word(number: int, first: int) -> str:
    """A word of its own: in Hangul of many different letters, in Latin of ten."""
    spread = 37 if first > 128 else 1
    return "".join(chr(first + spread * int(d)) for d in f"{number * 7919 % 1009:03}")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("cat | 고양이\n\ndog|개", "cat\t고양이\ndog\t개\n"),
        ("a = b", "a\tb\n"),
        ("one; two\nthree; four", "one\ttwo\nthree\tfour\n"),
        ("Yes, it is.\tJa, so ist es.\nno|nein", "Yes, it is.\tJa, so ist es.\nno|nein"),
        ("Yes, it is | so, so", "Yes, it is\tso, so\n"),
        ("no mark at all\nbut, here", "no mark at all\nbut, here"),
        ("a,b\nc,d,e", "a,b\nc,d,e"),
        ("", ""),
    ],
)
def test_what_is_typed_without_tabs_is_put_into_columns(typed: str, read: str) -> None:
    assert tab_separated(typed) == read


def test_a_recipe_is_readable_as_a_person_would_write_it() -> None:
    text = recipe_text(choices(), "runs/mine/pairs.tsv", digits(9))
    assert text.startswith('model_id = "mine"\n')
    assert "[[corpora]]\nname = " + json.dumps(CORPUS) in text
