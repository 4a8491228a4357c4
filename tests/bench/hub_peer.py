"""One of those who look at a Hugging Face model: `python -m tests.bench.hub_peer NAME FOLDER TEXT`.

A process of its own for each, which tells what it took as a line of JSON. What nobody else uses is
imported where it is used: what importing takes is part of what people wait for.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

_TRACES: Final = 5
_BEGINNING: Final = "I"  # of the text, which ours is given apart


@dataclass(frozen=True, slots=True)
class Told:
    """What one process took, in seconds of the processor's clock since it began.

    Attributes:
        opened: until its model could be asked, all that it imports included.
        trace: of one pass that keeps the attention of all heads, the median of those after the
            first.
        picture: until a page of all heads was written; the first pass is part of it.
        peak: bytes of memory at most, until then.
        steepness: mean of the largest weight of each row: the same, where the same was done.
        tokens: that were looked at.
    """

    opened: float
    trace: float
    picture: float
    peak: int
    steepness: float
    tokens: int


Looked = tuple[Any, Sequence[str]]
"""Weights of each layer, (1, head, query, key), and the tokens."""


@dataclass(frozen=True, slots=True)
class Peer:
    """Who looks.

    Attributes:
        look: at a text.
        draw: a page of what was seen.
        seen: its weights and tokens.
    """

    look: Callable[[str], Any]
    draw: Callable[[Any], str]
    seen: Callable[[Any], Looked] = lambda looked: looked


def headlight(folder: Path) -> Peer:
    """Ours; scores, queries and keys are kept as well."""
    import torch

    from core import registry
    from core.model import TraceRequest
    from viz.inspector import show

    model = registry.load(folder, torch.device("cpu"))

    def look(text: str) -> Any:
        return model.trace(TraceRequest(_BEGINNING, text.removeprefix(_BEGINNING)))

    def seen(trace: Any) -> Looked:
        (site,) = trace.sites.values()
        return torch.from_numpy(site.weights)[:, None], [token.text for token in trace.target]

    return Peer(look, lambda trace: show(trace).page, seen)


def eager(folder: Path) -> Peer:
    """transformers by itself."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager")
    tokenizer = AutoTokenizer.from_pretrained(folder)

    @torch.inference_mode()
    def look(text: str) -> Looked:
        ids = tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]
        found = model(ids, output_attentions=True, use_cache=False)
        return found.attentions, tokenizer.convert_ids_to_tokens(ids[0])

    return Peer(look, _bertviz)


def transformer_lens(folder: Path) -> Peer:
    """As its own documentation has it since version 3."""
    import torch
    from transformer_lens.model_bridge import TransformerBridge  # type: ignore[import-not-found]

    model = TransformerBridge.boot_transformers(str(folder), device="cpu")

    @torch.inference_mode()
    def look(text: str) -> Looked:
        ids = model.tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]
        _, cache = model.run_with_cache(ids, names_filter=lambda at: at.endswith("hook_pattern"))
        return tuple(cache.values()), model.tokenizer.convert_ids_to_tokens(ids[0])

    return Peer(look, _bertviz)


def nnsight(folder: Path) -> Peer:
    """As its own documentation has it since version 0.8."""
    import torch
    from nnsight import TransformersModel  # type: ignore[import-not-found]

    own = {"task": "text-generation", "attn_implementation": "eager", "dispatch": True}
    model = TransformersModel(str(folder), **own)

    @torch.inference_mode()
    def look(text: str) -> Looked:
        ids = model.tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]
        with model.trace(ids):
            layers = [layer.attn.output[1].save() for layer in model.transformer.h]
            weights = layers.save()  # type: ignore[attr-defined]  # lists have it within
            model.lm_head.output.save()
        return tuple(weights), model.tokenizer.convert_ids_to_tokens(ids[0])

    return Peer(look, _bertviz)


PEERS: Final[dict[str, Callable[[Path], Peer]]] = {
    "transformers, eager": eager,
    "Headlight": headlight,
    "TransformerLens": transformer_lens,
    "nnsight": nnsight,
}


def told(peer: Callable[[Path], Peer], folder: Path, text: str) -> Told:
    """Opens, looks, draws, and looks again."""
    own = peer(folder)
    opened = time.process_time()
    looked = own.look(text)
    page = own.draw(looked)
    picture, peak = time.process_time(), _peak()
    assert "<" in page
    seconds = []
    for _ in range(_TRACES):
        began = time.process_time()
        own.look(text)
        seconds.append(time.process_time() - began)
    weights, tokens = own.seen(looked)
    steep = statistics.fmean(float(layer.max(-1).values.mean()) for layer in weights)
    return Told(opened, statistics.median(seconds), picture, peak, steep, len(tokens))


def _bertviz(looked: Looked) -> str:
    from bertviz import model_view  # type: ignore[import-untyped]

    weights, tokens = looked
    return str(model_view(weights, list(tokens), html_action="return").data)


def _peak() -> int:
    """Bytes of this process at most; what it was forked from does not count."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text("ascii"))
    return int(found[1]) * 1024 if found else 0


if __name__ == "__main__":
    name, place, words = sys.argv[1:]
    print(json.dumps(asdict(told(PEERS[name], Path(place), words))))
