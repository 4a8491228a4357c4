"""The gaps of a text exported: what each model would write, of one gap or of all."""

import csv
import io
import json
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from matplotlib.text import Text
from starlette.applications import Starlette

from core import registry
from core.errors import HeadlightError
from core.trace import Token
from tests.small import learnt
from tests.viz.asgi import get
from tests.viz.inspector.hostile import TEXTS
from viz.export.gaps import gaps_exported, gaps_file_name
from viz.export.paper.style import paper, width_of
from viz.export.request import FORMATS, MEDIA, Format
from viz.inspector.gaps import Filled, filled
from viz.jobs import services
from viz.server.routes import MIDDLEWARE, ROUTES
from viz.text.browser import inspector_words
from viz.text.tokens import carried

APP = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
SIZES = {"layers": 1, "d_model": 16, "d_ff": 32, "heads": 2}
SOURCE = "tomato"
SPLIT = [("the", 0), ("plant", 1), ("s", 1), ("grow", 2), ("in", 3), ("may", 4)]
FORMS = [form for form in FORMATS if form != "npz"]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> tuple[Filled, ...]:
    root, made = tmp_path_factory.mktemp("gaps"), []
    for objective in ("forward", "masked"):
        learnt(root / objective, "language", {**SIZES, "objective": objective}, steps=60)
        model = registry.load(root / objective, torch.device("cpu"))
        context = model.card.capabilities.gaps
        assert context is not None
        found = model.gaps(SOURCE)
        made.append(filled(objective, objective, context, found, model.vocabulary_tokens))
    return tuple(made)


def test_numbers_are_all_gaps_of_all_models(models: tuple[Filled, ...]) -> None:
    text = gaps_exported(models, {}, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    told = json.loads(gaps_exported(models, {}, "json", language="en"))
    assert told["tokens"] == list(SOURCE)
    for one, own in zip(told["models"], models, strict=True):
        assert (one["model_id"], one["sees"]) == (own.model_id, own.context)
        for gap, shares in enumerate(one["gaps"], start=1):
            here = [
                (row["token"], float(row["probability"]))
                for row in rows
                if row["model"] == own.model_id and row["gap"] == str(gap)
            ]
            assert here == [(share["token"], share["probability"]) for share in shares]
            assert here == [*zip(own.next[gap - 1]["texts"], own.next[gap - 1]["p"], strict=True)]
    assert {row["stands"] for row in rows} == set(SOURCE)


def test_two_candidates_of_a_gap_are_never_one(models: tuple[Filled, ...]) -> None:
    """Though they read the same, as pieces may: by their ids; and what stands there is marked."""
    alike = tuple({**one, "texts": ["a"] * len(one["texts"])} for one in models[0].next)
    unknown = tuple({**one, "chosen": -1} for one in models[1].next)
    given = (replace(models[0], next=alike), replace(models[1], next=unknown))
    text = gaps_exported(given, {}, "csv", language="en").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    told = json.loads(gaps_exported(given, {}, "json", language="en"))
    for one, own in zip(told["models"], given, strict=True):
        for gap, (shares, known) in enumerate(zip(one["gaps"], own.next, strict=True), start=1):
            here = [r for r in rows if (r["model"], r["gap"]) == (own.model_id, str(gap))]
            assert [share["id"] for share in shares] == known["ids"]
            assert [int(row["id"]) for row in here] == known["ids"]
            assert len(set(known["ids"])) == len(here)
            marked = [at == known["chosen"] for at in range(len(here))]
            assert [share["stands_here"] for share in shares] == marked
            assert [row["stands_here"] == "1" for row in here] == marked
            if own is given[0]:
                (stands,) = [share["id"] for share in shares if share["stands_here"]]
                assert stands == own.tokens[gap].id


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_a_figure_is_of_the_gap(models: tuple[Filled, ...], form: Format) -> None:
    body = gaps_exported(models, {"gap": "3"}, form, language="ko")
    assert body.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[form])
    if form == "svg":
        assert "to____ato" in body.decode()  # pieces of one word
        assert gaps_exported(models, {"gap": "4"}, form, language="ko") != body


def test_a_gap_among_words_and_special_tokens_is_drawn_as_the_page_says_it(
    models: tuple[Filled, ...],
) -> None:
    """Words stand apart; a candidate that is special has its name in the reader's language."""
    first = models[0]
    own = [Token(text, text, at, word) for at, (text, word) in enumerate(SPLIT, start=8)]
    specials = ["</s>", *[None] * (len(first.next[1]["texts"]) - 1)]
    told = tuple({**one, "specials": specials} for one in first.next)
    tokens = (first.tokens[0], *own, first.tokens[-1])
    body = gaps_exported(
        (replace(first, tokens=tokens, next=told),), {"gap": "2"}, "svg", language="ko"
    )
    assert "the ____s grow" in body.decode()
    assert f"[{inspector_words('ko')['special_end']}]" in body.decode()


def test_a_long_text_stands_on_the_paper_with_its_gap(models: tuple[Filled, ...]) -> None:
    """What is near the gap, in lines that fit; parts of one letter are that letter."""
    read = [Token(f"w{n}", f"word{n}", 7, n) for n in range(150)]
    read[100:103] = [Token(f"<{n}>", f"냥 {n}/3", 8, 100) for n in (1, 2, 3)]
    tokens = (models[0].tokens[0], *read, models[0].tokens[-1])
    long = replace(models[0], tokens=tokens, next=models[0].next[:1] * len(read))
    body = gaps_exported([long], {"gap": "120"}, "svg", language="en").decode()
    root = ElementTree.fromstring(body)
    width = float(root.get("width", "0").removesuffix("pt"))
    title = [n for n in root.iter() if n.tag.endswith("text") and "600" in n.get("style", "")]
    said = " ".join("".join(node.itertext()) for node in title)
    assert "word118 ____ word120" in said
    assert said.startswith("… word79 ")
    assert "word99 냥 word103" in said
    with paper():
        measured = [Text(text="".join(n.itertext()), fontsize=11, fontweight=600) for n in title]
        figure = Figure(dpi=72)
        for text in measured:
            text.set_figure(figure)
            assert 72 * width_of(text, figure) <= width


def test_a_page_opens_on_the_gap(models: tuple[Filled, ...]) -> None:
    text = gaps_exported(models, {"gap": "3"}, "html", language="en").decode()
    held = json.loads(text.partition('id="held">')[2].partition("</script>")[0])
    assert held["data"]["meta"]["ui"]["selection"] == {"gap": "3"}
    assert [one["model"] for one in held["data"]["meta"]["models"]] == ["forward", "masked"]


def test_what_is_not_there_is_refused_by_name(models: tuple[Filled, ...]) -> None:
    for texts, form, name in (({"gap": "7"}, "svg", "gap"), ({"gap": "x"}, "csv", "gap")):
        with pytest.raises(HeadlightError) as raised:
            gaps_exported(models, texts, form, language="en")  # type: ignore[arg-type]
        assert raised.value.parameters["name"] == name
    with pytest.raises(HeadlightError, match="holds one trace"):
        gaps_exported(models, {}, "npz", language="en")


def odd(model: Filled, *texts: str) -> tuple[Filled, ...]:
    """Of texts in turn: what it reads, foretells, and is called."""

    def some(count: int) -> list[str]:
        return list(islice(cycle(texts), count))

    own = [Token(text, text) for text in some(len(SOURCE))]
    tokens = (model.tokens[0], *own, model.tokens[-1])
    told = tuple(
        {**one, "texts": list(map(carried, some(len(one["texts"]))))} for one in model.next
    )
    return (replace(model, model_id=" ".join(texts), tokens=tokens, next=told),)


@pytest.mark.parametrize("text", TEXTS)
def test_hostile_tokens_are_text(models: tuple[Filled, ...], text: str) -> None:
    for form in ("svg", "html", "csv", "json"):
        body = gaps_exported(odd(models[0], text), {}, form, language="en")
        if form in ("html", "svg"):
            assert b"<script>alert" not in body
            assert b"<img src" not in body
        if form == "json":
            found = json.loads(body)
            assert found["tokens"] == [carried(text)] * len(SOURCE)
            assert found["models"][0]["model_id"] == carried(text)


@pytest.mark.parametrize("first", range(0, len(TEXTS), len(SOURCE)))
def test_hostile_tokens_can_be_printed(models: tuple[Filled, ...], first: int) -> None:
    """As many at once as there are places."""
    own = odd(models[0], *TEXTS[first : first + len(SOURCE)])
    for form in set(FORMS) - {"svg", "html", "csv", "json"}:
        assert gaps_exported(own, {}, form, language="en").startswith((b"\x89PNG", b"%PDF"))


def test_files_are_served_while_they_are_kept(
    models: tuple[Filled, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {(one.id, SOURCE): one for one in models}
    monkeypatch.setattr(services, "_GAPS", kept)
    for form in FORMS:
        reply = get(APP, f"/export/forward.masked/gaps.{form}?gap=2")
        assert reply.status == 200, reply.body
        assert reply.headers["content-type"] == MEDIA[form]
        name = gaps_file_name({"gap": "2"}, form)
        assert name in reply.headers["content-disposition"]
    assert get(APP, "/export/forward.masked/gaps.svg?gap=99").status == 400
    for gone in ("forward.backward", "nothing", "forward.", "forward.forward"):
        assert get(APP, f"/export/{gone}/gaps.svg").status == 404
    assert np.isfinite([share for one in models for told in one.next for share in told["p"]]).all()


def test_what_reads_other_tokens_is_no_comparison(
    models: tuple[Filled, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first, second = models
    other = replace(second, tokens=second.tokens[1:])
    monkeypatch.setattr(services, "_GAPS", {("a", "x"): first, ("b", "y"): other})
    assert services.found_gaps("forward.masked") is None
    assert services.found_gaps("forward") == (first,)
