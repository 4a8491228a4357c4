"""Datasets of the Hugging Face library: saved ones, and a Hub of our own on this machine."""

import hashlib
import json
import os
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
from core.text.corpora import read_pairs
from core.text.sources import Source

ROOT: Final = Path(__file__).parents[3]
COMMIT: Final = "a" * 40

CLIENT: Final = """
import json, sys
from core.errors import HeadlightError
from core.text.corpora import read_pairs
from core.text.sources import Source

for case in json.loads(sys.argv[1]):
    try:
        found = read_pairs(Source(languages=("ko", "en"), **case))
        print(json.dumps([found.rows, found.bad, *found.pairs[0]]))
    except HeadlightError as error:
        print(json.dumps([error.code, str(error)]))
"""


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
def hub() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def ask(port: int, home: Path, *cases: dict[str, str]) -> list[list[object]]:
    """What a process of its own reads: the library learns where the Hub is when imported."""
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, json.dumps(cases)],
        cwd=ROOT,
        env={**os.environ, "HF_ENDPOINT": f"http://127.0.0.1:{port}", "HF_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_dataset_is_read_from_the_hub_and_then_without_it(
    hub: ThreadingHTTPServer, tmp_path: Path
) -> None:
    read, test, sliced, no_split, no_dataset = ask(
        hub.server_port,
        tmp_path,
        {"path": "owner/pairs"},
        {"path": "owner/pairs", "split": "test"},
        {"path": "owner/pairs", "split": "train[10:13]"},
        {"path": "owner/pairs", "split": "dev"},
        {"path": "owner/none"},
    )
    assert read == [30, 0, "train 0", "go 0"]
    assert test == [4, 0, "test 0", "go 0"]
    assert sliced == [3, 0, "train 10", "go 10"]
    assert no_split[0] == "file_unreadable"
    assert "'train', 'test'" in str(no_split[1])
    assert no_dataset[0] == "dataset_missing"
    hub.shutdown()
    hub.server_close()
    start = time.monotonic()
    again, unknown = ask(hub.server_port, tmp_path, {"path": "owner/pairs"}, {"path": "owner/none"})
    assert again == read
    assert unknown[0] == "hub_unreachable"
    assert time.monotonic() - start < 60


def test_saved_datasets_are_read(tmp_path: Path) -> None:
    import datasets

    rows = [{"id": n, "ko": f"가 {n}", "en": f"go {n}" if n else ""} for n in range(2500)]
    whole = datasets.Dataset.from_list(rows)
    whole.save_to_disk(tmp_path / "one")
    datasets.DatasetDict(train=whole, test=whole.select(range(9))).save_to_disk(tmp_path / "two")
    datasets.DatasetDict(a=whole, b=whole).save_to_disk(tmp_path / "named")

    def read(name: str, split: str | None = None) -> int:
        found = read_pairs(Source(str(tmp_path / name), languages=("ko", "en"), split=split))
        assert found.bad_rows == ('row 1: no text in "en"',)
        assert found.pairs[-1].target == f"go {found.rows - 1}"
        return found.rows

    assert (read("one"), read("two"), read("two", "test"), read("named", "b")) == (
        2500,
        2500,
        9,
        2500,
    )
    for name, split in (("one", "train"), ("two", "dev"), ("named", None)):
        with pytest.raises(HeadlightError, match="split"):
            read(name, split)
    with pytest.raises(HeadlightError, match=r'"ko", "en"'):
        read_pairs(Source(str(tmp_path / "one")))
    (arrow,) = (tmp_path / "one").glob("*.arrow")
    arrow.write_bytes(arrow.read_bytes()[:5000])
    with pytest.raises(HeadlightError) as caught:
        read_pairs(Source(str(tmp_path / "one"), languages=("ko", "en")))
    assert caught.value.code == "file_unreadable"


def test_the_library_is_imported_only_where_it_is_needed() -> None:
    code = "import sys, core.text.corpora; assert not {'datasets', 'pyarrow'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=120)
