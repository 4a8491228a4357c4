"""A run's numbers as TensorBoard logs: an option, with a package that only it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import HeadlightError
from core.training import events

if TYPE_CHECKING:
    from torch.utils.tensorboard import SummaryWriter


@contextmanager
def tensorboard_log(folder: Path) -> Iterator[Callable[[events.Event], None]]:
    """Something to hand each event to; logs are written into `folder`.

    Raises:
        HeadlightError: package_missing.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise HeadlightError(
            "package_missing", feature="--tensorboard", package="tensorboard"
        ) from error
    with SummaryWriter(str(folder)) as writer:
        yield lambda event: _write(writer, event)


def _write(writer: SummaryWriter, event: events.Event) -> None:
    if isinstance(event, events.Progress):
        for measure in ("loss", "tokens_per_second", "learning_rate", "gradient_norm"):
            writer.add_scalar(f"train/{measure}", getattr(event, measure), event.step)
    elif isinstance(event, events.Validated):
        for name, scores in event.scores.items():
            for measure in ("loss", "bleu", "chrf", "exact"):
                value = getattr(scores, measure)
                if value is not None:
                    writer.add_scalar(f"{name}/{measure}", value, event.step)
        for number, sample in enumerate(event.samples, start=1):
            text = f"{sample.source} → {sample.output} ({sample.reference})"
            writer.add_text(f"sample/{number}", text, event.step)
