"""Where pairs stand: folders, and paths that lead nowhere."""

from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from core.errors import HeadlightError
from core.text import sources
from core.text.corpora import read_pairs
from core.text.sources import Source

LANGUAGES = ("ko", "en")


def test_a_folder_is_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / ".cache").mkdir()
    (tmp_path / "README.md").write_text("# pairs")
    (tmp_path / ".cache" / "old.tsv").write_text("옛\told")
    (tmp_path / "a.tsv").write_text("가\tgo\n나\n")
    (tmp_path / "data" / "b.jsonl").write_text('{"ko": "나", "en": "I"}')
    parquet.write_table(
        pa.Table.from_pylist([{"ko": "다", "en": "all"}] * 2), tmp_path / "data" / "c.parquet"
    )
    found = read_pairs(Source(str(tmp_path), languages=LANGUAGES))
    assert found.pairs == (("가", "go"), ("나", "I"), ("다", "all"), ("다", "all"))
    assert found.bad_rows == ("a.tsv line 2: one column",)
    (tmp_path / "data" / "b.jsonl").write_text("x")
    (tmp_path / "data" / "c.parquet").write_bytes(b"PAR1")
    with pytest.raises(HeadlightError, match=r"data/c\.parquet"):
        read_pairs(Source(str(tmp_path), languages=LANGUAGES))
    (tmp_path / "empty").mkdir()
    with pytest.raises(HeadlightError, match=r"\.tsv, \.jsonl, \.parquet"):
        read_pairs(Source(str(tmp_path / "empty")))


def test_a_whole_disk_is_no_folder_of_pairs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abc":
        (tmp_path / f"{name}.tsv").write_text("가\tgo\n")
    assert read_pairs(Source(str(tmp_path))).rows == 3
    monkeypatch.setattr(sources, "_MOST_FILES", 2)
    with pytest.raises(HeadlightError, match="more than 2 files"):
        read_pairs(Source(str(tmp_path)))


def test_a_split_of_a_folder_is_the_files_named_by_it(tmp_path: Path) -> None:
    for name in ("train-00000.tsv", "train-00001.tsv", "training.tsv", "test.tsv"):
        (tmp_path / name).write_text(f"{name}\tx\n")
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "more.tsv").write_text("more\tx\n")
    found = read_pairs(Source(str(tmp_path), split="train")).pairs
    assert [pair.source for pair in found] == ["more", "train-00000.tsv", "train-00001.tsv"]
    with pytest.raises(HeadlightError, match="'dev'"):
        read_pairs(Source(str(tmp_path), split="dev"))
    with pytest.raises(HeadlightError, match="split"):
        read_pairs(Source(str(tmp_path / "test.tsv"), split="train"))


@pytest.mark.parametrize("name", ["pairs.tsv", "."])
def test_files_and_folders_have_no_subsets(tmp_path: Path, name: str) -> None:
    (tmp_path / "pairs.tsv").write_text("가\tgo\n")
    assert read_pairs(Source(str(tmp_path / name))).rows == 1
    with pytest.raises(HeadlightError, match="leave `subset` out"):
        read_pairs(Source(str(tmp_path / name), subset="small"))


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/none/none.tsv", "file_missing"),
        ("none/none.tsv", "file_missing"),
        ("none", "file_missing"),
        ("", "file_missing"),
        ("a\0b", "file_missing"),
        ("x" * 5000, "file_missing"),
        ("/dev/zero", "file_unreadable"),
    ],
)
def test_paths_that_lead_nowhere(path: str, code: str) -> None:
    with pytest.raises(HeadlightError) as caught:
        read_pairs(Source(path))
    assert caught.value.code == code
