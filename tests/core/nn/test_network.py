"""What a network takes from another one."""

import pytest
import torch

from core.nn.language import Language, LanguageConfig, Objective
from core.nn.network import begin_with
from core.nn.transformer import Transformer, TransformerConfig
from core.reasons import RefusedError

SIZES = {
    "vocab_size": 12,
    "d_model": 16,
    "d_ff": 24,
    "heads": 2,
    "encoder_layers": 2,
    "decoder_layers": 1,
    "dropout": 0.0,
}


def network(**sizes: int) -> Transformer:
    return Transformer(TransformerConfig(**{**SIZES, **sizes})).eval()


@torch.no_grad()
def test_a_wider_feed_forward_network_begins_as_the_narrow_one() -> None:
    narrow, wide = network(), network(d_ff=40)
    for parameter in narrow.parameters():
        parameter.add_(0.1 * torch.randn_like(parameter))  # no bias is 0 any more
    begin_with(wide, narrow)
    source, target = torch.randint(4, 12, (3, 7)), torch.randint(4, 12, (3, 5))
    torch.testing.assert_close(wide(source, target), narrow(source, target))
    heard = wide.state_dict()["encoder.0.feed_forward.inner.weight"]
    assert heard[24:].abs().min() > 0, "what is new can learn"


@pytest.mark.parametrize("other", [{"d_ff": 16}, {"d_model": 32, "d_ff": 40}, {"vocab_size": 13}])
def test_what_has_another_shape_otherwise_is_refused(other: dict[str, int]) -> None:
    with pytest.raises(RefusedError) as refused:
        begin_with(network(**other), network())
    assert refused.value.reason.code == "pretrained_shape"


def language(objective: Objective, *labels: str) -> Language:
    sizes = {"vocab_size": 12, "layers": 1, "d_model": 16, "d_ff": 24, "heads": 2}
    return Language(
        LanguageConfig.model_validate(
            {**sizes, "objective": objective, "labels": labels, "positions": "relative"}
        )
    )


@pytest.mark.parametrize("there", ["forward", "backward", "masked"])
@pytest.mark.parametrize("here", ["forward", "backward", "masked"])
@torch.no_grad()
def test_what_was_learned_of_distances_is_taken_where_both_look_the_same_ways(
    there: Objective, here: Objective
) -> None:
    """Buckets of one way are none of both ways."""
    pretrained, begun = language(there), language(here)
    pretrained.relative.bias.normal_()
    begin_with(begun, pretrained)
    alike = (there == "masked") == (here == "masked")
    wanted = pretrained.relative.bias if alike else torch.zeros_like(begun.relative.bias)
    assert torch.equal(begun.relative.bias, wanted)
    assert torch.equal(begun.embedding.weight, pretrained.embedding.weight)


def test_a_head_is_taken_of_the_same_labels_alone() -> None:
    pretrained = language("forward", "good", "bad")
    with pytest.raises(RefusedError, match="labels is good, bad there, and bad, good in"):
        begin_with(language("forward", "bad", "good"), pretrained)
    begun = language("forward", "good", "bad")
    begin_with(begun, pretrained)
    assert begun.head is not None
    assert pretrained.head is not None
    assert torch.equal(begun.head.weight, pretrained.head.weight)
    begin_with(language("forward", "new", "ones"), language("forward"))
    begin_with(language("forward"), pretrained)
