"""Recipes for pairs that somebody brings along, and the small example."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.checkpoint.folder import load
from core.family import find
from core.nn.transformer import TransformerConfig
from core.text.corpora import Pair
from core.text.pieces import SentencePieceTokenizer
from core.text.tokenizer import clean
from core.training.data import read_corpora
from core.training.networks import (
    CELLS,
    NETWORKS,
    POSITIONS,
    SCORES,
    SIZES,
    WRITING,
    Base,
    Kind,
    Network,
    Size,
    base_of,
)
from core.training.preview import preview
from core.training.ready import (
    CORPUS,
    Choices,
    digits,
    examples_of,
    in_columns,
    labels_of,
    recipe_of,
    recipe_text,
    tab_separated,
    tags_of,
    vocabulary_for,
)
from tests.small import learnt

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
TAGGED = [Pair(source, f"{label} noun") for source, label in LABELLED]
SMALL = {"d_model": 16, "d_ff": 32, "heads": 2, "layers": 1}
LABELS = [Pair("cafe", "a"), Pair("bus", "b")]
BASE = Base("somewhere", {"objective": "masked", "layers": 1, "d_model": 16, "heads": 2}, 64)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("network", NETWORKS)
def test_every_network_that_is_offered_is_one(network: Network, size: Size) -> None:
    kind = Kind(network, base=BASE if network == "tuned" else None)
    pairs = TAGGED if network == "labels" else LABELLED
    recipe = recipe_of(recipe_text(choices(kind=kind, size=size), "p.tsv", pairs))
    sizes = recipe.model_config_for(100)
    built = find(recipe.family).network(sizes)
    told: dict[str, dict[str, object]] = {
        "attention": {"cell": "gru", "attention": "dot"},
        "bottleneck": {"cell": "gru", "attention": "none"},
        "text": {"answers": "text", "cell": "gru"},
        "label": {"answers": "label", "labels": ("even", "odd")},
        "labels": {"answers": "labels", "labels": ("even", "noun", "odd")},
        "next": {"answers": "next"},
        "tuned": {"objective": "masked", "labels": ("even", "odd"), "d_model": 16},
        "forward": {"objective": "forward"},
        "backward": {"objective": "backward"},
        "masked": {"objective": "masked"},
        "skipgram": {"negatives": 5},
    }
    assert told.get(network, {}).items() <= sizes.model_dump().items()
    assert recipe.task.writes == (network in WRITING)
    assert (recipe.pretrained is not None) == (network == "tuned")
    assert sum(parameter.numel() for parameter in built.parameters()) > 1000
    content = "".join(f"{source}\t{target}\n" for source, target in pairs).encode()
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
        ("cat | 고양이\n\ndog|개", "cat\t고양이\n\ndog\t개\n"),
        # one line is none, or has it twice: that line is to be complained of, by its number
        ("a | 1\nb | 2\n\nc\nd | 4", "a\t1\nb\t2\n\nc\nd\t4\n"),
        ("a | 1\nb | 2 | 3\nd, e | 4", "a\t1\nb | 2 | 3\nd, e\t4\n"),
        ("a | 1\nb, 2", "a | 1\nb, 2"),  # as many lines have another one
        ("a = b", "a\tb\n"),
        ("one; two\nthree; four", "one\ttwo\nthree\tfour\n"),
        ("Yes, it is.\tJa, so ist es.\nno|nein", "Yes, it is.\tJa, so ist es.\nno|nein"),
        ("Yes, it is | so, so", "Yes, it is\tso, so\n"),
        ("no mark at all\nbut, here", "no mark at all\nbut, here"),
        ("a,b\nc,d,e\nf", "a,b\nc,d,e\nf"),
        ("", ""),
    ],
)
def test_what_is_typed_without_tabs_is_put_into_columns(typed: str, read: str) -> None:
    assert tab_separated(typed) == read


@pytest.mark.parametrize(
    ("file", "suffix", "read"),
    [
        (b"one|1\ntwo|2\n", ".txt", b"one\t1\ntwo\t2\n"),
        (b'\xef\xbb\xbf12,"one, two"\n"a ""b""",c\n', ".csv", b'12\tone, two\na "b"\tc\n'),
        (b'12;"one two"\r\n13;three\r\n', ".csv", b"12\tone two\n13\tthree\n"),
        (b'1,"a\nb"\n', ".csv", b"1\ta b\n"),
        (b'"a\tb\n', ".csv", b'"a\tb\n'),
        (b"\xff\xfe1\x00", ".tsv", b"\xff\xfe1\x00"),
        (b'"never ends, a\n', ".csv", b'"never ends\ta\n'),
    ],
)
def test_a_file_is_put_into_columns_as_well(file: bytes, suffix: str, read: bytes) -> None:
    assert in_columns(file, suffix) == read


def test_a_recipe_is_readable_as_a_person_would_write_it() -> None:
    text = recipe_text(choices(), "runs/mine/pairs.tsv", digits(9))
    assert text.startswith('model_id = "mine"\n')
    assert "[[corpora]]\nname = " + json.dumps(CORPUS) in text


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("score", SCORES)
def test_a_seq2seq_has_the_cell_and_the_score_that_were_chosen(cell: Any, score: Any) -> None:
    kind = Kind("attention", cell=cell, score=score)
    sizes = recipe_of(recipe_text(choices(kind=kind), "p.tsv", TAGGED)).model
    assert (sizes["cell"], sizes["attention"]) == (cell, score)


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("network", ["transformer", "masked"])
def test_a_stack_is_told_positions_as_was_chosen(network: Network, positions: Any) -> None:
    kind = Kind(network, positions=positions)
    recipe = recipe_of(recipe_text(choices(kind=kind), "p.tsv", TAGGED))
    assert recipe.model_config_for(100).model_dump()["positions"] == positions


def test_tags_are_one_of_a_few_a_word() -> None:
    assert tags_of(TAGGED) == ("even", "noun", "odd")
    assert tags_of(LABELLED) == ()
    assert tags_of([*TAGGED, Pair("one more", "odd")]) == ()
    assert tags_of([Pair(f"a{n} b", f"c{n} d") for n in range(40)]) == ()
    assert tags_of([Pair("a b", f"c {'d' * 41}")] * 40) == ()  # longer than any label
    assert tags_of([]) == ()
    colours = {"red": "빨강", "blue": "파랑", "big": "큰", "small": "작은"}  # word for word
    said = [(a, b) for a in colours for b in colours]
    told = [Pair(f"{a} {b}", f"{colours[a]} {colours[b]}") for a, b in said]
    assert tags_of(told) == ()


def test_what_toml_does_not_take_is_escaped() -> None:
    recipe = recipe_of(recipe_text(choices(), "p.tsv", [Pair("a\x7fb", "c")]))
    assert recipe.examples == ("a\x7fb",)


def test_a_topic_is_not_held_out_whole() -> None:
    pairs = [Pair(source, f"{source} {number}") for source in ("one", "two") for number in range(9)]
    recipe = recipe_of(recipe_text(choices(kind=Kind("text")), "p.tsv", pairs))
    assert recipe.corpora[0].valid == 0


def test_a_language_model_of_its_own_kind_is_a_base(tmp_path: Path) -> None:
    learnt(tmp_path / "masked", "language", {**SMALL, "objective": "masked"}, steps=1)
    learnt(tmp_path / "backward", "language", {**SMALL, "objective": "backward"}, steps=1)
    learnt(tmp_path / "labels", "language", {**SMALL, "labels": ["a", "b"]}, LABELS, steps=1)
    base = base_of(tmp_path / "masked")
    assert base is not None
    assert base.path == str(tmp_path / "masked")
    assert base.sizes["d_model"] == SMALL["d_model"]
    for other in ("backward", "labels", "nowhere"):
        assert base_of(tmp_path / other) is None
    recipe = recipe_of(recipe_text(choices(kind=Kind("tuned", base=base)), "p.tsv", LABELLED))
    content = "".join(f"{source}\t{target}\n" for source, target in LABELLED).encode()
    found = preview(recipe, {CORPUS: content})
    assert found.tokens is not None
    # Its vocabulary is that of the base: these pairs have other letters.
    assert found.tokens.vocabulary == load(tmp_path / "masked", torch.device("cpu")).tokenizer.size
