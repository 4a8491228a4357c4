"""What is reported, measured and kept between the updates of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.checkpoint.folder import load
from core.training import events
from core.training.loop import Update, check_weights, updates
from core.training.milestones import milestone_steps
from core.training.recipe import TrainingRecipe
from core.training.session import Session
from core.training.state import Position, average_weights, save_state
from core.training.validation import mean_loss, validate


def train(
    session: Session, position: Position, asked: Callable[[], bool]
) -> Iterator[events.Event]:
    """Go on from `position` until the run is over, or until it is asked to stop.

    What a step leaves behind is written before its state is saved: a run that is killed in
    between does the step again, and leaves the same.

    Raises:
        HeadlightError: training_diverged; then nothing of that step is kept.
        OSError: as the disk gives it.
    """
    numbers, group = session.recipe.training, session.group
    milestones = milestone_steps(numbers.steps, numbers.milestones)
    unreported: list[Update] = []
    if position.step == 0 and 0 in milestones:
        yield _milestone(session, 0)
    if is_over(position, numbers):
        return
    assert position.precision is not None
    for update in updates(
        session.recipe,
        session.model,
        session.optimizer,
        session.examples,
        group,
        start=position.step,
        precision=position.precision,
    ):
        step, last = update.step, update.step == numbers.steps
        unreported.append(update)
        position = position.model_copy(update={"step": step})
        stopping = group.any(asked())
        validating = bool(session.valid) and (last or step % numbers.validate_every == 0)
        saving = last or stopping or step % numbers.save_every == 0
        if validating or saving or step in milestones:
            check_weights(session.model, step)
        if last or step % numbers.report_every == 0:
            yield _progress(unreported, numbers.steps)
            unreported.clear()
        if validating:
            # By the leader alone; the others wait for its verdict.
            validated = _validate(session, step) if group.leads else None
            loss = group.led(0.0 if validated is None else mean_loss(validated))
            position = _judged(position, loss)
            if validated is not None:
                yield validated
            if position.lowest is not None and position.waited == 0:
                session.keep(session.folder.best, step)
                yield events.Best(step, position.lowest, str(session.folder.best))
        over = is_over(position, numbers)
        if step in milestones or (over and numbers.milestones):
            yield _milestone(session, step)
        if saving or over:
            _save(session, position)
            yield events.Saved(step)
        if over:
            return
        if stopping:
            yield events.Stopped(step)
            return


def is_over(position: Position, numbers: TrainingRecipe) -> bool:
    """Whether the last step was made, or the validation loss fell no more for too long."""
    return position.step == numbers.steps or 0 < numbers.patience <= position.waited


def settle_weights(session: Session, step: int) -> int:
    """Give the model the weights that the run ends with: the best, a mean, or the last.

    Returns:
        The step that they are of.

    Raises:
        HeadlightError: state_damaged, of one that the mean is of.
    """
    numbers = session.recipe.training
    if numbers.patience:
        best = load(session.folder.best)
        session.model.load_state_dict(best.model.state_dict())
        return best.manifest.step
    if numbers.average > 1:
        average_weights(session.folder.work, session.model, numbers.average, numbers.save_every)
    return step


def _validate(session: Session, step: int) -> events.Validated:
    with session.opened(step) as model:
        return validate(step, model, session.valid)


def _judged(position: Position, loss: float) -> Position:
    better = position.lowest is None or loss < position.lowest
    lowest = loss if better else position.lowest
    waited = 0 if better else position.waited + 1
    return position.model_copy(update={"lowest": lowest, "waited": waited})


def _milestone(session: Session, step: int) -> events.Milestone:
    folder = session.folder.milestone(step)
    session.keep(folder, step)
    return events.Milestone(step, str(folder))


def _save(session: Session, position: Position) -> None:
    if session.group.leads:
        numbers = session.recipe.training
        save_state(
            session.folder.work,
            position,
            session.model,
            session.optimizer,
            keep=numbers.average,
            every=numbers.save_every,
        )


def _progress(made: Sequence[Update], steps: int) -> events.Progress:
    """Mean loss and speed of updates."""
    newest, tokens = made[-1], sum(update.tokens for update in made)
    seconds = max(sum(update.seconds for update in made), 1e-9)
    return events.Progress(
        step=newest.step,
        loss=sum(update.loss for update in made) / tokens,
        tokens_per_second=tokens / seconds,
        learning_rate=newest.learning_rate,
        gradient_norm=newest.gradient_norm,
        seconds_left=(steps - newest.step) * seconds / len(made),
    )
