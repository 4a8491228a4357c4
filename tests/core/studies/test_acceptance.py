"""A model judged by a list, on outputs that are known."""

from core.families.transformer import TransformerModel
from core.studies.acceptance import Share, judge
from core.text.accepted import Asked

ROWS = (
    Asked("나는 물을 마신다", ("I drink some water.", "I drink water."), "food"),
    Asked("나는 물을 마신다", ("I drink tea.",), "food"),
    Asked("나는 물을 마신다", ("i drink  water",), "again"),
)


def test_what_is_accepted_is_counted_by_kind(tiny_model: TransformerModel) -> None:
    told: list[tuple[int, int]] = []
    found = judge(tiny_model, ROWS, done=lambda *at: told.append(at))
    assert [one.accepted for one in found.judged] == [True, False, True]
    assert {one.output for one in found.judged} == {tiny_model.generate(ROWS[0].source).text}
    assert found.all == Share(2, 3)
    assert list(found.kinds.items()) == [("food", Share(1, 2)), ("again", Share(1, 1))]
    assert [one.asked for one in found.refused] == [ROWS[1]]
    assert told[-1] == (3, 3)


def test_a_beam_is_judged_as_it_writes(tiny_model: TransformerModel) -> None:
    found = judge(tiny_model, ROWS[:1], beam=4)
    assert found.judged[0].output == tiny_model.generate(ROWS[0].source, beam=4).text
