"""The words of the Positions page: controls, axes, hovers. The page fills in the braces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viz.text.language import Language


@dataclass(frozen=True, slots=True)
class PositionsText:
    """Controls, axes and what a hover says."""

    title: str
    intro: str
    # controls
    length: str
    length_help: str
    width: str
    width_help: str
    width_even: str
    preset: str
    position: str
    position_help: str
    offset: str
    offset_help: str
    dimensions: str
    dimensions_help: str
    # the five pictures
    picture: str
    heatmap: str
    waves: str
    dots: str
    rotation: str
    norm: str
    # axes and names
    axis_position: str
    axis_dimension: str
    axis_query: str
    axis_key: str
    axis_offset: str
    axis_dot: str
    axis_pair: str
    axis_square: str
    value: str
    sine: str
    cosine: str
    column_name: str
    lane_name: str
    hover_cell: str
    hover_wave: str
    hover_dot: str
    hover_profile: str
    hover_square: str
    hover_hand: str
    hover_matrix: str
    hover_strip: str


EN: Final = PositionsText(
    title="Positions",
    intro=(
        "Attention by itself does not know word order. So every position gets a pattern of "
        "sines and cosines, added to the token's embedding before the first layer."
    ),
    length="Positions",
    length_help="How many positions the table has, 1 to 2,048.",
    width="Dimensions (d_model)",
    width_help="Width of the model, 4 to 1,024. Even, because each wave takes a sine and a cosine.",
    width_even="d_model has to be even: took {width}.",
    preset="d_model {width}",
    position="Position p",
    position_help="Marked in amber in every picture.",
    offset="Offset k",
    offset_help="How far to step from p. Negative steps go back.",
    dimensions="Dimensions shown",
    dimensions_help="Up to eight columns of the table. Empty: a choice from short to long waves.",
    picture="Picture",
    heatmap="Whole table",
    waves="Single waves",
    dots="Dot products",
    rotation="Rotation",
    norm="Length of a vector",
    axis_position="position",
    axis_dimension="dimension",
    axis_query="position p",
    axis_key="position q",
    axis_offset="offset q − p",
    axis_dot="PE(p) · PE(q)",
    axis_pair="sine–cosine pair i (dimensions 2i and 2i + 1)",
    axis_square="square",
    value="value",
    sine="sine",
    cosine="cosine",
    column_name=(
        "dimension {dimension} = {function}(position / 10000<sup>{power}/{width}</sup>)"
        "<br>wavelength {wavelength} positions"
    ),
    lane_name="dimension {dimension} · {function} · wavelength {wavelength}",
    hover_cell="position %{y}<br>%{x}<br>value <b>%{z:.3f}</b>",
    hover_wave="position %{x}<br>value <b>%{y:.3f}</b>",
    hover_dot="p = %{y}, q = %{x}<br>PE(p) · PE(q) = <b>%{z:.3f}</b>",
    hover_profile="offset %{x}<br>PE(p) · PE(q) = <b>%{y:.3f}</b>",
    hover_square="pair %{x}: <b>%{y:.3f}</b>",
    hover_hand="cosine %{x:.3f}<br>sine %{y:.3f}",
    hover_matrix="row %{y}, column %{x}<br>value <b>%{z:.3f}</b>",
    hover_strip="%{y}, dimension %{x}<br>value <b>%{z:.3f}</b>",
)

KO: Final = PositionsText(
    title="위치",
    intro=(
        "어텐션만으로는 단어의 순서를 알 수 없습니다. 그래서 위치마다 사인과 코사인으로 된 "
        "고유한 무늬를 만들어, 첫 층에 들어가기 전에 토큰 임베딩에 더합니다."
    ),
    length="위치 수",
    length_help="표에 담을 위치의 수입니다. 1부터 2,048까지.",
    width="차원 수 (d_model)",
    width_help=(
        "모델의 너비입니다. 4부터 1,024까지. 파동 하나가 사인과 코사인을 함께 쓰므로 짝수여야 "
        "합니다."
    ),
    width_even="d_model은 짝수여야 해서 {width}(으)로 맞췄습니다.",
    preset="d_model {width}",
    position="위치 p",
    position_help="모든 그림에 호박색으로 표시됩니다.",
    offset="간격 k",
    offset_help="p에서 몇 칸 옮길지 정합니다. 음수면 앞쪽으로 돌아갑니다.",
    dimensions="그릴 차원",
    dimensions_help=(
        "표의 열을 여덟 개까지 고를 수 있습니다. 비우면 짧은 파동부터 긴 파동까지 골라 보여 줍니다."
    ),
    picture="그림",
    heatmap="전체 표",
    waves="파동 하나씩",
    dots="내적",
    rotation="회전",
    norm="벡터의 길이",
    axis_position="위치",
    axis_dimension="차원",
    axis_query="위치 p",
    axis_key="위치 q",
    axis_offset="간격 q − p",
    axis_dot="PE(p) · PE(q)",
    axis_pair="사인·코사인 쌍 i (차원 2i와 2i + 1)",
    axis_square="제곱",
    value="값",
    sine="사인",
    cosine="코사인",
    column_name=(
        "차원 {dimension} = {function}(위치 / 10000<sup>{power}/{width}</sup>)"
        "<br>파장: 위치 {wavelength}칸"
    ),
    lane_name="차원 {dimension} · {function} · 파장 {wavelength}칸",
    hover_cell="위치 %{y}<br>%{x}<br>값 <b>%{z:.3f}</b>",
    hover_wave="위치 %{x}<br>값 <b>%{y:.3f}</b>",
    hover_dot="p = %{y}, q = %{x}<br>PE(p) · PE(q) = <b>%{z:.3f}</b>",
    hover_profile="간격 %{x}<br>PE(p) · PE(q) = <b>%{y:.3f}</b>",
    hover_square="쌍 %{x}: <b>%{y:.3f}</b>",
    hover_hand="코사인 %{x:.3f}<br>사인 %{y:.3f}",
    hover_matrix="행 %{y}, 열 %{x}<br>값 <b>%{z:.3f}</b>",
    hover_strip="%{y}, 차원 %{x}<br>값 <b>%{z:.3f}</b>",
)

TEXT: Final[dict[Language, PositionsText]] = {"en": EN, "ko": KO}
