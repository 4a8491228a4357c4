"""What README and the pages that it leads to have people run, and where they lead."""

import ast
import csv
import io
import json
import re
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from core import family, settings
from core.families.transformer import TransformerModel
from core.model import TraceRequest
from core.probe import PLACES, Edit, How
from core.studies.neighbours import Near, Neighbours
from core.trace import (
    KINDS,
    STACKS,
    AttentionTrace,
    Token,
    bounds,
    file,
    load_trace,
    npz,
    overruled_as_meta,
)
from core.trace.bounds import SIDES
from core.training.recipe import (
    CorpusRecipe,
    PretrainedRecipe,
    Recipe,
    Schedule,
    TokenizerRecipe,
    TrainingRecipe,
)
from viz.bertviz.views import VIEWS as BERTVIZ_VIEWS
from viz.export.beam import beam_exported
from viz.export.gaps import gaps_exported
from viz.export.neighbours import neighbours_exported
from viz.export.one import Choice, exported
from viz.export.pair import PairChoice, pair_exported
from viz.export.request import Format
from viz.export.states import StatesChoice, states_exported
from viz.export.states_pair import states_pair_exported
from viz.inspector.gaps import Filled
from viz.inspector.options import OPTIONS, Order
from viz.inspector.pack import pack
from viz.screens.positions_state import PICTURES
from viz.screens.studies import STUDIES
from viz.session import address

ROOT = Path(__file__).parents[1]
ADDING = ("fields.own", "fields.one_of", "fields.place")
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


def block(page: str, language: str, has: str) -> str:
    """The one block in a language on a page that has these letters."""
    text = (ROOT / page).read_text("utf-8")
    (found,) = (b for b in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) if has in b)
    return str(found)


def code(page: str, has: str) -> Any:
    """The same of Python, to be run."""
    return compile(block(page, "python", has), page, "exec")


def test_a_trace_file_is_written_as_its_page_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(code("docs/files.md", "savez"), {})
    trace = load_trace("trace.npz")
    assert trace.model_id == "mine"
    assert [token.text for token in trace.source] == ["start", "the", "cat", "end"]
    assert trace.sites["encoder_self"].scores is not None
    assert trace.target == ()


def test_a_head_is_patched_as_the_readme_does(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(code("README.md", "Edit"), names)
    assert capsys.readouterr().out.strip(), "what it writes without the head"
    patched = names["patched"]
    assert isinstance(patched, AttentionTrace)
    assert patched.meta["target_text"] == names["target"]
    assert patched.meta["edits"]


def test_a_family_is_found_as_its_page_has_it_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tomllib.loads(block("docs/training.md", "toml", "entry-points"))
    (points,) = made["project"]["entry-points"].items()
    assert points == (family.GROUP, {"copier": "copier"})
    (module,) = made["tool"]["setuptools"]["py-modules"]
    shutil.copy(ROOT / "tests" / "copier.py", tmp_path / f"{module}.py")
    told = tmp_path / f"{made['project']['name'].replace('-', '_')}-1.dist-info"
    told.mkdir()
    lines = [f"[{points[0]}]", *(f"{name} = {value}" for name, value in points[1].items())]
    (told / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    (told / "METADATA").write_text(f"Name: {made['project']['name']}\nVersion: 1\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    family._brought.cache_clear()
    try:
        assert family.find("copier").name == "copier"
    finally:
        family._brought.cache_clear()


def section(page: str, title: str) -> str:
    """What stands on a page under a heading."""
    text = (ROOT / page).read_text("utf-8")
    (found,) = re.findall(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return str(found)


def rows(text: str) -> list[list[str]]:
    """The cells of its tables, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row, line in zip(cells, lines, strict=True) if not set(line) <= set("|- ")]


def quoted(text: str) -> list[str]:
    """What stands in it as code."""
    return re.findall(r"`([^`]+)`", text)


def own_parameters() -> set[str]:
    """What pages add to an address: the names that they hand to `viz.session.fields`."""
    found: set[str] = set()
    for path in (ROOT / "viz" / "screens").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if not isinstance(node, ast.Call) or called not in ADDING:
                continue
            known = vars(import_module(f"viz.screens.{path.stem}"))
            names = node.args if called == "fields.own" else node.args[:1]
            given = ast.unparse(ast.Tuple([*names], ast.Load()))
            if given != "(name,)":  # of a function that is given it
                found.update(eval(given, known))
    return found


def test_every_parameter_of_an_address_is_in_the_table_of_links() -> None:
    shared, single = section("docs/files.md", "Links").split("What single pages add")
    told = [name for row in rows(shared)[1:] for name in quoted(row[0])]
    assert sorted(told) == sorted((*address._OWN, *OPTIONS))
    own = own_parameters()
    assert len(own) > 30
    told = [name for row in rows(single)[1:] for name in quoted(row[1])]
    assert {*told} == own
    assert len(told) == len({*told}) + 1, "position, of two pages"


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("kind", KINDS),
        ("order", get_args(Order)),
        ("picture", PICTURES),
        ("study", STUDIES),
        ("bertviz", BERTVIZ_VIEWS),
    ],
)
def test_a_choice_of_an_address_is_told_whole(name: str, known: tuple[str, ...]) -> None:
    table = rows(section("docs/files.md", "Links"))
    (row,) = (row for row in table if f"`{name}`" in row[:2])
    assert quoted(row[-2]) == [*known]


def written(model: TransformerModel) -> dict[str, dict[Format, bytes]]:
    """A file of numbers of every kind, by what the tables of columns and keys call it."""
    made = model.trace(TraceRequest("나는 물을 마신다"))
    steps = len(made.source)
    trace = replace(made, states={"encoder": {"hidden": np.zeros((1, steps, 2), np.float32)}})
    packed, both = pack(trace, trace_id="a"), (trace, trace)
    near = Near(Token("a", "a", 7, 0), (7,), (1.0,))
    told = {"ids": (1,), "texts": ("b",), "p": (1.0,), "chosen": 0}
    gaps = Filled("1", "m", "both", trace.source[:3], (told,))
    tree = model.search("나는 물을 마신다", beam=2)
    forms: tuple[Format, Format] = ("csv", "json")
    en: Any = {"language": "en"}
    found: dict[str, dict[Format, bytes]] = {
        view: {form: exported(packed, Choice(view=view), form, **en) for form in forms}
        for view in ("head", "grid", "next")
    }
    for view in ("head", "grid"):
        choice = PairChoice(view=view)
        name = f"{view} of two traces"
        found[name] = {form: pair_exported(both, choice, form, **en) for form in forms}
    found["states"] = {form: states_exported(packed, StatesChoice(), form, **en) for form in forms}
    same = {"same_units": "on"}
    found["states of two traces"] = {
        form: states_pair_exported((packed, packed), same, form, **en) for form in forms
    }
    found["gaps"] = {form: gaps_exported([gaps], {}, form, **en) for form in forms}
    own: Any = {**en, "source": "나는", "model_id": "m"}
    found["a beam search"] = {form: beam_exported(tree, form, **own) for form in forms}
    table = neighbours_exported(Neighbours((near,), {7: (0.0, 0.0)}, 1.0), {7: "a"}, (near.token,))
    return found | {"neighbours": {"csv": table}}


def test_every_column_and_key_of_numbers_is_named(tiny_model: TransformerModel) -> None:
    text = section("docs/files.md", "CSV and JSON")
    tables: dict[Format, str] = dict(zip(("csv", "json"), text.split("JSON is one"), strict=True))
    named = {
        form: {
            re.sub("`", "", row[0]).split(",")[0]: {*quoted(" ".join(row[1:]))}
            for row in rows(table)
        }
        for form, table in tables.items()
    }
    every = named["json"]["every trace"] | named["json"]["head"]
    for name, files in written(tiny_model).items():
        like = {"grid": "head", "grid of two traces": "head of two traces"}.get(name, name)
        head, *_ = csv.reader(io.StringIO(files["csv"].decode("utf-8-sig")))
        columns = named["csv"].get(name, set()) | named["csv"][like] | {"hidden"}
        assert {*head} <= columns, name
        if "json" in files:
            told = json.loads(files["json"])
            keys = named["json"].get(name, set()) | named["json"][like] | every
            assert {*told} <= keys, name
            inner = (told.get(part, {}) for part in ("first", "second"))
            assert all({*one} <= keys | {"values"} for one in inner), name


def test_every_array_of_a_trace_file_is_in_a_table() -> None:
    told = {
        name for row in rows(section("docs/files.md", "The trace file")) for name in quoted(row[0])
    }
    common = {"SIDE": SIDES, "KIND": KINDS, "STACK": tuple(STACKS)}
    for name in file._expected_names():
        names = {name} | {
            name.replace(one, which) for which, every in common.items() for one in every
        }
        if name.endswith("_lengths"):
            names = {"NAME_lengths"}
        assert names & told, name


def test_what_our_files_say_is_in_a_table(tiny_model: TransformerModel) -> None:
    text = section("docs/files.md", "The trace file").split("What our files say")[1]
    told = {name for row in rows(text) for name in quoted(row[0])}
    said = tiny_model.trace(TraceRequest("카페")).meta
    assert {*said, *overruled_as_meta({0: 1}), "foretells", "bias"} <= told


def test_limits_of_a_trace_file_are_told() -> None:
    limits = section("docs/files.md", "The trace file").split("What asks for more")[1]
    for count in (npz._MOST_MEMBERS, bounds.TOKENS, bounds.NAMES, bounds._ALL_HEADS):
        assert f"{count:,} " in limits
    assert f"{npz._LARGEST_TURNED >> 20} MB in weights that lie column by column" in limits


def test_every_part_of_an_edit_is_in_a_table() -> None:
    table = {row[0].strip("`"): row[1] for row in rows(section("docs/files.md", "Edits"))[1:]}
    assert [*table] == [field.name for field in fields(Edit)]
    assert {*quoted(table["place"])} == {*PLACES}
    assert quoted(table["how"]) == [*get_args(How)]


def as_told(value: object) -> str:
    """A default as a table has it."""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value}`" if isinstance(value, str) else f"{value:g}"


def test_every_setting_is_in_a_table() -> None:
    told = {row[0].strip("`") for row in rows(section("docs/serving.md", "Settings"))[1:]}
    assert told == {*settings.KNOWN} - {*settings.OF_TESTS}
    assert {*settings.OF_TESTS} <= {*quoted(section("docs/serving.md", "Settings"))}


def test_every_key_of_a_recipe_is_in_a_table_with_its_default() -> None:
    text = section("docs/training.md", "The keys of a recipe").split("`[model]` has")[0]
    told: dict[str, list[str]] = {}
    for *_, names, default, _ in rows(text):
        keys, each = quoted(names), default.split(", ")
        for at, key in enumerate(keys):
            told.setdefault(key, []).append(each[at] if len(each) > 1 else default)
    for table in (
        Recipe,
        CorpusRecipe,
        TokenizerRecipe,
        PretrainedRecipe,
        Schedule,
        TrainingRecipe,
    ):
        for key, field in table.model_fields.items():
            value = None if field.is_required() else field.default
            if key in ("corpora", "tokenizer", "pretrained", "model", "schedule", "training"):
                continue  # tables of their own
            assert key in told, (table, key)
            if isinstance(value, str | int | float):
                assert as_told(value) in told[key], (table, key)


def test_every_size_of_a_model_is_in_a_table_with_its_families() -> None:
    text = section("docs/training.md", "The keys of a recipe").split("`[model]` has")[1]
    sizes = {key: row[1] for row in rows(text)[1:] for key in quoted(row[0])}
    left_out = {*quoted(text.rpartition("|")[2])}
    known = {name: family.find(name).sizes.model_fields for name in family._MODULES}
    assert sizes.keys() | left_out == {key for of in known.values() for key in of}
    for key in sizes.keys() - {"dropout", "max_length"}:  # of all, or nearly
        for name, of in known.items():
            assert (name in sizes[key]) == (key in of), (name, key)
            if key in of and not of[key].is_required() and of[key].default != ():
                assert as_told(of[key].default) in sizes[key], (name, key)


def anchors(page: Path) -> set[str]:
    """What its headings are called in an address."""
    titles = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def links(page: Path) -> Iterator[str]:
    """What a page leads to in here."""
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" not in link:
            yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_leads_somewhere(page: Path) -> None:
    for link in links(page):
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.is_file(), link
        assert not anchor or anchor in anchors(target), link


def test_the_readme_leads_to_every_page() -> None:
    led = {link for link in links(PAGES[0]) if link.startswith("docs/") and link.endswith(".md")}
    assert led == {page.relative_to(ROOT).as_posix() for page in PAGES[1:]}


def test_every_picture_is_shown() -> None:
    shown = " ".join(page.read_text("utf-8") for page in PAGES)
    assert all(f"{picture.name}" in shown for picture in (ROOT / "docs").glob("*.png"))
