from hypothesis import given, settings
from hypothesis import strategies as st

from viz.text.readme import readme_markdown


def test_front_matter_is_left_out_and_rules_are_not() -> None:
    assert readme_markdown("---\nlicense: mit\n---\n# A\n") == "##### A"
    assert readme_markdown("a\n\n---\n\nb") == "a\n\n---\n\nb"


def test_headings_go_down_under_those_of_the_page() -> None:
    assert readme_markdown("# A\n## B\n###### C\n#tag") == "##### A\n###### B\n###### C\n#tag"


def test_images_become_links() -> None:
    text = readme_markdown("![a graph](https://example.org/a.png)")
    assert text == "[a graph](https://example.org/a.png)"


def test_what_only_streamlit_reads_stays_text() -> None:
    assert readme_markdown("it costs $5 and $6") == r"it costs \$5 and \$6"
    assert readme_markdown(":red[alarm] :material/home:") == r"\:red[alarm] \:material/home:"
    assert readme_markdown(r"\$5") == r"\$5"


def test_code_is_left_alone() -> None:
    text = "```sh\necho $HOME # ![x](y)\n# no heading\n```\nand `$x` or ``a`$b``"
    assert readme_markdown(text) == text


def test_a_fence_ends_only_with_its_own_mark() -> None:
    text = "```\n~~~\n$a\n```\n$b"
    assert readme_markdown(text) == "```\n~~~\n$a\n```\n\\$b"


@settings(deadline=None)
@given(st.text())
def test_no_image_ever_survives_outside_code(text: str) -> None:
    made = readme_markdown(text.replace("`", "").replace("~", ""))
    assert "![" not in made


def test_what_would_turn_words_round_or_not_be_seen_is_spelt_out() -> None:
    said = "⟨U+202E⟩gnp.exe"
    for text in ("\u202egnp.exe", "&#x202e;gnp.exe", "&#8238;gnp.exe", "&#X202E;gnp.exe"):
        assert readme_markdown(text) == said
    assert readme_markdown("`\u202egnp`\n\n```\n\ta\u2066b\n```") == (
        "`⟨U+202E⟩gnp`\n\n```\n\ta⟨U+2066⟩b\n```"
    )
    assert readme_markdown("a&ZeroWidthSpace;b") == "a⟨U+200B⟩b"
    for text in ("&amp; &nbsp; &lt; &unknown;", "한 👩‍🔬"):
        assert readme_markdown(text) == text
    assert readme_markdown("`&#x202e;`") == "`&#x202e;`"  # code shows it as it is written
