"""Whose run is it? Two browsers from elsewhere: what one started, the other can neither end nor
read, on any page and by any address; a restart of the server changes nothing of that."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

from core.training.ready import digits
from tests.e2e.browser import QUIET
from tests.e2e.conftest import free_port, serving
from tests.e2e.test_train import until
from tests.security.wire import Server
from viz.jobs import owners
from viz.jobs.visitor import COOKIE
from viz.text import frame, train, training
from viz.text.errors import TEXT as ERRORS

pytestmark = pytest.mark.e2e
NAME = "class.test"
"""Leads to this machine; no browser that comes by it is taken for one at the machine itself."""
SECRET = "여덟 밤"
PAIRS = "\n".join(f"{source} | {target} {SECRET}" for source, target in digits(300))
RUN = "my-pairs"
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def environment(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "HEADLIGHT_HOSTS": NAME}


@pytest.fixture(scope="module")
def elsewhere(playwright: Playwright, executable: str) -> Iterator[Browser]:
    """A Chromium to which `NAME` is this machine."""
    rules = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
    browser = playwright.chromium.launch(executable_path=executable, args=[*QUIET, rules])
    yield browser
    browser.close()


@pytest.fixture
def two(elsewhere: Browser) -> Iterator[tuple[BrowserContext, BrowserContext]]:
    """Two browsers that have nothing in common."""
    contexts = [elsewhere.new_context(locale="en-US") for _ in range(2)]
    yield contexts[0], contexts[1]
    for context in contexts:
        context.close()


@contextmanager
def looking(context: BrowserContext, port: int, path: str) -> Iterator[Page]:
    """A page, none of whose requests is refused."""
    refused: list[str] = []
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.on(
        "response", lambda r: refused.append(f"{r.status} {r.url}") if r.status >= 400 else None
    )
    page.goto(f"http://{NAME}:{port}{path}")
    yield page
    page.close()
    assert refused == []


def token_of(context: BrowserContext, port: int) -> str:
    """The cookie of a browser, after a visit."""
    with looking(context, port, "/positions") as page:
        expect(page.locator(".st-key-header")).to_be_visible()
    (cookie,) = (one for one in context.cookies() if one["name"] == COOKIE)
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Strict"
    return cookie["value"]


def forged(page: Page, name: str) -> None:
    """Presses what the page does not offer."""
    page.get_by_test_id(f"tr-{name}").evaluate(
        "button => { button.hidden = false; button.disabled = false; button.click(); }"
    )


def refusal(page: Page) -> None:
    expect(page.get_by_text(ERRORS["en"]["run_foreign"].format(run=RUN))).to_be_visible()


def test_what_one_started_another_neither_ends_nor_reads(
    environment: dict[str, str], runs_root: Path, two: tuple[BrowserContext, BrowserContext]
) -> None:
    mine, theirs = two
    port, folder = free_port(), runs_root / RUN
    with serving(port, **environment):
        with looking(mine, port, "/train") as page, looking(theirs, port, "/positions") as other:
            page.get_by_role("radio", name=train.EN.what_pairs).click()
            field = page.get_by_label(train.EN.pairs_label)
            field.fill(PAIRS)
            field.press("Control+Enter")
            page.get_by_role("button", name=train.EN.start).click()
            panel = until(page, "panel.curves.train > 1 && panel.attention.film.length > 0", 300)
            assert panel["run"] == RUN
            expect(page.get_by_test_id("tr-stop")).to_be_visible()
            expect(page.get_by_test_id("tr-whose")).to_be_hidden()

            other.get_by_role("link", name=frame.EN.train).click()
            until(other, f"panel.run === '{RUN}' && panel.curves.train > 1")
            expect(other.get_by_test_id("tr-whose")).to_have_text(training.EN.whose_texts)
            expect(other.get_by_test_id("tr-stop")).to_be_hidden()
            assert SECRET not in other.locator("body").inner_text()
            for name in ("stop", "inspect", "film"):
                forged(other, name)
                refusal(other)
            state = until(page, f"panel.step > {panel['step']}")["state"]
            assert state == "running", "stopped by somebody else"
            page.get_by_test_id("tr-stop").click()
            until(page, "panel.state === 'stopped'", 120)
            forged(other, "remove_yes")
            refusal(other)
            assert (folder / "recipe.toml").is_file()
        token = token_of(mine, port)
    found = [path for path in folder.rglob("*") if path.is_file()]
    assert folder / owners.OWNER in found
    assert not [path for path in found if token.encode() in path.read_bytes()]
    with serving(port, **environment):  # which knows nothing of the visits before
        with looking(theirs, port, f"/train?run={RUN}") as other:
            until(other, "panel.state === 'stopped'")
            expect(other.get_by_test_id("tr-whose")).to_be_visible()
            expect(other.get_by_test_id("tr-go_on")).to_be_hidden()
            expect(other.get_by_test_id("tr-remove")).to_be_hidden()
        with looking(mine, port, f"/train?run={RUN}") as page:
            until(page, "panel.state === 'stopped'")
            expect(page.get_by_test_id("tr-go_on")).to_be_visible()
            # A look that it still asks for would be of a run that is gone.
            until(page, "panel.attention.film.length === panel.milestones.length", 120)
            page.get_by_test_id("tr-remove").click()
            page.get_by_test_id("tr-remove_yes").click()
            expect(page.get_by_text(train.EN.example_title, exact=True)).to_be_visible()
        assert not folder.exists()


@pytest.fixture
def secret(
    server: Server, runs_root: Path, tiny_run: Path, two: tuple[BrowserContext, BrowserContext]
) -> Iterator[Path]:
    """A finished run "secret" with milestones, that the first of two browsers started."""
    folder = runs_root / "secret"
    shutil.copytree(tiny_run, folder)
    (folder / owners.LOG).touch()
    owner = hashlib.sha256(token_of(two[0], server.port).encode()).hexdigest()
    (folder / owners.OWNER).write_bytes(owners.file_of(owners.Owner(owner, private=True)))
    yield folder
    shutil.rmtree(folder)


def test_no_page_shows_another_the_model_of_somebodys_texts(
    server: Server, secret: Path, two: tuple[BrowserContext, BrowserContext]
) -> None:
    mine, theirs = two
    for context, sees in ((mine, True), (theirs, False)):
        with looking(context, server.port, "/?model=secret") as page:
            chip = page.locator(".st-key-header").get_by_role("button", name="secret")
            expect(chip).to_have_count(int(sees))
            expect(page.get_by_text(frame.EN.refused.format(names="model"))).to_have_count(
                int(not sees)
            )
        with looking(context, server.port, "/milestones?film=secret") as page:
            words = page.get_by_text(ERRORS["en"]["run_foreign"].format(run="secret"))
            expect(page.locator(".st-key-sentence")).to_be_visible()
            expect(words).to_have_count(int(not sees))
    assert token_of(mine, server.port) != token_of(theirs, server.port)


def test_no_address_tells_another_of_somebodys_texts(
    server: Server, secret: Path, two: tuple[BrowserContext, BrowserContext]
) -> None:
    mine, theirs = (f"Cookie: {COOKIE}={token_of(one, server.port)}" for one in two)
    traced, events = "/runs/secret/snapshots/80?source=tomato", "/runs/secret/events"
    named = f"{NAME}:{server.port}"
    assert server.ask(traced, mine, host=named).status == 200
    assert json.loads(server.ask(events, mine, host=named).body)["model"] == "secret"
    for header in (theirs, f"Cookie: {COOKIE}=", f"Cookie: {COOKIE}={'A' * 43}", "X-Nothing: x"):
        assert server.ask(traced, header, host=named).status == 403
        told = json.loads(server.ask(events, header, host=named).body)
        assert (told["model"], told["pairs"], told["command"]) == (None, [], False)
    # At the machine itself all is open; not to what comes through a proxy on it.
    assert server.ask(traced).status == 200
    for passed_on in ("X-Forwarded-For: 10.0.0.1", "Forwarded: for=10.0.0.1", "Via: 1.1 x"):
        assert server.ask(traced, passed_on).status == 403


def test_a_link_of_another_site_takes_nobodys_runs_away(
    server: Server, two: tuple[BrowserContext, BrowserContext]
) -> None:
    """It comes without the cookie, and the answer must bring no other one."""
    token = token_of(two[0], server.port)
    page = two[0].new_page()
    page.goto(f"http://localhost:{server.port}/_stcore/health")
    page.evaluate("to => { location.href = to }", f"http://{NAME}:{server.port}/positions")
    page.wait_for_url(f"http://{NAME}:*/positions*")
    expect(page.locator(".st-key-header")).to_be_visible(timeout=60_000)
    (kept,) = (one for one in two[0].cookies(f"http://{NAME}") if one["name"] == COOKIE)
    assert kept["value"] == token
