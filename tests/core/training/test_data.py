"""From a recipe to pairs and ids: every row is accounted for, and nothing leaks."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import HeadlightError
from core.reasons import RefusedError
from core.text.characters import CharacterTokenizer
from core.text.corpora import read_pairs, text_key
from core.text.examples import translation
from core.text.sources import Source
from core.training.data import (
    Corpora,
    encode_corpora,
    read_corpora,
    train_tokenizer,
    write_held_out,
)
from core.training.held_out import main
from core.training.recipe import CorpusRecipe, Recipe, load_recipe


def recipe_of(corpora: list[dict[str, object]], **more: object) -> Recipe:
    return Recipe.model_validate(
        {
            "model_id": "tiny",
            "source_language": "ko",
            "target_language": "en",
            "tokenizer": {"kind": "characters"},
            "corpora": [{"path": f"{corpus['name']}.tsv", **corpus} for corpus in corpora],
            "training": {"steps": 1},
            **more,
        }
    )


words = st.text(st.sampled_from("가나다Aa .?!"), min_size=1, max_size=3)
lines = st.lists(st.one_of(st.builds("{}\t{}".format, words, words), words), max_size=25)
recipes = st.lists(
    st.fixed_dictionaries(
        {
            "valid": st.floats(0, 0.5),
            "test": st.floats(0, 0.5),
            "repeat": st.integers(0, 3),
            "reverse": st.booleans(),
        }
    ),
    min_size=1,
    max_size=3,
).map(lambda many: recipe_of([{"name": f"c{i}", **one} for i, one in enumerate(many)]))


@given(recipes, st.lists(lines, min_size=3, max_size=3))
def test_every_row_is_accounted_for_and_none_leaks(recipe: Recipe, tables: list[list[str]]) -> None:
    good = ["하나\tone"] * 30  # so that no file is mostly bad
    files = {f"c{i}": "\n".join([*good, *table]).encode() for i, table in enumerate(tables)}
    corpora = read_corpora(recipe, files)
    for corpus, report in zip(recipe.corpora, corpora.reports, strict=True):
        parts = report.train + report.valid + report.test
        assert report.rows == report.bad + report.repeated + report.leaked + parts + report.unshown
        assert corpus.repeat or report.train == 0
        assert not corpus.repeat or report.unshown == 0
        assert report.rows == sum(
            bool(line.strip()) for line in files[corpus.name].decode().split("\n")
        )
        assert len(report.bad_rows) == min(report.bad, 5)
        assert report.valid == len(corpora.valid.get(corpus.name, ()))
        assert report.test == len(corpora.test.get(corpus.name, ()))
    shown = sum(r.train * c.repeat for r, c in zip(corpora.reports, recipe.corpora, strict=True))
    assert len(corpora.train) == shown
    held = [pair for part in (corpora.valid, corpora.test) for own in part.values() for pair in own]
    assert not {text_key(p.source) for p in held} & {text_key(p.source) for p in corpora.train}
    assert not {text_key(p.target) for p in held} & {text_key(p.target) for p in corpora.train}


@given(recipes, st.lists(lines, min_size=3, max_size=3), st.integers(2, 5))
def test_ids_are_those_of_the_pairs_that_fit(
    recipe: Recipe, tables: list[list[str]], longest: int
) -> None:
    files = {f"c{i}": "\n".join(["하나\tone"] * 30 + own).encode() for i, own in enumerate(tables)}
    recipe = recipe.model_copy(update={"max_source": longest, "max_target": longest + 1})
    corpora = read_corpora(recipe, files)
    tokenizer = CharacterTokenizer.train(["하나 one가나다Aa.?!"])
    examples, reported = encode_corpora(recipe, corpora, tokenizer)
    pairs = [translation(*(tuple(tokenizer.encode(side)) for side in p)) for p in corpora.train]
    fitting = [e for e in pairs if len(e.source) <= longest and len(e.target) <= longest + 1]
    assert list(examples) == fitting
    for corpus, before, after in zip(
        recipe.corpora, corpora.reports, reported.reports, strict=True
    ):
        assert after.train + after.too_long == before.train
        assert corpus.repeat or after.too_long == after.train == 0
        assert after.unshown == before.unshown
    shown = sum(r.train * c.repeat for r, c in zip(reported.reports, recipe.corpora, strict=True))
    assert len(examples) == shown


def numbered(start: int, stop: int, end: str = "") -> str:
    return "\n".join(f"문장 {n}{end}\tsentence {n}{end}" for n in range(start, stop))


def read(corpora: list[dict[str, object]], files: Mapping[str, str]) -> Corpora:
    return read_corpora(recipe_of(corpora), {name: text.encode() for name, text in files.items()})


def test_what_one_corpus_holds_out_no_other_teaches() -> None:
    files = {
        "a": numbered(0, 60),
        "b": "\n".join(f"문장 {n}.\tanother {n}" for n in range(60)),
        "c": "\n".join(f"다른 말 {n}\tSentence {n}!" for n in range(60)),
    }
    corpora = read([{"name": "b"}, {"name": "a", "test": 0.2, "valid": 0.2}, {"name": "c"}], files)
    held = {p.target.split()[1] for p in (*corpora.test["a"], *corpora.valid["a"])}
    assert 10 < len(held) < 40
    assert not held & {pair.target.strip("!").split()[1] for pair in corpora.train}
    assert len(corpora.train) == 3 * (60 - len(held))
    assert [report.leaked for report in corpora.reports] == [len(held), 0, len(held)]


def test_a_test_file_examines_what_another_file_validates_on() -> None:
    files = {"all": numbered(0, 100), "exam": numbered(0, 50, "!")}
    corpora = read([{"name": "all", "valid": 1.0}, {"name": "exam", "test": 1.0}], files)
    assert len(corpora.test["exam"]) == 50
    assert {int(p.target.split()[1]) for p in corpora.valid["all"]} == set(range(50, 100))
    assert corpora.reports[0].leaked == 50
    assert corpora.train == ()


def test_what_no_epoch_shows_takes_nothing_out_of_what_is_held_out() -> None:
    files = {"exam": numbered(0, 40), "kept": numbered(0, 40)}
    for repeat, held in ((0, 40), (1, 0)):
        kept = {"name": "kept", "kept": True, "repeat": repeat}
        corpora = read([{"name": "exam", "test": 1.0}, kept], files)
        assert len(corpora.test.get("exam", ())) == held


def test_repeated_rows_are_counted_and_kept_once() -> None:
    corpora = read([{"name": "a", "repeat": 2}], {"a": "가\tgo\n나\tI\n 가\tgo \n가\tGo\n"})
    assert corpora.train == (("가", "go"), ("나", "I"), ("가", "Go")) * 2
    assert (corpora.reports[0].rows, corpora.reports[0].repeated) == (4, 1)


ONE, TWO = "가\tgo\n", "가\tgo\n나\tI\n"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a": ONE}, [True]),
        ({"a": f"korean\tenglish\n{ONE}{ONE}no pair\n"}, [True]),
        ({"a": TWO}, [False]),
        ({"a": ONE, "b": "나\tI\n"}, [False, False]),
        ({"a": ONE, "b": ONE}, [True, True]),
    ],
)
def test_one_pair_as_all_the_data_is_told_to_be_one(
    files: Mapping[str, str], told: list[bool]
) -> None:
    corpora = read([{"name": name, "repeat": 3} for name in files], files)
    assert [report.single for report in corpora.reports] == told


def test_one_pair_that_is_held_out_or_too_long_is_not_learned_by_heart() -> None:
    assert not read([{"name": "a", "test": 1.0}], {"a": ONE}).reports[0].single
    recipe = recipe_of([{"name": "a"}], max_target=3)
    corpora = read_corpora(recipe, {"a": "가\tgone\n".encode()})
    examples, reported = encode_corpora(recipe, corpora, train_tokenizer(recipe, corpora))
    assert (len(examples), reported.reports[0].single) == (0, False)


def test_columns_named_by_the_languages_of_the_recipe() -> None:
    line = json.dumps({"en": "go", "ko": "가"})
    recipe = recipe_of([{"name": "a", "path": "a.jsonl"}])
    assert read_corpora(recipe, {"a": line.encode()}).train == (("가", "go"),)
    turned = recipe.model_copy(update={"source_language": "en", "target_language": "ko"})
    assert read_corpora(turned, {"a": line.encode()}).train == (("go", "가"),)


def test_the_vocabulary_is_of_the_training_part_alone() -> None:
    corpora = read(
        [{"name": "a"}, {"name": "b", "test": 1.0}, {"name": "c", "valid": 1.0}],
        {"a": "가\tgo\n", "b": "힣\tq\n", "c": "뷁\tz\n"},
    )
    tokenizer = train_tokenizer(recipe_of([{"name": "a"}]), corpora)
    assert tokenizer.decode(tokenizer.encode("가 go 힣 뷁 qz")) == "가go"


def test_more_vocabulary_than_data_is_an_error_of_the_recipe() -> None:
    corpora = read([{"name": "a"}], {"a": "가\tgo\n"})
    recipe = recipe_of([{"name": "a"}], tokenizer={"kind": "sentencepiece", "vocab_size": 6000})
    with pytest.raises(ValueError, match="Vocabulary size too high"):
        train_tokenizer(recipe, corpora)


def test_held_out_parts_are_files_that_are_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "numbers.jsonl"
    lines = [json.dumps({"ko": f"문장\t{n}\u2028", "en": f"sentence\n{n}"}) for n in range(90)]
    table.write_text("\n".join(lines), encoding="utf-8")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        'model_id = "tiny"\nsource_language = "ko"\ntarget_language = "en"\n'
        f'corpora = [{{ name = "n", path = "{table}", valid = 0.2, test = 0.3 }}]\n'
        "training = { steps = 1 }\n",
        encoding="utf-8",
    )
    assert main([str(recipe), str(tmp_path / "out")]) == 0
    corpora = read_corpora(load_recipe(recipe))
    printed = capsys.readouterr().out
    for kind, parts in (("valid", corpora.valid), ("test", corpora.test)):
        path = tmp_path / "out" / f"n.{kind}.tsv"
        assert read_pairs(Source(str(path))).pairs == parts["n"]
        assert f"{path}: {len(parts['n'])} pairs" in printed
    assert all("\t" not in side for pair in corpora.train for side in pair)
    assert main(["nowhere.toml", str(tmp_path)]) == 2
    assert main([]) == 2


def test_nothing_is_written_of_parts_that_are_not(tmp_path: Path) -> None:
    corpora = read([{"name": "a"}], {"a": "가\tgo\n"})
    assert write_held_out(corpora, tmp_path / "held_out") == {}


@pytest.mark.parametrize(
    ("corpus", "named"),
    [
        ({"test": 1.1}, "test"),
        ({"test": 0.6, "valid": 0.5}, "more than the whole"),
        ({"columns": ["ko"]}, "columns"),
        ({"held_out": 0.1}, "held_out"),
        ({"path": ""}, "path"),
    ],
)
def test_a_corpus_that_cannot_be(corpus: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        CorpusRecipe.model_validate({"name": "a", "path": "a.tsv", **corpus})


def test_two_corpora_have_two_names() -> None:
    with pytest.raises(ValueError, match="one name"):
        recipe_of([{"name": "a"}, {"name": "a"}])


def test_a_corpus_that_cannot_be_read_is_named() -> None:
    with pytest.raises(HeadlightError, match=r"a\.tsv") as caught:
        read([{"name": "a"}], {"a": "one column\n"})
    assert caught.value.code == "data_invalid"


def test_bpe_dropout_shows_a_pair_in_other_pieces_each_time_and_again_the_same() -> None:
    texts = b"\n".join(
        f"{n}번 손님은 기다려요\tguest number {n} is waiting".encode() for n in range(50)
    )
    corpora: list[dict[str, object]] = [
        {"name": "plain"},
        {"name": "spelled", "repeat": 3, "bpe_dropout": 0.5},
    ]
    recipe = recipe_of(corpora, tokenizer={"kind": "sentencepiece", "vocab_size": 330})
    read = read_corpora(recipe, {"plain": texts, "spelled": texts.replace(b"guest", b"visitor")})
    tokenizer = train_tokenizer(recipe, read)
    examples, reported = encode_corpora(recipe, read, tokenizer)
    assert encode_corpora(recipe, read, tokenizer) == (examples, reported)
    plain = recipe_of([{**one, "bpe_dropout": 0.0} for one in corpora], tokenizer=recipe.tokenizer)
    usual, _ = encode_corpora(plain, read, tokenizer)
    assert examples[:50] == usual[:50]
    shown = [examples[at : at + 50] for at in (50, 100, 150)]
    assert len({*shown, usual[50:100]}) == 4
    for times in shown:
        for example, (source, target) in zip(times, read.train[50:100], strict=True):
            assert (tokenizer.decode(example.source), tokenizer.decode(example.target)) == (
                source,
                target,
            )


def test_bpe_dropout_needs_merges() -> None:
    recipe = recipe_of([{"name": "a", "bpe_dropout": 0.1}])
    corpora = read_corpora(recipe, {"a": numbered(0, 30).encode()})
    with pytest.raises(RefusedError, match="only SentencePiece"):
        encode_corpora(recipe, corpora, train_tokenizer(recipe, corpora))


def test_a_label_that_is_held_out_leaves_out_no_text_of_that_label() -> None:
    recipe = recipe_of(
        [{"name": "a", "valid": 0.2, "test": 0.2}],
        family="language",
        model={"labels": ["long", "short"], "d_model": 12},
    )
    table = "".join(f"문장 {n}\t{'long' if n % 2 else 'short'}\n" for n in range(60))
    corpora = read_corpora(recipe, {"a": table.encode()})
    (report,) = corpora.reports
    assert (report.leaked, report.train + report.valid + report.test) == (0, 60)
    for part in (corpora.train, corpora.valid["a"], corpora.test["a"]):
        assert {pair.target for pair in part} == {"long", "short"}
