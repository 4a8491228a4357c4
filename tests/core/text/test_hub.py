"""Datasets of the Hugging Face library: saved ones, and a Hub of our own on this machine."""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final
from urllib.parse import unquote, urlparse

import pyarrow as pa
import pytest
from pyarrow import parquet

from core.errors import HeadlightError
from core.text.corpora import Reading, read_pairs
from core.text.hub import one_split
from core.text.sources import Source

ROOT: Final = Path(__file__).parents[3]
COMMIT: Final = "a" * 40


def table(name: str, rows: int) -> bytes:
    sink = pa.BufferOutputStream()
    records = [{"translation": {"ko": f"{name} {n}", "en": f"go {n}"}} for n in range(rows)]
    parquet.write_table(pa.Table.from_pylist(records), sink)
    return bytes(sink.getvalue())


FILES: Final = {
    "README.md": b"---\nlicense: mit\n---\n",
    "data/train-00000-of-00001.parquet": table("train", 30),
    "data/test-00000-of-00001.parquet": table("test", 4),
}


class Hub(BaseHTTPRequestHandler):
    """As much of the Hub as reading one dataset asks for."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = unquote(urlparse(self.path).path)
        api, tree = "/api/datasets/owner/pairs", f"/api/datasets/owner/pairs/tree/{COMMIT}"
        if path in (api, f"{api}/revision/{COMMIT}"):
            siblings = [{"rfilename": name} for name in FILES]
            self.answer({"id": "owner/pairs", "sha": COMMIT, "siblings": siblings})
        elif path.startswith(tree):
            self.answer(self.listing(path.removeprefix(tree).strip("/")))
        elif path.startswith("/datasets/owner/pairs/resolve/"):
            self.file(path.split("/", 6)[6])
        else:
            self.reply(404, b"", {"X-Error-Code": "RepoNotFound"})

    def do_HEAD(self) -> None:
        self.do_GET()

    def listing(self, folder: str) -> list[dict[str, object]]:
        if not folder:
            return [{"type": "directory", "path": "data", "size": 0, "oid": "0" * 40}]
        return [
            {"type": "file", "path": name, "size": len(raw), "oid": etag(raw)}
            for name, raw in FILES.items()
            if name.startswith(f"{folder}/")
        ]

    def file(self, name: str) -> None:
        raw = FILES.get(name)
        if raw is None:
            self.reply(404, b"", {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT})
        else:
            self.reply(200, raw, {"ETag": f'"{etag(raw)}"', "X-Repo-Commit": COMMIT})

    def answer(self, value: object) -> None:
        self.reply(200, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def reply(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


def etag(raw: bytes) -> str:
    return hashlib.sha1(raw).hexdigest()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def read(path: str | Path, split: str | None = None) -> Reading:
    return read_pairs(Source(str(path), languages=("ko", "en"), split=split))


def refused(path: str | Path, split: str | None = None) -> HeadlightError:
    with pytest.raises(HeadlightError) as caught:
        read(path, split)
    return caught.value


def test_a_dataset_is_read_from_the_hub_and_then_without_it(hub: ThreadingHTTPServer) -> None:
    found = read("owner/pairs")
    assert (found.rows, found.bad, found.pairs[0]) == (30, 0, ("train 0", "go 0"))
    assert read("owner/pairs", "test[1:3]").pairs == (("test 1", "go 1"), ("test 2", "go 2"))
    assert "'train', 'test'" in str(refused("owner/pairs", "dev"))
    assert refused("owner/none").code == "dataset_missing"
    hub.shutdown()
    hub.server_close()
    assert read("owner/pairs") == found
    start = time.monotonic()
    assert refused("owner/none").code == "hub_unreachable"
    assert time.monotonic() - start < 20, "the library alone would try for 24 seconds"


def test_saved_datasets_are_read(tmp_path: Path) -> None:
    import datasets

    rows = [{"id": n, "ko": f"가 {n}", "en": f"go {n}" if n else ""} for n in range(2500)]
    whole = datasets.Dataset.from_list(rows)
    whole.save_to_disk(tmp_path / "one")
    datasets.DatasetDict(train=whole, test=whole.select(range(9))).save_to_disk(tmp_path / "two")
    found = read(tmp_path / "one")
    assert (found.rows, found.bad_rows) == (2500, ('row 1: no text in "en"',))
    assert found.pairs[-1] == ("가 2499", "go 2499")
    assert read(tmp_path / "two") == found
    assert read(tmp_path / "two", "test").rows == 9
    assert "train, test" in str(refused(tmp_path / "two", "dev"))
    assert "no splits" in str(refused(tmp_path / "one", "train"))
    (arrow,) = (tmp_path / "one").glob("*.arrow")
    arrow.write_bytes(arrow.read_bytes()[:5000])
    assert refused(tmp_path / "one").code == "file_unreadable"


def test_a_dataset_with_several_splits_is_not_guessed_at() -> None:
    with pytest.raises(HeadlightError, match="one of its splits by `split`: a, b"):
        one_split("x", {"a": None, "b": None}, None)
    assert one_split("x", {"a": 1}, None) == 1
    assert one_split("x", {"train": 1, "test": 2}, None) == 1
    assert one_split("x", {"train": 1, "test": 2}, "test") == 2


def test_the_libraries_are_not_loaded_into_who_asks(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(table("train", 9))
    code = (
        "import sys\n"
        "from core.text.corpora import read_pairs\n"
        "from core.text.sources import Source\n"
        f"read_pairs(Source({str(tmp_path / 'a.parquet')!r}, languages=('ko', 'en')))\n"
        "assert not {'datasets', 'pyarrow'} & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)
