import json

from tests.viz.inspector.made import trace
from viz.inspector.pack import pack
from viz.inspector.payload import Comparison, component_data
from viz.text.inspector import EN
from viz.text.rows import by_name


def test_what_is_sent_is_json_and_small() -> None:
    packed = pack(trace(), trace_id="x")
    selection = {"kind": "cross", "layer": 2}
    data = component_data(
        packed, view="inspect", language="en", text=by_name(EN), selection=selection
    )
    sent = json.dumps(data)
    assert len(sent) < 60_000
    meta = json.loads(sent)["meta"]
    assert meta["ui"]["selection"] == selection
    assert meta["ui"]["text"]["axis_query"] == "query (looks)"
    assert "compare" not in meta
    assert "ui" not in packed.meta


def test_a_comparison_brings_tokens_and_distributions() -> None:
    base, other = pack(trace(lifted=True), trace_id="x"), pack(trace(), trace_id="y")
    data = component_data(
        base,
        view="step",
        language="en",
        text=by_name(EN),
        comparison=Comparison(other, "causal", "causal", "mask lifted"),
    )
    compare = data["meta"]["compare"]
    assert set(data) == {"meta"}
    assert compare["trace_id"] == "y"
    assert compare["next"] == other.meta["next"]
    assert compare["role"] == "causal"
