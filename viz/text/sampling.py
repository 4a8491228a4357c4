"""The words for how the tokens are chosen that a model writes: the likeliest, or by chance."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class SamplingText(Table):
    """The switch, its numbers, and another draw."""

    how = Row("How tokens are chosen", "토큰을 고르는 방법")
    greedy = Row("Greedy", "그리디")
    sampled = Row("Sampled", "샘플링")
    drawn = Row("Sampled, seed {seed}", "샘플링, 시드 {seed}")
    another = Row("Another one", "다시 뽑기")
    back = Row("Back to greedy", "그리디로 돌아가기")
    note = Row(
        "Greedy takes the likeliest token at every step: always the same text, and a long one may "
        "go round in circles. Sampling draws each token by its probability: another seed may write "
        "another text (hardly where the model is sure), the same seed writes the same one.",
        "그리디는 단계마다 가장 그럴듯한 토큰을 골라요. 결과가 늘 같고, 글이 길어지면 같은 말을 "
        "되풀이하기도 해요. 샘플링은 토큰을 확률에 따라 뽑아요. 시드가 다르면 다른 글이 나올 수 "
        "있고(모델이 확신하면 거의 같아요), 같으면 같은 글이 나와요.",
    )
    seed = Row("Seed", "시드")
    temperature = Row("Temperature", "온도")
    temperature_help = Row(
        "Logits are divided by it. Below 1 likely tokens become likelier, above 1 unlikely ones "
        "do; at 0 only the likeliest is left.",
        "로짓을 이 값으로 나눠요. 1보다 작으면 그럴듯한 토큰이 더 자주, 1보다 크면 드문 토큰이 더 "
        "자주 나와요. 0이면 가장 그럴듯한 토큰만 남아요.",
    )
    top_p = Row("Top-p", "top-p")
    top_p_help = Row(
        "Drawn from the likeliest tokens that together hold this share of the probability (nucleus "
        "sampling); at 1 from all.",
        "가장 그럴듯한 토큰부터 확률을 더해 이 값이 될 때까지의 토큰에서만 뽑아요"
        "(nucleus sampling). 1이면 모든 토큰에서 뽑아요.",
    )


TEXT: Final = in_languages(SamplingText)
EN, KO = TEXT["en"], TEXT["ko"]
