"""The words of the view of a training run. Braces are filled in by the browser."""

from __future__ import annotations

from typing import Final

from viz.text import train
from viz.text.rows import Row, Table, in_languages


class TrainingText(Table):
    """Every text that the browser shows of a run."""

    # runs
    runs = Row("Training runs", "훈련 목록")
    new_run = Row("+ New training", "+ 새 훈련")
    state_starting = Row("Starting", "시작하는 중")
    state_running = Row("Training", "훈련하는 중")
    state_stopping = Row("Stopping", "멈추는 중")
    state_stopped = Row("Stopped", "멈춤")
    state_failed = Row("Failed", "실패")
    state_lost = Row("Broken off", "끊김")
    state_finished = Row("Finished", "끝남")
    # commands
    stop = Row("Stop", "멈추기")
    go_on = Row("Go on", "이어 하기")
    inspect = Row("Open in Inspect", "살펴보기에서 열기")
    film = Row("Play as a film", "영상으로 보기")
    remove = Row("Delete", "지우기")
    remove_ask = Row(
        "Delete {run} and all that it learned?", "{run} 훈련과 배운 것을 모두 지울까요?"
    )
    remove_yes = Row("Delete it", "지우기")
    remove_no = Row("Keep it", "그대로 두기")
    # how it stands
    starting = Row(
        "Reading the data and building the model. The first numbers come in a few seconds.",
        "데이터를 읽고 모델을 만드는 중이에요. 몇 초 뒤에 첫 숫자가 나와요.",
    )
    stopping = Row("Saving after the present update.", "지금 갱신을 마치고 저장하는 중이에요.")
    stopped = Row(
        "Stopped after update {step}. It goes on from there.",
        "갱신 {step}회 뒤에 멈췄어요. 거기서부터 이어 할 수 있어요.",
    )
    lost = Row(
        "The process ended without a word: killed, out of memory, or the machine restarted. "
        "Go on from update {step}, which was saved.",
        "프로세스가 오류 메시지 없이 끝났어요. 강제로 종료됐거나, 메모리가 모자랐거나, "
        "컴퓨터가 다시 시작됐을 수 있어요. 갱신 {step}회까지 저장됐으니 거기서부터 이어 하세요.",
    )
    lost_unsaved = Row(
        "The process ended without a word, before anything was saved: killed, out of memory, or "
        "the machine restarted. Go on to begin anew.",
        "아무것도 저장하기 전에 프로세스가 오류 메시지 없이 끝났어요. 강제로 종료됐거나, "
        "메모리가 모자랐거나, 컴퓨터가 다시 시작됐을 수 있어요. 이어 하기를 누르면 처음부터 "
        "다시 해요.",
    )
    failed_unknown = Row(
        "It failed, and this version of Headlight does not know the reason.",
        "실패했어요. 이 버전의 Headlight로는 이유를 알 수 없어요.",
    )
    finished_early = Row(
        "The validation loss fell no more, so it ended early. The weights are the best ones, "
        "of update {step}.",
        "검증 손실이 더 줄지 않아 일찍 끝났어요. 가장 좋았던 갱신 {step}회 뒤의 가중치예요.",
    )
    fell_back = Row(
        "The newest saved state was damaged. The run goes on from one before it.",
        "마지막으로 저장한 상태가 손상돼서 그 앞의 상태부터 이어서 해요.",
    )
    offline = Row(
        "The server does not answer. The training does not depend on it; trying again…",
        "서버가 응답하지 않아요. 훈련은 서버와 따로 진행돼요. 다시 연결하는 중…",
    )
    whose_command = Row(
        "Started in another browser: only that one, or one on the computer that the app runs on, "
        "may stop, continue or delete it.",
        "다른 브라우저에서 시작한 훈련이에요. 멈추고 이어 하고 지우는 것은 그 브라우저나 앱이 "
        "실행되는 컴퓨터에서만 할 수 있어요.",
    )
    whose_texts = Row(
        "Started in another browser with texts of its own: only that one, or one on the computer "
        "that the app runs on, sees its texts and attention and may stop, continue or delete it.",
        "다른 브라우저에서 직접 넣은 글로 시작한 훈련이에요. 글과 어텐션을 보고, 멈추고, 이어 "
        "하고, 지우는 것은 그 브라우저나 앱이 실행되는 컴퓨터에서만 할 수 있어요.",
    )
    single = Row(train.EN.single, train.KO.single)
    # numbers
    progress = Row("Progress", "진행")
    number_step = Row("Updates", "갱신")
    step_of = Row("{step} of {steps}", "{steps}회 중 {step}회")
    step_name = Row("update {step}", "갱신 {step}회")
    number_left = Row("Time left", "남은 시간")
    number_speed = Row("Tokens a second", "초당 토큰")
    number_rate = Row("Learning rate", "학습률")
    number_parameters = Row("Parameters", "파라미터")
    number_vocabulary = Row("Vocabulary", "어휘")
    number_device = Row("Device", "장치")
    number_precision = Row("Precision", "정밀도")
    # curves
    curves = Row("Curves over the updates", "갱신에 따른 곡선")
    loss_title = Row("Loss over the updates (nats a token)", "갱신에 따른 손실 (토큰당 내트)")
    loss_note = Row(
        "Training loss is with the recipe's dropout and smoothing, validation without.",
        "훈련 손실은 레시피의 드롭아웃과 레이블 스무딩(label smoothing)을 적용한 값이고, 검증 "
        "손실은 적용하지 않은 값이에요.",
    )
    train = Row("training", "훈련")
    valid = Row("validation", "검증")
    rate_title = Row("learning rate", "학습률")
    axis_steps = Row("updates", "갱신")
    # results
    samples_title = Row("Pairs it never sees", "훈련에서 보지 않는 쌍")
    sample_source = Row("input", "입력")
    sample_output = Row("it writes", "모델이 쓴 것")
    sample_reference = Row("right answer", "정답")
    sample_right = Row("right", "맞음")
    sample_look = Row("look at its attention", "어텐션 보기")
    scores = Row(
        "BLEU {bleu} · chrF {chrf} · {exact} exactly right of {pairs}",
        "BLEU {bleu} · chrF {chrf} · {pairs}쌍 중 {exact} 완전 일치",
    )
    scores_loss = Row("loss {loss} on {pairs}", "{pairs}쌍의 손실 {loss}")
    scores_exact = Row("{exact} right of {pairs}", "{pairs}쌍 중 {exact} 맞음")
    data_title = Row("Data", "데이터")
    data_train = Row("{count} to learn from", "훈련용 {count}쌍")
    data_valid = Row("{count} validation", "검증용 {count}쌍")
    data_test = Row("{count} test", "테스트용 {count}쌍")
    data_bad = Row("{count} unreadable", "읽을 수 없는 행 {count}개")
    data_repeated = Row("{count} repeated", "중복 {count}쌍")
    data_leaked = Row(
        "{count} left out, held-out pairs are like them",
        "따로 둔 쌍과 입력이나 정답이 같아서 뺀 {count}쌍",
    )
    data_too_long = Row("{count} too long", "너무 긴 {count}쌍")
    data_unshown = Row("{count} never shown (repeat = 0)", "훈련에 쓰지 않는 {count}쌍(repeat = 0)")
    # attention
    attention_title = Row("Attention, as it forms, for", "어텐션이 생겨나는 모습:")
    sentence = Row("Sentence to look at", "살펴볼 문장")
    films = Row("One head at every milestone", "헤드 하나를 중간 모델마다 본 모습")
    forced_known = Row(
        "every milestone reads the right answer: {target}",
        "중간 모델 모두에게 정답을 읽혀요: {target}",
    )
    forced_own = Row(
        "every milestone reads what the newest writes: {target}",
        "중간 모델 모두에게 가장 최근 모델이 쓴 것을 읽혀요: {target}",
    )
    attention_waiting = Row(
        "The first picture comes when training begins.", "훈련이 시작되면 첫 그림이 나와요."
    )
    attention_loading = Row("Looking…", "들여다보는 중…")


TEXT: Final = in_languages(TrainingText)
EN, KO = TEXT["en"], TEXT["ko"]
