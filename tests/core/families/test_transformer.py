"""The adapter: what it computes is what the model computes, and bad input is named."""

import copy
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace

import numpy as np
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.checkpoint.folder import load
from core.decoding.beam import BeamTree, Fate, Node
from core.decoding.limits import output_limit
from core.errors import HeadlightError
from core.families.transformer import TransformerModel
from core.model import Inspectable, Sampling, TraceRequest
from core.probe import LIFTED_MASK, OF_ATTENTION, Probe
from core.reasons import because
from core.text.readable import MAX_CHARACTERS
from core.text.tokenizer import END_ID, START_ID
from core.trace import KINDS, AttentionTrace

SOURCE = "나는 어제 카페에 갔어"
TARGET = "I went to the cafe yesterday"


def ids(trace: AttentionTrace, axis: str) -> list[int]:
    return [token.id for token in getattr(trace, axis)]


def look_or_code(model: TransformerModel, request: TraceRequest) -> AttentionTrace | str:
    try:
        return model.trace(request)
    except HeadlightError as error:
        return error.code


def largest_difference(one: AttentionTrace, other: AttentionTrace) -> float:
    differences = []
    for kind in KINDS:
        for name in ("weights", "scores"):
            ours, theirs = getattr(one.sites[kind], name), getattr(other.sites[kind], name)
            differences.append(float(np.abs(ours - theirs).max()))
    assert one.logits is not None
    assert other.logits is not None
    return max(*differences, float(np.abs(one.logits - other.logits).max()))


def test_satisfies_the_protocol(tiny_model: TransformerModel) -> None:
    inspectable: Inspectable = tiny_model  # mypy proves it; this line is for mypy
    assert inspectable.card.model_id == "tiny"


def test_the_card_adds_up(tiny_model: TransformerModel) -> None:
    card = tiny_model.card
    model = tiny_model.checkpoint.model
    assert card.total_parameters == sum(tensor.numel() for tensor in model.parameters())
    assert card.kinds["encoder_self"].layers == 2
    assert card.kinds["cross"].layers == card.kinds["decoder_self"].layers == 3
    assert card.parameters["embedding"] == card.vocabulary * 32
    # four projections of 32 x 32 with biases a layer
    assert card.parameters["cross"] == 3 * 4 * (32 * 32 + 32)
    assert card.text.startswith("# tiny")


def test_free_running_reads_what_it_wrote(tiny_model: TransformerModel) -> None:
    trace = tiny_model.trace(TraceRequest(SOURCE))
    written = ids(trace, "written")
    assert ids(trace, "target") == [START_ID, *written[:-1]]
    assert ids(trace, "source")[-1] == END_ID
    assert written == [token.id for token in tiny_model.generate(SOURCE).tokens]
    assert trace.logits is not None
    assert trace.logits.dtype == np.float32
    assert trace.logits.argmax(axis=1).tolist() == written  # each row writes its own argmax
    assert trace.meta["free_running"] is True
    assert trace.meta["finished"] is True
    assert trace.meta["target_text"] == TARGET


def test_teacher_forced_writes_the_target(tiny_model: TransformerModel) -> None:
    trace = tiny_model.trace(TraceRequest(SOURCE, "water the I"))
    forced = tiny_model.checkpoint.tokenizer.encode("water the I")
    assert ids(trace, "written") == [*forced, END_ID]
    assert ids(trace, "target") == [START_ID, *forced]
    assert trace.meta["free_running"] is False
    assert trace.target[0].special
    assert not trace.written[0].special


def test_forcing_its_own_output_changes_nothing(tiny_model: TransformerModel) -> None:
    free = tiny_model.trace(TraceRequest(SOURCE))
    forced = tiny_model.trace(TraceRequest(SOURCE, TARGET))
    # the tokenizer may split a text in another way than the model wrote it
    assert ids(free, "written") == ids(forced, "written")
    assert largest_difference(free, forced) == 0.0


def test_the_log_probability_is_that_of_the_logits(tiny_model: TransformerModel) -> None:
    for beam in (1, 4):
        found = tiny_model.generate(SOURCE, beam=beam)
        trace = tiny_model.trace(TraceRequest(SOURCE, found.text))
        assert trace.logits is not None
        rows = torch.from_numpy(trace.logits).log_softmax(dim=-1)
        total = sum(float(rows[step, token.id]) for step, token in enumerate(found.tokens))
        assert found.log_probability == pytest.approx(total, abs=1e-4)


@settings(max_examples=15, deadline=None)
@given(st.text("나는 어제 카페에 갔어 물집", min_size=1, max_size=15).filter(str.strip), st.data())
def test_scores_are_those_of_the_queries_and_keys(
    tiny_model: TransformerModel, source: str, data: st.DataObject
) -> None:
    """Of every kind: rows of cross-attention ask with the decoder's queries for the source."""
    target = data.draw(st.none() | st.text("I went to thecafwa", min_size=1, max_size=12))
    lifted = target is not None and bool(target.strip()) and data.draw(st.booleans())
    edits = (LIFTED_MASK,) if lifted else ()
    asked = TraceRequest(source, target if target and target.strip() else None, edits)
    for site in tiny_model.trace(asked).sites.values():
        assert site.queries is not None
        assert site.keys is not None
        assert site.scores is not None
        made = site.queries @ site.keys.swapaxes(2, 3) / np.sqrt(site.queries.shape[3])
        np.testing.assert_allclose(made, site.scores, atol=1e-5, rtol=1e-5)


@settings(max_examples=15, deadline=None)
@given(st.text("나는 어제 카페에 갔어 물집", min_size=1, max_size=15).filter(str.strip), st.data())
def test_stepping_is_slicing(
    tiny_model: TransformerModel, source: str, data: st.DataObject
) -> None:
    """Row t of the one causal pass is what cached decoding computes at step t.

    In float64: the law is about the mathematics, and 1e-6 is within float32's rounding.
    """
    model = copy.deepcopy(tiny_model.checkpoint.model).double()
    trace = TransformerModel(replace(tiny_model.checkpoint, model=model)).trace(
        TraceRequest(source)
    )
    step = data.draw(st.integers(0, len(trace.target) - 1))
    with torch.inference_mode():
        state = model.start(torch.tensor([ids(trace, "source")]))
        for position in range(step + 1):
            probe = Probe(OF_ATTENTION)
            read = torch.tensor([[trace.target[position].id]])
            hidden, state = model.decode(read, state, probe)
        probabilities = model.unembed(hidden)[0, -1].softmax(dim=-1).numpy()
    assert trace.logits is not None
    row = torch.from_numpy(trace.logits[step]).softmax(dim=-1).numpy()
    np.testing.assert_allclose(row, probabilities, atol=1e-6, rtol=0)
    for layer in range(3):
        own = probe.found["weights", "decoder_self", layer][0, :, 0].numpy()  # (head, key)
        kept = trace.sites["decoder_self"].weights[layer, :, step, : step + 1]
        np.testing.assert_allclose(kept, own, atol=1e-6, rtol=0)
        cross = probe.found["weights", "cross", layer][0, :, 0].numpy()
        np.testing.assert_allclose(
            trace.sites["cross"].weights[layer, :, step], cross, atol=1e-6, rtol=0
        )


def test_a_prefix_of_the_target_gives_the_same_rows(tiny_model: TransformerModel) -> None:
    whole = tiny_model.trace(TraceRequest(SOURCE, TARGET))
    part = tiny_model.trace(TraceRequest(SOURCE, "I w"))
    rows = 3  # start, "▁", "I" are read by both
    assert ids(whole, "target")[:rows] == ids(part, "target")[:rows]
    for kind in ("decoder_self", "cross"):
        a, b = whole.sites[kind].weights[:, :, :rows], part.sites[kind].weights[:, :, :rows]
        width = rows if kind == "decoder_self" else a.shape[3]
        np.testing.assert_allclose(a[..., :width], b[..., :width], atol=1e-6)


def test_lifting_the_mask_lets_the_decoder_look_ahead(tiny_model: TransformerModel) -> None:
    masked = tiny_model.trace(TraceRequest(SOURCE, TARGET))
    lifted = tiny_model.trace(TraceRequest(SOURCE, TARGET, edits=(LIFTED_MASK,)))
    assert masked.target == lifted.target
    length = len(masked.target)
    assert (masked.sites["decoder_self"].allowed == np.tri(length, dtype=bool)).all()
    assert lifted.sites["decoder_self"].allowed.all()
    above = ~np.tri(length, dtype=bool)
    assert (lifted.sites["decoder_self"].weights[:, :, above] > 0).all()
    np.testing.assert_array_equal(
        masked.sites["encoder_self"].weights, lifted.sites["encoder_self"].weights
    )
    # scores of the first layer are taken before any mask had a say
    before, after = masked.sites["decoder_self"].scores, lifted.sites["decoder_self"].scores
    assert before is not None
    assert after is not None
    np.testing.assert_allclose(before[0], after[0], atol=1e-5)
    assert masked.logits is not None
    assert lifted.logits is not None
    assert np.abs(masked.logits - lifted.logits).max() > 1e-3
    assert lifted.meta["lift_mask"] is True


def test_lifting_the_mask_free_running_keeps_the_tokens(tiny_model: TransformerModel) -> None:
    masked = tiny_model.trace(TraceRequest(SOURCE))
    lifted = tiny_model.trace(TraceRequest(SOURCE, edits=(LIFTED_MASK,)))
    assert masked.written == lifted.written


def test_eight_threads_do_not_mix(tiny_model: TransformerModel) -> None:
    words = ["나는", "물을", "마신다", "어제", "카페에", "갔어", "사람이", "많더라", "비가"]
    texts = [" ".join(words[i : i + 1 + i % 5]) for i in range(len(words))] * 4
    requests = [TraceRequest(text, None if i % 2 else TARGET) for i, text in enumerate(texts)]
    serial = [tiny_model.trace(request) for request in requests]
    with ThreadPoolExecutor(8) as pool:
        parallel = list(pool.map(tiny_model.trace, requests))
        written = list(pool.map(lambda text: tiny_model.generate(text).text, texts))
    for one, other in zip(serial, parallel, strict=True):
        assert one.written == other.written
        assert largest_difference(one, other) == 0.0
    assert written == [tiny_model.generate(text).text for text in texts]


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(), max_size=30))
@example("\ud800")
@example("가\udc00나")
@example("<script>alert(1)</script>")
@example("<s></s><pad>")
@example("مرحبا 👨‍👩‍👧‍👦 ‮abc")
@example("\u200b\u2060")
@example("\x00\x01")
@example("\u3164")
@example("▁▁")
def test_whatever_is_typed_is_traced_or_named(tiny_model: TransformerModel, text: str) -> None:
    codes = ("text_empty", "source_too_long", "target_too_long")
    for request in (TraceRequest(text), TraceRequest("물", text)):
        outcome = look_or_code(tiny_model, request)
        if isinstance(outcome, str):
            assert outcome in codes
        else:
            assert len(outcome.source) > 1
            assert outcome.source[-1].id == END_ID
            assert all(site.weights.size for site in outcome.sites.values())


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000", "\u200b", "\ud800", "\x00", "\ufeff"])
def test_no_text_is_refused_everywhere(tiny_model: TransformerModel, text: str) -> None:
    for call in (
        lambda: tiny_model.trace(TraceRequest(text)),
        lambda: tiny_model.trace(TraceRequest("물", text)),
        lambda: tiny_model.generate(text),
        lambda: tiny_model.familiarity(text),
    ):
        with pytest.raises(HeadlightError) as caught:
            call()
        assert caught.value.code == "text_empty"


def test_a_megabyte_is_refused_before_it_is_read(
    tiny_model: TransformerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("tokenised or computed")

    monkeypatch.setattr(type(tiny_model.checkpoint.tokenizer), "encode", never)
    monkeypatch.setattr(type(tiny_model.checkpoint.model), "forward", never)
    text = "가" * (MAX_CHARACTERS + 1)
    for call in (
        lambda: tiny_model.trace(TraceRequest(text)),
        lambda: tiny_model.trace(TraceRequest("물", text)),
        lambda: tiny_model.generate(text),
        lambda: tiny_model.familiarity(text),
    ):
        with pytest.raises(HeadlightError) as caught:
            call()
        assert caught.value.code == "text_too_large"
        assert caught.value.parameters == {"size": MAX_CHARACTERS + 1, "limit": MAX_CHARACTERS}


def test_too_many_tokens_are_refused_before_a_forward_pass(
    tiny_model: TransformerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = type(tiny_model.checkpoint.model)
    long = "물" * 100
    with monkeypatch.context() as patch:
        patch.setattr(model, "start", None)
        patch.setattr(model, "forward", None)
        for request, code, limit in (
            (TraceRequest(long), "source_too_long", 48),
            (TraceRequest("물", long), "target_too_long", 64),
            (TraceRequest(long, long), "source_too_long", 48),
        ):
            with pytest.raises(HeadlightError) as caught:
                tiny_model.trace(request)
            assert caught.value.code == code
            assert caught.value.parameters["limit"] == limit


def test_the_longest_texts_that_fit_are_traced(tiny_model: TransformerModel) -> None:
    encode = tiny_model.checkpoint.tokenizer.encode
    source = next("물" * n for n in range(60, 0, -1) if len(encode("물" * n)) < 48)
    target = next("I" * n for n in range(80, 0, -1) if len(encode("I" * n)) < 64)
    trace = tiny_model.trace(TraceRequest(source, target))
    assert len(trace.source) == 48
    assert len(trace.target) == 64


def test_a_run_away_output_is_cut_and_says_so(tiny_model: TransformerModel) -> None:
    """Without its end token the model writes on until the limit."""
    checkpoint = load(tiny_model.card.folder, torch.device("cpu"))
    with torch.no_grad():
        checkpoint.model.embedding.weight[END_ID] = -checkpoint.model.embedding.weight[END_ID]
    model = TransformerModel(checkpoint)
    trace = model.trace(TraceRequest("물"))
    if trace.meta["finished"]:
        pytest.fail("the model still ends: choose another damage for this test")
    limit = output_limit(len(trace.source), 64)
    assert len(trace.written) == len(model.generate("물").tokens) == limit
    assert not model.generate("물", beam=3).finished


def test_overflowing_weights_are_named_not_drawn(tiny_model: TransformerModel) -> None:
    checkpoint = load(tiny_model.card.folder, torch.device("cpu"))
    with torch.no_grad():
        checkpoint.model.embedding.weight.mul_(1e38)
    with pytest.raises(HeadlightError) as caught:
        TransformerModel(checkpoint).trace(TraceRequest("물", "I"))
    assert caught.value.code == "checkpoint_invalid"


@pytest.mark.parametrize("beam", [0, -1, 17, 10**9])
def test_a_senseless_beam_is_refused(tiny_model: TransformerModel, beam: int) -> None:
    with pytest.raises(HeadlightError) as caught:
        tiny_model.generate("물", beam=beam)
    assert caught.value.code == "parameter_invalid"


def test_familiarity_tells_known_words_from_new_ones(tiny_model: TransformerModel) -> None:
    words = tiny_model.familiarity("나는 세종 물을")
    assert [word.text for word in words] == ["나는", "세종", "물을"]
    assert [word.known for word in words] == [True, False, True]
    assert words[1].seen == 0


def test_vocabulary_rows_are_tokens(tiny_model: TransformerModel) -> None:
    size = tiny_model.card.vocabulary
    tokens = tiny_model.vocabulary_tokens(list(range(size)))
    assert [token.text for token in tokens[:4]] == ["pad", "unknown", "start", "end"]
    assert [token.id for token in tokens if token.special] == [0, 1, 2, 3]
    assert [token.id for token in tokens] == list(range(size))
    assert all(token.text for token in tokens)
    for bad in (-1, size):
        with pytest.raises(HeadlightError) as caught:
            tiny_model.vocabulary_tokens([bad])
        assert caught.value.code == "parameter_invalid"


def test_characters_work_the_same_way(tiny_spelling_checkpoint: object) -> None:
    from core import registry

    model = registry.load(str(tiny_spelling_checkpoint))
    assert model.generate("tomato").text == "토마토"
    trace = model.trace(TraceRequest("bus"))
    assert [token.text for token in trace.source] == ["b", "u", "s", "end"]
    assert "".join(token.text for token in trace.written[:-1]) == "ㅂㅓㅅㅡ"


def test_a_branch_goes_on_from_its_prefix(tiny_model: TransformerModel) -> None:
    free = ids(tiny_model.trace(TraceRequest(SOURCE)), "written")
    other = next(token for token in range(5, 60) if token not in free)
    prefix = (*free[:2], other)
    branch = tiny_model.trace(TraceRequest(SOURCE, prefix=prefix))
    written = ids(branch, "written")
    assert tuple(written[:3]) == prefix
    assert branch.logits is not None
    assert branch.logits.argmax(axis=1).tolist()[3:] == written[3:]
    assert branch.meta["free_running"] is False
    assert ids(tiny_model.trace(TraceRequest(SOURCE, prefix=tuple(free[:3]))), "written") == free


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_is_drawn_is_read_back_and_says_by_what_chance(
    tiny_model: TransformerModel, seed: int
) -> None:
    sampling = Sampling(seed, 1.5, 0.9)
    drawn = tiny_model.trace(TraceRequest(SOURCE, sampling=sampling))
    written = ids(drawn, "written")
    found = tiny_model.generate(SOURCE, sampling=sampling)
    assert [token.id for token in found.tokens] == written
    assert {name: drawn.meta[name] for name in ("seed", "temperature", "top_p")} == asdict(sampling)
    assert drawn.logits is not None
    rows = torch.from_numpy(drawn.logits).double().log_softmax(-1)
    nats = rows[range(len(written)), written].sum()
    assert float(nats) == pytest.approx(found.log_probability, abs=1e-3)
    branch = tiny_model.trace(TraceRequest(SOURCE, prefix=tuple(written[:2]), sampling=sampling))
    assert ids(branch, "written") == written
    assert "seed" not in tiny_model.trace(TraceRequest(SOURCE)).meta


def test_chance_goes_with_no_target_and_no_beam(tiny_model: TransformerModel) -> None:
    with pytest.raises(HeadlightError) as target:
        tiny_model.trace(TraceRequest(SOURCE, TARGET, sampling=Sampling(1)))
    with pytest.raises(HeadlightError) as beam:
        tiny_model.generate(SOURCE, beam=2, sampling=Sampling(1))
    codes = [error.value.parameters["reason"] for error in (target, beam)]
    assert codes == [because("sampling_target"), because("sampling_beam")]


def test_the_tree_of_a_search_holds_what_it_generates(tiny_model: TransformerModel) -> None:
    tree = tiny_model.search(SOURCE, beam=4)
    best = tiny_model.generate(SOURCE, beam=4)
    path, place = [], tree.ranked[0]
    assert tree.nodes[place].total == pytest.approx(best.log_probability, abs=1e-4)
    while place >= 0:
        path.append(tree.nodes[place].token)
        place = tree.nodes[place].parent
    assert tuple(reversed(path)) == best.tokens
    with pytest.raises(HeadlightError, match="beam"):
        tiny_model.search(SOURCE, beam=17)


def test_a_searchs_tokens_are_called_as_in_what_it_generates(
    tiny_model: TransformerModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a letter in bytes too, whose first byte is one of many letters until the last is there."""
    letters = {"😀": [0xF0, 0x9F, 0x98, 0x80], "😂": [0xF0, 0x9F, 0x98, 0x82]}
    pieces = {token.piece: token.id for token in tiny_model.vocabulary_tokens([*range(300)])}
    first, other = ([pieces[f"<0x{byte:02X}>"] for byte in raw] for raw in letters.values())
    nodes = [*(Node(at - 1, id, -0.1, -0.1 * at) for at, id in enumerate(first))]
    nodes += [Node(2, other[3], -0.2, -0.5), Node(3, END_ID, -0.1, -0.5), Node(1, 9, -9.0, -9.2)]
    fates: tuple[Fate, ...] = ("grew",) * 4 + ("stopped", "ended", "left")
    made = BeamTree(tuple(nodes), fates, (5,))
    monkeypatch.setattr(tiny_model, "tree", lambda *_: made)
    tokens = [node.token for node in tiny_model.search(SOURCE, beam=2).nodes]
    assert [token.text for token in tokens[:5]] == [
        "😀 1/4", "😀 2/4", "😀 3/4", "😀 4/4", "😂 4/4",
    ]  # fmt: skip
    assert tokens[5].special
    assert [token.id for token in tokens] == [node.token for node in nodes]


def test_a_branch_may_leave_a_long_target_as_late_as_that_could_be_forced(
    tiny_model: TransformerModel,
) -> None:
    most = tiny_model.card.max_target
    for length in range(output_limit(2, most), most + 1):
        branch = tiny_model.trace(TraceRequest("물", prefix=(9,) * length))
        assert ids(branch, "written")[:length] == [9] * length
        assert len(branch.written) <= most


def test_a_whole_output_as_prefix_is_left_as_it_is(tiny_model: TransformerModel) -> None:
    branch = tiny_model.trace(TraceRequest(SOURCE, prefix=(9, END_ID)))
    assert ids(branch, "written") == [9, END_ID]
    assert branch.meta["finished"] is True


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (TraceRequest(SOURCE, prefix=(9,) * 65), "target_too_long"),
        (TraceRequest(SOURCE, prefix=(9, 10**6)), "parameter_invalid"),
        (TraceRequest(SOURCE, prefix=(-1,)), "parameter_invalid"),
        (TraceRequest(SOURCE, prefix=(END_ID, 9)), "parameter_invalid"),
        (TraceRequest(SOURCE, TARGET, prefix=(9,)), "parameter_invalid"),
    ],
)
def test_a_prefix_that_it_cannot_write_is_named(
    tiny_model: TransformerModel, request_: TraceRequest, code: str
) -> None:
    assert look_or_code(tiny_model, request_) == code


@pytest.mark.parametrize("beam", [1, 2])
def test_of_many_texts_those_that_cannot_be_read_have_no_output(
    tiny_model: TransformerModel, beam: int
) -> None:
    texts = [SOURCE, "", "\u00ad", " \u200b", "x" * (MAX_CHARACTERS + 1), f"\u00ad{SOURCE}"]
    alone = tiny_model.generate(SOURCE, beam=beam).text
    again = tiny_model.generate(texts[-1], beam=beam).text
    assert tiny_model.generate_all(texts, beam=beam) == [alone, "", "", "", "", again]


@pytest.mark.parametrize("beam", [-1, 0, 17])
def test_a_beam_is_refused_of_many_as_of_one(tiny_model: TransformerModel, beam: int) -> None:
    for ask in (
        lambda: tiny_model.generate(SOURCE, beam=beam),
        lambda: tiny_model.generate_all([SOURCE], beam=beam),
    ):
        with pytest.raises(HeadlightError) as caught:
            ask()
        assert caught.value.code == "parameter_invalid"
