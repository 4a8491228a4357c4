"""Training as a visitor sees it, in a real browser, with a real server and real training."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from core.errors import HeadlightError
from core.reasons import because
from core.training.events import (
    DataRead,
    Failed,
    Milestone,
    Progress,
    Sample,
    Saved,
    Scores,
    Started,
    Stopped,
    Validated,
    append_event,
)
from core.training.folder import RunFolder
from tests.conftest import SENTENCES
from tests.e2e.conftest import arrived, free_port, serving, visiting
from tests.e2e.inspector.page import PAINTED
from tests.e2e.test_app import Wire, translated
from viz.jobs import owners
from viz.text import frame, inspect, train, training
from viz.text.errors import worded

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]
expect.set_options(timeout=60_000)

Visit = Callable[..., Page]
WORDS = training.EN
PAIR = SENTENCES[0]

WHEN = """(root, [source, limit]) => new Promise((done) => {
  const began = performance.now();
  const holds = new Function("panel", `return ${source}`);
  const look = () => {
    const { panel } = root.headlight.state();
    let ok = false;
    try { ok = panel?.ready && holds(panel); } catch { ok = false; }
    if (ok) return done(panel);
    if (performance.now() - began > limit) return done(null);
    return requestAnimationFrame(look);
  };
  look();
})"""


def until(page: Page, holds: str, seconds: int = 60) -> dict[str, Any]:
    """The panel's own account of what it drew, once a predicate over `panel` holds."""
    for _ in range(seconds // 3):  # the view may be another one meanwhile
        panel: dict[str, Any] | None
        panel = page.get_by_test_id("training").evaluate(WHEN, [holds, 3000])
        if panel is not None:
            return panel
    state = page.get_by_test_id("training").evaluate("root => root.headlight.state()")
    if state["panel"] is not None:
        state["panel"]["attention"]["inspector"] = None  # long
    raise AssertionError(f"never: {holds}; {state}")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def environment(app_models: Path, root: Path) -> dict[str, str]:
    return {"HEADLIGHT_CHECKPOINTS": str(app_models), "HEADLIGHT_RUNS": str(root)}


@pytest.fixture(scope="module")
def address(environment: dict[str, str]) -> Iterator[str]:
    with serving(free_port(), **environment) as address:
        yield address


@pytest.fixture
def run(root: Path, tiny_checkpoint: Path) -> Iterator[RunFolder]:
    """A run that was begun from the page, with data, a report and two milestones."""
    folder = RunFolder(root / "made")
    folder.work.mkdir(parents=True)
    folder.recipe.write_text("# a test's own\n")
    (folder.path / owners.LOG).touch()
    folder.held_out.mkdir()
    (folder.held_out / "pairs.valid.tsv").write_text(
        "source\ttarget\n" + "\n".join("\t".join(pair) for pair in SENTENCES[:3]) + "\n"
    )
    append_event(folder.events, Started(0, 100, 4321, 310, 6, "cpu", 1))
    bad = ("line 7: one column",)
    faults = (because("line_at", number=7, fault=because("cells_one")),)
    append_event(folder.events, DataRead("pairs", "p", 9, 1, bad, 0, 0, 0, 5, 2, 1, faults=faults))
    report(folder, 10, 2.0)
    for step in (0, 10):
        milestone(folder, step, tiny_checkpoint)
    yield folder
    shutil.rmtree(folder.path, ignore_errors=True)


@pytest.fixture
def visit(chromium: Browser, address: str, run: RunFolder) -> Iterator[Visit]:
    """As for every page; the run that it may watch outlives it."""
    with visiting(chromium, address) as open_page:
        yield open_page


def report(folder: RunFolder, step: int, loss: float) -> None:
    append_event(folder.events, Progress(step, loss, 1234.0, 1e-3, 1.0, 9.0))


def milestone(folder: RunFolder, step: int, checkpoint: Path) -> None:
    shutil.copytree(checkpoint, folder.milestone(step))
    append_event(folder.events, Milestone(step, str(folder.milestone(step))))


# From the first click to the model in Inspect


def test_one_click_trains_a_model_that_outlives_page_and_server(
    chromium: Browser, root: Path, environment: dict[str, str]
) -> None:
    port = free_port()
    with serving(port, **environment) as address, visiting(chromium, address) as visit:
        page = visit("/train")
        page.get_by_role("button", name=train.EN.start).click()
        panel = until(page, "panel.curves.train > 2 && panel.attention.film.length > 2", 300)
        assert panel["run"] == "numbers"
        assert panel["attention"]["known"], "the right answer of a validation pair is read"
        page.get_by_role("link", name=frame.EN.learn).click()
        arrived(page, "positions")
        page.get_by_role("link", name=frame.EN.train).click()
        until(page, "panel.run === 'numbers'")
        page.reload()
        until(page, f"panel.step >= {panel['step']} && panel.attention.inspector?.ready")
    # The server is gone, the training is not.
    told = root / "numbers" / "events.jsonl"
    before = told.stat().st_size
    with serving(port, **environment) as address, visiting(chromium, address) as visit:
        page = visit("/train?run=numbers")  # by its name: it may have ended meanwhile
        until(page, f"panel.run === 'numbers' && panel.step > {panel['step']}", 120)
        assert told.stat().st_size > before
        stopped = page.get_by_test_id("tr-stop")
        if stopped.is_visible():
            stopped.click()
        until(page, "['stopped', 'finished'].includes(panel.state)", 120)
        if page.get_by_test_id("tr-go_on").is_visible():
            page.get_by_test_id("tr-go_on").click()
        panel = until(page, "panel.state === 'finished'", 600)
        assert panel["step"] == 400
        assert panel["milestones"][0] == 0
        assert panel["milestones"][-1] == 400
        expect(page.get_by_test_id("tr-samples")).to_contain_text("✓")
        page.get_by_test_id("tr-inspect").click()
        sentence = page.get_by_label(inspect.EN.source, exact=True)
        expect(sentence).to_have_value(panel["attention"]["asked"])
        expect(translated(page, panel["attention"]["answer"])).to_be_visible()
        assert "model=numbers" in page.url
    shutil.rmtree(root / "numbers")


# What is drawn of a run


def test_news_are_drawn_without_a_rerun_and_the_focus_stays(
    visit: Visit, run: RunFolder, tiny_checkpoint: Path
) -> None:
    with run.claim():
        page = visit("/train?run=made")
        until(page, "panel.state === 'running' && panel.attention.inspector?.ready")
        field = page.get_by_test_id("tr-sentence")
        expect(field).to_have_value(PAIR[0])
        field.focus()
        field.press("End")
        field.press_sequentially(" too")
        report(run, 20, 1.5)
        scores = {"pairs": Scores(1.25, 50.0, 60.0, 0.5, 2)}
        samples = (Sample(*PAIR, PAIR[1]), Sample(*SENTENCES[1], "<b>no</b>"))
        append_event(run.events, Validated(20, scores, samples))
        milestone(run, 20, tiny_checkpoint)
        panel = until(page, "panel.curves.train === 2 && panel.milestones.length === 3")
        assert panel["curves"]["valid"] == 1
        assert panel["attention"]["chosen"] == 20, "the newest milestone is followed"
        expect(field).to_be_focused()
        expect(field).to_have_value(f"{PAIR[0]} too")
        table = page.get_by_test_id("tr-samples")
        expect(table).to_contain_text("<b>no</b>")
        expect(table.locator(".tr-check")).to_have_count(1)
        expect(page.get_by_test_id("tr-scores")).to_contain_text("50.0")


def test_who_walks_the_heads_while_it_trains_stays_among_them(
    visit: Visit, run: RunFolder, tiny_run: Path
) -> None:
    first, *_, last = (kept.folder for kept in RunFolder(tiny_run).milestones())
    with run.claim():
        page = visit("/train?run=made")
        until(page, "panel.attention.inspector?.status === 'exact'")
        head = page.get_by_test_id("hl-grid").locator('[aria-selected="true"]')
        head.focus()
        page.keyboard.press("ArrowLeft")
        for step, folder in ((20, first), (30, last)):
            seen = head.element_handle()
            milestone(run, step, folder)
            until(page, f"panel.attention.chosen === {step}")
            while seen.evaluate("element => element.isConnected"):
                page.evaluate(PAINTED)  # until it is drawn anew
            expect(head).to_be_focused()
        page.get_by_test_id("hl-kinds").get_by_role("radio", checked=True).focus()
        milestone(run, 40, first)
        until(page, "panel.attention.chosen === 40 && panel.attention.inspector?.ready")
        expect(page.get_by_test_id("hl-kinds").get_by_role("radio", checked=True)).to_be_focused()


def test_what_is_done_with_a_run_by_keys_keeps_the_focus(visit: Visit, run: RunFolder) -> None:
    with run.claim():
        page = visit("/train?run=made")
        until(page, "panel.state === 'running'")
        page.get_by_test_id("tr-stop").focus()
        page.keyboard.press("Enter")
        append_event(run.events, Stopped(10))
    until(page, "panel.state === 'stopped'")
    expect(page.get_by_test_id("tr-go_on")).to_be_focused()
    remove = page.get_by_test_id("tr-remove")
    remove.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("tr-remove_yes")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("tr-remove_yes")).to_be_hidden()
    expect(remove).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # keep it
    expect(remove).to_be_focused()


def test_the_maps_are_those_of_the_milestone(visit: Visit, run: RunFolder, tiny_model: Any) -> None:
    from core.model import TraceRequest

    page = visit("/train?run=made")
    panel = until(page, "panel.attention.inspector?.status === 'exact'")
    assert panel["attention"]["answer"] == PAIR[1]
    selection = panel["attention"]["inspector"]["selection"]
    site = tiny_model.trace(TraceRequest(*PAIR)).sites["cross"]
    expected = site.weights[selection["layer"] - 1, selection["head"] - 1].ravel()
    shown = panel["attention"]["inspector"]["weights"]
    assert max(abs(a - b) for a, b in zip(shown, expected, strict=True)) < 1e-6


def test_a_sentence_of_ones_own_is_looked_at_and_stays(visit: Visit, run: RunFolder) -> None:
    page = visit("/train?run=made")
    until(page, "panel.attention.film.length === 2")
    field = page.get_by_test_id("tr-sentence")
    field.fill("어제 비가 왔어")
    field.press("Enter")
    panel = until(
        page, "panel.attention.answer.includes('rain') && panel.attention.film.length === 2"
    )
    assert not panel["attention"]["known"] or panel["attention"]["asked"] == "어제 비가 왔어"
    page.wait_for_url(re.compile("watched="))
    page.reload()
    until(page, "panel.attention.asked === '어제 비가 왔어'")
    field.fill("a" * 400)
    field.press("Enter")
    expect(page.locator(".tr-waiting")).to_contain_text("tokens long")
    page.wait_for_url(re.compile("watched=aaa"))
    page.get_by_role("link", name=frame.EN.inspect).click()
    expect(page.get_by_test_id("hl-grid")).to_be_attached()
    expect(page.get_by_text(inspect.EN.saved_gone)).to_have_count(0)  # it is no saved look


def test_a_sample_is_looked_at_by_a_click(visit: Visit, run: RunFolder) -> None:
    scores = {"pairs": Scores(1.25, 50.0, 60.0, 0.5, 2)}
    append_event(run.events, Validated(20, scores, (Sample(*SENTENCES[4], "no"),)))
    page = visit("/train?run=made")
    page.get_by_test_id("tr-samples").get_by_role("button").click()
    panel = until(page, "panel.attention.answer === 'I went home'")
    assert panel["attention"]["known"]
    expect(page.get_by_test_id("tr-sentence")).to_have_value(SENTENCES[4][0])


def test_play_as_a_film_opens_that_of_the_run_in_view(visit: Visit, run: RunFolder) -> None:
    """Not of another that Milestones would open with, which no visit to it has changed yet."""
    page = visit("/train?run=made&lang=en")
    until(page, "panel.attention.film.length === 2 && panel.attention.inspector?.ready")
    page.get_by_test_id("tr-film").click()
    arrived(page, "milestones")
    expect(page).to_have_url(re.compile("[?&]film=made(&|$)"))
    expect(page.get_by_test_id("stSelectbox").get_by_role("combobox")).to_have_value("made")


def test_a_report_that_is_sent_behind_play_as_a_film_does_not_undo_it(
    visit: Visit, run: RunFolder
) -> None:
    """The browser, that has not heard of the other page yet, sends the report for this one."""
    page = visit("/train?run=made", alone=True)
    wire = Wire(page)
    until(page, "panel.attention.film.length === 2 && panel.attention.inspector?.ready")
    arrived(page, "train")
    wire.holds = True
    page.get_by_test_id("tr-film").click()
    wire.until_run()
    wire.mutes = True
    page.get_by_test_id("tr-sentence").fill(SENTENCES[1][0])
    page.get_by_test_id("tr-sentence").press("Enter")
    while not wire.muted:
        page.evaluate(PAINTED)
    wire.speak()
    wire.until_run()
    wire.let_go()
    arrived(page, "milestones")
    page.get_by_role("link", name=frame.EN.train).click()
    arrived(page, "train")
    page.go_back()
    arrived(page, "milestones")


def test_nothing_is_drawn_over_the_name_of_a_curve(visit: Visit, run: RunFolder) -> None:
    report(run, 20, 1.5)
    page = visit("/train?run=made")
    until(page, "panel.curves.train === 2 && panel.attention.film.length === 2")
    name = page.get_by_test_id("tr-plot").get_by_text(training.EN.rate_title)
    assert name.evaluate("text => text === text.parentElement.lastElementChild")
    assert name.evaluate("text => getComputedStyle(text).paintOrder.split(' ')[0]") == "stroke"


def test_curves_and_milestones_answer_to_keys(visit: Visit, run: RunFolder) -> None:
    report(run, 20, 1.5)
    report(run, 30, 1.0)
    page = visit("/train?run=made")
    until(page, "panel.curves.train === 3 && panel.attention.film.length === 2")
    plot = page.get_by_test_id("tr-plot")
    plot.focus()
    page.keyboard.press("Home")
    until(page, "panel.curves.cursor === 10")
    assert "2.00" in (plot.get_attribute("aria-valuetext") or "")
    page.keyboard.press("ArrowRight")
    until(page, "panel.curves.cursor === 20")
    rows = page.get_by_test_id("tr-table").locator("tbody tr")
    assert rows.count() == 3
    page.get_by_test_id("tr-frames").get_by_role("radio", checked=True).focus()
    page.keyboard.press("ArrowLeft")
    panel = until(page, "panel.attention.chosen === 0")
    assert not panel["attention"]["following"]
    expect(page.get_by_test_id("tr-frames").get_by_role("radio", checked=True)).to_be_focused()


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("ending", ["stopped", "lost", "unsaved", "failed", "diverged"])
def test_how_it_ended_is_said_with_what_to_do(
    visit: Visit, run: RunFolder, language: str, ending: str
) -> None:
    words = training.TEXT[language]  # type: ignore[index]
    full = HeadlightError("file_unwritable", path="runs/made/work", reason=because("disk_full"))
    diverged = HeadlightError("training_diverged", step=12, what=because("loss"))
    told = {
        "stopped": ((Saved(10), Stopped(10)), words.stopped.format(step=10)),
        "lost": ((Saved(10),), words.lost.format(step=10)),
        "unsaved": ((), words.lost_unsaved),
        "failed": (
            (Failed(12, full.code, {"path": f"{run.path}/work", "reason": because("disk_full")}),),
            worded(full, language),  # type: ignore[arg-type]
        ),
        "diverged": (
            (Failed(12, diverged.code, diverged.parameters),),
            worded(diverged, language),  # type: ignore[arg-type]
        ),
    }
    events, sentence = told[ending]
    for event in events:
        append_event(run.events, event)
    page = visit(f"/train?run=made&lang={language}")
    until(page, "panel.state !== null")
    expect(page.get_by_test_id("tr-said")).to_have_text(sentence)
    assert page.get_by_test_id("tr-go_on").is_visible() == (ending != "diverged")
    assert not page.get_by_test_id("tr-stop").is_visible()


@pytest.mark.parametrize(
    ("language", "said"), [("en", "line 7: one column"), ("ko", "7번째 줄: 열이 하나뿐")]
)
def test_the_rows_that_are_no_pair_are_named(visit: Visit, language: str, said: str) -> None:
    page = visit(f"/train?run=made&lang={language}")
    until(page, "panel.state !== null")
    page.get_by_test_id("tr-data").locator("summary").click()
    expect(page.get_by_test_id("tr-data")).to_contain_text(said)


@pytest.mark.parametrize(("language", "words"), [("en", training.EN), ("ko", training.KO)])
def test_a_run_on_a_single_pair_says_what_it_proves(
    visit: Visit, run: RunFolder, language: str, words: training.TrainingText
) -> None:
    page = visit(f"/train?run=made&lang={language}")
    until(page, "panel.step >= 10")
    expect(page.get_by_test_id("tr-single")).to_be_hidden()
    append_event(run.events, DataRead("pairs", "p", 1, 0, (), 0, 0, 0, 1, 0, 0, single=True))
    expect(page.get_by_test_id("tr-single")).to_have_text(words.single)
    expect(page.get_by_test_id("tr-single")).to_be_visible()


def test_what_is_told_again_is_drawn_once(visit: Visit, run: RunFolder) -> None:
    report(run, 20, 1.5)
    append_event(run.events, Validated(20, {"pairs": Scores(1.0, 2.0, 3.0, 0.5, 2)}, ()))
    append_event(run.events, Started(10, 100, 4321, 310, 6, "cpu", 1))
    page = visit("/train?run=made")
    panel = until(page, "panel.state !== null && panel.curves.train === 1")
    assert panel["curves"]["valid"] == 0
    assert panel["milestones"] == [0, 10]
    report(run, 20, 1.4)
    panel = until(page, "panel.curves.train === 2")
    assert panel["step"] == 20


def test_a_run_is_deleted_after_being_asked_and_only_then(visit: Visit, run: RunFolder) -> None:
    append_event(run.events, Stopped(10))
    page = visit("/train?run=made")
    until(page, "panel.state === 'stopped'")
    page.get_by_test_id("tr-remove").click()
    page.get_by_test_id("tr-remove_no").click()
    page.get_by_test_id("tr-remove").click()
    page.get_by_test_id("tr-remove_yes").click()
    expect(page.get_by_text(train.EN.example_title, exact=True)).to_be_visible()
    assert not run.path.exists()


def test_runs_are_chosen_by_keys(visit: Visit, run: RunFolder, root: Path) -> None:
    page = visit("/train?run=")
    chip = page.get_by_test_id("tr-runs").locator('[data-run="made"]')
    expect(chip).to_be_visible()
    page.get_by_test_id("tr-runs").locator('[data-run=""]').focus()
    page.keyboard.press("ArrowRight")
    expect(chip).to_be_focused()
    page.keyboard.press("Enter")
    until(page, "panel.run === 'made'")
    page.wait_for_url(re.compile("run=made"))


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("path", ["?run=made", "?run="])
def test_a_phone_scrolls_in_one_direction_only(
    visit: Visit, run: RunFolder, path: str, language: str
) -> None:
    query = f"{path}&lang={language}"
    page = visit(f"/train{query}", width=390, height=844, color_scheme="dark")
    if path.endswith("made"):
        until(page, "panel.attention.inspector?.ready")
    else:
        button = train.TEXT[language].start  # type: ignore[index]
        expect(page.get_by_role("button", name=button)).to_be_enabled()
    beyond = page.evaluate(
        """() => {
          const main = document.querySelector('[data-testid=stMain]');
          return main.scrollWidth - main.clientWidth;
        }"""
    )
    assert beyond <= 0


def test_a_run_that_is_gone_leads_back_to_a_new_one(visit: Visit, run: RunFolder) -> None:
    page = visit("/train?run=made")
    until(
        page, "panel.attention.film.length === 2 && panel.attention.inspector?.status === 'exact'"
    )
    shutil.rmtree(run.path)
    expect(page.get_by_text(train.EN.example_title, exact=True)).to_be_visible()


def test_what_was_chosen_is_chosen_in_another_language(visit: Visit) -> None:
    page = visit("/train?run=&lang=en")
    english, korean = train.TEXT["en"], train.TEXT["ko"]
    page.get_by_text(english.what_pairs, exact=True).click()
    reads = page.get_by_role("combobox", name=english.reads)
    reads.click()
    page.get_by_role("option", name=english.languages["ja"]).click()
    expect(reads).to_have_value(english.languages["ja"])
    arrived(page, "train")
    page.get_by_text("한국어", exact=True).first.click()
    reads = page.get_by_role("combobox", name=korean.reads)
    expect(reads).to_have_value(korean.languages["ja"])
    arrived(page, "train")
    page.get_by_role("radio", name=korean.sizes["small"], exact=True).click()
    arrived(page, "train")
    expect(reads).to_have_value(korean.languages["ja"])
