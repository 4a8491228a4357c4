"""The command line as a process: what a shell and a pipe see."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

Environment = dict[str, str]


@pytest.fixture
def environment(tiny_checkpoint: Path) -> Environment:
    # a locale that knows no Hangul, as in a bare container
    return {**os.environ, "HEADLIGHT_CHECKPOINTS": str(tiny_checkpoint.parent), "LC_ALL": "POSIX"}


def run(
    environment: Environment, *arguments: str, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        input=stdin,
        capture_output=True,
        env=environment,
        timeout=120,
        check=False,
    )


def test_hangul_goes_through_pipes(environment: Environment) -> None:
    done = run(environment, "translate", "--json", stdin="나는 물을 마신다\n".encode())
    assert done.returncode == 0
    assert "나는 물을 마신다" in done.stdout.decode()
    assert "I drink water" in done.stdout.decode()
    assert done.stderr == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ["translate", ""],
        ["translate", "--model", "없는 모델", "x"],
        ["translate", "--model", "a\nb", "x"],
        ["translate", "--beam", "many", "x"],
        ["translate", "--no-such-option"],
        ["no-such-command"],
        ["trace", "--source", "물"],
        ["verify", "none"],
        ["verify"],
        ["train", "none.toml"],
        ["evaluate", "--data", "none.tsv"],
    ],
)
def test_an_error_is_one_line_and_exit_code_2(
    environment: Environment, arguments: list[str]
) -> None:
    done = run(environment, *arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("error: ")
    assert "Traceback" not in line


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["train", "{recipe}", "--out", "/proc/x"], "/proc/x"),
        (["train", "{recipe}", "--out", "{recipe}"], "recipe.toml"),
        (["trace", "--source", "물", "--out", "/"], "/"),
        (["trace", "--source", "물", "--out", "x" * 300], "xxx"),
    ],
)
def test_what_cannot_be_written_is_one_line(
    environment: Environment, tmp_path: Path, arguments: list[str], named: str
) -> None:
    data, recipe = tmp_path / "data.tsv", tmp_path / "recipe.toml"
    data.write_text("가\ta\n나\tb\n", encoding="utf-8")
    recipe.write_text(
        'model_id = "m"\nsource_language = "ko"\ntarget_language = "en"\n'
        f'corpora = [{{ name = "all", path = "{data}" }}]\ntraining = {{ steps = 1 }}\n',
        encoding="utf-8",
    )
    done = run(environment, *(argument.format(recipe=recipe) for argument in arguments))
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.decode().splitlines()
    assert named in line
    assert "cannot be written" in line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_output_is_one_line(environment: Environment) -> None:
    command = [sys.executable, "-m", "core", "models"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, env=environment, check=False
        )
    assert done.stderr.decode().startswith("error: the output cannot be written")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_bytes_that_are_no_text_do_not_crash(environment: Environment) -> None:
    done = run(environment, "translate", stdin=b"\xff\xfe\x80 \xea\xb0\x80\n")
    assert done.returncode == 0
    assert done.stderr == b""


def test_a_closed_pipe_ends_quietly(environment: Environment) -> None:
    lines = "나는 물을 마신다\n".encode() * 2000
    with subprocess.Popen(
        [sys.executable, "-m", "core", "translate"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(lines[: 2**15])
        process.stdin.flush()
        assert process.stdout.readline() == b"I drink water\n"
        process.stdout.close()  # as `head -1` does
        process.stdin.close()
        errors = process.stderr.read()
        process.wait(timeout=60)
    assert errors == b""
    assert process.returncode != 0


def test_ctrl_c_ends_quietly(environment: Environment) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "core", "translate"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        # What starts in a shell's background has SIGINT ignored, and hands that on.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("나는 물을 마신다\n".encode())
        process.stdin.flush()
        assert process.stdout.readline() == b"I drink water\n"
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()
        process.wait(timeout=60)
    assert errors == b""
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "unused"),
    [
        (["models"], "torch"),
        (["--help"], "torch"),
        (["translate", "--help"], "torch"),
        (["translate", "나는 물을 마신다"], "torch._dynamo"),  # as long again, for nothing
    ],
)
def test_nothing_is_loaded_that_takes_long_and_is_not_used(
    environment: Environment, arguments: list[str], unused: str
) -> None:
    code = (
        "import sys; unused = sys.argv.pop(1)\n"
        "from core.cli.app import main\n"
        "try:\n    main()\n"
        "finally:\n    assert unused not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, unused, *arguments],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_training_saves_and_can_go_on(
    environment: Environment, tmp_path: Path, number: signal.Signals
) -> None:
    data, recipe, out = tmp_path / "data.tsv", tmp_path / "recipe.toml", tmp_path / "out"
    data.write_text("".join(f"가{n}\ta{n}\n" for n in range(9)), encoding="utf-8")
    recipe.write_text(
        'model_id = "m"\nsource_language = "ko"\ntarget_language = "en"\n'
        'tokenizer = { kind = "characters" }\n'
        "model = { d_model = 16, heads = 2, encoder_layers = 1, decoder_layers = 1 }\n"
        f'corpora = [{{ name = "all", path = "{data}" }}]\n'
        "training = { steps = 1000000, report_every = 1, milestones = 0 }\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "core", "train", str(recipe), "--out", str(out)]
    for _ in range(2):  # stopped, gone on with, and stopped again
        job = subprocess.Popen(
            [*command, "--resume"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        assert job.stdout is not None
        while b"tokens/s" not in job.stdout.readline():
            assert job.poll() is None
        job.send_signal(number)
        said, wrong = job.communicate(timeout=60)
        assert job.returncode == 130
        assert wrong == b""
        assert b"stopped and saved; go on with --resume" in said
    saved = sorted(path.name for path in (out / "work").glob("state-*"))
    assert len(saved) == 2
