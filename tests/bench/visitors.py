"""Visitors of the app without browsers: they speak Streamlit's own protocol.

A browser draws with the processor that the server needs: thirty of them on two cores would time
themselves. What a visitor of this kind sends and asks for is what a browser sends and asks for, up
to the last byte of the picture: the change of a field, the run of the page, the weights of the kind
of attention in view. `python -m tests.bench.visitors PORT COUNT SECONDS MODE` prints a `Crowd`.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Final

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

PATIENCE: Final = 60.0
"""Seconds after which an answer is missing."""
PAUSE: Final = 5.0
"""Seconds between two sentences of a visitor."""
_AGAIN: Final = ForwardMsg.FINISHED_EARLY_FOR_RERUN
WHO: Final = ("나는", "너는", "우리는", "친구가", "동생이", "선생님이", "엄마가", "아빠가")
WHEN: Final = ("어제", "오늘", "내일", "아침에", "저녁에", "주말에", "방금", "자주")
WHAT: Final = (
    "카페에 갔어", "책을 읽었어", "밥을 먹었어", "영화를 봤어", "학교에 갔어", "집에서 쉬었어",
    "친구를 만났어", "음악을 들었어", "커피를 마셨어", "숙제를 했어", "사진을 찍었어", "일찍 잤어",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Crowd:
    """What a number of visitors waited for.

    Attributes:
        visitors: how many.
        seconds: from an action to the last byte of what it shows, one an action, sorted.
        errors: what went wrong, in words.
    """

    visitors: int
    seconds: tuple[float, ...]
    errors: tuple[str, ...]

    def quantile(self, share: float) -> float:
        """The wait that `share` of all actions stay within; infinite where nothing was answered."""
        if not self.seconds:
            return float("inf")
        return self.seconds[min(len(self.seconds) - 1, int(share * len(self.seconds)))]


@dataclass(slots=True)
class Visitor:
    """One open page."""

    port: int
    socket: ClientConnection
    page: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    """Ids of the text fields by their labels."""
    trace: str = ""
    """Id of the look that is shown."""
    kind: str = ""
    """Of attention, in view."""

    async def run(self, source: str | None = None) -> None:
        """One run of the page, and what it asks for thereafter.

        Args:
            source: typed into the sentence's field; None has the page run as it is.

        Raises:
            RuntimeError: the page says that something went wrong, or shows another sentence.
        """
        asked = BackMsg()
        asked.rerun_script.query_string = ""
        asked.rerun_script.page_script_hash = self.page
        if source is not None:
            state = asked.rerun_script.widget_states.widgets.add()
            state.id = next(iter(self.fields.values()))
            state.string_value = source
        else:
            asked.rerun_script.widget_states.SetInParent()
        await self.socket.send(asked.SerializeToString())
        shown: dict[str, Any] = {}
        while True:
            said = await asyncio.wait_for(self.socket.recv(), PATIENCE)
            heard = ForwardMsg.FromString(said if isinstance(said, bytes) else said.encode())
            what = heard.WhichOneof("type")
            if what == "new_session":
                self.page = heard.new_session.page_script_hash
            elif what == "delta":
                shown = self._see(heard) or shown
            elif what == "script_finished" and heard.script_finished != _AGAIN:
                break
        before, self.trace = self.trace, shown.get("trace_id", "")
        if source is not None and (not self.trace or self.trace == before):
            raise RuntimeError(f"no look at {source}")
        if self.trace != before:
            selection = shown["ui"]["selection"]
            self.kind = selection.get("kind") or shown["sites"][0]["kind"]
            await self._get(f"/trace/{self.trace}/{self.kind}")

    def _see(self, heard: ForwardMsg) -> dict[str, Any] | None:
        """Notes what a delta shows; the description of a look where it is one."""
        element = heard.delta.new_element
        what = element.WhichOneof("type")
        if what == "exception" or (what == "alert" and element.alert.format == 1):
            raise RuntimeError("the page shows an error")
        if what == "text_input":
            self.fields[element.text_input.label] = element.text_input.id
        if what == "bidi_component":
            data: dict[str, Any] = json.loads(
                element.bidi_component.json or element.bidi_component.mixed.json or "{}"
            )
            meta: dict[str, Any] | None = data.get("meta")
            return meta if meta and "trace_id" in meta else None
        return None

    async def _get(self, path: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost:{self.port}\r\nConnection: close\r\n\r\n"
        writer.write(asked.encode())
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
        if b" 200 " not in answer[:20]:
            raise RuntimeError(f"{path}: {answer[:20]!r}")


async def visit(port: int) -> Visitor:
    """Opens the first page and waits until it shows a look of an opened model."""
    address = f"ws://localhost:{port}/_stcore/stream"
    socket = await connect(address, origin=f"http://localhost:{port}", max_size=None)  # type: ignore[arg-type]
    visitor = Visitor(port, socket)
    await visitor.run()
    return visitor


async def crowd(port: int, count: int, seconds: float, *, typing: bool) -> Crowd:
    """Visitors who act at their own time, every `PAUSE` seconds.

    Args:
        seconds: for how long; each begins at a moment of its own within the first pause.
        typing: each time a new sentence, that nobody looked at; else the page runs as it is.
    """
    visitors = [await visit(port) for _ in range(count)]
    waits: list[float] = []
    errors: list[str] = []
    seed = random.Random(time.time_ns())
    fresh = [f"{who} {when} {what}" for who in WHO for when in WHEN for what in WHAT]
    seed.shuffle(fresh)
    end = time.perf_counter() + seconds

    async def act(visitor: Visitor) -> None:
        await asyncio.sleep(seed.uniform(0, PAUSE))
        while time.perf_counter() < end:
            began = time.perf_counter()
            try:
                await visitor.run(fresh.pop() if typing else None)
            except Exception as error:
                errors.append(f"{type(error).__name__}: {error}")
                return
            waits.append(time.perf_counter() - began)
            await asyncio.sleep(max(0.0, PAUSE - waits[-1]))

    await asyncio.gather(*(act(visitor) for visitor in visitors))
    for visitor in visitors:
        await visitor.socket.close()
    return Crowd(count, tuple(sorted(waits)), tuple(errors))


if __name__ == "__main__":
    _port, _count, _seconds, _mode = sys.argv[1:]
    _found = asyncio.run(crowd(int(_port), int(_count), float(_seconds), typing=_mode == "typing"))
    print(json.dumps({"seconds": _found.seconds, "errors": _found.errors}))
