"""A sentence in the language that a model writes is told, and another model is offered."""

import pytest

from tests.viz.screens.test_branch import app
from viz.jobs.models import Models
from viz.screens.direction import foreign
from viz.text.inspect import TEXT
from viz.text.language import LANGUAGES, Language


@pytest.mark.parametrize(
    ("sentence", "language", "is_foreign"),
    [
        ("I went home", "ko", True),
        ("나는 집에 갔어", "ko", False),
        ("나는 iPhone을 샀어", "ko", False),
        ("iPhone", "ko", False),  # a name, of any language
        ("123 456", "ko", False),
        ("나는 집에 갔어", "en", True),
        ("안녕", "en", True),
        ("I like 김치", "en", False),
        ("I went home", "en", False),
        ("", "en", False),
        ("Ich gehe nach Hause", "de", False),
        ("나는 집에 갔어", "", False),
    ],
)
def test_by_its_letters(sentence: str, language: str, is_foreign: bool) -> None:
    assert foreign(sentence, language) == is_foreign


@pytest.mark.parametrize("page", ["inspect", "step"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_model_that_reads_it_is_offered(fresh: Models, language: Language, page: str) -> None:
    text = TEXT[language]
    here = app(page, lang=language, model="tiny", source="I went home")
    names = {"read": text.languages["ko"], "written": text.languages["en"]}
    said = [caption.value.replace("\\", "") for caption in here.caption]
    assert text.other_language.format(**names) in said
    label = text.other_model.format(model="tiny-spelling")
    next(one for one in here.button if one.label.replace("\\", "") == label).click().run()
    assert here.query_params["model"] in ("tiny-spelling", ["tiny-spelling"])
    assert here.query_params["source"] in ("I went home", ["I went home"])
    here = app(page, lang=language, model="tiny", source="나는 집에 갔어")
    assert label not in [button.label.replace("\\", "") for button in here.button]
