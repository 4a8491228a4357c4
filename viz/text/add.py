"""The words of the page where models are added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from viz.text.rows import Row, Table, in_languages


class AddText(Table):
    """Every text of the page.

    Attributes:
        shows: what is to be seen in a model that is suggested, by its name on the Hub.
    """

    title = Row("Add a model", "모델 추가")
    lead = Row(
        "A Hugging Face model opens in the same pages as those that are here: its heads, its mask, "
        "its next tokens. Its weights have to be .safetensors or GGUF; no code of its own is run.",
        "Hugging Face 모델도 여기 있는 모델과 같은 화면에서 열려요. 헤드와 마스크, 다음 토큰을 볼 "
        "수 있어요. 가중치는 .safetensors나 GGUF여야 하고, 모델에 딸린 코드는 실행하지 않아요.",
    )
    what = Row(
        "A folder or .gguf file on this computer, or a model's name on the Hugging Face Hub",
        "이 컴퓨터에 있는 폴더나 .gguf 파일, 또는 Hugging Face Hub에 있는 모델 이름",
    )
    listed = Row(
        "Whoever can open this app finds it in the list of models then.",
        "열고 나면 이 앱을 여는 누구나 모델 목록에서 볼 수 있어요.",
    )
    placeholder = Row("~/my-bert or skt/kogpt2-base-v2", "~/my-bert 또는 skt/kogpt2-base-v2")
    open = Row("Open", "열기")
    look_up = Row("Look it up", "Hub에서 확인하기")
    again = Row("Try again", "다시 시도하기")
    asking = Row("Asking the Hub for its size…", "Hub에 크기를 묻는 중…")
    size = Row("{size} MB in {files} files", "{size} MB, 파일 {files}개")
    opened_size = Row(
        "Opened, it takes about {size} GB of memory, or half of it where there is no more.",
        "열면 메모리를 {size} GB쯤, 모자라면 그 절반을 써요.",
    )
    download = Row("Download", "내려받기")
    fetching = Row("{done} of {size} MB", "{size} MB 중 {done} MB")
    stop = Row("Stop", "멈추기")
    here = Row("It is here.", "이 컴퓨터에 있어요.")
    several = Row(
        "{count} models of this folder are in the list of models above now.",
        "이 폴더의 모델 {count}개가 이제 위 모델 목록에 있어요.",
    )
    suggestions = Row("Worth a look", "볼 만한 모델")
    shows: Row[Mapping[str, str]] = Row(
        {
            "Helsinki-NLP/opus-mt-ko-en": (
                "Translates Korean into English. Six layers each of encoder, decoder and "
                "cross-attention: beside a model of ours in Compare, what millions of sentences "
                "teach."
            ),
            "beomi/kcbert-base": (
                "Fills gaps in Korean as people write it below the news. Hide a word in Gaps, and "
                "see which words around it are looked at."
            ),
            "skt/kogpt2-base-v2": (
                "Goes on with a Korean text. In Step, the mask hides what is not written yet; "
                "choose another next token, and it goes on from there."
            ),
            "google-bert/bert-base-uncased": (
                "Fills gaps in English. Some of its heads follow grammar, as from an object to its "
                "verb; many rest on [SEP]. (Clark et al. 2019)"
            ),
            "openai-community/gpt2": (
                "Goes on with an English text. Write a phrase twice: some heads look at what "
                "came right after its first appearance. (Induction heads, Olsson et al. 2022)"
            ),
            "google-t5/t5-small": (
                "Translates, where a text begins with “translate English to German:”. Where "
                "tokens stand is told by a bias on the scores alone."
            ),
        },
        {
            "Helsinki-NLP/opus-mt-ko-en": (
                "한국어를 영어로 옮겨요. 인코더, 디코더, 크로스 어텐션이 여섯 층씩 있어요. "
                "비교 화면에서 우리 모델과 나란히 두면 문장 수백만 개로 배운 것이 보여요."
            ),
            "beomi/kcbert-base": (
                "뉴스 댓글 같은 한국어에서 빈칸을 채워요. 빈칸 화면에서 단어를 가리면 둘레의 어떤 "
                "단어를 보는지 나와요."
            ),
            "skt/kogpt2-base-v2": (
                "한국어 글을 이어 써요. 단계별 화면에서 아직 쓰지 않은 것이 마스크에 가려지고, "
                "다음 토큰을 다르게 고르면 거기서부터 이어 가요."
            ),
            "google-bert/bert-base-uncased": (
                "영어 빈칸을 채워요. 목적어에서 동사를 보는 것처럼 문법을 따르는 헤드가 있고, 여러 "
                "헤드는 [SEP]에 머물러요. (Clark et al. 2019)"
            ),
            "openai-community/gpt2": (
                "영어 글을 이어 써요. 같은 구절을 두 번 쓰면 앞서 나온 자리의 다음을 보는 헤드가 "
                "있어요. (귀납 헤드, Olsson et al. 2022)"
            ),
            "google-t5/t5-small": (
                "“translate English to German:”으로 시작하는 글을 옮겨요. 토큰의 위치는 점수에 "
                "더하는 편향으로만 알려 줘요."
            ),
        },
    )
    no_network = Row("Without a network", "네트워크가 없다면")
    bring = Row(
        "On a computer that reaches the Hub, these two lines make a folder. Bring it here, on a "
        "USB stick or however you like, and name its path above; or start Headlight with "
        "HEADLIGHT_MODELS naming the folder that holds such.",
        "Hub에 연결되는 컴퓨터에서 아래 두 줄로 폴더를 만들고, USB 등으로 가져와 위에 그 경로를 "
        "입력하세요. 모델 폴더를 모아 둔 곳을 HEADLIGHT_MODELS로 알려 주고 Headlight를 시작해도 "
        "돼요.",
    )
    named = Row("Opened by their path", "경로로 연 폴더")
    forget = Row("Forget {path}", "{path} 잊기")


TEXT: Final = in_languages(AddText)
