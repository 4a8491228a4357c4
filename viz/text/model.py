"""The words of the Model page. Braces are filled in by the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.trace import Kind
from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class ModelText:
    """Every text of the page.

    Attributes:
        families, languages, sizes, parts: by what a card calls them; what is not listed is
            shown as the card spells it. `sizes` gives the paper's symbol and its meaning.
    """

    families: Mapping[str, str]
    languages: Mapping[str, str]
    kinds: Mapping[Kind, str]
    sizes: Mapping[str, tuple[str, str]]
    parts: Mapping[str, str]
    # facts
    direction: str
    translates: str
    parameters: str
    vocabulary: str
    entries: str
    limits: str
    limits_value: str
    device: str
    device_automatic: str
    device_chosen: str
    training: str
    training_value: str
    folder: str
    folder_value: str
    digest: str
    digest_help: str
    # sections
    sizes_title: str
    sizes_columns: tuple[str, str, str]
    attention_title: str
    attention_columns: tuple[str, str, str, str]
    attention_none: str
    parameters_title: str
    parameters_columns: tuple[str, str, str]
    parameters_axis: str
    parameters_total: str
    parameters_alt: str
    parameters_caption: str
    card_title: str
    card_none: str
    recipe: str


EN: Final = ModelText(
    families={"transformer": "Encoder–decoder Transformer"},
    languages={"ko": "Korean", "en": "English"},
    kinds={
        "encoder_self": "Encoder self-attention",
        "decoder_self": "Decoder self-attention (masked)",
        "cross": "Cross-attention",
    },
    sizes={
        "encoder_layers": ("N (encoder)", "layers of the encoder"),
        "decoder_layers": ("N (decoder)", "layers of the decoder"),
        "d_model": ("d_model", "width of every token's vector"),
        "d_ff": ("d_ff", "inner width of the feed-forward layers"),
        "heads": ("h", "heads in each attention"),
        "d_k": ("d_k", "width of a query and of a key, per head"),
        "d_v": ("d_v", "width of a value, per head"),
        "dropout": ("P_drop", "dropout on sub-layers and embeddings, in training only"),
        "attention_dropout": ("P_drop (weights)", "dropout on attention weights, in training only"),
        "norm": ("LayerNorm", "post: after the residual sum, as in the paper; pre: before"),
        "positions": ("positions", "how a token's place is told"),
        "max_length": ("n_max", "positions that the model was built for"),
    },
    parts={
        "embedding": "Embedding (also the output)",
        "positions": "Learned positions",
        "encoder_self": "Encoder self-attention",
        "decoder_self": "Decoder self-attention",
        "cross": "Cross-attention",
        "encoder_feed_forward": "Encoder feed-forward",
        "decoder_feed_forward": "Decoder feed-forward",
        "norms": "Layer norms",
    },
    direction="Reads → writes",
    translates="{source} → {target}",
    parameters="Parameters",
    vocabulary="Vocabulary",
    entries="{count} entries",
    limits="Longest input / output",
    limits_value="{source} / {target} tokens",
    device="Runs on",
    device_automatic="Picked automatically: the fastest device of this machine.",
    device_chosen="Set by HEADLIGHT_DEVICE.",
    training="Trained for",
    training_value="{step} updates (seed {seed})",
    folder="Checkpoint",
    folder_value="{megabytes} MB in {files} files",
    digest="Digest",
    digest_help=(
        "SHA-256 of configuration, weights and tokenizer, from the manifest against which every "
        "file was checked when the model was opened."
    ),
    sizes_title="Sizes",
    sizes_columns=("in the paper", "here", "what it is"),
    attention_title="Attention",
    attention_columns=("kind", "layers", "heads a layer", "heads in all"),
    attention_none="This model has no attention to look at.",
    parameters_title="Where the parameters are",
    parameters_columns=("part", "parameters", "share"),
    parameters_axis="parameters",
    parameters_total="Total",
    parameters_alt="Bars: parameters of each part of the model.",
    parameters_caption="Counted on the opened model. Blue, orange and green: the three attentions.",
    card_title="Model card",
    card_none="This checkpoint brings no README.md, so nothing is known of its data and scores.",
    recipe="Training recipe",
)

KO: Final = ModelText(
    families={"transformer": "인코더–디코더 트랜스포머"},
    languages={"ko": "한국어", "en": "영어"},
    kinds={
        "encoder_self": "인코더 셀프 어텐션",
        "decoder_self": "디코더 셀프 어텐션 (마스크 적용)",
        "cross": "크로스 어텐션",
    },
    sizes={
        "encoder_layers": ("N (인코더)", "인코더의 층 수"),
        "decoder_layers": ("N (디코더)", "디코더의 층 수"),
        "d_model": ("d_model", "토큰 하나를 나타내는 벡터의 너비"),
        "d_ff": ("d_ff", "피드포워드 층의 안쪽 너비"),
        "heads": ("h", "어텐션마다 있는 헤드 수"),
        "d_k": ("d_k", "헤드 하나의 쿼리와 키 너비"),
        "d_v": ("d_v", "헤드 하나의 값 너비"),
        "dropout": ("P_drop", "하위 층과 임베딩의 드롭아웃, 학습할 때만"),
        "attention_dropout": ("P_drop (가중치)", "어텐션 가중치의 드롭아웃, 학습할 때만"),
        "norm": ("LayerNorm", "post: 논문처럼 잔차를 더한 뒤, pre: 그 앞"),
        "positions": ("위치", "토큰의 자리를 알려 주는 방법"),
        "max_length": ("n_max", "모델이 다루도록 만든 위치 수"),
    },
    parts={
        "embedding": "임베딩 (출력층과 공유)",
        "positions": "학습된 위치",
        "encoder_self": "인코더 셀프 어텐션",
        "decoder_self": "디코더 셀프 어텐션",
        "cross": "크로스 어텐션",
        "encoder_feed_forward": "인코더 피드포워드",
        "decoder_feed_forward": "디코더 피드포워드",
        "norms": "층 정규화",
    },
    direction="입력 → 출력",
    translates="{source} → {target}",
    parameters="파라미터",
    vocabulary="어휘",
    entries="{count}개",
    limits="가장 긴 입력 / 출력",
    limits_value="토큰 {source}개 / {target}개",
    device="실행 장치",
    device_automatic="이 컴퓨터에서 가장 빠른 장치를 자동으로 골랐습니다.",
    device_chosen="HEADLIGHT_DEVICE로 정한 장치입니다.",
    training="학습량",
    training_value="{step}번 갱신 (시드 {seed})",
    folder="체크포인트",
    folder_value="파일 {files}개, {megabytes} MB",
    digest="다이제스트",
    digest_help=(
        "설정, 가중치, 토크나이저의 SHA-256입니다. 모델을 열 때 모든 파일을 목록(manifest)과 "
        "대조했습니다."
    ),
    sizes_title="크기",
    sizes_columns=("논문의 기호", "이 모델", "뜻"),
    attention_title="어텐션",
    attention_columns=("종류", "층", "층마다 헤드", "전체 헤드"),
    attention_none="이 모델에는 볼 수 있는 어텐션이 없습니다.",
    parameters_title="파라미터가 있는 곳",
    parameters_columns=("부분", "파라미터", "비율"),
    parameters_axis="파라미터 수",
    parameters_total="합계",
    parameters_alt="모델의 부분별 파라미터 수 막대그래프.",
    parameters_caption="열려 있는 모델에서 직접 셌습니다. 파랑, 주황, 초록은 세 가지 어텐션입니다.",
    card_title="모델 카드",
    card_none="이 체크포인트에는 README.md가 없어서 학습 데이터와 점수를 알 수 없습니다.",
    recipe="학습 설정",
)

TEXT: Final[dict[Language, ModelText]] = {"en": EN, "ko": KO}
