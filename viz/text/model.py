"""The words of the Model page. Braces are filled in by the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.trace import Kind
from viz.text.positions import SCHEMES
from viz.text.rows import Row, Table, in_languages


class ModelText(Table):
    """Every text of the page.

    Attributes:
        families, languages, sizes, parts: by what a card calls them; what is not listed is
            shown as the card spells it. `sizes` gives the paper's symbol, or a name of what has
            none there, and its meaning; what `layers` are depends on the family.
        schemes: of positions, as other pages call them.
    """

    families: Row[Mapping[str, str]] = Row(
        {
            "transformer": "Encoder–decoder Transformer",
            "seq2seq": "Seq2Seq of recurrent layers",
            "recurrent": "Recurrent network",
            "language": "Language model of Transformer layers",
            "skipgram": "Skip-gram with negative sampling",
            "hub": "Hugging Face model",
        },
        {
            "transformer": "인코더–디코더 트랜스포머",
            "seq2seq": "순환 신경망 Seq2Seq",
            "recurrent": "순환 신경망",
            "language": "트랜스포머 층으로 된 언어 모델",
            "skipgram": "네거티브 샘플링 스킵그램",
            "hub": "Hugging Face 모델",
        },
    )
    languages: Row[Mapping[str, str]] = Row(
        {"ko": "Korean", "en": "English", "und": "a language not named"},
        {"ko": "한국어", "en": "영어", "und": "알 수 없는 언어"},
    )
    kinds: Row[Mapping[Kind, str]] = Row(
        {
            "encoder_self": "Encoder self-attention",
            "decoder_self": "Decoder self-attention (masked)",
            "cross": "Cross-attention",
        },
        {
            "encoder_self": "인코더 셀프 어텐션",
            "decoder_self": "디코더 셀프 어텐션 (마스크 적용)",
            "cross": "크로스 어텐션",
        },
    )
    sizes: Row[Mapping[str, tuple[str, str]]] = Row(
        {
            "architecture": ("architecture", "as its library calls it"),
            "encoder_layers": ("N (encoder)", "layers of the encoder"),
            "decoder_layers": ("N (decoder)", "layers of the decoder"),
            "d_model": ("d_model", "width of every token's vector"),
            "d_ff": ("d_ff", "inner width of the feed-forward layers"),
            "heads": ("h", "heads in each attention"),
            "d_k": ("d_k", "width of a query and of a key, per head"),
            "d_v": ("d_v", "width of a value, per head"),
            "dropout": ("P_drop", "dropout on sub-layers and embeddings, in training only"),
            "attention_dropout": (
                "P_drop (weights)",
                "dropout on attention weights, in training only",
            ),
            "norm": ("LayerNorm", "post: after the residual sum, as in the paper; pre: before"),
            "positions": ("positions", "how a token's place is told"),
            "activation": ("activation", "in the feed-forward layers; relu in the paper"),
            "output_bias": ("output bias", "a number added to each logit; in the paper none"),
            "max_length": ("n_max", "positions that the model was built for"),
            "cell": ("cell", "kind of the recurrent layers: rnn, lstm or gru"),
            "attention": ("score", "how a decoder state looks at encoder states; none: not at all"),
            "layers": ("N", "layers"),
            "answers": (
                "answer",
                "a text, a label, a label a word, or the next token",
            ),
            "objective": ("objective", "what is foretold: the next token, the one before, a gap"),
            "window": ("window", "how far away a neighbour may stand, in tokens"),
            "negatives": ("k", "tokens drawn from noise for each neighbour, in training only"),
            "subsampling": ("t", "share above which frequent tokens are passed over in training"),
        },
        {
            "architecture": ("구조", "라이브러리에서 부르는 이름"),
            "encoder_layers": ("N (인코더)", "인코더의 층 수"),
            "decoder_layers": ("N (디코더)", "디코더의 층 수"),
            "d_model": ("d_model", "토큰 하나를 나타내는 벡터의 차원"),
            "d_ff": ("d_ff", "피드포워드 층의 은닉 차원"),
            "heads": ("h", "어텐션마다 있는 헤드 수"),
            "d_k": ("d_k", "헤드 하나의 쿼리와 키 벡터의 차원"),
            "d_v": ("d_v", "헤드 하나의 값 벡터의 차원"),
            "dropout": ("P_drop", "하위 층과 임베딩의 드롭아웃, 훈련할 때만"),
            "attention_dropout": ("P_drop (가중치)", "어텐션 가중치의 드롭아웃, 훈련할 때만"),
            "norm": ("LayerNorm", "post: 논문처럼 잔차를 더한 뒤, pre: 그 앞"),
            "positions": ("위치", "토큰의 위치를 알려 주는 방법"),
            "activation": ("활성화 함수", "피드포워드 층에서, 논문에서는 relu"),
            "output_bias": ("출력 편향", "로짓마다 더하는 수, 논문에는 없음"),
            "max_length": ("n_max", "모델이 다룰 수 있는 위치 수"),
            "cell": ("셀", "순환 층의 종류: rnn, lstm, gru"),
            "attention": ("점수", "디코더 상태가 인코더 상태를 보는 방법, none이면 보지 않음"),
            "layers": ("N", "층 수"),
            "answers": (
                "답",
                "글, 레이블 하나, 단어마다 레이블 하나, 또는 다음 토큰",
            ),
            "objective": ("훈련 목표", "맞히는 것: 다음 토큰, 앞의 토큰, 빈칸"),
            "window": ("창", "이웃으로 보는 거리 (토큰 수)"),
            "negatives": ("k", "이웃마다 잡음에서 뽑는 토큰 수, 훈련할 때만"),
            "subsampling": ("t", "이 비율보다 흔한 토큰은 훈련할 때 가끔 건너뜀"),
        },
    )
    schemes = SCHEMES
    layers: Row[Mapping[str, str]] = Row(
        {
            "language": "Transformer layers",
            "recurrent": "recurrent layers",
            "seq2seq": "recurrent layers of the encoder, and as many of the decoder",
        },
        {
            "language": "트랜스포머 층 수",
            "recurrent": "순환 층 수",
            "seq2seq": "인코더의 순환 층 수, 디코더도 같음",
        },
    )
    parts: Row[Mapping[str, str]] = Row(
        {
            "embedding": "Embedding (also the output)",
            "positions": "Learned positions",
            "encoder_self": "Encoder self-attention",
            "decoder_self": "Decoder self-attention",
            "cross": "Cross-attention",
            "mixers": "Mixers without attention",
            "encoder_feed_forward": "Encoder feed-forward",
            "decoder_feed_forward": "Decoder feed-forward",
            "norms": "Layer norms",
            "encoder": "Encoder",
            "decoder": "Decoder",
            "input": "Embedding",
            "layers": "Recurrent layers",
            "output": "Output layer",
            "centres": "Vectors of centres (v)",
            "contexts": "Vectors of neighbours (u)",
        },
        {
            "embedding": "임베딩 (출력층과 공유)",
            "positions": "학습된 위치 임베딩",
            "encoder_self": "인코더 셀프 어텐션",
            "decoder_self": "디코더 셀프 어텐션",
            "cross": "크로스 어텐션",
            "mixers": "어텐션이 아닌 토큰 혼합",
            "encoder_feed_forward": "인코더 피드포워드",
            "decoder_feed_forward": "디코더 피드포워드",
            "norms": "층 정규화",
            "encoder": "인코더",
            "decoder": "디코더",
            "input": "임베딩",
            "layers": "순환 층",
            "output": "출력층",
            "centres": "중심 벡터 (v)",
            "contexts": "이웃 벡터 (u)",
        },
    )
    # facts
    direction = Row("Reads → writes", "입력 → 출력")
    translates = Row("{source} → {target}", "{source} → {target}")
    fills = Row("{source}, fills gaps", "{source}, 빈칸 채우기")
    goes_on = Row("{source}, what comes next", "{source}, 다음에 올 말 맞히기")
    goes_back = Row("{source}, what came before", "{source}, 앞에 올 말 맞히기")
    near = Row("{source}, words by their neighbours", "{source}, 이웃으로 단어 알기")
    parameters = Row("Parameters", "파라미터")
    vocabulary = Row("Vocabulary", "어휘")
    entries = Row("{count} entries", "{count}개")
    limits = Row("Longest input / output", "최대 입력 / 출력 길이")
    limits_value = Row("{source} / {target} tokens", "토큰 {source}개 / {target}개")
    limits_read = Row("Longest input", "최대 입력 길이")
    limits_read_value = Row("{source} tokens", "토큰 {source}개")
    device = Row("Runs on", "실행 장치")
    device_automatic = Row(
        "Picked automatically: the fastest device of this machine.",
        "이 컴퓨터에서 가장 빠른 장치를 자동으로 골랐어요.",
    )
    device_chosen = Row("Set by HEADLIGHT_DEVICE.", "HEADLIGHT_DEVICE로 정한 장치예요.")
    training = Row("Last training", "마지막 훈련")
    training_help = Row(
        "Updates of the training that ended with this model. Those of a model that it began with "
        "are not counted.",
        "이 모델로 끝난 훈련의 갱신 수예요. 그 훈련이 이어받은 모델의 갱신은 세지 않아요.",
    )
    training_value = Row("{step} updates (seed {seed})", "갱신 {step}회 (시드 {seed})")
    folder = Row("Checkpoint", "체크포인트")
    folder_one = Row("{megabytes} MB in one file", "파일 1개, {megabytes} MB")
    folder_value = Row("{megabytes} MB in {files} files", "파일 {files}개, {megabytes} MB")
    digest = Row("Digest", "다이제스트")
    digest_help = Row(
        "SHA-256 of configuration, weights and tokenizer, from the manifest against which every "
        "file was checked when the model was opened.",
        "설정, 가중치, 토크나이저의 SHA-256이에요. 모델을 열 때 모든 파일을 목록(manifest)과 "
        "대조했어요.",
    )
    # sections
    sizes_title = Row("Sizes", "크기")
    sizes_columns: Row[tuple[str, str, str]] = Row(
        ("name", "here", "what it is"), ("이름", "이 모델", "뜻")
    )
    present = Row("yes", "있음")
    absent = Row("no", "없음")
    attention_title = Row("Attention", "어텐션")
    attention_columns: Row[tuple[str, str, str, str]] = Row(
        ("kind", "layers", "heads a layer", "heads in all"),
        ("종류", "층", "층당 헤드", "전체 헤드"),
    )
    attention_none = Row(
        "This model has no attention to look at.", "이 모델에는 볼 수 있는 어텐션이 없어요."
    )
    parameters_title = Row("Where the parameters are", "파라미터 구성")
    parameters_columns: Row[tuple[str, str, str]] = Row(
        ("part", "parameters", "share"), ("부분", "파라미터", "비율")
    )
    parameters_axis = Row("parameters", "파라미터 수")
    parameters_total = Row("Total", "합계")
    parameters_alt = Row(
        "Bars: parameters of each part of the model.", "모델의 부분별 파라미터 수 막대그래프."
    )
    parameters_caption = Row("Counted on the opened model.", "열려 있는 모델에서 직접 셌어요.")
    parameters_hues = Row(
        "Blue, orange and green: the three attentions.",
        "파랑, 주황, 초록은 세 가지 어텐션이에요.",
    )
    card_title = Row("Model card", "모델 카드")
    card_none = Row(
        "This checkpoint brings no README.md, so nothing is known of its data and scores.",
        "이 체크포인트에는 README.md가 없어서 훈련 데이터와 점수를 알 수 없어요.",
    )
    card_other = Row(
        "The card is written in {language} alone.", "모델 카드는 {language}로만 쓰여 있어요."
    )
    recipe = Row("Training recipe", "훈련 레시피")


TEXT: Final = in_languages(ModelText)
EN, KO = TEXT["en"], TEXT["ko"]
