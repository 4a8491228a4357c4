"""Recurrent layers: as torch has them, and as the notes say of them."""

import pytest
import torch
from torch import Tensor, nn

from core.nn.fast.recurrent import carried
from core.nn.recurrent import CELLS, LSTM, RNN, CellName, RecurrentLayer

THEIRS = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}
NAMES = tuple(CELLS)
STEPS, UNITS, WIDTH = 7, 5, 4


def made(name: CellName, seed: int = 0) -> RecurrentLayer:
    torch.manual_seed(seed)
    return CELLS[name](WIDTH, UNITS).double()


def sentence(batch: int = 3, steps: int = STEPS) -> Tensor:
    torch.manual_seed(1)
    return torch.randn(batch, steps, WIDTH, dtype=torch.float64)


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> CellName:
    found: CellName = request.param
    return found


def test_as_torch_has_it(name: CellName) -> None:
    ours, theirs = made(name), THEIRS[name](WIDTH, UNITS, batch_first=True).double()
    state = {
        "weight_ih_l0": ours.from_input.weight.detach().clone(),
        "weight_hh_l0": ours.from_hidden.weight.detach().clone(),
        "bias_ih_l0": ours.from_input.bias.detach().clone(),
        "bias_hh_l0": ours.from_hidden.bias.detach().clone(),
    }
    if name == "gru":  # torch calls 1 - z its update gate
        for part in state.values():
            part[UNITS : 2 * UNITS] *= -1
    theirs.load_state_dict(state)
    x = sentence()
    wanted, last = theirs(x)
    got = ours(x)
    torch.testing.assert_close(got["hidden"], wanted, rtol=0, atol=1e-12)
    if name == "lstm":
        torch.testing.assert_close(got["cell"][:, -1], last[1][0], rtol=0, atol=1e-12)


def test_its_gradient_is_that_of_its_formula(name: CellName) -> None:
    layer = made(name)
    parameters = tuple(layer.parameters())

    def hidden(x: Tensor, *_: Tensor) -> Tensor:
        out: Tensor = layer(x)["hidden"]
        return out

    x = sentence(2, 3).requires_grad_()
    assert torch.autograd.gradcheck(hidden, (x, *parameters))


def test_the_same_weights_serve_every_step(name: CellName) -> None:
    """A sentence of twice the steps needs no parameter more, and is read from where one stood."""
    layer, x = made(name), sentence(steps=2 * STEPS)
    whole = layer(x)
    first = layer(x[:, :STEPS])
    before = {state: first[state][:, -1] for state in layer.CARRIED}
    then = layer(x[:, STEPS:], before)
    for state, values in whole.items():
        torch.testing.assert_close(torch.cat((first[state], then[state]), 1), values)


def test_every_gate_of_every_step_is_there(name: CellName) -> None:
    layer = made(name)
    states = layer(sentence())
    made_of = {f"{gate}_{part}" for gate in layer.GATES for part in "xh"}
    before = {f"before_{state}" for state in layer.CARRIED}
    assert set(states) == {*layer.GATES, *layer.CARRIED, *made_of, *before}
    assert all(values.shape == (3, STEPS, UNITS) for values in states.values())
    for gate in {"input", "forget", "output", "reset", "update"} & states.keys():
        assert bool(((states[gate] > 0) & (states[gate] < 1)).all())


def test_a_step_can_be_followed_on_paper(name: CellName) -> None:
    """Every gate and state of it, from nothing but what is said to have entered it."""
    x = sentence()
    layer = made(name)
    start = {state: torch.rand(3, UNITS, dtype=torch.float64) for state in layer.CARRIED}
    of = layer(x, start)
    close = torch.testing.assert_close
    close(torch.cat([of[f"{gate}_x"] for gate in layer.GATES], -1), layer.from_input(x))
    close(
        torch.cat([of[f"{gate}_h"] for gate in layer.GATES], -1),
        layer.from_hidden(of["before_hidden"]),
    )
    for state in layer.CARRIED:
        close(of[f"before_{state}"][:, 0], start[state])
        close(of[f"before_{state}"][:, 1:], of[state][:, :-1])
    sums = {gate: of[f"{gate}_x"] + of[f"{gate}_h"] for gate in layer.GATES}
    if name == "rnn":
        close(of["hidden"], torch.tanh(sums["hidden"]))
    elif name == "lstm":
        for gate in ("input", "forget", "output"):
            close(of[gate], torch.sigmoid(sums[gate]))
        close(of["candidate"], torch.tanh(sums["candidate"]))
        kept, entered = of["forget"] * of["before_cell"], of["input"] * of["candidate"]
        close(of["cell"], kept + entered)
        close(of["hidden"], of["output"] * torch.tanh(of["cell"]))
    else:
        close(of["reset"], torch.sigmoid(sums["reset"]))
        close(of["update"], torch.sigmoid(sums["update"]))
        close(of["candidate"], torch.tanh(of["candidate_x"] + of["reset"] * of["candidate_h"]))
        kept = (1 - of["update"]) * of["before_hidden"]
        close(of["hidden"], kept + of["update"] * of["candidate"])


@pytest.mark.parametrize("training", [False, True])
def test_the_fast_twin_carries_the_same(name: CellName, training: bool) -> None:
    """Of each row what the layer computes of it alone, without its padding."""
    layer = made(name).train(training)
    x = sentence().requires_grad_()
    lengths = torch.tensor([2, 7, 4])
    before = {state: torch.rand(3, UNITS, dtype=torch.float64) for state in layer.CARRIED}
    slow = [
        layer(x[at : at + 1, :length], {state: rows[at : at + 1] for state, rows in before.items()})
        for at, length in enumerate(lengths.tolist())
    ]
    every, last = carried(layer, x, lengths, before)
    hidden = nn.utils.rnn.pad_sequence([states["hidden"][0] for states in slow], batch_first=True)
    torch.testing.assert_close(every, hidden, rtol=0, atol=1e-12)
    assert set(last) == set(layer.CARRIED)
    for state, values in last.items():
        ends = torch.stack([states[state][0, -1] for states in slow])
        torch.testing.assert_close(values, ends, rtol=0, atol=1e-12)
    ends = torch.stack([states["hidden"][0, -1] for states in slow])
    wanted = torch.autograd.grad(ends.sum(), (x, *layer.parameters()), retain_graph=True)
    got = torch.autograd.grad(last["hidden"].sum(), (x, *layer.parameters()))
    for one, other in zip(got, wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-12)


@pytest.mark.parametrize("here", [None, False])
@pytest.mark.parametrize("lengths", [(2, 7, 4), (7, 7, 7)])
def test_it_learns_in_bf16_on_every_processor(
    name: CellName,
    here: bool | None,
    lengths: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where oneDNN has no kernel for it (`here` is False), as with AVX2 alone."""
    if here is not None:
        monkeypatch.setattr("core.nn.fast.recurrent.works", lambda trial: here)
    layer, x = made(name).float(), sentence().float()

    def gradients(enabled: bool) -> list[Tensor]:
        with torch.autocast("cpu", torch.bfloat16, enabled=enabled):
            every, last = carried(layer, x, torch.tensor(lengths))
        loss = every.float().square().sum() + last["hidden"].float().sum()
        return list(torch.autograd.grad(loss, tuple(layer.parameters())))

    for lowered, exact in zip(gradients(True), gradients(False), strict=True):
        scale = exact.abs().max()
        assert lowered.isfinite().all()
        assert (lowered - exact).abs().max() < 0.05 * scale


def test_an_open_forget_gate_and_a_closed_input_gate_keep_the_cell_for_ever() -> None:
    """f_t = 1 and i_t = 0: c_t is c_0 to the last bit, whatever is read."""
    layer = LSTM(WIDTH, UNITS).double()
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
        layer.from_input.bias[:UNITS] = -1000.0
        layer.from_input.bias[UNITS : 2 * UNITS] = 1000.0
    cell = torch.randn(3, UNITS, dtype=torch.float64)
    before = {"hidden": torch.zeros_like(cell), "cell": cell}
    states = layer(sentence(steps=200), before)
    assert torch.equal(states["cell"][:, -1], cell)
    with torch.no_grad():
        layer.from_input.bias[UNITS : 2 * UNITS] = 0.0  # f_t = 1/2
    faded = layer(sentence(steps=200), before)["cell"][:, -1]
    torch.testing.assert_close(faded, cell * 0.5**200, rtol=1e-9, atol=0)


@pytest.mark.parametrize(("update", "kept"), [(-1000.0, True), (1000.0, False)])
def test_the_update_gate_says_how_much_of_the_candidate_enters(update: float, kept: bool) -> None:
    layer = made("gru")
    with torch.no_grad():
        layer.from_input.bias[UNITS : 2 * UNITS] = update
    hidden = torch.rand(3, UNITS, dtype=torch.float64)
    states = layer(sentence(), {"hidden": hidden})
    wanted = hidden if kept else states["candidate"][:, -1]
    assert torch.equal(states["hidden"][:, -1], wanted)


@pytest.mark.parametrize(("radius", "grows"), [(0.5, False), (1.0, None), (2.0, True)])
def test_a_gradient_through_time_goes_with_the_powers_of_the_weights(
    radius: float, grows: bool | None
) -> None:
    """|d h_t / d h_0| of an RNN near 0, where tanh' is 1: the radius of W_hh to the power t."""
    layer = RNN(WIDTH, UNITS).double()
    turned, _ = torch.linalg.qr(torch.randn(UNITS, UNITS, dtype=torch.float64))
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.zero_()
        layer.from_hidden.weight.copy_(radius * turned)
    start = torch.zeros(1, UNITS, dtype=torch.float64, requires_grad=True)
    hidden = layer(torch.zeros(1, 20, WIDTH, dtype=torch.float64), {"hidden": start})["hidden"]
    (slope,) = torch.autograd.grad(hidden[0, -1, 0], start)
    assert float(slope.norm()) == pytest.approx(radius**20)
    assert grows is None or (float(slope.norm()) > 1) is grows
