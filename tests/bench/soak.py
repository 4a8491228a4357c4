"""A soak: many visitors for a long time, and what becomes of the server's memory.

Most visitors speak the app's own protocol over a WebSocket, as its page does: a page in a browser
takes a fifth of a core and 200 MB itself, and twenty of them would leave two cores nothing to
serve with. Some are pages in a real Chromium, which also type, click, fetch and draw. All of them
look at sentences that nobody looked at before, wander through the pages, and leave: a visitor who
goes is followed by a new one, so that what sessions leave behind would show.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Page, sync_playwright
from rich.box import SIMPLE_HEAD
from rich.table import Table
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from tests.bench.race import Spread
from tests.e2e.browser import find_chromium

ROOT: Final = Path(__file__).parents[2]
MOST_MB: Final = 5.0
"""By which the server may grow for each visitor who is there, from its first quarter on."""
IN_BROWSERS: Final = 2
_PAUSE: Final = (3.0, 9.0)  # seconds that a visitor looks at what there is
_STAY: Final = (60.0, 240.0)  # seconds until a visitor leaves
_PATIENCE: Final = 60.0
_PAGES: Final = (
    *["", "step"] * 4,
    "compare",
    "positions",
    "model",
    "milestones",
    "bertviz",
    "train",
)
_TRACE: Final = re.compile(rb"trace_id\W+([0-9a-f]{64})")
_NUMBERS: Final = count(1)
_WHOLE: Final = ForwardMsg.FINISHED_SUCCESSFULLY  # and not a part of the page, or to be run again


@dataclass(frozen=True, slots=True)
class Sample:
    """The server at one moment: memory in MB, open files, threads."""

    second: float
    megabytes: float
    files: int
    threads: int


@dataclass(slots=True)
class Soaked:
    """What came of it.

    Attributes:
        visitors: that were there at any time.
        minutes: that it took.
        idle_mb: the server's memory before anybody came, its model opened.
        samples: of the server, in their order.
        sessions: that came and went.
        waits: seconds until a page that was asked for was whole.
        troubles: what went wrong, in words.
    """

    visitors: int
    minutes: float
    idle_mb: float = 0.0
    samples: list[Sample] = field(default_factory=list)
    sessions: int = 0
    waits: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def _part(self, start: float, end: float) -> list[Sample]:
        length = 60 * self.minutes
        return [one for one in self.samples if start * length <= one.second <= end * length]

    @property
    def settled_mb(self) -> float:
        """Median over the second quarter; in three minutes looks still fill their store then."""
        return statistics.median(one.megabytes for one in self._part(0.25, 0.5))

    @property
    def end_mb(self) -> float:
        """Median over the last quarter."""
        return statistics.median(one.megabytes for one in self._part(0.75, 1.1))

    @property
    def growth_mb(self) -> float:
        """For each visitor, from the second quarter to the last."""
        return (self.end_mb - self.settled_mb) / self.visitors

    @property
    def met(self) -> bool:
        return self.growth_mb <= MOST_MB and not self.troubles


def soak(visitors: int, minutes: float) -> Soaked:
    """Serve so many visitors for so long.

    Raises:
        RuntimeError: where the system does not tell of a process's memory (not Linux).
    """
    if not Path("/proc/self/statm").exists():
        raise RuntimeError("a soak reads /proc, which only Linux has")
    found = Soaked(visitors, minutes)
    with _server() as (address, pid):
        _warm(address)
        found.idle_mb = _sample(pid, 0.0).megabytes
        ends = time.monotonic() + 60 * minutes
        browsers = min(IN_BROWSERS, visitors)
        pages = threading.Thread(target=_in_browsers, args=(address, browsers, ends, found))
        pages.start()
        asyncio.run(_by_protocol(address, pid, visitors - browsers, ends, found))
        pages.join()
    return found


@contextmanager
def _server() -> Iterator[tuple[str, int]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    server = subprocess.Popen(
        [*command, "--server.port", str(port)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://localhost:{port}", server.pid
    finally:
        server.kill()
        server.wait()


def _warm(address: str) -> None:
    """Waits until it answers, and the first visitor has left."""
    for _ in range(int(_PATIENCE * 4)):
        with suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=5):
            break
        time.sleep(0.25)
    asyncio.run(_first(address))


async def _first(address: str) -> None:
    first = Soaked(1, 0)
    visitor = _Visitor(address, random.Random(0), first)
    await visitor.stay(time.monotonic() + 5)
    if first.troubles:
        raise RuntimeError(first.troubles[0])


def _sample(pid: int, second: float) -> Sample:
    status = Path(f"/proc/{pid}/status").read_text()
    told = {name: int(value) for name, value in re.findall(r"(VmRSS|Threads):\s+(\d+)", status)}
    files = len(os.listdir(f"/proc/{pid}/fd"))
    return Sample(second, told["VmRSS"] / 1024, files, told["Threads"])


# Visitors by the protocol


async def _by_protocol(address: str, pid: int, visitors: int, ends: float, found: Soaked) -> None:
    began = time.monotonic()
    places = [
        asyncio.create_task(_place(address, random.Random(number), ends, found))
        for number in range(visitors)
    ]
    while time.monotonic() < ends:
        found.samples.append(_sample(pid, time.monotonic() - began))
        await asyncio.sleep(min(2.0, max(0.1, ends - time.monotonic())))
    await asyncio.gather(*places)


async def _place(address: str, chance: random.Random, ends: float, found: Soaked) -> None:
    """One visitor after the other."""
    await asyncio.sleep(chance.uniform(0, 10))
    while time.monotonic() < ends:
        leaves = min(ends, time.monotonic() + chance.uniform(*_STAY))
        try:
            await _Visitor(address, chance, found).stay(leaves)
        except (OSError, TimeoutError, EOFError) as error:
            found.troubles.append(f"{type(error).__name__}: {error}")
            await asyncio.sleep(1)


class _Visitor:
    """A session: a page that is open, and what is asked of it."""

    def __init__(self, address: str, chance: random.Random, found: Soaked) -> None:
        self._address = address
        self._chance = chance
        self._found = found
        self._done = asyncio.Event()
        self._trace = ""

    async def stay(self, leaves: float) -> None:
        self._found.sessions += 1
        stream = self._address.replace("http", "ws", 1) + "/_stcore/stream"
        async with connect(
            stream,
            origin=Origin(self._address),
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
            proxy=None,
        ) as wire:
            ears = asyncio.create_task(self._listen(wire))
            looks = asyncio.create_task(self._look_around(wire, leaves))
            try:
                await asyncio.wait({ears, looks}, return_when=asyncio.FIRST_COMPLETED)
                if ears.done():
                    raise EOFError("the server hung up") from ears.exception()
                await looks
            finally:
                ears.cancel()
                looks.cancel()

    async def _look_around(self, wire: ClientConnection, leaves: float) -> None:
        while True:
            await self._look(wire)
            if time.monotonic() >= leaves:
                return
            await asyncio.sleep(self._chance.uniform(*_PAUSE))

    async def _look(self, wire: ClientConnection) -> None:
        """Asks for a page of a new sentence, waits until it is whole, and fetches a head of it."""
        wish = BackMsg()
        query = {"source": sentence(self._chance), "lang": self._chance.choice(("en", "ko"))}
        wish.rerun_script.query_string = urlencode(query)
        wish.rerun_script.page_name = self._chance.choice(_PAGES)
        wish.rerun_script.is_history_navigation = True
        self._done.clear()
        began = time.monotonic()
        await wire.send(wish.SerializeToString())
        async with asyncio.timeout(_PATIENCE):
            await self._done.wait()
        self._found.waits.append(time.monotonic() - began)
        if self._trace:
            await asyncio.to_thread(_fetch, f"{self._address}/trace/{self._trace}/cross/0/0")

    async def _listen(self, wire: ClientConnection) -> None:
        async for message in wire:
            body = message if isinstance(message, bytes) else message.encode()
            told = ForwardMsg.FromString(body)
            kind = told.WhichOneof("type")
            if kind == "delta":
                if told.delta.new_element.WhichOneof("type") == "exception":
                    self._found.troubles.append(told.delta.new_element.exception.message)
                if named := _TRACE.search(body):
                    self._trace = named[1].decode()
            elif kind == "script_finished" and told.script_finished == _WHOLE:
                self._done.set()


def _fetch(address: str) -> None:
    with urllib.request.urlopen(address, timeout=_PATIENCE) as reply:
        reply.read()


_WORDS: Final = (
    *("나는 어제 친구와", "우리는 오늘 아침에", "동생은 주말에", "엄마가 지난주에", "누나는 매일"),
    *("카페에", "시장에", "도서관에", "바다에", "산에"),
    *("갔어", "가고 싶어", "가지 않았어", "갈 거야", "갔었어"),
)


def sentence(chance: random.Random) -> str:
    """One that nobody looked at before: a number in it has not been there."""
    who, where, what = (chance.choice(_WORDS[at : at + 5]) for at in (0, 5, 10))
    return f"{who} {next(_NUMBERS)}번 {where} {what}"


# Visitors in browsers


def _in_browsers(address: str, visitors: int, ends: float, found: Soaked) -> None:
    if not visitors:
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        chance = random.Random(-1)
        pages: list[tuple[Page, float]] = []
        while time.monotonic() < ends:
            now = time.monotonic()
            staying = [(page, leaves) for page, leaves in pages if leaves > now]
            for page, leaves in pages:
                if leaves <= now:
                    page.context.close()
            pages = staying
            try:
                while len(pages) < visitors:
                    found.sessions += 1
                    page = browser.new_context(locale="en-US").new_page()
                    page.goto(f"{address}/?lang=en")
                    pages.append((page, now + chance.uniform(*_STAY)))
                for page, _ in pages:
                    _walk(page, chance, found)
            except BrowserError as error:
                found.troubles.append(str(error).splitlines()[0])
                for page, _ in pages:
                    page.context.close()
                pages = []
            time.sleep(chance.uniform(*_PAUSE) / 2)
        browser.close()


def _walk(page: Page, chance: random.Random, found: Soaked) -> None:
    """A new sentence is typed, and another head and another step are chosen."""
    field_ = page.locator("input[type=text]").first
    text = sentence(chance)
    field_.fill(text)
    began = time.monotonic()
    field_.press("Enter")
    page.wait_for_function(
        "text => new URLSearchParams(location.search).get('source') === text",
        arg=text,
        timeout=1000 * _PATIENCE,
    )
    found.waits.append(time.monotonic() - began)
    heads = page.locator(".hl-head")
    heads.nth(chance.randrange(8)).click(timeout=1000 * _PATIENCE)
    page.keyboard.press("ArrowRight")


def table(found: Soaked) -> Table:
    """For a terminal of 80 columns."""
    shown = Table(
        title=f"soak: {found.visitors} visitors for {found.minutes:g} minutes",
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        show_header=False,
    )
    waits = Spread.of(found.waits)
    late = statistics.quantiles(found.waits, n=20)[-1]
    ends = found.samples[-1]
    quarter = found.samples[len(found.samples) // 4]
    rows = (
        ("memory before anybody came", f"{found.idle_mb:,.0f} MB"),
        ("in the second quarter", f"{found.settled_mb:,.0f} MB"),
        ("in the last quarter", f"{found.end_mb:,.0f} MB"),
        ("most", f"{max(one.megabytes for one in found.samples):,.0f} MB"),
        ("growth a visitor", f"{found.growth_mb:+.1f} MB ({'met' if found.met else 'missed'})"),
        ("sessions, pages", f"{found.sessions:,}, {len(found.waits):,}"),
        ("seconds a page, median, p95", f"{waits.median:.2f}, {late:.2f}"),
        ("open files, threads, then", f"{quarter.files}, {quarter.threads}"),
        ("open files, threads, at the end", f"{ends.files}, {ends.threads}"),
        ("went wrong", str(len(found.troubles))),
    )
    for name, value in rows:
        shown.add_row(name, value)
    for trouble in found.troubles[:5]:
        shown.add_row("", trouble[:60])
    return shown
