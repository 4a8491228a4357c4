"""Models fetched from a Hub that stands here: what is asked, what comes, and every refusal."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.families.hub.download import named
from tests import hub
from tests.hub_server import Hub, serving

ROOT = Path(__file__).parents[3]
CONVERTED = {
    "num": 3,
    "title": "Adding `safetensors` variant of this model",
    "repo": {"name": "some/converted", "type": "model"},
    "author": {"name": "SFconvertbot"},
    "status": "open",
    "isPullRequest": True,
    "createdAt": "2023-01-01T00:00:00.000Z",
}


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    root = tmp_path_factory.mktemp("hub")
    whole = hub.folder(root / "whole", "gpt2", hub.GPT2, "goes on")
    (whole / "modeling_own.py").write_text("raise SystemExit")
    (whole / "pytorch_model.bin").write_bytes(b"a pickle")
    pickled, bare, strange = root / "pickled", root / "bare", root / "strange"
    for folder in (pickled, bare, strange):
        folder.mkdir()
    (strange / "model.safetensors").write_bytes(b"weights")
    packed, coded = root / "packed", root / "coded"
    for folder, more in (
        (packed, {"quantization_config": {"quant_method": "gptq"}}),
        (coded, {"auto_map": {"AutoModel": "modeling_own.Own"}}),
    ):
        folder.mkdir()
        (folder / "config.json").write_text(json.dumps({"model_type": "gpt2", **more}))
        (folder / "model.safetensors").write_bytes(b"weights")
    for folder in (pickled, bare):
        (folder / "config.json").write_text('{"model_type": "gpt2"}')
    (pickled / "pytorch_model.bin").write_bytes(b"a pickle")
    others = {**CONVERTED, "author": {"name": "somebody"}}
    with serving(
        Hub(
            {
                "some/whole": {"main": whole},
                "some/gated": {"main": whole},
                "some/bare": {"main": bare},
                "some/packed": {"main": packed},
                "some/coded": {"main": coded},
                "some/strange": {"main": strange},
                "some/pickled": {"main": pickled, "refs/pr/3": whole},
                "some/converted": {"main": pickled, "refs/pr/3": whole},
            },
            {"some/converted": [CONVERTED], "some/pickled": [others]},
            frozenset({"some/gated"}),
        )
    ) as server:
        yield server


def _download(server: Hub, cache: Path, *arguments: str, **more: str) -> list[dict[str, Any]]:
    process = subprocess.run(
        [sys.executable, "-m", "core", "download", *arguments, "--json"],
        cwd=ROOT,
        env={**os.environ, **server.environment(cache), **more},
        capture_output=True,
        text=True,
        timeout=120,
    )
    lines = [json.loads(line) for line in process.stdout.splitlines()]
    assert process.returncode == (2 if "code" in lines[-1] else 0), process.stderr
    return lines


@pytest.mark.parametrize("name", ["some/whole", "some/converted"])
def test_what_is_read_of_a_model_is_fetched_and_no_more(
    there: Hub, tmp_path: Path, name: str
) -> None:
    """A converted one's weights are those that the Hub's own converter offers."""
    (offer,) = _download(there, tmp_path, name, "--offer")
    assert not (tmp_path / "hub").exists()
    there.asked.clear()
    version = f"--revision={offer['revision']}"
    again, *told, last = _download(there, tmp_path, name, version)
    folder = Path(last["folder"])
    files = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= files.keys()
    assert files.keys().isdisjoint({"modeling_own.py", "pytorch_model.bin"})
    assert offer == again
    assert (offer["files"], offer["bytes"]) == (len(files), sum(files.values()))
    assert [line["done"] for line in told][-1] == offer["bytes"]
    assert (folder.parents[1] / "refs" / "main").read_text() == folder.name
    assert not any("pytorch_model" in path or ".py" in path for path in there.asked)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("some/none", "hub_absent"),
        ("some/gated", "hub_gated"),
        ("some/bare", "hub_weightless"),
        ("some/strange", "hub_none"),
        ("some/packed", "quantized"),
        ("some/coded", "own_code"),
        ("some/pickled", "hub_pickled"),
    ],
)
def test_what_cannot_be_fetched_is_told_with_its_reason(
    there: Hub, tmp_path: Path, name: str, reason: str
) -> None:
    (told,) = _download(there, tmp_path, name)
    assert told["code"] == "model_undelivered"
    assert told["parameters"]["reason"]["reason"] == reason


def test_without_a_network_it_says_how_to_bring_a_folder(there: Hub, tmp_path: Path) -> None:
    for more in ({"HF_HUB_OFFLINE": "1"}, {"HF_ENDPOINT": "http://127.0.0.1:9"}):
        (told,) = _download(there, tmp_path, "some/whole", **more)
        assert told["parameters"]["reason"]["reason"] == "hub_offline"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("some/whole", "some/whole"),
        (" gpt2 ", "gpt2"),
        ("https://hub.example/some/whole/tree/main?x=1#y", "some/whole"),
        ("https://hub.example/gpt2", "gpt2"),
        ("https://hub.example/gpt2/tree/main", "gpt2"),
        ("https://hub.example/datasets/some/whole", None),
        ("https://[", None),
        ("https://hub.example/", None),
        ("some/whole/more", None),
        ("../some", None),
        ("some/..", None),
        ("--offer", None),
        ("some/who le", None),
        ("a" * 200, None),
        ("", None),
    ],
)
def test_names_are_read_and_nothing_else(typed: str, name: str | None) -> None:
    assert named(typed) == name
