"""Pairs and how they are read."""

import json
import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from core.errors import HeadlightError
from core.text import corpora
from core.text.corpora import Pair, Reading, read_pairs, text_key, write_pairs
from core.text.formats import WIDEST
from core.text.sources import Source

LANGUAGES = ("ko", "en")

texts = st.text("가나 abc.?\t\"'{}\u1100\u1161", min_size=1, max_size=9).filter(
    lambda text: bool(text.strip())
)
tables = st.lists(st.builds(Pair, texts, texts), min_size=1, max_size=12)


def read(content: bytes | str, name: str = "pairs.tsv", **more: object) -> Reading:
    raw = content.encode() if isinstance(content, str) else content
    return read_pairs(Source(name, languages=LANGUAGES, content=raw, **more))  # type: ignore[arg-type]


def refused(content: bytes | str, name: str = "pairs.tsv", **more: object) -> HeadlightError:
    with pytest.raises(HeadlightError) as caught:
        read(content, name, **more)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    return caught.value


def as_parquet(records: Sequence[dict[str, object]]) -> bytes:
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_pylist(list(records)), sink)
    return bytes(sink.getvalue())


@given(tables)
def test_written_pairs_are_read_again(
    tmp_path_factory: pytest.TempPathFactory, given_pairs: list[Pair]
) -> None:
    path = tmp_path_factory.mktemp("tsv") / "pairs.tsv"
    # What is written was read before, so a cell is clean and not blank.
    kept = read(json_lines(given_pairs, ("ko", "en")), "a.jsonl").pairs
    write_pairs(path, kept)
    assert read_pairs(Source(str(path))).pairs == kept
    turned = read_pairs(Source(str(path), reverse=True)).pairs
    assert turned == tuple(Pair(p.target, p.source) for p in kept)


def json_lines(pairs: Sequence[Pair], names: tuple[str, str]) -> str:
    return "\n".join(json.dumps(dict(zip(names, pair, strict=True))) for pair in pairs)


@pytest.mark.parametrize("names", [("source", "target"), ("ko", "en")])
@pytest.mark.parametrize("nested", [False, True])
def test_every_format_holds_the_same_pairs(names: tuple[str, str], nested: bool) -> None:
    pairs = [Pair(f" 가 '{n}'\t", f'"go"\u2028 {n}, \u1100\u1161 \U0001f642') for n in range(1500)]
    records: list[dict[str, object]] = [
        {"id": i, **dict(zip(names, pair, strict=True))} for i, pair in enumerate(pairs)
    ]
    if nested:
        records = [{"id": record.pop("id"), "translation": record} for record in records]
    lines = "\r\n".join(json.dumps(record) for record in records)
    found = read(lines, "a.jsonl")
    assert found.pairs[7] == ("가 '7'", '"go"  7, 가 🙂')
    assert found == read("\n".join("\t".join(untabbed(pair)) for pair in pairs))
    assert found == read(lines, "pasted") == read(as_parquet(records), "an upload")


def untabbed(pair: Pair) -> Pair:
    return Pair(*(text.replace("\t", " ") for text in pair))


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("가\tgo\n", [("가", "go")]),
        ("korean\tenglish\n가\tgo\n", [("가", "go")]),
        ("Hangul\tEnglish\n카페\tcafe", [("카페", "cafe")]),
        ("source\ttarget\tnote\n가\tgo\tx\n", [("가", "go")]),
        ("id\tsource\ttarget\n1\t가\tgo\n", [("가", "go")]),
        ("id\ttarget\tsource\n1\tgo\t가\n", [("가", "go")]),
        ("id\ttext\tsource\n", [("id", "text")]),  # it names no target, so it is a pair
        ("\ufeffko\ten\r\n가\tgo\r\n\r\n", [("가", "go")]),
        ("ko\ten\r가\tgo\r나\tI", [("가", "go"), ("나", "I")]),
        ("영어\tEnglish\n가\tgo\n", [("영어", "English"), ("가", "go")]),
        ("가\tgo\nkorean\tenglish\n", [("가", "go"), ("korean", "english")]),
        (" 가 \t go\tx\ty\n\n나\tI\n", [("가", "go"), ("나", "I")]),
        ("가\tgo\t\t\n나\tI\n\t\n", [("가", "go"), ("나", "I")]),
        ("가\tgo\n나\tI\t\n", [("가", "go"), ("나", "I")]),
        ("가\tgo\t\n나\tI\tnote\n", [("가", "go"), ("나", "I")]),
        ("\u1100\u1161\tgo", [("가", "go")]),
        ("가\x07\tg\x7fo", [("가", "go")]),
        ('"가\t"go', [('"가', '"go')]),
    ],
)
def test_reading_tsv(text: str, pairs: list[tuple[str, str]]) -> None:
    found = read(text)
    assert [tuple(pair) for pair in found.pairs] == pairs
    assert (found.rows, found.bad) == (len(pairs), 0)


def test_columns_are_found_by_their_names() -> None:
    table = "note\tEN \tko\nx\tgo\t가\n"
    assert read(table, columns=("ko", "en")).pairs == (("가", "go"),)
    assert read(table, columns=("ko", "en"), reverse=True).pairs == (("go", "가"),)
    assert read('{"a": "가", "b": "go"}', "a.jsonl", columns=("a", "b")).pairs == (("가", "go"),)
    error = refused(table, columns=("ko", "fr"))
    assert (error.code, error.parameters["line"]) == ("data_invalid", 1)
    assert '"ko" and "fr"' in str(error)
    assert '"EN"' in str(error)
    assert '"a"' in str(refused(as_parquet([{"a": "x", "b": "y"}]), "a.parquet"))


@pytest.mark.parametrize("languages", [("ko-KR", "en-GB"), ("KO", "EN"), ("ko", "en-Latn-US")])
@pytest.mark.parametrize("reverse", [False, True])
def test_where_a_language_is_written_is_not_asked_of_columns(
    languages: tuple[str, str], reverse: bool
) -> None:
    plain, own = ("ko", "en"), languages
    for names in (plain, own):
        record = dict(zip(names, ("가", "go"), strict=True))
        source = Source("a.jsonl", languages=languages, reverse=reverse)
        found = read_pairs(replace(source, content=json.dumps(record).encode()))
        assert found.pairs == (("가", "go"),)
    for table in ("korean\tenglish\n가\tgo", "english\tkorean\ngo\t가"):
        source = Source("a.tsv", languages=languages, reverse=reverse, content=table.encode())
        assert read_pairs(source).pairs == (("가", "go"),)


def test_a_language_says_which_side_it_is() -> None:
    line = '{"ko": "가", "en": "go"}'
    for reverse in (False, True):
        assert read(line, "a.jsonl", reverse=reverse).pairs == (("가", "go"),)
        for table in (
            "ko\ten\n가\tgo",
            "English\tKorean \tnote\ngo\t가\tx",
            "ko\tKorean\ten\n가\t나\tgo",
        ):
            assert read(table, reverse=reverse).pairs == (("가", "go"),)
    for name, content in {
        "a.jsonl": '{"source": "가", "target": "go"}',
        "a.tsv": "source\ttarget\n가\tgo",
        "b.tsv": "tgt\tsrc\ngo\t가",
        "c.tsv": "가\tgo",
    }.items():
        assert read(content, name, reverse=True).pairs == (("go", "가"),)
    spelled = read_pairs(Source("a.tsv", languages=("en", "ko"), content=b"Hangul\tEnglish\na\tb"))
    assert spelled.pairs == (("b", "a"),)
    same = read_pairs(Source("a.tsv", languages=("ko", "ko"), content=b"ko\tkorean\na\tb"))
    assert same.pairs == (("a", "b"),)


GOOD = "가\tgo\n나\tI\n다\tall\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"\xeb\x9d\xbc", "one column"),
        (b"\xeb\x9d\xbc\t ", "one column"),
        (b"\tgo", "no text in column 1"),
        (b"a\tb\tc", "3 columns, where the first row has 2"),
        (b"\xe9t\xe9\tsummer", "not UTF-8"),
        (b"a\0\tb", "a NUL character"),
        (b"\x07\tb", "no text in column 1"),
        (b"x" * 1_000_000, "longer than 65,536 characters"),
        (b"x" * 1_000_000 + b"\ty", "longer than 65,536 characters"),
        (b"x" * 30_000 + b"\ty", "more than 20,000 characters in column 1"),
    ],
)
def test_a_bad_row_is_named_and_the_others_are_kept(line: bytes, reason: str) -> None:
    found = read(GOOD.encode() + b"\n" + line + b"\r\n" + "라\tno\n".encode())
    assert found.bad_rows == (f"line 5: {reason}",)
    assert (found.rows, found.bad, len(found.pairs)) == (5, 1, 4)
    assert found.pairs[-1] == ("라", "no")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not a JSON object"),
        ("[1]", "not a JSON object"),
        ("[" * 60_000, "not a JSON object"),
        ("9" * 60_000, "not a JSON object"),
        ('{"ko": "가"}', 'no "source" and "target" or "ko" and "en"'),
        ('{"ko": "가", "en": null}', 'no text in "en"'),
        ('{"ko": ["가"], "en": "go"}', 'no text in "ko"'),
        ('{"ko": "가", "en": "\\u0000"}', "a NUL character"),
        ('{"ko": "가", "en": "\\ud800"}', "not UTF-8"),
        ('{"translation": 3}', 'no "source" and "target" or "ko" and "en"'),
    ],
)
def test_a_bad_object_is_named(line: str, reason: str) -> None:
    good = '{"ko": "가", "en": "go"}\n'
    found = read(f"{good}{good}\n{line}\n", "a.jsonl")
    assert found.bad_rows == (f"line 4: {reason}",)
    assert (found.rows, found.bad) == (3, 1)


def test_a_bad_row_of_a_table_is_named() -> None:
    records: list[dict[str, object]] = [{"ko": "가", "en": "go"}] * 1200
    records[1100] = {"ko": None, "en": "go"}
    found = read(as_parquet(records), "a.parquet")
    assert found.bad_rows == ('row 1101: no text in "ko"',)
    assert found.rows == 1200


def test_only_the_first_bad_rows_are_worded() -> None:
    found = read("가\tgo\n" * 20 + "x\n" * 9)
    assert found.bad == 9
    assert found.bad_rows == tuple(f"line {n}: one column" for n in range(21, 26))


@pytest.mark.parametrize(
    ("content", "name", "line"),
    [
        ("가 go\n", "a.tsv", 1),
        ("가\tgo\n나\n\n다\n", "a.tsv", 2),
        ("가\t\n", "a.tsv", 1),
        ("", "a.tsv", 1),
        ("\n\n", "a.tsv", 1),
        ("ko\ten\n", "a.tsv", 1),
        ("\n가,go\n", "a.csv", 2),
        ("가\tgo\n", "a.jsonl", 1),
        ("", "a.jsonl", 1),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, "a.tsv", 1),
        (b"\xe9\tx\n", "a.tsv", 1),
        (bytes(5000), "a.tsv", 1),
        ("가\tgo\n".encode("utf-16-le"), "a.tsv", 1),
        ("x" * 3_000_000, "a.tsv", 1),
    ],
)
def test_what_holds_no_pairs_or_mostly_none_is_refused(
    content: bytes | str, name: str, line: int
) -> None:
    error = refused(content, name)
    assert (error.code, error.parameters["line"]) == ("data_invalid", line)
    assert error.parameters["path"] == name


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_utf_16_is_called_by_its_name(encoding: str) -> None:
    error = refused("가\tgo\n".encode(encoding))
    assert error.code == "file_unreadable"
    assert "UTF-8" in str(error)


def test_damaged_tables_are_refused() -> None:
    whole = as_parquet([{"ko": "가", "en": "go"}] * 300)
    for raw in (whole[:-9], whole[:200], b"PAR1", b"PAR1" + bytes(400) + b"PAR1", b""):
        assert refused(raw, "a.parquet").code == "file_unreadable"


def test_a_table_that_ends_its_reader_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = tmp_path / "reader"
    reader.write_text("""#!/bin/sh\necho '["a", "b"]'\nprintf '["c"'\nkill -ABRT $$\n""")
    reader.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(reader))
    error = refused(as_parquet([{"ko": "가", "en": "go"}]), "a.parquet")
    assert error.code == "file_unreadable"


@given(st.binary(max_size=300), st.sampled_from(["a.tsv", "a.jsonl", "a"]))
def test_any_bytes_among_good_rows_are_told(raw: bytes, name: str) -> None:
    good = GOOD if name == "a.tsv" else '{"ko": "가", "en": "go"}\n' * 3
    found = read(good.encode() * 200 + raw + b"\n" + good.encode(), name)
    assert found.rows == len(found.pairs) + found.bad
    assert len(found.pairs) >= 603
    assert all(pair.source and pair.target for pair in found.pairs)


def test_more_than_memory_should_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "MOST_PAIRS", 3)
    assert len(read(GOOD).pairs) == 3
    assert refused(GOOD * 2).parameters["line"] == 4
    monkeypatch.setattr(corpora, "MOST_PAIRS", 9)
    monkeypatch.setattr(corpora, "MOST_CHARACTERS", 8)
    assert refused(GOOD).parameters["line"] == 3


def test_a_cell_as_wide_as_may_be() -> None:
    assert len(read("가" * WIDEST + "\t" + "x" * WIDEST).pairs) == 1


@given(st.characters())
def test_a_key_is_letters_with_their_marks_and_digits(character: str) -> None:
    assert text_key(f"a{character}") == "a" + "".join(
        one
        for one in character.casefold()
        if one.isalnum()
        or (
            unicodedata.category(one) in ("Mn", "Mc")
            and not unicodedata.name(one, "").startswith("VARIATION SELECTOR")
            and not "\u0300" <= one <= "\u036f"
        )
    )


@pytest.mark.parametrize(("one", "other"), [("कि", "का"), ("ไก่", "ไก้"), ("น้ำ", "นำ")])
def test_words_that_differ_in_a_vowel_sign_or_a_tone_are_two(one: str, other: str) -> None:
    assert text_key(one) != text_key(other)
    assert text_key(f"{one}, {other}!") == text_key(f"{one} {other}")


def test_a_letter_is_one_with_and_without_what_small_letters_leave_of_it() -> None:
    assert text_key("İzmir") == text_key("Izmir")


def test_texts_without_letters_have_keys_of_their_own() -> None:
    assert len({text_key(text) for text in ("🙂", "🙁", "?!", " ?! ")}) == 3
    assert text_key("love \u2764\ufe0f") == text_key("love \u2764") == "love"
