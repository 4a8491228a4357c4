"""Whose a run is: told by its folder, and closed where that cannot be told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import HeadlightError
from core.registry import known_run
from viz.jobs.owners import LOG, OWNER, Owner, Rights, file_of, open_to, owner_of, rights
from viz.jobs.visitor import STRANGER, Visitor

ME, YOU, HERE = Visitor("me"), Visitor("you"), Visitor("", local=True)
ALL, NOTHING, SNAPSHOT = Rights(True, True), Rights(False, False), Rights(False, True)


def _run(root: Path, name: str, owner: Owner | None, *, page: bool = True) -> Path:
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "recipe.toml").touch()
    if page:
        (folder / LOG).touch()
    if owner is not None:
        (folder / OWNER).write_bytes(file_of(owner))
    return folder


@pytest.mark.parametrize(
    ("owner", "page", "found"),
    [
        (Owner("me", True), True, (ALL, NOTHING, NOTHING)),
        (Owner("me", False), True, (ALL, SNAPSHOT, SNAPSHOT)),
        (Owner("", True), True, (NOTHING, NOTHING, NOTHING)),
        (None, True, (NOTHING, NOTHING, NOTHING)),  # of before there were owners
        (None, False, (SNAPSHOT, SNAPSHOT, SNAPSHOT)),  # of the command line
    ],
)
def test_what_each_may_do(
    tmp_path: Path, owner: Owner | None, page: bool, found: tuple[Rights, ...]
) -> None:
    folder = _run(tmp_path, "run", owner, page=page)
    assert tuple(rights(folder, who) for who in (ME, YOU, STRANGER)) == found
    assert rights(folder, HERE) == ALL


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'"me"',
        b'{"id": "me"}',
        b'{"private": false}',
        b'{"id": null, "private": false}',
        b'{"id": "me", "private": 0}',
        b'{"id": "me", "private": "false"}',
        b"\xff\xfe",
        b"[" * 5000,
        json.dumps({"id": "me", "private": False, "x": "y" * 2000}).encode(),
    ],
)
def test_what_cannot_be_told_is_nobodys_and_private(tmp_path: Path, content: bytes) -> None:
    folder = _run(tmp_path, "run", None, page=False)
    (folder / OWNER).write_bytes(content)
    assert owner_of(folder) == Owner("", True)
    assert rights(folder, Visitor("")) == NOTHING


def test_only_what_may_be_looked_into_is_in_a_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADLIGHT_RUNS", str(tmp_path / "runs"))
    folders = {
        "shipped": tmp_path / "checkpoints" / "shipped",
        "mine": _run(tmp_path / "runs", "mine", Owner("me", True)),
        "example": _run(tmp_path / "runs", "example", Owner("me", False)),
    }
    assert list(open_to(folders, ME)) == ["shipped", "mine", "example"]
    assert list(open_to(folders, YOU)) == ["shipped", "example"]
    assert list(open_to(folders, HERE)) == ["shipped", "mine", "example"]
    assert rights(known_run("mine"), YOU) == NOTHING
    with pytest.raises(HeadlightError):
        rights(known_run("none"), HERE)
