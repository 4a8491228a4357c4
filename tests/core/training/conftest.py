"""A recipe that trains in a second, on Korean numerals."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
import torch
from torch.distributed import TCPStore  # type: ignore[attr-defined]  # it is documented

from core.training.run import run

RECIPE = """
model_id = "tiny"
source_language = "ko"
target_language = "en"
max_source = 32
max_target = 32
[tokenizer]
kind = "characters"
[[corpora]]
name = "numbers"
path = "{path}"
valid = 0.1
test = 0.1
[model]
d_model = 32
d_ff = 48
heads = 2
encoder_layers = 1
decoder_layers = 1
[schedule]
kind = "linear"
warmup = 10
peak = 3e-3
[training]
steps = {steps}
precision = "fp32"
tokens_per_batch = 512
validate_every = 20
report_every = 10
save_every = 15
milestones = 6
{more}
"""

WriteRecipe = Callable[..., Path]
HostStore = Callable[[], int]

NO_GPU = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="there is no GPU: NCCL itself was not seen"
)
DEVICES = ("cpu", pytest.param("cuda", marks=NO_GPU))
"""What several processes are tried on: gloo always, NCCL where there is a GPU."""


def write_recipe(
    folder: Path, steps: int = 30, more: str = "", old: str = "", new: str = ""
) -> Path:
    """The recipe for some steps, with `more` lines of [training], with a text replaced."""
    digits = dict(zip("0123456789", "영일이삼사오육칠팔구", strict=True))
    lines = ["korean\tenglish"]
    lines += [f"{''.join(digits[d] for d in str(n))}\t{n}" for n in range(100, 400)]
    data = folder / "pairs.tsv"
    if not data.exists():
        data.write_text("\n".join(lines), encoding="utf-8")
    text = RECIPE.format(path=data, steps=steps, more=more)
    assert old in text
    path = folder / f"recipe-{steps}.toml"
    path.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return path


@pytest.fixture
def recipe(tmp_path: Path) -> WriteRecipe:
    """`write_recipe` into the test's own folder."""
    return partial(write_recipe, tmp_path)


@pytest.fixture
def host_store() -> Iterator[HostStore]:
    """Opens a store for one group to meet at, as torchrun does, and names its port.

    The store listens before the port is told, so nobody can take it in between.
    """
    stores: list[TCPStore] = []

    def host() -> int:
        stores.append(TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False))
        port: int = stores[-1].port
        return port

    yield host
    stores.clear()


@pytest.fixture(scope="session")
def unharmed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], bytes]:
    """The weights that a run of some steps ends with when nothing happens to it."""

    @cache
    def weights(steps: int) -> bytes:
        folder = tmp_path_factory.mktemp("unharmed")
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # as those that are killed: sums of two threads differ in a bit
        list(run(write_recipe(folder, steps), folder / "out"))
        torch.set_num_threads(threads)
        return (folder / "out" / "model.safetensors").read_bytes()

    return weights
