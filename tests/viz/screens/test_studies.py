"""The Studies page draws what studies printed, and nothing else."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from streamlit.testing.v1 import AppTest

from core import registry
from core.cli.study import studies as study_commands
from tests.small import learnt
from viz.jobs import measured, runs, studies
from viz.screens.studies import STUDIES
from viz.text.language import LANGUAGES, Language
from viz.text.plain import plain
from viz.text.studies import EN, TEXT

pytestmark = pytest.mark.usefixtures("fresh")


def page() -> None:
    from viz.main import run

    run("studies")


def opened(**query: str) -> AppTest:
    at = AppTest.from_function(page, default_timeout=60)
    for name, text in query.items():
        at.query_params[name] = text
    at.run()
    assert not at.exception
    return at


def traces(at: AppTest) -> list[dict[str, Any]]:
    (chart,) = at.get("plotly_chart")
    lines: list[dict[str, Any]] = json.loads(chart.proto.spec)["data"]
    return [line for line in lines if line.get("name")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("study", STUDIES)
def test_every_study_that_is_kept_is_drawn(study: str, language: Language) -> None:
    at = opened(study=study, lang=language)
    assert plain(TEXT[language].questions[study]) in [one.value for one in at.markdown]
    if not studies.kept(study):
        assert [one.value for one in at.info] == [plain(TEXT[language].none)]
        return
    assert len(traces(at)) >= 3
    (chart,) = at.get("plotly_chart")
    image = json.loads(chart.proto.config)["toImageButtonOptions"]
    assert image["filename"] == f"headlight-study-{study}"


def test_gradients_are_those_of_the_time_that_is_chosen() -> None:
    (made,) = studies.kept("gradients")
    for when, clip in (("start", None), ("trained", 0.0), ("clipped", 1.0)):
        drawn = traces(opened(study="gradients", when=when))
        wanted = [curve["norms"] for curve in made["curves"] if curve["clip"] == clip]
        assert [line["y"] for line in drawn] == wanted
        assert drawn[0]["name"] == EN.radius.format(cell="RNN", radius="0.5")


def test_a_band_of_gradients_is_of_quartiles() -> None:
    at = opened(study="gradients")
    assert [one.value for one in at.caption if plain(EN.quartiles) in one.value]
    assert not [one for one in at.caption if plain(EN.band) in one.value]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_an_lstm_keeps_by_its_forget_gate_alone_is_drawn(language: Language) -> None:
    (made,) = studies.kept("gradients")
    at = opened(study="gradients", when="kept", lang=language)
    drawn = traces(at)
    assert {line["name"]: line["y"] for line in drawn} == {
        f"f = {float(forget):g}": left for forget, left in made["kept"].items()
    }
    assert set(drawn[0]["y"]) == {1.0}  # f = 1 keeps it for ever
    assert drawn[0]["x"] == [*range(1, 121)]
    assert [one for one in at.caption if plain(TEXT[language].cell_alone) in one.value]


def test_the_output_is_that_of_the_word_that_is_chosen() -> None:
    (made,) = studies.kept("receptive")
    one_deep = [one for one in made["fields"] if one["depth"] == 1]
    for word, query in ((3, {}), (3, {"word": "3"}), (6, {"word": "6"})):
        drawn = traces(opened(study="receptive", **query))
        rows = [[norm or None for norm in one["norms"][word - 1]] for one in one_deep]
        assert [line["y"] for line in drawn] == rows
    masked, full = drawn[-2:]  # the same at the last word: one is seen between the other's dashes
    assert masked["y"] == full["y"]
    assert (masked["line"]["dash"], full["line"]["dash"]) == ("solid", "dash")
    masked, full = traces(opened(study="receptive"))[-2:]
    assert masked["y"] != full["y"]
    assert any("word" in one.value for one in opened(study="receptive", word="7").caption)


def test_many_words_are_a_list_and_none_is_markup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (made,) = studies.kept("receptive")
    monkeypatch.setattr(studies, "FOLDER", tmp_path)

    def measured_of(words: list[str]) -> AppTest:
        norms = [[1.0] * len(words)] * len(words)
        told = made | {"options": made["options"] | {"words": words}}
        told["fields"] = [one | {"norms": norms} for one in made["fields"]]
        (tmp_path / "receptive.json").write_text(json.dumps(told), "utf-8")
        return opened(study="receptive", lang="en")

    at = measured_of(["*a*", "b"])
    assert at.segmented_control(key="widget.word").options == [plain("1. *a*"), plain("2. b")]
    at = measured_of([f"w{number}" for number in range(1, 65)])
    words = at.selectbox(key="widget.word")
    assert (words.label, words.value, len(words.options)) == (EN.output_at, "32", 64)
    words.select("64").run()
    assert at.query_params["word"] in ("64", ["64"])
    assert at.selectbox(key="widget.word").value == "64"


def test_models_that_were_trained_for_a_study_are_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for language in LANGUAGES:
        at = opened(study="exposure", lang=language)
        assert [one for one in at.caption if plain(TEXT[language].sampled) in one.value]
    (kept, *_) = studies.kept("exposure")
    (tmp_path / "exposure.json").write_text(json.dumps(kept), "utf-8")
    monkeypatch.setattr(studies, "FOLDER", tmp_path)
    at = opened(study="exposure", lang="en")
    assert not [one for one in at.caption if plain(EN.sampled) in one.value]


@pytest.mark.parametrize("study", STUDIES)
def test_the_command_is_whole(study: str) -> None:
    (code,) = opened(study=study).code
    made = studies.kept(study)
    lines = code.value.splitlines()
    assert len(lines) == max(1, len(made))
    known: dict[str, Any] = vars(typer.main.get_command(study_commands))["commands"]
    for line, one in zip(lines, made, strict=True):
        python, dash, core, group, name, *options = shlex.split(line)
        assert (python, dash, core, group, name) == ("python", "-m", "core", "study", study)
        asked = known[study].make_context(study, options).params
        assert asked["as_json"]
        models = [
            each["model"] for each in one.get("curves", one.get("models", [])) if "model" in each
        ]
        if models:
            assert [Path(model).name for model in asked["model"]] == models
        data = one["options"].get("data", [])
        files = [data] if isinstance(data, str) else data
        named = asked.get("data") or []
        named = named if isinstance(named, list | tuple) else [named]
        assert [Path(file).name for file in named] == files
        report = (studies.FOLDER.parent / "studies.md").read_text("utf-8")
        assert all(str(file) in report for file in named)


def test_models_of_one_kind_are_a_mean_between_their_seeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    curve = {"family": "seq2seq", "attention": "none"}
    made = {
        "study": "bottleneck",
        "groups": [{"least": 1, "most": 2, "pairs": 20}, {"least": 3, "most": None, "pairs": 3}],
        "curves": [{**curve, "bleu": [80.0, None]}, {**curve, "bleu": [90.0, None]}],
    }
    (tmp_path / "bottleneck.json").write_text(json.dumps(made), "utf-8")
    (tmp_path / "exposure.json").write_text("no JSON", "utf-8")
    monkeypatch.setattr(studies, "FOLDER", tmp_path)
    (line,) = traces(opened(study="bottleneck"))
    assert (line["x"], line["y"]) == (["1–2", "3+"], [85.0, None])
    assert line["name"] == EN.kinds["none"]
    assert opened(study="exposure").info[0].value == plain(EN.none)
    assert opened(study="gradients").info[0].value == plain(EN.none)


def test_a_model_told_in_one_way_is_a_line_and_its_attention_another_picture() -> None:
    (made,) = studies.kept("extrapolation")
    schemes = list(dict.fromkeys(curve["positions"] for curve in made["curves"]))
    last = len(made["places"]) - 1
    for what, wanted in (("loss", "nats"), ("1", "distances"), (str(last), "distances")):
        drawn = traces(opened(study="extrapolation", what=what))
        assert [line["name"] for line in drawn] == [EN.schemes[scheme] for scheme in schemes]
        for line, scheme in zip(drawn, schemes, strict=True):
            of = [curve[wanted] for curve in made["curves"] if curve["positions"] == scheme]
            values = of if what == "loss" else [rows[int(what)] for rows in of]
            assert line["y"] == pytest.approx([sum(x) / len(x) for x in zip(*values, strict=True)])


def test_each_quantity_of_table_1_has_its_exponent_beside_the_printed_one() -> None:
    (made,) = studies.kept("complexity")
    drawn = traces(opened(study="complexity"))
    first = made["growths"][0]
    wanted = [
        one
        for one in made["growths"]
        if (one["quantity"], one["axis"]) == (first["quantity"], first["axis"])
    ]
    assert [line["y"] for line in drawn] == [one["values"] for one in wanted]
    assert drawn[0]["name"] == EN.printed.format(
        layer=EN.layers["attention"], power="n^2.00", printed="2"
    )
    paths = traces(opened(study="complexity", what="path-n"))
    assert f"{EN.layers['dilated']}: n^" in paths[3]["name"]
    assert [line["name"].rpartition("paper: ")[2] for line in paths] == [
        *("0", "1", "log_k n", "log_k n", "1")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_does_not_grow_stands_below(language: Language) -> None:
    text = TEXT[language]
    (made,) = studies.kept("complexity")
    for what, axis in (("products-n", "n"), ("products-d", "d"), ("path-n", "n")):
        at = opened(study="complexity", what=what, lang=language)
        (chart,) = at.get("plotly_chart")
        assert json.loads(chart.proto.spec)["layout"]["xaxis"]["title"]["text"] == text.axes[axis]
        fixed = plain(text.fixed[axis].format(**made["options"]))
        (said,) = [one.value for one in at.caption if fixed in one.value]
        assert (plain(text.paths) in said) == (what == "path-n")


def test_no_line_hides_another() -> None:
    """One kernel's has the numbers of another layer in three pictures, and lies upon it."""
    for what, like in (
        ("sequential-n", "convolution"),
        ("memory-n", "recurrent"),
        ("memory-d", "recurrent"),
    ):
        drawn = traces(opened(study="complexity", what=what))
        of = {line["name"].partition(":")[0]: line for line in drawn}
        fused, other = of[EN.layers["fused"]], of[EN.layers[like]]
        assert fused["y"] == pytest.approx(other["y"], rel=0.05)
        assert (fused["line"]["dash"], other["line"]["dash"]) == ("dash", "solid")
        assert drawn[-1] is fused


def test_what_was_skipped_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    growth = {"layer": "attention", "quantity": "time", "axis": "n", "at": [8, 16]}
    made = {
        "growths": [{**growth, "values": [1.0, None], "exponent": None, "printed": None}],
        "skipped": [["attention", 16, 3 * 2**20]],
        "options": {"width": 8, "length": 8, "kernel": 3, "window": 4},
    }
    (tmp_path / "complexity.json").write_text(json.dumps(made), "utf-8")
    monkeypatch.setattr(studies, "FOLDER", tmp_path)
    at = opened(study="complexity")
    said = EN.skipped.format(layer=EN.layers["attention"], length=16, megabytes="3")
    assert any(plain(said) in one.value for one in at.caption)


def test_every_head_has_its_rate_beside_who_does_not_look() -> None:
    (made,) = studies.kept("alignment")
    for rows in ("written", "read"):
        drawn = traces(opened(study="alignment", what=rows))
        count = len(made["models"])
        heads, blind = drawn[:count], drawn[count:]
        assert {line["name"]: line["y"][0] for line in blind} == {
            EN.one_way.format(name=name, source=source, target=target): 100 * way[which]
            for way, source, target in zip(made["blind"], ("ko", "en"), ("en", "ko"), strict=True)
            for which, name in (("diagonal", EN.diagonal), ("chance", EN.chance))
        }
        one, other = made["models"][:2]
        assert [line["mode"] for line in heads] == ["markers"] * count
        rates = [100 * rate for row in one[rows] for rate in row]
        assert drawn[0]["y"] == pytest.approx(rates)
        assert [rate for rate in drawn[1]["y"] if rate is not None] == pytest.approx(
            [100 * other[rows][0][0]]
        )


def test_who_does_not_look_has_no_direction_where_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (made,) = studies.kept("alignment")
    told = made | {"models": made["models"][:1], "blind": made["blind"][:1]}
    (tmp_path / "alignment.json").write_text(json.dumps(told), "utf-8")
    monkeypatch.setattr(studies, "FOLDER", tmp_path)
    drawn = traces(opened(study="alignment"))
    assert [line["name"] for line in drawn][1:] == [EN.diagonal, EN.chance]


def test_a_rate_of_few_of_the_sentences_says_of_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (made,) = studies.kept("alignment")
    every, few = made["models"][0], made["models"][0] | {"model": "few", "pairs": 7}
    blind = [made["blind"][0], made["blind"][0] | {"pairs": 7}]
    told = made | {"models": [every, few], "blind": blind}
    (tmp_path / "alignment.json").write_text(json.dumps(told), "utf-8")
    monkeypatch.setattr(studies, "FOLDER", tmp_path)
    names = [line["name"] for line in traces(opened(study="alignment"))]
    some = [EN.some.format(name=name, pairs="7", all="1,000") for name in (EN.diagonal, EN.chance)]
    assert names == [
        every["model"],
        EN.some.format(name="few", pairs="7", all="1,000"),
        *(EN.diagonal, EN.chance),
        *some,
    ]


def test_begun_with_a_model_and_from_scratch_are_two_lines_with_their_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = [
        {"pretrained": begun, "count": count, "seed": seed, "right": right}
        for count, rights in ((50, (0.6, 0.7, 0.5, 0.5)), (1000, (0.9, 0.9, 0.8, 0.7)))
        for (begun, seed), right in zip(
            [(True, 0), (True, 1), (False, 0), (False, 1)], rights, strict=True
        )
    ]
    (tmp_path / "transfer.json").write_text(json.dumps({"most": 0.4, "scores": scores}), "utf-8")
    monkeypatch.setattr(studies, "FOLDER", tmp_path)
    at = opened(study="transfer")
    begun, scratch, commonest = traces(at)
    assert begun["x"] == ["50", "1,000"]
    assert begun["y"] == pytest.approx([65, 90])
    assert scratch["y"] == pytest.approx([50, 75])
    assert commonest["y"] == [40, 40]
    assert any(plain(EN.band) in one.value for one in at.caption)


def test_a_study_that_is_not_there_is_said() -> None:
    at = opened(study="astrology")
    assert any("study" in one.value for one in at.caption)


def test_a_study_is_measured_here_followed_and_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "limit", lambda: 1)
    name = measured.digest("receptive", ["--sentence=one two"])
    at = opened(study="receptive", source="one two", lang="en")
    assert not any("--sentence" in one.value for one in at.code)  # of what is drawn
    assert at.button(key="measure-start").label == EN.measure_words
    (made,) = studies.kept("receptive")
    monkeypatch.setattr(measured, "kept", lambda asked: made if asked == name else None)
    at = opened(study="receptive", source="one two", lang="en")
    assert at.segmented_control(key="widget.made").value == "here"
    assert any("--sentence=one two" in one.value for one in at.code)
    assert not [one for one in at.button if one.key == "measure-start"]
    monkeypatch.setattr(measured, "kept", lambda asked: None)
    monkeypatch.setattr(measured, "failure", lambda asked: "out of *luck*")
    at = opened(study="receptive", lang="en")
    assert [one.value for one in at.warning] == [plain(EN.failed.format(said="out of *luck*"))]
    assert at.button(key="measure-start").label == EN.measure


def test_none_is_measured_where_no_training_may_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "limit", lambda: 0)
    assert not [one for one in opened(study="gradients").button if one.key == "measure-start"]
    monkeypatch.setattr(runs, "limit", lambda: 1)
    assert not [one for one in opened(study="extrapolation").button if one.key == "measure-start"]


def test_models_that_are_there_are_measured_on_sentences_of_the_grammar(
    monkeypatch: pytest.MonkeyPatch, models_root: Path
) -> None:
    monkeypatch.setattr(runs, "limit", lambda: 1)
    languages = {"source_language": "ko", "target_language": "en"}
    (first, *_) = [one for one in registry.entries() if one.writes]
    told = {name: getattr(first, name) for name in languages}
    for study in ("exposure", "alignment", "bottleneck"):
        at = opened(study=study, lang="en", model=first.model_id)
        there = [one for one in at.button if one.key == "measure-start"]
        assert bool(there) == (set(told.values()) == {"ko", "en"})
        if there:
            assert any(first.model_id in one.value for one in at.caption)
    asked = [f"--model={first.model_id}"]
    name = measured.digest("exposure", asked)
    monkeypatch.setattr(measured, "_weights", lambda folder: "other weights")
    assert measured.digest("exposure", asked) != name


def test_who_cannot_be_asked_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "limit", lambda: 1)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINTS", str(tmp_path))
    pairs = [("a cafe", "카페"), ("a bus", "버스")]
    for name, attention in (("looks", "dot"), ("blind", "none")):
        sizes = {"cell": "gru", "attention": attention, "d_model": 8}
        learnt(tmp_path / name, "seq2seq", sizes, pairs, 1)
    learnt(tmp_path / "speller", "seq2seq", {"cell": "gru", "d_model": 8}, steps=1)
    learnt(tmp_path / "foreteller", "recurrent", {"answers": "next", "d_model": 8}, steps=1)

    def asked(study: str, model: str) -> str:
        """The models that take part; "" where it cannot be measured."""
        at = opened(study=study, lang="en", model=model)
        if not [one for one in at.button if one.key == "measure-start"]:
            return ""
        (said,) = [one.value for one in at.caption if "sentences of the grammar" in one.value]
        return said.partition(", on 300")[0].replace("\\", "")

    assert asked("alignment", "looks") == "looks"
    assert asked("alignment", "blind") == ""
    assert asked("exposure", "blind") == "blind"
    assert asked("exposure", "speller") == ""  # it is for single words
    assert asked("bottleneck", "looks") == "looks, blind"
    for study in ("exposure", "extrapolation", "transfer"):
        assert asked(study, "foreteller") == ""  # it reads English
