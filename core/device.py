"""Where a model runs: the best device of this machine, or the one that was named."""

from __future__ import annotations

import torch

from core import settings
from core.errors import HeadlightError


def available_devices() -> tuple[str, ...]:
    """Devices of this machine, fastest first; "cpu" is always the last."""
    names: list[str] = []
    if torch.cuda.is_available():
        names.append("cuda")
    if torch.backends.mps.is_available():
        names.append("mps")
    return (*names, "cpu")


def best_device(name: str | None = None) -> torch.device:
    """The device to use.

    Args:
        name: "cuda", "mps" or "cpu"; None takes the one that is set (HEADLIGHT_DEVICE), and
            without that the fastest one here.

    Raises:
        HeadlightError: device_unknown.
    """
    known = available_devices()
    wanted = name or settings.current().device or known[0]
    if wanted not in known:
        raise HeadlightError("device_unknown", device=wanted, known=", ".join(known))
    return torch.device(wanted)


def describe_device(device: torch.device) -> str:
    """What people call it: "NVIDIA H200" rather than "cuda"."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    return {"mps": "Apple GPU (MPS)", "cpu": "CPU"}.get(device.type, device.type)
