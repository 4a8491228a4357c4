"""Recipes are typed and bounded, and what is wrong in one is named."""

from pathlib import Path

import pytest

from core.errors import HeadlightError
from core.training.recipe import difference, load_recipe
from core.training.run import run
from tests.core.training.conftest import WriteRecipe

SHIPPED = sorted((Path(__file__).parents[3] / "checkpoints").glob("*/recipe.toml"))


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ("suprise = 1", "training.suprise"),
        ("clip = -1", "training.clip"),
        ("accumulate = 0", "training.accumulate"),
        ("patience = 2\naverage = 3", "average must be 1"),
        ("[[", "line"),
        ("[unknown]", "unknown"),
    ],
)
def test_a_wrong_recipe_names_the_key(recipe: WriteRecipe, more: str, named: str) -> None:
    with pytest.raises(HeadlightError) as caught:
        load_recipe(recipe(30, more))
    assert caught.value.code == "recipe_invalid"
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('source_language = "ko"', 'source_language = "Korean"', "source_language: 'Korean' is no"),
        ("max_source = 32", 'max_source = 32\nexamples = [""]', "examples.0"),
        ("max_source = 32", f'max_source = 32\nexamples = ["{501 * "a"}"]', "examples.0"),
        ("heads = 2", "heads = 2\npad_id = 3", "pad_id is not 0"),
        ("heads = 2", "heads = 2\nmax_length = 8", "max_length"),
        ("heads = 2", "heads = 2\nnever_written = [1000000]", "never_written"),
    ],
)
def test_what_no_checkpoint_can_say_is_refused_before_training(
    recipe: WriteRecipe, old: str, new: str, named: str
) -> None:
    with pytest.raises(HeadlightError) as caught:
        load_recipe(recipe(old=old, new=new))
    assert caught.value.code == "recipe_invalid"
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_its_vocabulary_refuses_is_a_fault_of_the_recipe(
    recipe: WriteRecipe, tmp_path: Path
) -> None:
    path = recipe(old="heads = 2", new="heads = 2\nnever_written = [500]")
    load_recipe(path)  # a vocabulary may be that large
    with pytest.raises(HeadlightError, match="never_written") as caught:
        list(run(path, tmp_path / "out"))
    assert caught.value.code == "recipe_invalid"


def test_shares_beyond_the_whole_are_refused(recipe: WriteRecipe) -> None:
    with pytest.raises(HeadlightError, match=r"corpora.0.*more than the whole"):
        load_recipe(recipe(old="valid = 0.1", new="valid = 0.95"))


def test_what_is_kept_cannot_be_held_out(recipe: WriteRecipe) -> None:
    with pytest.raises(HeadlightError, match="must be 0"):
        load_recipe(recipe(old="valid = 0.1", new="valid = 0.1\nkept = true"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name)
def test_the_shipped_recipes_are_valid(path: Path) -> None:
    assert load_recipe(path).model_id == path.parent.name


def test_the_first_difference_of_two_recipes_is_named(recipe: WriteRecipe) -> None:
    one, other = load_recipe(recipe(30)), load_recipe(recipe(31))
    assert difference(one, one) is None
    assert difference(one, other) == "training.steps"
    assert (
        difference(one, load_recipe(recipe(30, old="d_ff = 48", new="d_ff = 64"))) == "model.d_ff"
    )
    halved = load_recipe(recipe(30, old="test = 0.1", new="test = 0.05"))
    assert difference(one, halved) == "corpora.0.test"
