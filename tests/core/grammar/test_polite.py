"""Korean of any register said politely."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("kiwipiepy")
pytest.importorskip("lemminflect")

from core.grammar.polite import __main__ as command
from core.grammar.polite.register import polite

# Statements: 한다체, 해체, 합니다체.
STATEMENTS = """
그는 밥을 먹는다. | 그는 밥을 먹어요.
톰은 서울에 산다. | 톰은 서울에 살아요.
그녀는 노래를 부른다. | 그녀는 노래를 불러요.
그는 매일 걷는다. | 그는 매일 걸어요.
그는 이웃을 돕는다. | 그는 이웃을 도와요.
그는 집을 짓는다. | 그는 집을 지어요.
날씨가 춥다. | 날씨가 추워요.
그 꽃은 하얗다. | 그 꽃은 하얘요.
머리가 아프다. | 머리가 아파요.
배가 고프다. | 배가 고파요.
아무도 모른다. | 아무도 몰라요.
그는 편지를 쓴다. | 그는 편지를 써요.
비가 온다. | 비가 와요.
꽃이 아름답다. | 꽃이 아름다워요.
그들은 영어를 공부한다. | 그들은 영어를 공부해요.
시간이 필요하다. | 시간이 필요해요.
그는 춤을 춘다. | 그는 춤을 춰요.
문이 닫힌다. | 문이 닫혀요.
우리는 물을 마신다. | 우리는 물을 마셔요.
감기에 걸렸다. | 감기에 걸렸어요.
비가 왔어. | 비가 왔어요.
오늘은 눈이 오겠다. | 오늘은 눈이 오겠어요.
그는 의사이다. | 그는 의사예요.
그는 의사다. | 그는 의사예요.
그는 학생이다. | 그는 학생이에요.
이건 문제가 아니야. | 이건 문제가 아니에요.
그는 곧 올 것이다. | 그는 곧 올 거예요.
톰은 올 거야. | 톰은 올 거예요.
그는 선생님이었다. | 그는 선생님이었어요.
그는 학생입니다. | 그는 학생이에요.
비가 옵니다. | 비가 와요.
시간이 없습니다. | 시간이 없어요.
어제 영화를 봤습니다. | 어제 영화를 봤어요.
아버지는 신문을 읽으신다. | 아버지는 신문을 읽으세요.
할머니는 집에 계신다. | 할머니는 집에 계세요.
그는 담배를 피우지 않는다. | 그는 담배를 피우지 않아요.
문이 열려 있다. | 문이 열려 있어요.
그는 차를 갖는다. | 그는 차를 가져요.
여동생이 한 명 있다. | 여동생이 한 명 있어요.
"""
PRONOUNS = """
나는 오늘 시간이 없다. | 저는 오늘 시간이 없어요.
나는 커피가 좋아. | 저는 커피가 좋아요.
내가 했어. | 제가 했어요.
내 이름은 톰이야. | 제 이름은 톰이에요.
난 배고파. | 저는 배고파요.
그는 나를 본다. | 그는 저를 봐요.
그는 나에게 책을 줬다. | 그는 저에게 책을 줬어요.
나도 그렇게 생각해. | 저도 그렇게 생각해요.
너는 학생이다. | 당신은 학생이에요.
네가 틀렸어. | 당신이 틀렸어요.
나는 너를 사랑해. | 저는 당신을 사랑해요.
너와 함께 가고 싶어. | 당신과 함께 가고 싶어요.
너희는 어디에 살아? | 여러분은 어디에 살아요?
네 도움이 필요해. | 당신의 도움이 필요해요.
너한테 말했어. | 당신한테 말했어요.
"""
QUESTIONS = """
어디 가니? | 어디 가요?
뭐 하냐? | 뭐 해요?
지금 뭐 해? | 지금 뭐 해요?
밥 먹었니? | 밥 먹었어요?
톰은 어디 있는가? | 톰은 어디 있나요?
그는 누구인가? | 그는 누구인가요?
이게 뭐야? | 이게 뭐예요?
이것은 무엇입니까? | 이것은 무엇이에요?
내일 갈까? | 내일 갈까요?
커피 마실래? | 커피 마실래요?
어디에 가십니까? | 어디에 가세요?
비가 오나? | 비가 오나요?
맞지? | 맞죠?
"""
OTHERS = """
비가 오네. | 비가 오네요.
정말 예쁘구나! | 정말 예쁘군요!
비가 오는구나. | 비가 오는군요.
벌써 봄이군. | 벌써 봄이군요.
그건 당연하지. | 그건 당연하죠.
내가 갈게. | 제가 갈게요.
귀엽잖아! | 귀엽잖아요!
시간이 없거든. | 시간이 없거든요.
비가 오는데. | 비가 오는데요.
톰이 아프대. | 톰이 아프대요.
내가 갔으면 좋았을 텐데. | 제가 갔으면 좋았을 텐데요.
같이 가자. | 같이 가요.
여기 앉자. | 여기 앉아요.
병원으로 갑시다. | 병원으로 갑시다.
정말 감사합니다. | 정말 감사합니다.
"""
# Requests are told by English, where Korean does not tell them.
REQUESTS = """
도와줘. | Help me. | 도와주세요.
여기 앉아. | Sit here. | 여기 앉으세요.
문을 열어. | Open the door. | 문을 여세요.
내 말을 들어. | Listen to me. | 제 말을 들으세요.
빨리 와! | Come quickly! | 빨리 오세요!
천천히 걸어라. | Walk slowly. | 천천히 걸으세요.
손을 씻어라. | Wash your hands. | 손을 씻으세요.
움직이지 마! | Don't move! | 움직이지 마세요!
거짓말 하지 마라. | Don't lie. | 거짓말 하지 마세요.
조심해! | Be careful! | 조심하세요!
이거 먹어. | Eat this. | 이거 드세요.
여기 있어. | Stay here. | 여기 계세요.
다시 한 번 해봐. | Try again. | 다시 한 번 해보세요.
앉으십시오. | Sit down. | 앉으세요.
톰, 일어나. | Tom, get up. | 톰, 일어나세요.
이해해. | I understand. | 이해해요.
새 버스는 빨리 갈 수 있게 해줘. | The new bus lets us go fast. | 새 버스는 빨리 갈 수 있게 해줘요.
서둘러, 늦겠다. | Hurry up, you'll be late. | 서두르세요, 늦겠어요.
고마워, 톰. | Thanks, Tom. | 고마워요, 톰.
톰은 매일 달려. | Tom runs every day. | 톰은 매일 달려요.
안녕! | Hi! | 안녕하세요!
안녕. | Goodbye. | 안녕히 가세요.
가자. 늦었어. | Let's go. It's late. | 가요. 늦었어요.
거기 가면 안 돼. | Don't go there. | 거기 가면 안 돼요.
안 돼! | Don't! | 안 돼요!
나중에 봐. | See you later. | 나중에 봐요.
내일 봐. | See you tomorrow. | 내일 봐요.
또 봐. | See you. | 또 봐요.
나중에 얘기해. | Talk to you later. | 나중에 얘기해요.
행운을 빌어. | Wish you luck. | 행운을 빌어요.
행운을 빌어줘. | Wish me luck. | 행운을 빌어주세요.
이거 봐. | Look at this. | 이거 보세요.
톰, 먹어. | Eat, Tom. | 톰, 드세요.
기다려, 톰. | Wait, Tom. | 기다리세요, 톰.
뛰어, 톰, 뛰어! | Run, Tom, run! | 뛰어요, 톰, 뛰어요!
봐, 나 가. | Look, I go. | 봐요, 저 가요.
조심해라, 톰. | Be careful, Tom. | 조심하세요, 톰.
아니, 의사야. | No, he is a doctor. | 아니요, 의사예요.
그는 내 친구야. | He is my friend. | 그는 제 친구예요.
내 거야. | It's mine. | 제 거예요.
네 거야. | It's yours. | 당신 거예요.
니 거야. | It's yours. | 당신 거예요.
손을 들어라. | Raise your hand. | 손을 드세요.
내 말을 들어라. | Hear me. | 제 말을 들으세요.
"누구야?" 그가 물었다. | "Who is it?" he asked. | "누구야?" 그가 물었어요.
"""
CASES = [
    (cells[0], cells[1] if len(cells) == 3 else "", cells[-1])
    for table in (STATEMENTS, PRONOUNS, QUESTIONS, OTHERS, REQUESTS)
    for cells in (line.split(" | ") for line in table.strip().splitlines())
]
POLITE = [
    "오늘은 비가 와요.", "어디에 가세요?", "저는 학생이에요.", "이건 제 거예요.", "같이 갈까요?",
    "잠깐만 기다려 주세요.", "그건 좀 어렵네요.", "정말이죠?", "네, 좋아요.", "만나서 반가워요!",
    "여기에 앉지 마세요.", "제가 할게요.", "시간이 있으면 전화해 주세요.", "아직 안 먹었는데요.",
]  # fmt: skip


@pytest.mark.parametrize(("korean", "english", "said"), CASES)
def test_every_register_becomes_the_polite_one(korean: str, english: str, said: str) -> None:
    assert polite(korean, english) == said


@pytest.mark.parametrize("korean", [*POLITE, *(said for _, _, said in CASES)])
def test_what_is_polite_stays_exactly(korean: str) -> None:
    assert polite(korean) == korean


@pytest.mark.parametrize(
    ("korean", "english"),
    [
        ("가.", ""),  # Go, or I go
        ("너 없인 못 살아.", ""),
        ("이렇게 짜증날 수가!", ""),
        ('"어디 가? 그가 물었다.', ""),
        ("걔는 착해.", ""),
        ("아가야, 어디 가니?", ""),
        ("일어나라, 아이야.", "Get up, child."),  # 야 calls, or is
        ("일어나, 내 착한 아이야.", "Get up, my good child."),
        ("일어나 아이야.", "Get up, child."),
        ("사랑해, 자기야.", "I love you, honey."),
        ("안녕, 친구야.", "Hi, friend."),
        ("저걸 들어라.", "Lift that."),  # read as 듣다
        ("노래를 들어라.", "Play the song."),
        ("들어라!", ""),
    ],
)
def test_what_is_not_sure_is_left_out(korean: str, english: str) -> None:
    assert polite(korean, english) is None


@pytest.mark.parametrize(("korean", "english", "said"), CASES)
def test_spaces_and_what_stands_around_stay(korean: str, english: str, said: str) -> None:
    assert polite(f"  {korean} ", english) == f"  {said} "


def test_the_command_tells_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table, out = tmp_path / "pairs.tsv", tmp_path / "polite.tsv"
    rows = ["korean\tenglish\tfrom", "나는 간다.\tI go.\tA", "가요.\tI go.\tB", "아가야!\tBaby!\tC"]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["polite", str(table), "--out", str(out)])
    command.main()
    assert capsys.readouterr().out == "polite.tsv: 1 changed, 1 kept, 1 left out\n"
    written = out.read_text(encoding="utf-8").splitlines()
    assert written == [rows[0], "저는 가요.\tI go.\tA", rows[2]]


def test_the_command_takes_other_separators_as_part_of_a_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, out = tmp_path / "pairs.tsv", tmp_path / "polite.tsv"
    table.write_bytes("korean\tenglish\r\n비가 온다.\tIt\u2028rains.\r\n".encode())
    monkeypatch.setattr(sys, "argv", ["polite", str(table), "--out", str(out)])
    command.main()
    assert out.read_bytes().decode() == "korean\tenglish\n비가 와요.\tIt\u2028rains.\n"


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (None, "pairs.tsv cannot be read: No such file or directory"),
        (b"", "pairs.tsv, line 1: there are no names of columns"),
        (b"a\tb\n", "pairs.tsv, line 1: there are no columns korean and english"),
        (b"korean\tenglish\n.\t.\n.\n", "pairs.tsv, line 3: 1 of 2 columns are there"),
        (b"korean\tenglish\n\xff\t.\n", "pairs.tsv, line 2: this is not UTF-8"),
    ],
)
def test_the_command_names_what_is_wrong_with_a_table(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    written: bytes | None,
    told: str,
) -> None:
    table, out = tmp_path / "pairs.tsv", tmp_path / "polite.tsv"
    if written is not None:
        table.write_bytes(written)
    monkeypatch.setattr(sys, "argv", ["polite", str(table), "--out", str(out)])
    with pytest.raises(SystemExit) as stopped:
        command.main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err.endswith(f"{told}\n")
    assert not out.exists()


def test_the_command_tells_where_it_cannot_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table, out = tmp_path / "pairs.tsv", tmp_path / "none" / "polite.tsv"
    table.write_text("korean\tenglish\n가요.\tI go.\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["polite", str(table), "--out", str(out)])
    with pytest.raises(SystemExit) as stopped:
        command.main()
    assert stopped.value.code == 2
    assert capsys.readouterr().err.endswith(
        "polite.tsv cannot be written: No such file or directory\n"
    )
