"""Without the packages that put words together, what needs them ends in words, the rest goes on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import HeadlightError
from core.grammar.needed import REQUIREMENTS, packages

ROOT = Path(__file__).parents[3]
HIDDEN = "import sys; sys.modules |= dict.fromkeys(('lemminflect', 'kiwipiepy'))\n"
RUN = "import runpy; sys.argv[0] = 'x'; runpy.run_module(sys.argv.pop(1), run_name='__main__')"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A module's command in a process that has neither package."""
    command = [sys.executable, "-c", HIDDEN + RUN, *arguments]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False, timeout=120
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ("core.grammar", "--out", "never"),
        ("core.text.grammar", "--out", "never"),
        ("core.grammar.polite", "never.tsv", "--out", "never.tsv"),
        ("core", "study", "alignment", "--model", "ko-en-seq2seq"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_says_what_to_install(arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert done.returncode == 2, done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: The grammar needs a package that is not here")
    assert f"pip install -r {REQUIREMENTS}" in line
    assert done.stdout == ""


def test_what_needs_neither_goes_on() -> None:
    done = run("core.grammar.loanwords", "--help")
    assert done.returncode == 0, done.stderr


def test_what_is_to_be_installed_is_there_and_is_what_the_grammar_imports() -> None:
    named = re.findall(r"^([a-z]+)\w*==", (ROOT / REQUIREMENTS).read_text("utf-8"), re.MULTILINE)
    assert {*named} == {"kiwipiepy", "lemminflect"}
    assert f"-r {REQUIREMENTS}\n" in (ROOT / "requirements-dev.txt").read_text("utf-8")


def test_a_fault_of_another_kind_stays_one() -> None:
    with pytest.raises(ZeroDivisionError), packages():
        1 / 0  # noqa: B018
    with pytest.raises(HeadlightError, match="package"), packages():
        raise ModuleNotFoundError
