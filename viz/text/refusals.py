"""What only the app refuses: its own codes beside those of the core, in both languages.

A code of the app is unknown to `core.reasons` and `core.errors`, so who refuses by one takes
`because` and `AppError` from here; they know the codes of the core as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from core.errors import SENTENCES as CORE_SENTENCES
from core.errors import HeadlightError
from core.reasons import REASONS as CORE_REASONS
from core.reasons import Reason
from viz.text.rows import Row, Table, by_name, in_languages


class ErrorText(Table):
    """Of errors: a code of the app a row."""

    run_foreign = Row(
        "{run} was started in another browser. Only that one, or one on the computer that the "
        "app runs on, sees its texts and attention and may stop, continue or delete it.",
        "{run} 훈련은 다른 브라우저에서 시작했어요. 글과 어텐션을 보고, 멈추고, 이어 하고, "
        "지우는 것은 그 브라우저나 앱이 실행되는 컴퓨터에서만 할 수 있어요.",
    )
    visitor_unknown = Row(
        "This browser keeps no cookies, so nobody could stop or delete what it starts. Allow "
        "cookies for this address, and load the page again.",
        "이 브라우저는 쿠키를 저장하지 않아서, 시작한 훈련을 아무도 멈추거나 지울 수 없게 "
        "돼요. 이 주소에 쿠키를 허용하고 페이지를 새로고침하세요.",
    )
    study_busy = Row(
        "Another study is being measured. Wait until it has ended, or stop it.",
        "다른 연구의 값을 재는 중이에요. 끝날 때까지 기다리거나 멈추세요.",
    )
    server_failed = Row(
        "The app did not start within {seconds} seconds. Start it by `make app`, which says why.",
        "앱이 {seconds}초 안에 시작되지 않았어요. `make app`으로 시작하면 이유가 나와요.",
    )
    place_missing = Row(
        "There is neither a folder nor a file {path}. Check the path; a model of the Hub goes by "
        "its name, such as skt/kogpt2-base-v2.",
        "{path} 폴더나 파일이 없어요. 경로를 확인해 보세요. Hub에 있는 모델은 "
        "skt/kogpt2-base-v2처럼 이름을 입력하세요.",
    )
    models_none = Row(
        "There is no model in {path}: neither it nor a folder in it has a config.json, or is a "
        ".gguf file. Name the folder of a model, or one that holds such.",
        "{path}에는 모델이 없어요. 그 폴더에도, 그 안의 폴더에도 config.json이나 .gguf 파일이 "
        "없어요. 모델 폴더나 모델 폴더가 든 폴더를 입력하세요.",
    )
    adding_closed = Row(
        "On this server a page can neither open folders nor fetch models. Whoever "
        "started the app puts them where HEADLIGHT_MODELS says, or sets HEADLIGHT_ADD_MODELS.",
        "여기서는 페이지에서 폴더를 열거나 모델을 받을 수 없어요. 앱을 시작한 사람이 "
        "HEADLIGHT_MODELS가 가리키는 곳에 모델을 두거나 HEADLIGHT_ADD_MODELS를 설정할 수 있어요.",
    )
    downloads_busy = Row(
        "{names} are being fetched. Wait until one of them is here, or stop it.",
        "{names} 모델을 받는 중이에요. 하나가 끝날 때까지 기다리거나 멈추세요.",
    )
    drawing_busy = Row(
        "More is asked of this computer than it draws at a time. Try again in {seconds} seconds.",
        "그림 요청이 한꺼번에 너무 많이 몰렸어요. {seconds}초 뒤에 다시 해 보세요.",
    )
    window_failed = Row(
        "{browser} opened no window (it ended with code {ending}). Chromium refuses to run as "
        "root: use another account, or `make app` and a browser of your own.",
        "{browser} 브라우저가 창을 열지 못했어요 (종료 코드 {ending}). Chromium은 root로는 "
        "실행되지 않아요. 다른 계정을 쓰거나 `make app`으로 시작해 브라우저에서 여세요.",
    )


SENTENCES: Final = in_languages(ErrorText)


class ReasonText(Table):
    """Of reasons: a code of the app a row."""

    # a file that a visitor brings
    kinds_none = Row("it holds neither attention nor states", "어텐션도 상태도 들어 있지 않아요")
    process_silent = Row(
        "the process that fetched it ended without a word; try again",
        "받던 프로세스가 오류 메시지 없이 끝났어요. 다시 해 보세요",
    )
    # what is spelled in an address or at the command line
    ends_in = Row(
        "it should end in one of {known}", "파일 이름이 {known} 가운데 하나로 끝나야 해요"
    )
    switch = Row("it is on or off", "on 또는 off여야 해요")
    whole_to = Row("it is a whole number from 1 to {most}", "1에서 {most}까지의 정수여야 해요")
    decimal_one = Row(
        "it is a number from {low:g} to {high:g} with at most one place",
        "{low:g}에서 {high:g}까지의 수여야 하고, 소수점 아래는 한 자리까지예요",
    )
    decimal_two = Row(
        "it is a number from {low:g} to {high:g} with at most two places",
        "{low:g}에서 {high:g}까지의 수여야 하고, 소수점 아래는 두 자리까지예요",
    )
    a_head = Row("it is a layer and a head, such as 3.5", "3.5처럼 층과 헤드를 적으세요")
    a_place = Row("it is a row and a column, such as 3.5", "3.5처럼 행과 열을 적으세요")
    a_cell = Row("it is a query and a key, as 7.4", "7.4처럼 쿼리와 키를 적으세요")
    a_token = Row(
        "it is one token, as query.7 or key.4", "query.7이나 key.4처럼 토큰 하나를 적으세요"
    )
    a_part = Row(
        "it is the first and last query and key in view, as 101-160.33-92",
        "101-160.33-92처럼 보일 쿼리의 처음과 끝, 키의 처음과 끝을 적으세요",
    )
    some_heads = Row(
        "it is up to {most} heads, each with its layer, as 3.5,2.1",
        "3.5,2.1처럼 층과 헤드를 {most}개까지 적으세요",
    )
    order_wanted = Row(
        "it wants an order, of which the first are shown",
        "order를 함께 골라야 그 가운데 앞의 것을 보여 줄 수 있어요",
    )
    compact_html = Row(
        "only a page (.html) can be made smaller", "작게 만들 수 있는 것은 웹 페이지(.html)뿐이에요"
    )
    unminded = Row(
        "it changes nothing of the view {view} as {form}",
        "{view} 보기를 {form} 파일로 저장할 때는 달라지는 것이 없어요",
    )
    unminded_beside = Row(
        "it changes nothing of two traces beside each other, {view}, as {form}",
        "두 기록을 나란히 둔 {view} 보기를 {form} 파일로 저장할 때는 달라지는 것이 없어요",
    )
    # two traces at the command line
    beside_step = Row("--beside draws two traces, whole", "--beside는 두 기록을 통째로 그려요")
    beside_other = Row(
        "there is no second trace without --beside", "--beside가 없으면 둘째 기록도 없어요"
    )
    # what a trace has not
    has_kinds = Row("this trace has {known}", "이 기록에는 {known} 어텐션만 있어요")
    has_no_kind = Row("this trace has no attention at all", "이 기록에는 어텐션이 없어요")
    has_states = Row(
        "this trace has no attention; python -m viz states writes its states",
        "이 기록에는 어텐션이 없어요. 상태는 python -m viz states로 저장해요",
    )
    has_to = Row("this trace has 1 to {most}", "이 기록에는 1에서 {most}까지 있어요")
    has_none = Row("there is none", "이 기록에는 하나도 없어요")
    has_heads = Row(
        "this trace has {layers} layers of {heads} heads",
        "이 기록에는 {layers}개 층에 헤드가 {heads}개씩 있어요",
    )
    has_no_logits = Row("this trace has no logits", "이 기록에는 로짓이 없어요")
    has_no_scores = Row("this trace has no scores", "이 기록에는 점수가 없어요")
    unmeasured = Row("{kind} is not measured by it", "{kind} 어텐션에서는 재지 않는 값이에요")
    # what paper and tables have no room for
    paper_tokens = Row(
        "paper has room for {room:,} tokens a side, this is of {size:,}; {instead}",
        "종이에는 한 변에 토큰 {room:,}개까지 들어가는데 {size:,}개예요. {instead}",
    )
    paper_inches = Row(
        "a figure has room for {room} square inches, this is of {size:,}; {instead}",
        "그림은 {room}제곱인치까지 그릴 수 있는데 {size:,}제곱인치예요. {instead}",
    )
    paper_tree = Row(
        "paper has room for {side:,} inches a side and {room:,} square inches, "
        "this tree is {wide:,.0f} by {tall:,.0f} inches; {instead}",
        "종이는 한 변이 {side:,}인치, 넓이가 {room:,}제곱인치까지인데 이 트리는 {wide:,.0f} × "
        "{tall:,.0f}인치예요. {instead}",
    )
    cells_many = Row(
        "csv and json have room for {room:,} cells, this is of {size:,}; {instead}",
        "csv와 json에는 칸이 {room:,}개까지 들어가는데 {size:,}개예요. {instead}",
    )
    instead_whole = Row("npz and html hold it whole", "npz와 html에는 모두 담겨요")
    instead_each = Row("an npz of each holds it whole", "기록마다 npz로 저장하면 모두 담겨요")
    instead_numbers = Row("csv and json hold it whole", "csv와 json에는 모두 담겨요")
    # two traces, and a search
    two_views = Row(
        "of two traces there are head and grid",
        "두 기록을 나란히 볼 때는 head와 grid만 쓸 수 있어요",
    )
    two_form = Row(
        "that holds one trace; two go into png, svg, pdf, csv, json or html",
        "이 형식에는 기록 하나만 담겨요. 둘은 png, svg, pdf, csv, json, html에 담겨요",
    )
    two_unlike = Row(
        "the two have different numbers of layers and heads, {first} and {second}; "
        "a difference needs the same",
        "두 기록의 층과 헤드 수가 달라요({first}, {second}). 차이를 보려면 서로 같아야 해요",
    )
    two_units = Row(
        "unit 1 of one has nothing to do with unit 1 of the other; export each by itself",
        "한쪽의 유닛 1과 다른 쪽의 유닛 1은 서로 상관이 없어요. 하나씩 내보내세요",
    )
    two_recorded = Row(
        "the two have different stacks, layers, units or states; export each by itself",
        "두 기록의 스택, 층, 유닛, 상태가 서로 똑같지 않아요. 하나씩 내보내세요",
    )
    two_places = Row(
        "the two have {rows} rows and {columns} columns",
        "두 기록에는 행이 {rows}개, 열이 {columns}개 있어요",
    )
    two_kinds = Row(
        "the first trace has {first}, the second {second}",
        "두 기록에 함께 있는 어텐션이 없어요(첫째: {first}, 둘째: {second})",
    )
    no_kind = Row("no attention at all", "없음")
    states_large = Row(
        "a page has room for {room} MB of states, these are {size} MB; npz holds them",
        "이 형식에는 상태가 {room} MB까지 담기는데 {size} MB예요. npz로 저장하세요",
    )
    has_no_states = Row(
        "this trace has no states of recurrent layers", "이 기록에는 순환 층의 상태가 없어요"
    )
    gaps_form = Row(
        "that holds one trace; gaps go into png, svg, pdf, csv, json or html",
        "이 형식에는 기록 하나만 담겨요. 빈칸은 png, svg, pdf, csv, json, html로 저장하세요",
    )
    search_form = Row(
        "that holds one trace; a search goes into png, svg, pdf, csv or json",
        "이 형식에는 기록 하나만 담겨요. 빔 탐색은 png, svg, pdf, csv, json으로 저장하세요",
    )
    # a model at work
    crashed_opening = Row("{kind} while opening it", "여는 도중 {kind} 오류가 났어요")
    crashed_looking = Row("{kind} while looking at it", "살펴보는 도중 {kind} 오류가 났어요")
    # a training run
    run_stays = Row("this run cannot go on", "이 훈련은 이어 할 수 없어요")
    run_kept = Row(
        "it trains, or was not started here", "훈련 중이거나 여기서 시작한 것이 아니에요"
    )
    runs_many = Row("it holds {limit} runs", "훈련이 이미 {limit}개 있어요")


REASONS: Final = in_languages(ReasonText)


class AppReason(Reason):
    """A reason by a code of the app or of the core."""

    sentences: ClassVar[Mapping[str, str]] = {**CORE_REASONS, **by_name(REASONS["en"])}


class AppError(HeadlightError):
    """Something that a person can put right, by a code of the app or of the core."""

    sentences: ClassVar[Mapping[str, str]] = {**CORE_SENTENCES, **by_name(SENTENCES["en"])}


def because(code: str, **parameters: str | int | float | Reason) -> Reason:
    """A reason by its code, one of the app or of the core, and what its sentence names."""
    return AppReason(code, parameters)
