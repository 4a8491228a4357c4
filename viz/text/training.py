"""The words of the view of a training run. Braces are filled in by the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text import train
from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class TrainingText:
    """Every text that the browser shows of a run."""

    # runs
    runs: str
    new_run: str
    state_starting: str
    state_running: str
    state_stopping: str
    state_stopped: str
    state_failed: str
    state_lost: str
    state_finished: str
    # commands
    stop: str
    go_on: str
    inspect: str
    film: str
    remove: str
    remove_ask: str
    remove_yes: str
    remove_no: str
    # how it stands
    starting: str
    stopping: str
    stopped: str
    lost: str
    lost_unsaved: str
    failed_unknown: str
    finished_early: str
    fell_back: str
    offline: str
    whose_command: str
    whose_texts: str
    single: str
    # numbers
    progress: str
    number_step: str
    step_of: str
    step_name: str
    number_left: str
    number_speed: str
    number_rate: str
    number_parameters: str
    number_vocabulary: str
    number_device: str
    number_precision: str
    # curves
    curves: str
    loss_title: str
    loss_note: str
    train: str
    valid: str
    rate_title: str
    axis_steps: str
    # results
    samples_title: str
    sample_source: str
    sample_output: str
    sample_reference: str
    sample_right: str
    sample_look: str
    scores: str
    data_title: str
    data_train: str
    data_valid: str
    data_test: str
    data_bad: str
    data_repeated: str
    data_leaked: str
    data_too_long: str
    # attention
    attention_title: str
    sentence: str
    films: str
    forced_known: str
    forced_own: str
    attention_waiting: str
    attention_loading: str


EN: Final = TrainingText(
    runs="Training runs",
    new_run="+ New training",
    state_starting="Starting",
    state_running="Training",
    state_stopping="Stopping",
    state_stopped="Stopped",
    state_failed="Failed",
    state_lost="Broken off",
    state_finished="Finished",
    stop="Stop",
    go_on="Go on",
    inspect="Open in Inspect",
    film="Play as a film",
    remove="Delete",
    remove_ask="Delete {run} and all that it learned?",
    remove_yes="Delete it",
    remove_no="Keep it",
    starting="Reading the data and building the model. The first numbers come in a few seconds.",
    stopping="Saving after the present step.",
    stopped="Stopped after step {step}. It goes on from there.",
    lost=(
        "The process ended without a word: killed, out of memory, or the machine restarted. "
        "Go on from step {step}, which was saved."
    ),
    lost_unsaved=(
        "The process ended without a word, before anything was saved: killed, out of memory, or "
        "the machine restarted. Go on to begin anew."
    ),
    failed_unknown="It failed, and this version of Headlight does not know the reason.",
    finished_early=(
        "The validation loss fell no more, so it ended early. The weights are the best ones, "
        "of step {step}."
    ),
    fell_back="The newest saved state was damaged. The run goes on from one before it.",
    offline="The server does not answer. The training does not depend on it; trying again…",
    whose_command=(
        "Started in another browser: only that one, or one on the computer that the app runs on, "
        "may stop, continue or delete it."
    ),
    whose_texts=(
        "Started in another browser with texts of its own: only that one, or one on the computer "
        "that the app runs on, sees its texts and attention and may stop, continue or delete it."
    ),
    single=train.EN.single,
    progress="Progress",
    number_step="Step",
    step_of="{step} of {steps}",
    step_name="step {step}",
    number_left="Time left",
    number_speed="Tokens a second",
    number_rate="Learning rate",
    number_parameters="Parameters",
    number_vocabulary="Vocabulary",
    number_device="Device",
    number_precision="Precision",
    curves="Curves over the steps",
    loss_title="Loss over the steps (nats a token)",
    loss_note="Training loss is with the recipe's dropout and smoothing, validation without.",
    train="training",
    valid="validation",
    rate_title="learning rate",
    axis_steps="steps",
    samples_title="Pairs it never sees",
    sample_source="input",
    sample_output="it writes",
    sample_reference="right answer",
    sample_right="right",
    sample_look="look at its attention",
    scores="BLEU {bleu} · chrF {chrf} · {exact} exactly right of {pairs}",
    data_title="Data",
    data_train="{count} to learn from",
    data_valid="{count} validation",
    data_test="{count} test",
    data_bad="{count} unreadable",
    data_repeated="{count} repeated",
    data_leaked="{count} left out, held-out pairs are like them",
    data_too_long="{count} too long",
    attention_title="Attention, as it forms, for",
    sentence="Sentence to look at",
    films="One head at every milestone",
    forced_known="every milestone reads the right answer: {target}",
    forced_own="every milestone reads what the newest writes: {target}",
    attention_waiting="The first picture comes when training begins.",
    attention_loading="Looking…",
)

KO: Final = TrainingText(
    runs="훈련 목록",
    new_run="+ 새 훈련",
    state_starting="시작하는 중",
    state_running="훈련하는 중",
    state_stopping="멈추는 중",
    state_stopped="멈춤",
    state_failed="실패",
    state_lost="끊김",
    state_finished="끝남",
    stop="멈추기",
    go_on="이어 하기",
    inspect="살펴보기에서 열기",
    film="필름으로 보기",
    remove="지우기",
    remove_ask="{run} 훈련과 배운 것을 모두 지울까요?",
    remove_yes="지우기",
    remove_no="그대로 두기",
    starting="데이터를 읽고 모델을 만드는 중입니다. 몇 초 뒤에 첫 숫자가 나옵니다.",
    stopping="지금 단계를 마치고 저장하는 중입니다.",
    stopped="{step}단계 뒤에 멈췄습니다. 거기서부터 이어 할 수 있습니다.",
    lost=(
        "프로세스가 아무 말 없이 끝났습니다. 강제로 끝났거나 메모리가 모자랐거나 컴퓨터가 "
        "다시 켜졌습니다. 저장된 {step}단계부터 이어 하세요."
    ),
    lost_unsaved=(
        "아무것도 저장하기 전에 프로세스가 말 없이 끝났습니다. 강제로 끝났거나 메모리가 "
        "모자랐거나 컴퓨터가 다시 켜졌습니다. 이어 하기를 누르면 처음부터 다시 합니다."
    ),
    failed_unknown="실패했지만 이 버전의 Headlight는 그 까닭을 모릅니다.",
    finished_early=(
        "검증 손실이 더 줄지 않아 일찍 끝났습니다. 가장 좋았던 {step}단계의 가중치입니다."
    ),
    fell_back="마지막으로 저장한 상태가 손상되어 그 앞의 상태에서 이어 합니다.",
    offline="서버가 대답하지 않습니다. 훈련은 서버와 따로 돕니다. 다시 물어보는 중…",
    whose_command=(
        "다른 브라우저에서 시작한 훈련입니다. 멈추고 이어 하고 지우는 것은 그 브라우저나 앱이 도는 "
        "컴퓨터에서만 할 수 있습니다."
    ),
    whose_texts=(
        "다른 브라우저에서 자기 글로 시작한 훈련입니다. 글과 어텐션을 보고, 멈추고, 이어 하고, "
        "지우는 것은 그 브라우저나 앱이 도는 컴퓨터에서만 할 수 있습니다."
    ),
    single=train.KO.single,
    progress="진행",
    number_step="단계",
    step_of="{steps} 중 {step}",
    step_name="{step}단계",
    number_left="남은 시간",
    number_speed="초당 토큰",
    number_rate="학습률",
    number_parameters="파라미터",
    number_vocabulary="어휘",
    number_device="장치",
    number_precision="정밀도",
    curves="단계별 곡선",
    loss_title="단계별 손실 (토큰당 nat)",
    loss_note="훈련 손실은 레시피의 드롭아웃과 스무딩을 넣고, 검증 손실은 빼고 잽니다.",
    train="훈련",
    valid="검증",
    rate_title="학습률",
    axis_steps="단계",
    samples_title="훈련에서 보지 않는 쌍",
    sample_source="입력",
    sample_output="모델이 쓴 것",
    sample_reference="정답",
    sample_right="맞음",
    sample_look="어텐션 보기",
    scores="BLEU {bleu} · chrF {chrf} · {pairs}쌍 중 {exact} 정확히 맞음",
    data_title="데이터",
    data_train="학습용 {count}쌍",
    data_valid="검증용 {count}쌍",
    data_test="시험용 {count}쌍",
    data_bad="읽을 수 없는 행 {count}개",
    data_repeated="되풀이 {count}쌍",
    data_leaked="따로 둔 쌍과 같아서 뺀 {count}쌍",
    data_too_long="너무 긴 {count}쌍",
    attention_title="어텐션이 생겨나는 모습:",
    sentence="살펴볼 문장",
    films="중간 모델마다 본 헤드 하나",
    forced_known="중간 모델 모두에게 정답을 읽힙니다: {target}",
    forced_own="중간 모델 모두에게 가장 새로운 모델이 쓴 것을 읽힙니다: {target}",
    attention_waiting="훈련이 시작되면 첫 그림이 나옵니다.",
    attention_loading="들여다보는 중…",
)

TEXT: Final[dict[Language, TrainingText]] = {"en": EN, "ko": KO}
