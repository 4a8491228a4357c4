"""The words of the frame that all pages share."""

from __future__ import annotations

from typing import Final

from viz.text.rows import Row, Table, in_languages


class FrameText(Table):
    """Header, navigation, notices and the state of a model that is being opened."""

    inspect = Row("Inspect", "살펴보기")
    step = Row("Step", "단계별")
    compare = Row("Compare", "비교")
    positions = Row("Positions", "위치")
    gaps = Row("Gaps", "빈칸")
    neighbours = Row("Neighbours", "이웃")
    studies = Row("Studies", "연구")
    train = Row("Train", "훈련")
    milestones = Row("Milestones", "훈련 과정")
    bertviz = Row("BertViz", "BertViz")
    model = Row("Model", "모델")
    learn = Row("Learn", "배우기")
    add = Row("Add a model", "모델 추가")
    of_model = Row("This model", "이 모델")
    of_inspect = Row("Heads", "헤드")
    of_train = Row("Runs", "훈련 목록")
    model_switch = Row("Model", "모델")
    language_switch = Row("Language", "언어")
    korean = Row("Korean", "한국어")
    english = Row("English", "영어")
    fills = Row("{language}, fills gaps", "{language}, 빈칸을 채워요")
    goes_on = Row("{language}, what comes next", "{language}, 다음에 올 말을 맞혀요")
    goes_back = Row("{language}, what came before", "{language}, 앞에 올 말을 맞혀요")
    near = Row("{language}, words by their neighbours", "{language}, 이웃으로 단어를 알아요")
    spells = Row("{languages}, letter by letter", "{languages}, 한 글자씩")
    transformer = Row("Transformer", "트랜스포머")
    attends = Row("{cell} with attention", "어텐션 있는 {cell}")
    forgoes = Row("{cell} without attention", "어텐션 없는 {cell}")
    layers = Row("{layers} layers", "층 {layers}개")
    heads = Row("{heads} heads", "헤드 {heads}개")
    refused = Row(
        "The address asked for something that is not there ({names}); the nearest is shown.",
        "주소가 가리키는 것이 없어({names}) 가장 가까운 것을 보여 줘요.",
    )
    left_out = Row(
        "What was typed is too long for a link, and is not in this one: type it again.",
        "입력한 글이 링크에 담기에는 너무 길어 빠졌어요. 다시 입력하세요.",
    )
    loading = Row("Opening the model {model}…", "{model} 모델을 여는 중…")
    loading_first = Row(
        "These maps were computed earlier by the same model, which is being opened now.",
        "같은 모델이 미리 계산해 둔 결과예요. 모델은 지금 여는 중이에요.",
    )
    loading_seconds = Row("{seconds} s", "{seconds}초")
    untaken = Row(
        "The marked file was not opened: it is of another kind, larger than {megabytes} MB, or did "
        "not arrive whole. Choose another one, or try again.",
        "표시된 파일을 열지 못했어요. 형식이 맞지 않거나, {megabytes} MB보다 크거나, 업로드가 "
        "끝나지 않았어요. 다른 파일을 고르거나 다시 해 보세요.",
    )
    failed = Row(
        "The model {model} cannot be opened. {reason} Choose another one above.",
        "{model} 모델을 열 수 없어요. {reason} 위에서 다른 모델을 고르세요.",
    )
    no_model = Row(
        "There is no model here. Put a checkpoint folder into checkpoints/ and reload.",
        "여기에는 모델이 없어요. checkpoints/에 체크포인트 폴더를 두고 새로고침하세요.",
    )


TEXT: Final = in_languages(FrameText)
EN, KO = TEXT["en"], TEXT["ko"]
