"""Two tiny models for every test: trained for a second, so that they write real sentences."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import torch
from hypothesis import settings
from torch import Tensor

from core import settings as core_settings
from core.checkpoint import folder as checkpoint
from core.checkpoint.config import CheckpointConfig
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.nn.transformer import Transformer, TransformerConfig
from core.text.characters import CharacterTokenizer
from core.text.familiarity import Familiarity
from core.text.pieces import SentencePieceTokenizer
from core.text.tokenizer import END_ID, PAD_ID, START_ID, Tokenizer
from core.trace import save_trace
from core.training.events import Progress, Scores, Validated, append_event

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

SENTENCES = (
    ("나는 물을 마신다", "I drink water"),
    ("나는 어제 카페에 갔어", "I went to the cafe yesterday"),
    ("사람이 많더라", "there were many people"),
    ("어제 비가 왔어", "it rained yesterday"),
    ("나는 집에 갔어", "I went home"),
    ("카페에 사람이 많더라", "there were many people at the cafe"),
)
SPELLINGS = (("cafe", "카페"), ("bus", "버스"), ("tomato", "토마토"), ("radio", "라디오"))
BROWSED = {Path(__file__).parent / name for name in ("e2e", "security")}
CARD = "# tiny\n\nA model for tests. It knows six sentences by heart.\n"
os.environ.setdefault("HEADLIGHT_DEVICE", "cpu")
# No run of whoever tests shall be among the models, and nothing that they downloaded.
os.environ["HEADLIGHT_RUNS"] = os.path.join(tempfile.gettempdir(), "headlight-tests-no-runs")
os.environ["HF_HUB_CACHE"] = os.path.join(tempfile.gettempdir(), "headlight-tests-no-hub")

# No deadline: on a busy machine the first example of a test may take a second.
settings.register_profile("headlight", parent=settings(), deadline=None)
settings.load_profile("headlight")


@pytest.fixture(autouse=True)
def _settings_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test sets holds at once; a process reads its settings only once."""
    monkeypatch.setattr(core_settings, "current", lambda: core_settings.read(os.environ))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that needs a browser is where `make browsed` looks for it."""
    for item in items:
        if "e2e" in item.keywords and BROWSED.isdisjoint(item.path.parents):
            raise pytest.UsageError(f"{item.nodeid}: browser tests live in tests/e2e")


def pytest_collection_finish() -> None:
    """What has been imported stays: the collector need not look through it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def executable() -> str:
    """The Chromium of this machine, or Playwright's own, which it can only name for itself."""
    from tests.e2e.browser import find_chromium

    found = find_chromium()
    assert found is not None, "no Chromium: run tests/e2e/browser.py"
    return found


@pytest.fixture(scope="session")
def playwright(executable: str) -> Iterator[Playwright]:
    """One for all browsers of a process: a second one cannot live beside it.

    Its event loop runs in the main thread from here on: `asyncio.run` wants a thread of its own.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def chromium(playwright: Playwright, executable: str) -> Iterator[Browser]:
    """One for all tests of a process: nothing of a context is seen in another one."""
    from tests.e2e.browser import QUIET
    from tests.e2e.tabs import ONE_RENDERER

    arguments = [*QUIET, ONE_RENDERER]
    browser = playwright.chromium.launch(executable_path=executable, args=arguments)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint folder named "tiny": SentencePiece, Korean to English, all files.

    Its parent is fit for HEADLIGHT_CHECKPOINTS. Two encoder and three decoder layers, four
    heads; copy it (`shutil.copytree`) before you change it.
    """
    sentences = [text for pair in SENTENCES for text in pair]
    tokenizer = SentencePieceTokenizer.train(sentences, 310)
    folder = tmp_path_factory.mktemp("models") / "tiny"
    return _make(folder, tokenizer, SENTENCES, "ko", "en")


@pytest.fixture(scope="session")
def tiny_spelling_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, named "tiny-spelling": characters, English words to Hangul."""
    tokenizer = CharacterTokenizer.train(text for pair in SPELLINGS for text in pair)
    folder = tmp_path_factory.mktemp("models") / "tiny-spelling"
    return _make(folder, tokenizer, SPELLINGS, "en", "ko")


@pytest.fixture(scope="session")
def tiny_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run named "tiny-run" that kept five milestones: English words to Hangul.

    Its parent is fit for HEADLIGHT_RUNS; copy it before you change it.
    """
    tokenizer = CharacterTokenizer.train(text for pair in SPELLINGS for text in pair)
    folder = tmp_path_factory.mktemp("runs") / "tiny-run"
    _make(folder, tokenizer, SPELLINGS, "en", "ko", milestones=(0, 2, 8, 20, 80))
    scores = {40: (1.5, 0.25), 80: (0.125, 1.0)}
    for step, (loss, exact) in scores.items():
        append_event(folder / "events.jsonl", Progress(step, loss + 1, 900.0, 1e-3, 1.0, 0.0))
        parts = {"words": Scores(loss, 10 * exact, 20 * exact, exact, 4)}
        append_event(folder / "events.jsonl", Validated(step, parts, ()))
    return folder


@pytest.fixture(scope="session")
def tiny_model(tiny_checkpoint: Path) -> TransformerModel:
    """`tiny_checkpoint`, opened on the CPU; models hold no state, so all may share it."""
    return TransformerModel(checkpoint.load(tiny_checkpoint, torch.device("cpu")))


def _make(
    folder: Path,
    tokenizer: Tokenizer,
    pairs: Sequence[tuple[str, str]],
    source_language: str,
    target_language: str,
    milestones: Sequence[int] = (),
) -> Path:
    sizes = {"d_model": 32, "d_ff": 64, "heads": 4, "encoder_layers": 2, "decoder_layers": 3}
    config = CheckpointConfig[TransformerConfig](
        model=TransformerConfig.model_validate(
            {"vocab_size": tokenizer.size, "max_length": 64, "dropout": 0.0, "norm": "pre", **sizes}
        ),
        tokenizer=tokenizer.kind,
        source_language=source_language,
        target_language=target_language,
        max_source=48,
        max_target=64,
        examples=tuple(source for source, _ in pairs[:3]),
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        model = Transformer(config.model)
        for step in _learn(model, tokenizer, pairs):
            if step in milestones:
                kept = folder / "milestones" / f"{step:08d}"
                checkpoint.save(
                    kept, config, model, tokenizer, step=step, seed=7, storage="float16"
                )
    checkpoint.save(
        folder,
        config,
        model.eval(),
        tokenizer,
        step=80,
        seed=7,
        card=CARD,
        recipe="# a test's own\n",
        familiarity=Familiarity.count(tokenizer, [source for source, _ in pairs] * 10),
        storage="float16",
    )
    opened = TransformerModel(checkpoint.load(folder, torch.device("cpu")))
    save_trace(folder / "first-look.npz", opened.trace(TraceRequest(pairs[0][0])))
    checkpoint.seal(folder)
    return folder


def _learn(
    model: Transformer, tokenizer: Tokenizer, pairs: Sequence[tuple[str, str]]
) -> Iterator[int]:
    """Yields 0 and then every step that was made."""
    source = _batch([[*tokenizer.encode(text), END_ID] for text, _ in pairs])
    whole = _batch([[START_ID, *tokenizer.encode(text), END_ID] for _, text in pairs])
    optimizer = torch.optim.Adam(model.parameters(), lr=8e-3, betas=(0.9, 0.98), fused=True)
    yield 0
    for step in range(1, 81):
        logits = model(source, whole[:, :-1])
        loss = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1), whole[:, 1:].flatten(), ignore_index=PAD_ID
        )
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        yield step


def _batch(rows: Sequence[Sequence[int]]) -> Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD_ID] * (width - len(row))] for row in rows])
