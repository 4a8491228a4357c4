"""The split: what examines never teaches, and no row is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.corpora import Pair
from core.text.split import Part, Shares, assign

# Few letters, so that sources and targets meet each other; case and punctuation, to hide it.
words = st.text(st.sampled_from("가나다Aa .?!🙂"), min_size=1, max_size=4).filter(
    lambda text: bool(text.strip())
)
shares = st.tuples(st.floats(0, 1), st.floats(0, 1)).map(
    lambda two: (two[0] * (1 - two[1]), two[1])
)
tables = st.lists(st.builds(Pair, words, words), max_size=20)
corpora = st.lists(
    st.builds(lambda pairs, parts: Shares(pairs, *parts), tables, shares), min_size=1, max_size=3
)


def folded(text: str) -> str:
    letters = "".join(character for character in text.casefold() if character.isalnum())
    return letters or text.strip()


def of_part(given_corpora: list[Shares], parts: list[list[Part]], wanted: Part) -> list[Pair]:
    return [
        pair
        for corpus, own in zip(given_corpora, parts, strict=True)
        for pair, part in zip(corpus.pairs, own, strict=True)
        if part == wanted
    ]


def sides(pairs: list[Pair]) -> set[tuple[str, str]]:
    return {("source", folded(pair.source)) for pair in pairs} | {
        ("target", folded(pair.target)) for pair in pairs
    }


@given(corpora)
def test_nothing_held_out_stands_in_another_part(given_corpora: list[Shares]) -> None:
    parts = assign(given_corpora)
    train, valid, test = (
        sides(of_part(given_corpora, parts, part)) for part in ("train", "valid", "test")
    )
    assert not train & valid
    assert not train & test
    assert not valid & test


@given(corpora)
def test_nothing_is_left_out_without_a_reason(given_corpora: list[Shares]) -> None:
    parts = assign(given_corpora)
    strict = sides(of_part(given_corpora, parts, "valid")) | sides(
        of_part(given_corpora, parts, "test")
    )
    for corpus, own in zip(given_corpora, parts, strict=True):
        assert len(own) == len(corpus.pairs)
        for at, (pair, part) in enumerate(zip(corpus.pairs, own, strict=True)):
            assert (part == "repeated") == (pair in corpus.pairs[:at])
            if part == "leaked":
                assert sides([pair]) & strict


@given(corpora, tables)
def test_what_is_kept_is_taught_and_nothing_like_it_examines(
    given_corpora: list[Shares], greetings: list[Pair]
) -> None:
    everything = [*given_corpora, Shares(greetings, kept=True)]
    parts = assign(everything)
    assert set(parts[-1]) <= {"train", "repeated"}
    taught = sides(of_part(everything, parts, "train"))
    assert sides(greetings) <= taught
    assert not taught & sides(of_part(everything, parts, "test"))
    assert not taught & sides(of_part(everything, parts, "valid"))


@given(tables, shares)
def test_a_source_is_where_it_is_in_any_order_and_company(
    pairs: list[Pair], given_shares: tuple[float, float]
) -> None:
    def places(order: list[Pair]) -> dict[Pair, Part]:
        parts = assign([Shares(order, *given_shares)])[0]
        return {p: part for p, part in zip(order, parts, strict=True) if part != "repeated"}

    whole = places(pairs)
    assert places(sorted(pairs)) == whole
    assert places(pairs[::-1]) == whole
    for pair, part in whole.items():
        alone = places([pair])[pair]
        assert part in (alone, "leaked")
        if alone == "test":
            assert part == "test"


@given(tables, st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_keeps_what_a_smaller_had(
    pairs: list[Pair], one: float, other: float
) -> None:
    small, large = sorted((one, other))
    held = [
        {
            pair
            for pair, part in zip(pairs, assign([Shares(pairs, 0.0, share)])[0], strict=True)
            if part == "test"
        }
        for share in (small, large)
    ]
    assert held[0] <= held[1]


@pytest.mark.parametrize(("valid", "test"), [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (0.2, 0.1)])
def test_the_shares_are_kept(valid: float, test: float) -> None:
    many = [Pair(f"문장 {i}", f"sentence {i}") for i in range(8000)]
    parts = assign([Shares(many, valid, test)])[0]
    assert parts.count("test") / 8000 == pytest.approx(test, abs=0.02)
    assert parts.count("valid") / 8000 == pytest.approx(valid, abs=0.02)
    assert parts.count("train") / 8000 == pytest.approx(1 - valid - test, abs=0.03)


def test_the_split_of_published_scores_stays() -> None:
    """Model cards were measured on it: these sources are held out, now and ever."""
    sources = [Pair(f"문장 {n}", f"{n}") for n in range(60)]
    parts = assign([Shares(sources, 0.0, 0.08)])[0]
    held = [pair.target for pair, part in zip(sources, parts, strict=True) if part == "test"]
    assert held == ["14", "34", "48", "53"]


@given(st.lists(words, max_size=20, unique_by=folded), shares)
def test_texts_of_one_label_tell_nothing_of_each_other(
    sources: list[str], given_shares: tuple[float, float]
) -> None:
    """Else one text that examines a label would leave out all that teach it."""
    labels = Shares([Pair(text, "label") for text in sources], *given_shares, labelled=True)
    alone = Shares([Pair(text, text) for text in sources], *given_shares)
    (parts,) = assign([labels])
    assert "leaked" not in parts
    assert [parts] == assign([alone])
