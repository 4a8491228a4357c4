"""A beam search taken along: its rows, its numbers, and figures of it."""

import csv
import io
import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette

from core.errors import HeadlightError
from core.families.transformer import TransformerModel
from core.outputs import SearchNode, SearchTree
from core.trace import Token
from tests.viz.asgi import get
from tests.viz.export.paper.drawn import ACTIVE, pdf_keys, picture, say_the_same, svg_lines
from tests.viz.inspector.hostile import TEXTS, tabled
from tests.viz.inspector.made import search_tree
from viz.export.beam import beam_exported
from viz.export.paper.style import isolated, legible, shortened
from viz.export.request import MEDIA, Format
from viz.inspector.beam import rows_of
from viz.jobs import services
from viz.jobs.models import Ready
from viz.server.routes import MIDDLEWARE, ROUTES
from viz.text.beam import TEXT
from viz.text.language import Language
from viz.text.tokens import carried, visible

APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)


def exported(form: Format, language: Language = "en", tree: SearchTree | None = None) -> bytes:
    made = tree or search_tree()
    return beam_exported(made, form, language=language, source="나는 물을 마신다", model_id="made")


def node(parent: int, text: str, total: float = -1.0) -> SearchNode:
    return SearchNode(parent, Token(text, text, 5, 0), -0.5, total, total, "left")


@st.composite
def trees(draw: st.DrawFn) -> SearchTree:
    """Any tree whose parents come before their children, with some of its leaves as answers."""
    count = draw(st.integers(1, 25))
    parents = [-1, *(draw(st.integers(-1, at - 1)) for at in range(1, count))]
    totals = draw(st.lists(st.floats(-30, 0), min_size=count, max_size=count))
    leaves = [at for at in range(count) if at not in parents]
    ranked = draw(st.lists(st.sampled_from(leaves), unique=True))
    nodes = (node(parent, "x", total) for parent, total in zip(parents, totals, strict=True))
    return SearchTree(tuple(nodes), tuple(ranked), 2)


@given(trees())
def test_every_node_is_shown_once_and_every_hypothesis_has_its_row(tree: SearchTree) -> None:
    rows = rows_of(tree)
    shown = [place for row in rows for place in row.path[row.start :]]
    assert sorted(shown) == list(range(len(tree.nodes)))
    parents = {node.parent for node in tree.nodes}
    assert {row.path[-1] for row in rows} == set(range(len(tree.nodes))) - parents
    for row in rows:
        assert [tree.nodes[place].parent for place in row.path] == [-1, *row.path[:-1]]
    answers = [row.path[-1] for row in rows if row.rank == 0]
    assert answers == list(tree.ranked[:1])


@given(trees())
def test_what_a_row_shares_stands_above_it_and_the_best_answer_first(tree: SearchTree) -> None:
    rows = rows_of(tree)
    above: set[int] = set()
    for row in rows:
        assert set(row.path[: row.start]) <= above
        above |= set(row.path)
    if tree.ranked:
        assert rows[0].path[-1] == tree.ranked[0]


def test_a_table_has_every_token_that_was_held() -> None:
    tree = search_tree()
    found = list(csv.DictReader(io.StringIO(exported("csv").decode("utf-8-sig"), newline="")))
    assert [float(row["log_probability"]) for row in found] == [node.gain for node in tree.nodes]
    assert [float(row["sum"]) for row in found] == [node.total for node in tree.nodes]
    assert [int(row["parent"] or 0) - 1 for row in found] == [node.parent for node in tree.nodes]
    assert [row["fate"] for row in found] == [node.fate for node in tree.nodes]
    assert {int(row["node"]) - 1: int(row["answer"]) for row in found if row["answer"]} == {
        place: rank + 1 for rank, place in enumerate(tree.ranked)
    }
    parents = [tree.nodes[node.parent] if node.parent >= 0 else None for node in tree.nodes]
    assert [row["reads"] for row in found] == [one.token.text if one else "" for one in parents]
    steps = [int(row["step"]) for row in found]
    for row, step in zip(found, steps, strict=True):
        assert step == (1 if not row["parent"] else steps[int(row["parent"]) - 1] + 1)


def test_a_program_is_told_the_same() -> None:
    told = json.loads(exported("json"))
    assert told["source"] == "나는 물을 마신다"
    assert told["model_id"] == "made"
    assert [node["score"] for node in told["nodes"]] == [n.score for n in search_tree().nodes]
    reads = ["", "", "I", "I", "am", "am", "no", "t", "t"]
    assert [node["reads"] for node in told["nodes"]] == reads


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_figure_has_every_token_and_where_each_hypothesis_ended(language: Language) -> None:
    root = ElementTree.fromstring(exported("svg", language))
    texts = [(text.text or "").strip() for text in root.iter("{http://www.w3.org/2000/svg}text")]
    for token in ("I", "We", "am", "was", "no", "-t", "!"):
        assert token in texts, token
    words = TEXT[language]
    for said in (
        words.beam_left.format(step=3),
        words.beam_answer.format(rank=1, score=_score(7)),
        words.beam_answer.format(rank=2, score=_score(4)),
        words.beam_stopped.format(score=_score(8)),
        words.beam_list.format(beam=2),
    ):
        assert said in texts, said


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_ended_beyond_the_beam_says_so(language: Language) -> None:
    """More hypotheses may end than a search answers with: such have no rank."""
    root = ElementTree.fromstring(exported("svg", language, replace(search_tree(), ranked=(7,))))
    texts = [(text.text or "").strip() for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert TEXT[language].beam_beyond.format(beam=2, score=_score(4)) in texts


def _score(place: int) -> str:
    return f"{search_tree().nodes[place].score:.3f}".replace("-", "−")


def test_equal_searches_are_equal_files() -> None:
    for form in ("svg", "pdf", "png"):
        assert exported(form) == exported(form)


@pytest.mark.parametrize("form", ["svg", "pdf", "png", "csv", "json"])
def test_hostile_tokens_are_only_text(form: Format) -> None:
    nodes = tuple(node(at - 1, text) for at, text in enumerate(TEXTS))
    tree = SearchTree(nodes, (len(nodes) - 1,), 1)
    body = exported(form, tree=tree)
    names = [isolated(shortened(legible(visible(text)))).strip() for text in TEXTS]
    if form == "svg":
        elements = {one.tag.rpartition("}")[2] for one in ElementTree.fromstring(body).iter()}
        assert not elements & {"script", "img", "a", "foreignObject"}
        assert set(names) <= {line.removeprefix("-") for line in svg_lines(body)} | set(
            svg_lines(body)
        )
    elif form == "pdf":
        assert pdf_keys(body).isdisjoint(ACTIVE)
        assert say_the_same(body, exported("svg", tree=tree))
    elif form == "png":
        harmless = tuple(node(at - 1, f"t{at}") for at in range(len(TEXTS)))
        plain = exported(form, tree=SearchTree(harmless, (len(nodes) - 1,), 1))
        assert picture(body).width > picture(plain).width > 300
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(body.decode("utf-8-sig"), newline="")))
        told = [row["token"] for row in rows]
        assert not [name for name in told if name[:1] in "=+-@\t\r" and name]
        bare = [name.removeprefix("'") if name[1:2] in "=+-@\t\r" else name for name in told]
        assert bare == [tabled(carried(text)) for text in TEXTS]
    else:
        assert [node["token"] for node in json.loads(body)["nodes"]] == list(map(carried, TEXTS))


def test_a_tree_of_one_token_and_an_empty_one_are_drawn() -> None:
    one, none = SearchTree((node(-1, "x"),), (0,), 1), SearchTree((), (), 1)
    assert "x" in svg_lines(exported("svg", tree=one))
    assert "x" not in svg_lines(exported("svg", tree=none))
    title = TEXT["en"].beam_list.format(beam=1)
    for tree, nodes in ((one, 1), (none, 0)):
        assert title in svg_lines(exported("svg", tree=tree))
        table = exported("csv", tree=tree).decode("utf-8-sig")
        assert len(list(csv.DictReader(io.StringIO(table, newline="")))) == nodes


@pytest.mark.parametrize("form", ["npz", "html"])
def test_what_holds_one_look_is_refused(form: Format) -> None:
    with pytest.raises(HeadlightError, match="png, svg, pdf"):
        exported(form)


@pytest.mark.parametrize("form", ["png", "svg", "pdf", "csv", "json"])
def test_the_server_makes_the_files_of_a_search(tiny_model: TransformerModel, form: Format) -> None:
    made = services.search(Ready(tiny_model), "나는 물을 마신다", 3)
    reply = get(APP, f"/export/{made.id}/tree.{form}?lang=ko")
    assert reply.status == 200
    assert reply.headers["content-type"] == MEDIA[form]
    assert f"headlight-beam3.{form}" in reply.headers["content-disposition"]
    if form == "json":
        told = json.loads(reply.body)
        assert [n["token"] for n in told["nodes"]] == [n.token.text for n in made.tree.nodes]


@pytest.mark.parametrize("path", ["{id}/tree.npz", "{id}/tree.exe"])
def test_another_ending_is_refused_in_words(tiny_model: TransformerModel, path: str) -> None:
    made = services.search(Ready(tiny_model), "나는 물을 마신다", 3)
    reply = get(APP, "/export/" + path.format(id=made.id))
    assert reply.status == 400
    assert b"png" in reply.body


def test_an_unknown_search_is_not_there() -> None:
    assert get(APP, f"/export/{'0' * 64}/tree.svg").status == 404


def test_no_invisible_letter_is_drawn() -> None:
    tree = SearchTree((node(-1, "a\u202eb"),), (0,), 1)
    root = ElementTree.fromstring(exported("svg", tree=tree))
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert visible("a\u202eb") in texts


def test_a_tree_of_letters_has_no_joints() -> None:
    nodes = tuple(node(at - 1, letter) for at, letter in enumerate("abc"))
    root = ElementTree.fromstring(exported("svg", tree=SearchTree(nodes, (), 1)))
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a", "b", "c"} <= set(texts)
    assert not {"-b", "-c"} & set(texts)


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_a_tree_that_no_paper_has_room_for_is_refused(form: Format) -> None:
    long = SearchTree(tuple(node(at - 1, "한" * 30) for at in range(96)), (95,), 1)
    many = SearchTree(tuple(node(-1, "x") for _ in range(900)), (), 5)
    broad = [node(at - 1 if at else -1, "x" * 18) for at in range(60)]
    broad += [node(at % 60, "y") for at in range(200)]
    for tree in (long, many, SearchTree(tuple(broad), (), 5)):
        with pytest.raises(HeadlightError, match=r"by [0-9,]+ inches; csv and json hold it whole"):
            exported(form, tree=tree)
        assert json.loads(exported("json", tree=tree))["nodes"]
