"""A text that is read as a user's message: within the template of its model, which is a program."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer

from core import registry
from core.errors import HeadlightError
from core.families.hub import trial
from core.families.hub.folder import claimed
from core.families.hub.template import MOST, Template
from core.families.hub.writers import HubContinuer
from core.model import Sampling, TraceRequest
from core.reasons import Reason, RefusedError
from core.trace import Token, load_trace
from tests import hub
from tests.core.cli.test_commands import code_of, output

CPU = torch.device("cpu")
TEXT = "어제 cafe went"
LLAMA_2 = "{{ bos_token }}[INST] {{ messages[0]['content'] | trim }} [/INST]"
"""Its space before the text becomes a part of the text's first piece."""
DATED = "{{ strftime_now('%d %b %Y') }}\n" + hub.CHAT_ML


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hub.chat(tmp_path_factory.mktemp("chat") / "llama")


def with_template(folder: Path, path: Path, template: str) -> Path:
    shutil.copytree(folder, path)
    (path / "chat_template.jinja").write_text(template, "utf-8")
    return path


def opened(folder: Path) -> HubContinuer:
    model = registry.load(folder, CPU, trial.tried(folder).template)
    assert isinstance(model, HubContinuer)
    return model


def theirs(folder: Path, text: str) -> list[int]:
    own = AutoTokenizer.from_pretrained(folder)
    asked = [{"role": "user", "content": text}]
    found = own.apply_chat_template(asked, add_generation_prompt=True, return_dict=False)
    return [int(id) for id in found]


def ids(tokens: Sequence[Token]) -> tuple[int, ...]:
    return tuple(token.id for token in tokens)


@pytest.mark.parametrize(
    ("template", "spelling", "kind"),
    [
        (hub.CHAT_ML, "bytes", "llama"),
        (hub.CHAT_ML, "bytes", "gpt2"),
        (LLAMA_2, "bytes", "llama"),
        (LLAMA_2, "joints", "llama"),
        (LLAMA_2, "fallback", "llama"),
        (DATED, "bytes", "llama"),
    ],
)
def test_a_message_is_read_as_transformers_has_it(
    tmp_path: Path, template: str, spelling: str, kind: str
) -> None:
    folder = hub.chat(tmp_path / "m", template, kind=kind, spelling=spelling)
    model = opened(folder)
    for text in (TEXT, "a", "<|im_end|> b"):
        trace = model.trace(TraceRequest(text, message=True))
        wanted = theirs(folder, text)
        assert list(ids(trace.target))[: len(wanted)] == wanted
        assert trace.meta["given"] == len(wanted) - 1
        assert trace.meta["message"] is True
        assert trace.meta["source_text"] == text
    assert wanted.count(hub.START) == template.count("bos_token")


def test_a_text_that_is_no_message_is_read_as_ever(folder: Path) -> None:
    model, plain = opened(folder), registry.load(folder, CPU)
    assert model.card.capabilities.message
    assert not plain.card.capabilities.message
    mine, other = model.trace(TraceRequest(TEXT)), plain.trace(TraceRequest(TEXT))
    assert mine.target == other.target
    assert "message" not in mine.meta


def test_its_special_tokens_are_seen(folder: Path) -> None:
    read = opened(folder).trace(TraceRequest(TEXT, message=True)).target
    special = [token.piece for token in read if token.special][:3]
    assert special == ["<|im_start|>", "<|im_end|>", "<|im_start|>"]


def test_what_it_writes_searches_and_branches_to_is_behind_the_message(folder: Path) -> None:
    model = opened(folder)
    request = TraceRequest(TEXT, message=True)
    trace = model.trace(request)
    given = int(trace.meta["given"])
    written = model.generate(TEXT, message=True)
    assert ids(trace.written[given:]) == ids(written.tokens)
    best = model.generate(TEXT, beam=3, message=True)
    tree = model.search(TEXT, beam=3, message=True)
    assert tree.given == ids(trace.written[:given])
    path, at = [], tree.ranked[0]
    while at >= 0:
        path.append(tree.nodes[at].token.id)
        at = tree.nodes[at].parent
    assert tuple(path[::-1]) == ids(best.tokens)
    branch = (*ids(trace.written[: given + 1]), 7)
    there = model.trace(TraceRequest(TEXT, prefix=branch, message=True))
    assert ids(there.written[: len(branch)]) == branch
    drawn = TraceRequest(TEXT, message=True, sampling=Sampling(3, 1.8))
    text = model.generate(TEXT, message=True, sampling=Sampling(3, 1.8)).text
    assert model.trace(drawn).meta["target_text"] == text
    forced = model.trace(TraceRequest(TEXT, "cafe", message=True))
    assert forced.target[: given + 1] == trace.target[: given + 1]


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(10**9) %}{% endfor %}" + hub.CHAT_ML,
        "{{ 'a' * 10**10 }}{{ messages[0].content }}",
        "{{ 'a' * 3000 }}{{ messages[0].content }}",
        "{{ ''.__class__.__mro__[1].__subclasses__() }}{{ messages[0].content }}",
        "{{ messages.append(1) }}{{ messages[0].content }}",
        "{{ raise_exception('no') }}",
        "{% include '/etc/passwd' %}{{ messages[0].content }}",
        "{{ messages[0].content | upper }}",
        "{{ messages[0].content | e }}",
        "{{ messages[0].content | length }}{{ messages[0].content }}",
        "{{ messages[0].content }}{{ messages[0].content }}",
        "{{ '\\ud800' }}{{ messages[0].content }}",
        "nothing of it",
        "{% broken",
    ],
)
def test_a_template_of_another_form_leaves_a_model_that_reads_texts(
    folder: Path, tmp_path: Path, template: str
) -> None:
    path = with_template(folder, tmp_path / "m", template)
    assert trial.tried(path).template == "other"
    model = opened(path)
    assert not model.card.capabilities.message
    assert "template_other" in [note.code for note in model.card.notes]
    assert model.trace(TraceRequest(TEXT)).sites
    with pytest.raises(HeadlightError, match="message"):
        model.trace(TraceRequest(TEXT, message=True))
    with pytest.raises(HeadlightError, match="message"):
        model.generate(TEXT, message=True)
    with pytest.raises(HeadlightError, match="message"):
        model.search(TEXT, beam=2, message=True)


def test_a_template_without_end_is_refused_and_the_next_is_opened(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "SECONDS", 2)
    loop = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
    with pytest.raises(HeadlightError) as caught:
        trial.tried(with_template(folder, tmp_path / "m", loop + hub.CHAT_ML))
    reason = caught.value.parameters["reason"]
    assert isinstance(reason, Reason)
    assert reason.code == "trial_long"
    assert isinstance(trial.tried(folder).template, Template)


def test_no_other_process_runs_a_template(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers.utils import chat_template_utils

    def run(*_: object) -> None:
        raise AssertionError("a template runs")

    monkeypatch.setattr(chat_template_utils, "_compile_jinja_template", run)
    model = opened(folder)
    assert model.trace(TraceRequest(TEXT, message=True)).sites
    assert model.rendered() == "other"  # which would run it


def test_a_folder_without_a_template_has_none(folder: Path, tmp_path: Path) -> None:
    path = Path(shutil.copytree(folder, tmp_path / "m"))
    (path / "chat_template.jinja").unlink()
    assert trial.tried(path).template is None
    assert opened(path).card.notes == registry.load(folder, CPU).card.notes


def test_a_template_is_of_the_files_that_compute(folder: Path, tmp_path: Path) -> None:
    assert "chat_template.jinja" in claimed(folder).files
    other = with_template(folder, tmp_path / "m", hub.CHAT_ML.replace("assistant", "cook"))
    assert registry.load(other, CPU).digest != registry.load(folder, CPU).digest
    at = [registry.load(folder, CPU, Template(day, "")).digest for day in ("Monday", "Tuesday")]
    assert len({*at, registry.load(folder, CPU).digest}) == 3


@pytest.mark.parametrize("texts", [("a" * (MOST + 1), ""), ("", "\ud800"), (1, "")])
def test_what_is_no_template_is_refused(texts: tuple[str, str]) -> None:
    with pytest.raises(RefusedError):
        Template(*texts)


def test_a_message_is_longer_by_its_template(folder: Path) -> None:
    model = opened(folder)
    text = " ".join("a" for _ in range(model.card.max_source - 12))
    assert model.trace(TraceRequest(text)).sites
    with pytest.raises(HeadlightError) as caught:
        model.trace(TraceRequest(text, message=True))
    assert caught.value.code == "source_too_long"


def test_the_command_line_reads_messages(folder: Path, tmp_path: Path) -> None:
    model, out = opened(folder), tmp_path / "t.npz"
    asked = ("--model", folder, "--message")
    assert output("translate", *asked, TEXT) == [model.generate(TEXT, message=True).text]
    output("trace", "--source", TEXT, *asked, "--out", out)
    saved = load_trace(out)
    assert saved.meta["message"] is True
    assert saved.target == model.trace(TraceRequest(TEXT, message=True)).target
    assert code_of("translate", "--message", "나는 물을 마신다") == "unsupported"
