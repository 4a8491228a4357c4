"""Opening a Hugging Face folder: no code of its own, no pickle, nothing missing."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch
import transformers
from safetensors import safe_open
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoModelForTextEncoding,
    AutoModelForTokenClassification,
    AutoTokenizer,
    GenerationConfig,
)
from transformers.models.auto.modeling_auto import (
    MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
    MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES,
    MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES,
)
from transformers.utils import logging

from core.errors import HeadlightError, unusable
from core.families.hub.claim import Claim, check_memory, free_bytes, invalid
from core.families.hub.folder import DISCRIMINATORS, READERS, UNSHOWN, called, claimed, described
from core.families.hub.gguf import config_of, tokenizer_of, turn, weights_of
from core.families.hub.gguf_header import Header
from core.families.hub.network import HubNetwork
from core.families.hub.placing import Placing, Room, placing
from core.families.hub.template import Chat, Template
from core.families.hub.tokenizer import HubTokenizer
from core.families.hub.wiring import Form
from core.reasons import RefusedError, because

_HALVES: Final = (torch.float16, torch.bfloat16)
_LOCAL: Final[dict[str, Any]] = {"local_files_only": True, "trust_remote_code": False}
_HEADS: Final[tuple[tuple[str, Any, Any], ...]] = (
    ("writes", AutoModelForSeq2SeqLM, MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES),
    ("goes on", AutoModelForCausalLM, MODEL_FOR_CAUSAL_LM_MAPPING_NAMES),
    ("fills", AutoModelForMaskedLM, MODEL_FOR_MASKED_LM_MAPPING_NAMES),
    ("labels", AutoModelForSequenceClassification, MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES),
    ("tags", AutoModelForTokenClassification, MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES),
)


@dataclass(frozen=True, slots=True, eq=False)
class HubFolder:
    """An opened folder.

    Attributes:
        name: what it is called.
        head: what it does: "writes" from a source, "goes on" with a text, "fills" what is hidden,
            "labels" a text or "tags" its tokens; "" for a body without any head.
        generation: how it writes, by its own settings.
        quantized: how its file holds weights that are no floats, such as Q4_1.
        half: the half precision that it is held in, "" where that is float32.
        template: what it puts around a message, where it was tried.
    """

    name: str
    folder: Path
    architecture: str
    head: str
    network: HubNetwork
    tokenizer: HubTokenizer
    generation: GenerationConfig
    digest: str
    quantized: tuple[str, ...] = ()
    half: str = ""
    template: Chat = None

    @property
    def rows(self) -> int:
        """Of its embedding: ids that it knows."""
        return int(self.network.model.get_input_embeddings().weight.shape[0])

    @property
    def first_place(self) -> int:
        """How many learned places no token stands at: RoBERTa's begin behind its padding."""
        for name, module in self.network.model.named_modules():
            padding = getattr(module, "padding_idx", None)
            if name.endswith("position_embeddings") and padding is not None:
                return int(padding) + 1
        return 0


def load(folder: Path, device: torch.device, name: str = "", template: Chat = None) -> HubFolder:
    """Opens a folder, or a GGUF file.

    Raises:
        HeadlightError: checkpoint_missing, checkpoint_invalid.
    """
    claim = claimed(folder)
    header = claim.header
    if header and device.type == "cpu":
        check_memory(claim, free_bytes())
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        config = config_of(header) if header else AutoConfig.from_pretrained(folder, **_LOCAL)
        architecture, head = _head(config)
        place = Placing() if header else placing(claim.parameters, device.type, _room(device))
        model = _model(folder, config, head, header, place)
        _check_finite(model, claim, place)
        own = tokenizer_of(header) if header else _tokenizer(folder)
        rows = int(model.get_input_embeddings().weight.shape[0])
        if own.vocab_size > rows:  # what was added to it may lie beyond
            raise RefusedError("tokenizer_entries", count=own.vocab_size, wanted=rows)
        tokenizer = HubTokenizer(own, rows)
        written = model.get_output_embeddings() if head == "writes" else None
        if written is not None and written.weight.shape[0] != rows:
            raise RefusedError("vocabularies_two", read=rows, written=written.weight.shape[0])
        if place.spread is None:
            model = model.to(device)
        network = HubNetwork(model.eval().requires_grad_(False), _FORMS.get(head, "encoder"))
        half = str(model.dtype).removeprefix("torch.") if place.half else ""
        return HubFolder(
            name or called(folder),
            folder,
            architecture,
            head,
            network,
            tokenizer,
            _generation(model),
            _digest(claim, half, template),
            header.quantized if header else (),
            half,
            template,
        )
    except HeadlightError:
        raise
    except Exception as error:  # of any kind: it is the folder that the libraries stumble over
        raise invalid(*described(folder), error) from error


def _tokenizer(folder: Path) -> Any:
    """The folder's own.

    Raises:
        HeadlightError: checkpoint_invalid.
    """
    try:
        found = AutoTokenizer.from_pretrained(folder, **_LOCAL)
    except Exception as error:  # what it says is of packages and of the hub
        raise unusable(folder, "tokenizer.json", because("tokenizer_unopened")) from error
    # Without a file, some are made of nothing; those of bytes name none.
    named = found.vocab_files_names.values()
    if named and not any((folder / name).is_file() for name in {"tokenizer.json", *named}):
        raise unusable(folder, "tokenizer.json", because("tokenizer_unopened"))
    return found


_FORMS: Final[dict[str, Form]] = {"writes": "encoder-decoder", "goes on": "decoder"}


def _head(config: Any) -> tuple[str, str]:
    """The name of the architecture, and what it does.

    Raises:
        RefusedError: architecture_unknown, or reads_no_text.
    """
    named = getattr(config, "architectures", None) or [""]
    architecture, kind = str(named[0]), str(config.model_type)
    for head, _, names in _HEADS:
        known = names.get(kind, ())
        if head in ("labels", "tags") and config.is_encoder_decoder:
            continue  # a label that a decoder gives, behind attention of three kinds
        if head == "labels" and not _one_of_several(config):
            continue
        if head == "goes on" and kind in READERS and not _causal(config):
            continue  # XLM's head fills, and goes on only where it was told to look back alone
        if architecture in ((known,) if isinstance(known, str) else known):
            return architecture, head
    filled = architecture.endswith("ForPreTraining") and kind in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    if filled and kind not in DISCRIMINATORS:
        return architecture, "fills"
    body = architecture.endswith("Model")
    both = config.is_encoder_decoder and kind in MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
    if both and (body or architecture.endswith(UNSHOWN)):
        return architecture, "writes"  # a body, whose words are also its output
    if architecture == MODEL_FOR_TEXT_ENCODING_MAPPING_NAMES.get(kind):
        return architecture, ""  # the encoder of such as T5, alone
    if kind in READERS and not _causal(config):
        return architecture, ""  # with a head that is not shown, or none
    if body and kind not in READERS and kind in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        return architecture, "goes on"
    if not architecture and kind in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES:
        return str(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES[kind]), "goes on"  # an old folder names none
    if _reads_no_text(architecture):
        raise RefusedError("reads_no_text", name=architecture)
    raise RefusedError("architecture_unknown", name=architecture or kind)


def _one_of_several(config: Any) -> bool:
    """Whether a text has one of its labels: not any number of them, nor a number (a regression)."""
    other = ("multi_label_classification", "regression")
    return config.num_labels > 1 and getattr(config, "problem_type", None) not in other


def _causal(config: Any) -> bool:
    return bool(getattr(config, "causal", False) or getattr(config, "is_decoder", False))


def _reads_no_text(architecture: str) -> bool:
    """By what transformers has it read, where it knows it."""
    built = getattr(transformers, architecture, None) if architecture.isidentifier() else None
    return bool(getattr(built, "main_input_name", "input_ids") != "input_ids")


def _room(device: torch.device) -> Room:
    """What is free of each GPU, the first first, and of the machine."""
    free = free_bytes()
    gpus = range(torch.cuda.device_count() if device.type == "cuda" else 0)
    room: dict[int | str, int] = {number: torch.cuda.mem_get_info(number)[0] for number in gpus}
    return room if free is None else {**room, "cpu": free}


def _model(
    folder: Path | None, config: Any, head: str, header: Header | None, place: Placing
) -> Any:
    """The network with its weights, in the precision in which there is room for it."""
    by_head = {name: built for name, built, _ in _HEADS}
    encoder = getattr(config, "architectures", None) or [""]
    body = AutoModelForTextEncoding if encoder[0].endswith("EncoderModel") else AutoModel
    built = by_head.get(head, body)
    stored = getattr(config, "dtype", None)
    half = stored if stored in _HALVES else torch.bfloat16
    dtype = half if place.half else torch.float32
    options = {**_LOCAL, "config": config, "use_safetensors": True, "dtype": dtype}
    if place.spread is not None:
        options |= {"device_map": "auto", "max_memory": dict(place.spread)}
    options |= {"output_loading_info": True, "ignore_mismatched_sizes": True}  # they are told
    if header:
        with torch.device("meta"):
            empty = built.from_config(config)
        built, folder, options["state_dict"] = type(empty), None, weights_of(header, empty)
    try:
        model, told = built.from_pretrained(folder, attn_implementation="sdpa", **options)
    except ValueError as error:
        if "scaled_dot_product_attention" not in str(error):
            raise
        model, told = built.from_pretrained(folder, attn_implementation="eager", **options)
    if header:
        turn(header, model)
    idle = (
        "pooler" if head in ("", "fills", "tags") else "\0"
    )  # which makes a label of a text alone
    missing = [name for name in told["missing_keys"] if idle not in name]
    if missing:
        raise RefusedError("tensors_missing", count=len(missing), tensor=str(min(missing)))
    if told["mismatched_keys"]:
        raise RefusedError("tensors_mismatched", tensor=str(next(iter(told["mismatched_keys"]))[0]))
    return model


def _check_finite(model: Any, claim: Claim, place: Placing) -> None:
    # Of one that is spread, what waits in the machine's memory is no parameter of the model.
    named = model.named_parameters() if place.spread is None else _stored(claim)
    for name, tensor in named:
        # A sum tells at once: one that is finite has finite terms alone (a thirtieth of the time).
        if not tensor.sum().isfinite() and not torch.isfinite(tensor).all():
            raise RefusedError("tensor_infinite", tensor=name)


def _stored(claim: Claim) -> Iterator[tuple[str, torch.Tensor]]:
    for file in (name for name in claim.files if name.endswith(".safetensors")):
        with safe_open(claim.folder / file, "pt") as stored:
            yield from ((name, stored.get_tensor(name)) for name in stored.keys())  # noqa: SIM118


def _generation(model: Any) -> GenerationConfig:
    found = getattr(model, "generation_config", None)
    return found if found is not None else GenerationConfig.from_model_config(model.config)


def _digest(claim: Claim, half: str, template: Chat) -> str:
    """Identity of all files that compute, of the precision, and of a template: some say the day."""
    found = hashlib.blake2b(half.encode(), digest_size=32)
    for name in sorted(claim.files.keys() - {"README.md"}):
        found.update(f"{name}\0{claim.files[name]}\0".encode())
        with (claim.folder / name).open("rb") as file:
            while block := file.read(2**24):
                found.update(block)
    if isinstance(template, Template):
        found.update(f"{template.before}\0{template.after}".encode())
    return found.hexdigest()
