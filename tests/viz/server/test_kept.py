"""Files that are kept as they are sent."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from streamlit import file_util

from tests.viz.asgi import get
from viz.server.kept import FOREVER, Kept
from viz.server.routes import MIDDLEWARE, ROUTES

TEXT = "export const a = 1;\n" * 200


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.js").write_text("no")
    folder = tmp_path / "files"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "main.js").write_text(TEXT)
    (folder / "small.css").write_text("a {}")
    (folder / "face.woff2").write_bytes(os.urandom(5000))
    return folder


@pytest.fixture
def app(folder: Path) -> Starlette:
    return Starlette(routes=[Mount("/x", Kept(folder, "no-cache", {"small.css": FOREVER}))])


def test_a_file_is_compressed_for_who_can_read_that(app: Starlette, folder: Path) -> None:
    plain = get(app, "/x/deep/main.js")
    assert (plain.status, plain.body.decode()) == (200, TEXT)
    assert plain.headers["content-type"].startswith("text/javascript")
    assert "content-encoding" not in plain.headers
    packed = get(app, "/x/deep/main.js", accept_encoding="gzip, br")
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(TEXT) / 10
    assert packed.body.decode() == TEXT
    face = get(app, "/x/face.woff2", accept_encoding="gzip")
    assert "content-encoding" not in face.headers
    assert face.body == (folder / "face.woff2").read_bytes()


def test_each_file_says_how_long_it_may_be_kept(app: Starlette) -> None:
    assert get(app, "/x/deep/main.js").headers["cache-control"] == "no-cache"
    assert get(app, "/x/small.css").headers["cache-control"] == FOREVER


def test_an_edit_shows_at_once_and_the_same_is_not_sent_again(app: Starlette, folder: Path) -> None:
    first = get(app, "/x/small.css")
    again = get(app, "/x/small.css", if_none_match=f"W/{first.headers['etag']}")
    assert (again.status, again.body) == (304, b"")
    (folder / "small.css").write_text("b {color: red}")
    changed = get(app, "/x/small.css", if_none_match=first.headers["etag"])
    assert (changed.status, changed.body) == (200, b"b {color: red}")


@pytest.mark.parametrize(
    "path", ["../secret.js", "%2e%2e/secret.js", "deep", "", "deep/../../secret.js", "/etc/passwd"]
)
def test_nothing_else_is_answered(app: Starlette, path: str) -> None:
    assert get(app, f"/x/{path}").status == 404


def test_a_file_is_compressed_once(app: Starlette, monkeypatch: pytest.MonkeyPatch) -> None:
    assert get(app, "/x/deep/main.js", accept_encoding="gzip").status == 200

    def never(*_: object, **__: object) -> bytes:
        raise AssertionError("compressed again")

    monkeypatch.setattr(gzip, "compress", never)
    assert get(app, "/x/deep/main.js", accept_encoding="gzip").status == 200


def test_streamlits_own_files_are_answered_as_streamlit_does() -> None:
    app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
    static = Path(file_util.get_static_dir())
    for kind in ("js", "css", "media"):
        path = sorted((static / "static" / kind).iterdir())[0]
        reply = get(app, f"/{path.relative_to(static).as_posix()}", accept_encoding="gzip")
        assert (reply.status, reply.body) == (200, path.read_bytes())
        assert "immutable" in reply.headers["cache-control"]
        assert reply.headers["etag"]
    assert get(app, "/static/js/none.js").status == 404  # left to Streamlit, which is not here
    assert get(app, "/static/../index.html").status == 404


@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_a_cache_between_keeps_packed_and_plain_apart(app: Starlette, encoding: str) -> None:
    """Else it would hand one browser's packed file to one that cannot read it."""
    first = get(app, "/x/deep/main.js", accept_encoding=encoding)
    again = get(app, "/x/deep/main.js", if_none_match=first.headers["etag"])
    for reply in (first, again):
        assert reply.headers["vary"] == "Accept-Encoding"
        assert reply.headers["cache-control"] == "no-cache"


def test_a_file_that_was_removed_is_not_there(app: Starlette, folder: Path) -> None:
    assert get(app, "/x/small.css").status == 200
    (folder / "small.css").unlink()
    assert get(app, "/x/small.css").status == 404


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_files_are_read_and_nothing_else(app: Starlette, method: str) -> None:
    reply = get(app, "/x/small.css", method=method)
    assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")
    assert get(app, "/x/small.css", method="HEAD").status == 200
