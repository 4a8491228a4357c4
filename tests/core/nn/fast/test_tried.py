"""Trials of what a machine can do leave nothing behind."""

import torch

from core.nn.fast import recurrent
from core.nn.fast.tried import works


def test_a_trial_changes_nothing_that_is_drawn_after_it() -> None:
    """Else a training that goes on in another process, which tries again, ends otherwise."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        wanted = torch.rand(4)
        for trial in (lambda: torch.rand(3), recurrent._lstm_in_bf16):
            torch.manual_seed(0)
            works.cache_clear()
            works(trial)
            torch.testing.assert_close(torch.rand(4), wanted, rtol=0, atol=0)
