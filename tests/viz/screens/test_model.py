import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import registry
from core.checkpoint import folder as checkpoint
from core.checkpoint.manifest import RECIPE, read_manifest
from core.families.transformer import TransformerModel
from tests.viz.text.alike import unlike
from viz.jobs.models import Failed, Models, Ready
from viz.screens import header
from viz.screens import model as model_page
from viz.screens.model import device_name
from viz.text import frame, model, studies
from viz.text.language import LANGUAGES, Language
from viz.text.numbers import count
from viz.text.plain import plain
from viz.text.rows import by_name


def page() -> None:
    from viz.main import run

    run("model")


def opened(**query: str) -> AppTest:
    at = AppTest.from_function(page, default_timeout=60)
    for name, text in query.items():
        at.query_params[name] = text
    at.run()
    assert not at.exception
    return at


def shown(at: AppTest) -> str:
    return "\n".join(block.value for block in (*at.markdown, *at.caption))


def cells(at: AppTest, header: str) -> list[list[str]]:
    """Rows of the markdown table whose header starts so, without markup."""
    table = next(block.value for block in at.markdown if block.value.startswith(f"| {header} |"))
    lines = [re.sub(r"\\(.)|\*\*", r"\1", line) for line in table.splitlines()]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.fixture
def ready(fresh: Models) -> Models:
    """The tiny model is open."""
    assert isinstance(fresh.wait("tiny", 60), Ready)
    return fresh


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.usefixtures("ready")
def test_the_page_says_what_is_loaded_in_both_languages(language: Language) -> None:
    at = opened(lang=language, model="tiny")
    words = model.TEXT[language]
    assert at.subheader[0].value == "tiny"
    text = shown(at)
    assert words.families["transformer"] in text.replace("\\", "")
    assert words.languages["ko"] in text
    assert words.languages["en"] in text
    assert "CPU" in text
    assert "{" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# It translates\n\n*카페* becomes cafe.", "en"),
        ("# 한국어를 영어로 옮겨요", "ko"),
        ("# 1", None),
    ],
)
def test_a_card_in_another_language_than_the_page_is_said_to_be(
    ready: Models,
    monkeypatch: pytest.MonkeyPatch,
    language: Language,
    text: str,
    written: Language | None,
) -> None:
    opened_model = ready.state("tiny")
    assert isinstance(opened_model, Ready)
    card = replace(opened_model.model.card, text=text)
    monkeypatch.setattr(TransformerModel, "card", property(lambda _: card))
    words = model.TEXT[language]
    told = [words.card_other.format(language=words.languages[one]) for one in LANGUAGES]
    said = shown(opened(lang=language, model="tiny")).replace("\\", "")
    expected = [] if written in (None, language) else [told[LANGUAGES.index(written)]]
    assert [one for one in told if one in said] == expected


@pytest.mark.usefixtures("ready")
def test_the_parts_add_up_to_the_model(tiny_model: TransformerModel) -> None:
    at = opened(lang="en", model="tiny")
    *parts, total = cells(at, "part")
    whole = sum(p.numel() for p in tiny_model.checkpoint.model.parameters())
    assert total[:2] == ["Total", count(whole)]
    assert sum(int(part[1].replace(",", "")) for part in parts) == whole
    bars = json.loads(at.get("plotly_chart")[0].proto.spec)["data"][0]
    assert sum(bars["x"]) == whole
    assert [part[2] for part in parts] == bars["text"]


@pytest.mark.usefixtures("ready")
def test_sizes_stand_under_the_papers_names_or_under_words() -> None:
    sizes = {row[0]: row[1] for row in cells(opened(lang="en", model="tiny"), "name")}
    assert sizes["N (encoder)"] == "2"
    assert sizes["N (decoder)"] == "3"
    assert sizes["d_model"] == "32"
    assert sizes["d_ff"] == "64"
    assert sizes["h"] == "4"
    assert sizes["d_k"] == sizes["d_v"] == "8"
    assert sizes["P_drop"] == "0"
    assert sizes["LayerNorm"] == "pre"
    assert not {"b", "f"} & sizes.keys()  # the paper's b_1 and b_2 are other ones
    assert sizes["output bias"] in ("yes", "no")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scheme", ["sinusoidal", "relative", "of another kind"])
def test_positions_are_called_as_on_other_pages(
    ready: Models, monkeypatch: pytest.MonkeyPatch, language: Language, scheme: str
) -> None:
    opened_model = ready.state("tiny")
    assert isinstance(opened_model, Ready)
    card = opened_model.model.card
    card = replace(card, sizes=dict(card.sizes) | {"positions": scheme})
    monkeypatch.setattr(TransformerModel, "card", property(lambda _: card))
    words = model.TEXT[language]
    rows = cells(opened(lang=language, model="tiny"), words.sizes_columns[0])
    (said,) = [row[1] for row in rows if row[0] == words.sizes["positions"][0]]
    called = {str(name): said for name, said in studies.TEXT[language].schemes.items()}
    assert said == called.get(scheme, scheme)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ko-masked", ("Transformer layers", "트랜스포머 층 수")),
        ("ko-sentiment", ("recurrent layers", "순환 층 수")),
        (
            "ko-en-seq2seq",
            (
                "recurrent layers of the encoder, and as many of the decoder",
                "인코더의 순환 층 수, 디코더도 같음",
            ),
        ),
    ],
)
def test_layers_are_called_what_they_are(
    name: str, said: tuple[str, str], monkeypatch: pytest.MonkeyPatch, fresh: Models
) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(Path(__file__).parents[3] / "checkpoints"))
    assert isinstance(fresh.wait(name, 60), Ready)
    for language, words in zip(LANGUAGES, said, strict=True):
        rows = cells(opened(lang=language, model=name), model.TEXT[language].sizes_columns[0])
        assert [row[2] for row in rows if row[0] == "N"] == [words]


@pytest.mark.usefixtures("ready")
def test_kinds_of_attention_with_their_layers_and_heads() -> None:
    rows = cells(opened(lang="en", model="tiny"), "kind")
    assert [row[1:] for row in rows] == [["2", "4", "8"], ["3", "4", "12"], ["3", "4", "12"]]


@pytest.mark.usefixtures("ready")
def test_the_manifest_and_the_card_are_shown(models_root: Path) -> None:
    at = opened(lang="en", model="tiny")
    text = shown(at).replace("\\", "")
    manifest = read_manifest(models_root / "tiny")
    assert manifest.digest[:12] in text
    assert f"{manifest.step} updates (seed {manifest.seed})" in text
    # one that began with another model has seen more, of which the folder says nothing
    (told,) = [one for one in at.markdown if plain(model.EN.training) in one.value]
    assert told.help == model.EN.training_help
    assert "It knows six sentences by heart." in text
    assert at.code[0].value.strip() == "# a test's own"


def test_a_card_from_a_stranger_runs_nothing(
    fresh: Models, models_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "models"
    shutil.copytree(models_root / "tiny", root / "tiny")
    (root / "tiny" / "README.md").write_text(
        "# hello\n<script>alert(1)</script> ![x](https://example.org/x.png) costs $5 to $6\n"
    )
    (root / "tiny" / RECIPE).write_text("steps = 7 # \u202e000", encoding="utf-8")
    checkpoint.seal(root / "tiny")
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(root))
    assert isinstance(fresh.wait("tiny", 60), Ready)
    at = opened(lang="en", model="tiny")
    block = next(block for block in at.markdown if "hello" in block.value)
    assert not block.proto.allow_html
    assert "![" not in block.value
    assert r"\$5" in block.value
    assert at.code[0].value == "steps = 7 # ⟨U+202E⟩000"


@pytest.mark.usefixtures("fresh")
def test_a_model_that_is_altered_gets_a_sentence(
    models_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh: Models
) -> None:
    root = tmp_path / "models"
    shutil.copytree(models_root / "tiny", root / "tiny")
    weights = root / "tiny" / "model.safetensors"
    raw = bytearray(weights.read_bytes())
    raw[-1] ^= 1
    weights.write_bytes(raw)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(root))
    assert isinstance(fresh.wait("tiny", 60), Failed)
    for language in LANGUAGES:
        at = opened(lang=language, model="tiny")
        assert len(at.error) == 1
        assert "safetensors" in at.error[0].value


def test_a_device_is_called_by_its_kind_and_name() -> None:
    assert device_name("cpu") == "CPU"
    assert device_name("warp") == "WARP"


def test_both_languages_say_the_same_things() -> None:
    assert unlike(by_name(model.EN), by_name(model.KO)) == []


def test_every_size_and_part_of_our_own_models_has_words(tiny_model: TransformerModel) -> None:
    card = tiny_model.card
    assert set(card.sizes) <= set(model.EN.sizes)
    assert set(card.parameters) <= set(model.EN.parts)
    assert card.family in model.EN.families


def test_the_header_counts_layers_that_attend_to_nothing(tiny_model: TransformerModel) -> None:
    card = replace(tiny_model.card, sizes={**tiny_model.card.sizes, "decoder_layers": 9})
    assert "2+9 layers" in header.describe("tiny", card, "en")


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        ("forward", "Korean, what comes next"),
        ("backward", "Korean, what came before"),
        ("masked", "Korean, fills gaps"),
    ],
)
def test_what_a_language_model_says_of_a_text_is_no_other_kind_s(
    tiny_model: TransformerModel, objective: str, said: str
) -> None:
    sizes = {"objective": objective}
    card = replace(tiny_model.card, source_language="ko", answers="tokens", sizes=sizes)
    assert model_page._direction(card, model.TEXT["en"]) == said


@pytest.mark.usefixtures("fresh")
def test_without_any_model_the_page_says_so_and_does_not_wait(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path))
    at = opened()
    assert [error.value.replace("\\", "") for error in at.error] == [frame.EN.no_model]
    assert not at.get("popover")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ko-sentiment", "Korean → positive, negative, neutral · GRU"),
        ("ko-masked", "Korean, fills gaps · Transformer"),
        ("ko-forward", "Korean, what comes next · Transformer"),
        ("ko-backward", "Korean, what came before · Transformer"),
        ("ko-skipgram", "Korean, words by their neighbours"),
        ("ko-en-everyday", "Korean → English · Transformer"),
        ("ko-en-seq2seq", "Korean → English · GRU with attention"),
        ("ko-en-bottleneck", "Korean → English · GRU without attention"),
    ],
)
def test_what_a_model_makes_of_a_sentence_is_told_before_it_is_open(name: str, said: str) -> None:
    folder = Path(__file__).parents[3] / "checkpoints" / name
    told = header._caption(registry.entry_of(name, folder), frame.TEXT["en"])
    assert told == plain(said)


def test_no_two_of_our_models_that_do_different_things_are_told_alike() -> None:
    """The small one of a pair has it in its name."""
    entries = [one for one in registry.entries() if not one.model_id.endswith("-mini")]
    told = [header._caption(one, frame.KO) for one in entries]
    assert len({*told}) == len(told) >= 10
