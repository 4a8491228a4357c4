"""Which pairs a task leaves out, found in parts, is what it leaves out one by one."""

from hypothesis import given
from hypothesis import strategies as st

from core.text.characters import CharacterTokenizer
from core.text.corpora import Pair
from core.text.tasks import Predicting, Task, Translating

TOKENIZER = CharacterTokenizer.train(["abc"])
TASKS: tuple[Task, ...] = (Translating(), Predicting(1), Predicting(0))


@given(st.lists(st.integers(0, 9), max_size=200), st.sampled_from(TASKS))
def test_pairs_that_fit_are_those_that_become_examples(lengths: list[int], task: Task) -> None:
    pairs = [Pair("a" * length, "b" * (at % 8 + 1)) for at, length in enumerate(lengths)]
    one_by_one = tuple(pair for pair in pairs if task.examples(TOKENIZER, [pair], 7, 7))
    assert task.fitting(TOKENIZER, pairs, 7, 7) == one_by_one
    assert len(task.examples(TOKENIZER, pairs, 7, 7)) == len(one_by_one)
