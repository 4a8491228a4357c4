"""The words of the Positions page: controls, axes, hovers. The page fills in the braces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from viz.text.rows import Row, Table, in_languages

if TYPE_CHECKING:
    from core.nn.relative import Positions

SCHEMES: Final[Row[Mapping[Positions, str]]] = Row(
    {
        "sinusoidal": "sinusoidal",
        "learned": "learned",
        "rotary": "rotary",
        "alibi": "ALiBi",
        "relative": "relative (T5)",
        "none": "none",
    },
    {
        "sinusoidal": "사인·코사인",
        "learned": "학습된 위치",
        "rotary": "회전 (RoPE)",
        "alibi": "ALiBi",
        "relative": "상대 위치 (T5)",
        "none": "없음",
    },
)
"""What tells a model where its tokens stand, in the tables of several pages."""


class PositionsText(Table):
    """Controls, axes and what a hover says."""

    title = Row("Positions", "위치")
    intro = Row(
        "Attention by itself does not know word order. So every position gets a pattern of "
        "sines and cosines, added to the token's embedding before the first layer.",
        "어텐션만으로는 단어의 순서를 알 수 없어요. 그래서 위치마다 사인과 코사인으로 된 고유한 "
        "패턴을 만들어, 첫 층에 들어가기 전에 토큰 임베딩에 더해요.",
    )
    # controls
    length = Row("Positions", "위치 수")
    length_help = Row(
        "How many positions the table has, 1 to 2,048.",
        "표에 담을 위치의 수예요. 1부터 2,048까지.",
    )
    width = Row("Dimensions (d_model)", "차원 수 (d_model)")
    width_help = Row(
        "Width of the model, 4 to 1,024. Even, because each wave takes a sine and a cosine.",
        "모델의 차원 수예요. 4부터 1,024까지. 파동 하나가 사인과 코사인을 함께 쓰니 짝수여야 해요.",
    )
    width_even = Row(
        "d_model has to be even: took {width}.", "d_model은 짝수여야 해서 {width}에 맞췄어요."
    )
    preset = Row("d_model {width}", "d_model {width}")
    position = Row("Position p", "위치 p")
    position_help = Row("Marked in amber in every picture.", "모든 그림에 호박색으로 표시돼요.")
    offset = Row("Offset k", "간격 k")
    offset_help = Row(
        "How far to step from p. Negative steps go back.",
        "p에서 몇 칸 옮길지 정해요. 음수면 앞쪽으로 돌아가요.",
    )
    dimensions = Row("Dimensions shown", "그릴 차원")
    dimensions_help = Row(
        "Up to eight columns of the table. Empty: a choice from short to long waves.",
        "표의 열을 여덟 개까지 고를 수 있어요. 비우면 짧은 파동부터 긴 파동까지 골라 보여 줘요.",
    )
    slope = Row("ALiBi's head", "ALiBi의 헤드")
    slope_help = Row(
        "Which of eight heads: the first has the steepest slope.",
        "헤드 여덟 개 중 하나예요. 첫째 헤드의 기울기가 가장 가팔라요.",
    )
    # the six pictures
    picture = Row("Picture", "그림")
    heatmap = Row("Whole table", "전체 표")
    waves = Row("Single waves", "파동 하나씩")
    dots = Row("Dot products", "내적")
    rotation = Row("Rotation", "회전")
    norm = Row("Length of a vector", "벡터의 길이")
    schemes = Row("Within attention", "어텐션 안에서")
    # axes and names
    axis_position = Row("position", "위치")
    axis_dimension = Row("dimension", "차원")
    axis_query = Row("position p", "위치 p")
    axis_key = Row("position q", "위치 q")
    axis_of_query = Row("position p of the query", "쿼리의 위치 p")
    axis_of_key = Row("position q of the key", "키의 위치 q")
    axis_offset = Row("offset q − p", "간격 q − p")
    axis_dot = Row("PE(p) · PE(q)", "PE(p) · PE(q)")
    axis_pair = Row(
        "sine–cosine pair i (dimensions 2i and 2i + 1)", "사인·코사인 쌍 i (차원 2i와 2i + 1)"
    )
    axis_square = Row("square", "제곱")
    value = Row("value", "값")
    sine = Row("sine", "사인")
    cosine = Row("cosine", "코사인")
    column_name = Row(
        "dimension {dimension} = {function}(position / 10000<sup>{power}/{width}</sup>)"
        "<br>wavelength {wavelength} positions",
        "차원 {dimension} = {function}(위치 / 10000<sup>{power}/{width}</sup>)"
        "<br>파장: 위치 {wavelength}칸",
    )
    lane_name = Row(
        "dimension {dimension} · {function} · wavelength {wavelength}",
        "차원 {dimension} · {function} · 파장 {wavelength}칸",
    )
    hover_cell = Row(
        "position %{y}<br>%{x}<br>value <b>%{z:.3f}</b>", "위치 %{y}<br>%{x}<br>값 <b>%{z:.3f}</b>"
    )
    hover_wave = Row("position %{x}<br>value <b>%{y:.3f}</b>", "위치 %{x}<br>값 <b>%{y:.3f}</b>")
    hover_dot = Row(
        "p = %{y}, q = %{x}<br>PE(p) · PE(q) = <b>%{z:.3f}</b>",
        "p = %{y}, q = %{x}<br>PE(p) · PE(q) = <b>%{z:.3f}</b>",
    )
    hover_scheme = Row(
        "p = %{y}, q = %{x}<br><b>%{z:.3f}</b>", "p = %{y}, q = %{x}<br><b>%{z:.3f}</b>"
    )
    hover_profile = Row(
        "offset %{x}<br>PE(p) · PE(q) = <b>%{y:.3f}</b>",
        "간격 %{x}<br>PE(p) · PE(q) = <b>%{y:.3f}</b>",
    )
    hover_square = Row("pair %{x}: <b>%{y:.3f}</b>", "쌍 %{x}: <b>%{y:.3f}</b>")
    hover_hand = Row("cosine %{x:.3f}<br>sine %{y:.3f}", "코사인 %{x:.3f}<br>사인 %{y:.3f}")
    hover_matrix = Row(
        "row %{y}, column %{x}<br>value <b>%{z:.3f}</b>", "행 %{y}, 열 %{x}<br>값 <b>%{z:.3f}</b>"
    )
    hover_strip = Row(
        "%{y}, dimension %{x}<br>value <b>%{z:.3f}</b>", "%{y}, 차원 %{x}<br>값 <b>%{z:.3f}</b>"
    )


TEXT: Final = in_languages(PositionsText)
EN, KO = TEXT["en"], TEXT["ko"]
