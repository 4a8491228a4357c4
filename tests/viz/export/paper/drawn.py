"""What figures for paper say and hold, as programs that open them find it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree

from PIL import Image
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, PdfObject

ACTIVE: Final = frozenset(
    f"/{name}"
    for name in [
        "A",
        "AA",
        "AcroForm",
        "Action",
        "EmbeddedFile",
        "EmbeddedFiles",
        "JavaScript",
        "JS",
        "Launch",
        "Names",
        "OpenAction",
        "RichMedia",
        "SubmitForm",
        "URI",
        "XFA",
    ]
)
"""Keys of a PDF by which it would do anything, or hold something else."""


def svg_lines(body: bytes) -> list[str]:
    """Every text of an SVG."""
    root = ElementTree.fromstring(body)
    return ["".join(node.itertext()).strip() for node in root.iter() if node.tag.endswith("}text")]


def pdf_lines(body: bytes) -> list[str]:
    """Every text of a PDF's only page."""
    (page,) = PdfReader(io.BytesIO(body)).pages
    return [line.strip() for line in page.extract_text().splitlines()]


def say_the_same(paper: bytes, drawn: bytes) -> bool:
    """Whether a PDF has the letters of an SVG, in whichever order readers find them."""
    said, shown = (
        Counter("".join("".join(lines).split())) for lines in (pdf_lines(paper), svg_lines(drawn))
    )
    return said.keys() == shown.keys() and not shown - said  # a letter of two faces is there twice


def pdf_keys(body: bytes) -> set[str]:
    """The keys of all dictionaries of a PDF, whatever they hang on."""
    return set(_keys(PdfReader(io.BytesIO(body)).trailer, set()))


def _keys(value: PdfObject, seen: set[int]) -> Iterator[str]:
    whole = value.get_object()
    if whole is None or id(whole) in seen:
        return
    seen.add(id(whole))
    if isinstance(whole, DictionaryObject):
        yield from whole
        for inner in whole.values():
            yield from _keys(inner, seen)
    elif isinstance(whole, ArrayObject):
        for inner in whole:
            yield from _keys(inner, seen)


def picture(body: bytes) -> Image.Image:
    """A PNG, after its last pixel was read; what it holds beside them is only who made it."""
    image = Image.open(io.BytesIO(body))
    image.load()
    assert image.format == "PNG"
    assert image.info.keys() <= {"Software", "dpi"}
    return image.convert("RGB")
