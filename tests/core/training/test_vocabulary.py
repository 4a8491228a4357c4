"""Entries of one vocabulary, spelled by those of another."""

from __future__ import annotations

import numpy as np
import torch

from core.nn.network import begin_with
from core.nn.skipgram import SkipGram, SkipGramConfig
from core.text.characters import CharacterTokenizer
from core.text.pieces import SentencePieceTokenizer
from core.text.tokenizer import END_ID, Tokenizer
from core.training.vocabulary import spellings

TEXTS = ["학교에 갔어요", "학생이 학교에 있어요", "we went to school", "I see a school"] * 3
OTHERS = ["학교에서 놀았어요", "the school is old", "학생들이 갔어요"] * 3


def pieces(texts: list[str], size: int) -> SentencePieceTokenizer:
    return SentencePieceTokenizer.train(texts, size)


def by_piece(own: Tokenizer, theirs: Tokenizer) -> dict[str, list[str]]:
    names = [token.piece for token in theirs.tokens(range(theirs.size))]
    told = zip(own.tokens(range(own.size)), spellings(own, theirs), strict=True)
    return {token.piece: [names[id] for id in ids] for token, ids in told if token.id > END_ID}


def test_the_same_vocabulary_spells_each_entry_by_itself() -> None:
    for tokenizer in (pieces(TEXTS, 310), CharacterTokenizer.train(TEXTS)):
        assert spellings(tokenizer, tokenizer) == [[id] for id in range(tokenizer.size)]


def test_pieces_are_spelled_by_pieces() -> None:
    told = by_piece(pieces(OTHERS, 310), pieces(TEXTS, 310))
    for piece, parts in told.items():
        if not any(part.startswith("<0x") for part in parts):
            assert "".join(parts) == piece
    assert told["<0xEC>"] == ["<0xEC>"]
    assert told["놀"] == ["<0xEB>", "<0x86>", "<0x80>"]  # never seen there


def test_pieces_are_spelled_by_the_jamo_of_a_list_of_characters() -> None:
    told = by_piece(pieces(TEXTS, 310), CharacterTokenizer.train(TEXTS))
    assert told["▁학"] == [" ", "\u1112", "\u1161", "\u11a8"]
    assert told["<0xEC>"] == []  # a byte is no text


def test_a_letter_with_an_accent_is_spelled_by_the_letter() -> None:
    told = by_piece(CharacterTokenizer.train(["é e ø"]), CharacterTokenizer.train(["e"]))
    assert (told["é"], told["e"], told["ø"]) == (["e"], ["e"], [])


def test_characters_are_spelled_by_pieces() -> None:
    told = by_piece(CharacterTokenizer.train(TEXTS), pieces(TEXTS, 310))
    assert told[" "] == ["▁"]
    assert told["s"] == ["s"]


def test_vectors_begin_as_the_mean_of_those_that_spell_them() -> None:
    """What nothing spells begins afresh, and so do counts."""
    there = SkipGram(SkipGramConfig(vocab_size=4, d_model=6))
    there.take_in([1, 1, 3])
    here = SkipGram(SkipGramConfig(vocab_size=3, d_model=6))
    fresh = here.embedding.weight[2].clone()
    begin_with(here, there, [[3], [0, 1], []])
    rows = there.embedding.weight
    wanted = torch.stack([rows[3], (rows[0] + rows[1]) / 2, fresh])
    np.testing.assert_allclose(here.embedding.weight.detach(), wanted.detach(), atol=1e-7)
    assert here.log_counts.tolist() == [0, 0, 0]
