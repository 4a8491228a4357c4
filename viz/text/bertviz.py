"""The words around BertViz's own views."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class BertVizText:
    """Every text of the page; `{name}` is filled in."""

    title: str
    intro: str
    views: str
    view_head: str
    view_model: str
    view_neuron: str
    kinds: str
    layer: str
    sides: str
    too_long: str
    layers_cut: str
    colours: str
    neuron: str
    nothing: str
    missing: str


EN: Final = BertVizText(
    title="BertViz",
    intro="BertViz's own views of this look, offline. Left looks, right is looked at.",
    views="View",
    view_head="Head view",
    view_model="Model view",
    view_neuron="Neuron view",
    kinds="Kind of attention",
    layer="Layer",
    sides="In a decoder, the left side names what each row writes, the right side what was read.",
    too_long=(
        "BertViz draws every weight as a line of its own: {rows} × {columns} tokens and {heads} "
        "heads are {lines:,} lines a layer, and a browser stands still. It is shown up to "
        "{limit} tokens a side. Inspect draws this look."
    ),
    layers_cut=(
        "Layers {first} to {last} of {layers}: more of them would take BertViz seconds to open."
    ),
    colours="BertViz has ten colours: heads 1 and 11 share one.",
    neuron=(
        "The neuron view wants the query and key vectors, which BertViz takes from its own copies "
        "of BERT, GPT-2 and RoBERTa alone. Step shows this model's scores, mask and softmax "
        "instead, number by number."
    ),
    nothing="This look has no attention to draw.",
    missing="This look is no longer here. Go back to Inspect and open BertViz again.",
)
KO: Final = BertVizText(
    title="BertViz",
    intro="이 문장을 BertViz 화면으로, 인터넷 없이 봅니다. 왼쪽이 보고 오른쪽이 보입니다.",
    views="화면",
    view_head="헤드 보기",
    view_model="모델 보기",
    view_neuron="뉴런 보기",
    kinds="어텐션 종류",
    layer="층",
    sides="디코더에서 왼쪽은 각 행이 쓰는 토큰, 오른쪽은 이미 읽은 토큰입니다.",
    too_long=(
        "BertViz는 가중치마다 선을 하나씩 그립니다. 토큰 {rows} × {columns}개와 헤드 {heads}개면 "
        "한 층에 선이 {lines:,}개라 브라우저가 멈춥니다. 그래서 한쪽에 {limit}개까지만 그립니다. "
        "이 문장은 살펴보기에서 볼 수 있습니다."
    ),
    layers_cut="{layers}층 가운데 {first}~{last}층: 더 많으면 BertViz가 여는 데 몇 초가 걸립니다.",
    colours="BertViz의 색은 열 가지라, 헤드 1과 11은 색이 같습니다.",
    neuron=(
        "뉴런 보기에는 쿼리와 키 벡터가 필요한데, BertViz는 자기가 고쳐 담은 BERT, GPT-2, "
        "RoBERTa에서만 꺼냅니다. 이 모델의 점수, 마스크, 소프트맥스는 단계별에서 숫자로 볼 수 "
        "있습니다."
    ),
    nothing="이 모델에는 그릴 어텐션이 없습니다.",
    missing="이 문장은 더 이상 여기에 없습니다. 살펴보기로 돌아가 BertViz를 다시 여세요.",
)
TEXT: Final[dict[Language, BertVizText]] = {"en": EN, "ko": KO}
