"""The words of the page where one watches a model learn."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class MilestonesText(Table):
    """The run, the sentence, the target that all milestones share, and what can go wrong."""

    run = Row("Training run", "훈련")
    placeholder = Row(
        "Type a sentence, Enter to watch it being learned",
        "문장을 입력하고 Enter를 누르면 배우는 과정을 볼 수 있어요",
    )
    target = Row("Another target", "목표 바꾸기")
    target_label = Row("What all milestones shall write", "모든 중간 모델이 쓰게 할 말")
    target_placeholder = Row("empty: what the last one writes", "비워 두면 마지막 모델이 쓰는 말")
    target_help = Row(
        "Teacher forcing: every milestone reads the same target, whatever it would write by "
        "itself. Only then do their maps have the same rows, so that they can be compared.",
        "교사 강요(teacher forcing): 스스로 쓸 말과 상관없이 모든 중간 모델이 같은 목표를 "
        "읽어요. 그래야 행이 같아져 서로 비교할 수 있어요.",
    )
    shared = Row(
        "All milestones read {target}, which the last one writes, so that maps can be compared.",
        "서로 비교할 수 있도록, 마지막 모델이 쓴 말을 모든 중간 모델이 똑같이 읽어요: {target}",
    )
    shared_cut = Row(
        "All milestones read {target}, the beginning of what the last one writes, so that maps "
        "can be compared.",
        "서로 비교할 수 있도록, 마지막 모델이 쓴 말의 앞부분을 모든 중간 모델이 똑같이 읽어요: "
        "{target}",
    )
    forced = Row(
        "All milestones read {target}, your target, so that maps can be compared.",
        "서로 비교할 수 있도록, 입력한 목표를 모든 중간 모델이 똑같이 읽어요: {target}",
    )
    watching = Row("Milestone {done} of {of}", "중간 모델 {of}개 중 {done}번째")
    stop = Row("Stop", "멈추기")
    go_on = Row("Go on", "이어 하기")
    stopped = Row(
        "Stopped after {done} of {of} milestones.", "중간 모델 {of}개 중 {done}개에서 멈췄어요."
    )
    long_source = Row(
        "This sentence has {length} tokens. A film shows every head at all {milestones} "
        "milestones at once, which the browser holds up to {limit} tokens: shorten it.",
        "이 문장은 토큰 {length}개예요. 중간 모델 {milestones}개의 모든 헤드를 한꺼번에 "
        "브라우저에 담으려면 토큰 {limit}개까지만 돼요. 줄여 주세요.",
    )
    long_target = Row(
        "This target has {length} tokens. A film shows every head at all {milestones} "
        "milestones at once, which the browser holds up to {limit} tokens: shorten it.",
        "이 목표는 토큰 {length}개예요. 중간 모델 {milestones}개의 모든 헤드를 한꺼번에 "
        "브라우저에 담으려면 토큰 {limit}개까지만 돼요. 줄여 주세요.",
    )
    unfilmed = Row(
        "A film shows how the attention of a model that writes has formed, and this model has no "
        "such attention. Inspect shows what it does.",
        "이 화면은 글을 쓰는 모델의 어텐션이 만들어지는 과정을 보여 주는데, 이 모델에는 그런 "
        "어텐션이 없어요. 살펴보기에서 이 모델을 볼 수 있어요.",
    )
    silent = Row(
        "The last milestone writes nothing for this sentence. Type a target for it to write.",
        "마지막 모델이 이 문장을 읽고 아무것도 쓰지 않아요. 쓰게 할 목표를 입력하세요.",
    )
    failed = Row(
        "The milestones of {run} cannot be shown. {reason} Choose another run.",
        "{run} 훈련의 중간 모델을 보여 줄 수 없어요. {reason} 다른 훈련을 고르세요.",
    )
    none = Row(
        "No training run here has kept milestones yet. Train a model, and its progress appears "
        "here from the first milestone on.",
        "중간 모델을 남긴 훈련이 아직 없어요. 모델을 훈련하면 첫 중간 모델부터 여기에 나타나요.",
    )


TEXT: Final = in_languages(MilestonesText)
EN, KO = TEXT["en"], TEXT["ko"]
