"""Hugging Face folders. Nothing of transformers is imported before one is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from core.families.hub.template import Chat
    from core.model import Inspectable


def open_folder(
    folder: Path, device: torch.device, name: str = "", template: Chat = None
) -> Inspectable:
    """The model of a folder, by what it does.

    Args:
        name: what it is called; as its folder is, where left out.
        template: what it puts around a message, as a trial found (`core.families.hub.trial`).

    Raises:
        HeadlightError: checkpoint_missing or checkpoint_invalid.
    """
    from core.families.hub.loading import load
    from core.families.hub.readers import HubForeteller, HubLabeller, HubReader
    from core.families.hub.writers import HubContinuer, HubTranslator

    opened = load(folder, device, name, template)
    match opened.head:
        case "writes":
            return HubTranslator(opened)
        case "goes on":
            return HubContinuer(opened)
        case "fills":
            return HubForeteller(opened)
        case "labels" | "tags":
            return HubLabeller(opened)
        case _:
            return HubReader(opened)
