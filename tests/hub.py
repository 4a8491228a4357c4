"""Small Hugging Face folders of many architectures, their weights random."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import sentencepiece
import torch
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    AutoModelForPreTraining,
    AutoModelForQuestionAnswering,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    AutoModelForTextEncoding,
    AutoModelForTokenClassification,
    MarianConfig,
    MarianMTModel,
    PreTrainedTokenizerFast,
)

TEXTS: Final = (
    "I went to a cafe yesterday.",
    "There were many people at the cafe.",
    "어제 카페에 갔었어.",
    "거기 사람이 많더라.",
    "The water is cold, and the tea is not.",
)
SPECIAL: Final = ("<pad>", "<s>", "</s>", "<unk>", "<mask>")
PAD, START, END, _, MASK = range(5)
_IDS: Final = {"pad_token_id": PAD, "bos_token_id": START, "eos_token_id": END}

ENCODER: Final = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 128,
}
DECODER: Final = {**ENCODER, "num_key_value_heads": 2, "head_dim": 8}
WINDOW: Final = {**DECODER, "sliding_window": 4}
BART: Final = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
    "max_position_embeddings": 128,
    "decoder_start_token_id": START,
    "forced_eos_token_id": None,
}
T5: Final = {
    "d_model": 32,
    "d_kv": 8,
    "d_ff": 64,
    "num_layers": 2,
    "num_heads": 4,
    "decoder_start_token_id": PAD,
}
GPT2: Final = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 128}

ENCODERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "bert": ENCODER,
    "roberta": ENCODER,
    "distilbert": {
        "dim": 32,
        "n_layers": 2,
        "n_heads": 4,
        "hidden_dim": 64,
        "max_position_embeddings": 128,
    },
    "albert": {**ENCODER, "embedding_size": 16},
    "electra": {**ENCODER, "embedding_size": 16},
    "xlm-roberta": ENCODER,
    "modernbert": {**ENCODER, "cls_token_id": START, "sep_token_id": END},
}
DECODERS: Final[Mapping[str, Mapping[str, Any]]] = {
    "gpt2": GPT2,
    "gpt_neox": ENCODER,
    "opt": {
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "ffn_dim": 64,
        "word_embed_proj_dim": 32,
        "max_position_embeddings": 128,
    },
    "llama": DECODER,
    "qwen2": DECODER,
    "qwen3": DECODER,
    "mistral": WINDOW,
    "gemma": DECODER,
    "gemma2": {**WINDOW, "query_pre_attn_scalar": 8},
    "gemma3_text": WINDOW,
    "phi": ENCODER,
    "phi3": {**ENCODER, "num_key_value_heads": 2},
    "gpt_oss": {**WINDOW, "num_local_experts": 2, "num_experts_per_tok": 1},
}
BOTH: Final[Mapping[str, Mapping[str, Any]]] = {
    "t5": T5,
    "mt5": T5,
    "bart": BART,
    "mbart": BART,
    "marian": BART,
    "m2m_100": BART,
    "pegasus": BART,
}
OWN_WAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    "gptj": {**GPT2, "rotary_dim": 4},
    "bloom": {"hidden_size": 32, "n_layer": 2, "n_head": 4},
    "deberta-v2": ENCODER,
}
"""Architectures that attend in a way of their own, which no function of ours can replace."""

ODD_ONES: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "falcon": ("goes on", {**ENCODER, "alibi": False}),
    "openai-gpt": ("goes on", GPT2),
    "gpt_neo": (
        "goes on",
        {
            "hidden_size": 32,
            "num_layers": 2,
            "num_heads": 4,
            "intermediate_size": 64,
            "attention_types": [[["global", "local"], 1]],
            "window_size": 4,
            "max_position_embeddings": 128,
        },
    ),
    "jamba": (
        "goes on",
        {
            **ENCODER,
            "num_key_value_heads": 2,
            "num_experts": 2,
            "use_mamba_kernels": False,
            "attn_layer_period": 2,
            "attn_layer_offset": 1,
        },
    ),
    "switch_transformers": (
        "writes",
        {
            **T5,
            "num_decoder_layers": 2,
            "num_experts": 2,
            "num_sparse_encoder_layers": 1,
            "num_sparse_decoder_layers": 1,
        },
    ),
    "led": (
        "writes",
        {
            **{name: size for name, size in BART.items() if name != "max_position_embeddings"},
            "attention_window": [8, 8],
            "max_encoder_position_embeddings": 128,
            "max_decoder_position_embeddings": 128,
        },
    ),
    "longt5": ("writes", {**T5, "local_radius": 4}),
}
"""Of which some part, its cache or a kind of its attention, is otherwise than of most."""

BUILT: Final[Mapping[str, Any]] = {
    "fills": AutoModelForMaskedLM,
    "goes on": AutoModelForCausalLM,
    "writes": AutoModelForSeq2SeqLM,
    "labels": AutoModelForSequenceClassification,
    "tags": AutoModelForTokenClassification,
    "": AutoModel,
    "answers": AutoModelForQuestionAnswering,
    "is pretrained": AutoModelForPreTraining,
    "encodes": AutoModelForTextEncoding,
}


def tokenizer(spelling: str = "bytes") -> PreTrainedTokenizerFast:
    """Trained on `TEXTS`: of byte-level pieces, word pieces, or such with joints.

    Or of their letters, with bytes for all others ("fallback", as of Llama 2).
    """
    special = list(SPECIAL)
    if spelling == "bytes":
        own = Tokenizer(models.BPE())
        own.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        own.decoder = decoders.ByteLevel()
        trainer: Any = trainers.BpeTrainer(
            vocab_size=360,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
    elif spelling == "wordpiece":
        own = Tokenizer(models.WordPiece(unk_token="<unk>"))
        own.normalizer = normalizers.BertNormalizer(lowercase=False)
        own.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        own.decoder = decoders.WordPiece()
        trainer = trainers.WordPieceTrainer(
            vocab_size=200, special_tokens=special, show_progress=False
        )
    elif spelling == "fallback":
        rest = [f"<0x{byte:02X}>" for byte in range(256)]
        letters = sorted({letter for text in TEXTS for letter in text.replace(" ", "▁")})
        words = [*special, *rest, *letters]
        vocabulary = {word: at for at, word in enumerate(words)}
        own = Tokenizer(models.BPE(vocabulary, [], unk_token="<unk>", byte_fallback=True))
        own.pre_tokenizer = pre_tokenizers.Metaspace()
        joined = [decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
        own.decoder = decoders.Sequence([decoders.Replace("▁", " "), *joined])
        return _special(own)
    else:
        own = Tokenizer(models.Unigram())
        own.pre_tokenizer = pre_tokenizers.Metaspace()
        own.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(
            vocab_size=120, special_tokens=special, unk_token="<unk>", show_progress=False
        )
    own.train_from_iterator(TEXTS * 4, trainer)
    return _special(own)


def _special(own: Tokenizer) -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(
        tokenizer_object=own,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        mask_token="<mask>",
        cls_token="<s>",
        sep_token="</s>",
    )


def framed(own: PreTrainedTokenizerFast, template: str) -> PreTrainedTokenizerFast:
    """The same with a template around a text."""
    own.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single=template, special_tokens=[("<s>", START), ("</s>", END)]
    )
    return own


def listed(words: list[str]) -> PreTrainedTokenizerFast:
    """Of whole words, by their list, as BERT frames a text."""
    own = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, "[UNK]"))
    own.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    ends = [(name, words.index(name)) for name in ("[CLS]", "[SEP]")]
    own.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
    return PreTrainedTokenizerFast(
        tokenizer_object=own,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


TEMPLATES: Final = {"writes": "$A </s>", "goes on": "<s> $A"}


def folder(
    path: Path, kind: str, sizes: Mapping[str, Any], head: str, *, spelling: str = "bytes"
) -> Path:
    """Writes a folder; its weights are larger than at their start, so that heads differ."""
    own = framed(tokenizer(spelling), TEMPLATES.get(head, "<s> $A </s>"))
    more = {"num_labels": 3} if head in ("labels", "tags") else {}
    named = {"vocab_size": len(own), **_IDS, **sizes, **more}
    config = AutoConfig.for_model(kind, **named)
    torch.manual_seed(7)
    model = BUILT[head].from_config(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() > 1 and "embed" not in name:
                parameter.mul_(2 if "t5" in kind else 4)  # T5 scales no scores: its rows are steep
    model.save_pretrained(path)
    own.save_pretrained(path)
    return path


CHAT_ML: Final = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""As Qwen's and SmolLM2's models have it, without a text of a system."""


def chat(
    path: Path, template: str = CHAT_ML, *, kind: str = "llama", spelling: str = "bytes"
) -> Path:
    """A folder of a model that goes on with a text, with such a template."""
    sizes = {**DECODERS[kind], "vocab_size": 400}
    folder(path, kind, sizes, "goes on", spelling=spelling)
    own = PreTrainedTokenizerFast.from_pretrained(path)
    own.add_special_tokens({"additional_special_tokens": ["<|im_start|>", "<|im_end|>"]})
    own.chat_template = template
    own.save_pretrained(path)
    return path


OPUS: Final = {
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "activation_function": "swish",
    "add_bias_logits": False,
    "add_final_layer_norm": False,
    "classif_dropout": 0.0,
    "decoder_layerdrop": 0.0,
    "dropout": 0.1,
    "eos_token_id": 0,
    "extra_pos_embeddings": 0,
    "forced_eos_token_id": 0,
    "max_position_embeddings": 96,
    "normalize_before": False,
    "normalize_embedding": False,
    "num_beams": 6,
    "scale_embedding": True,
    "share_encoder_decoder_embeddings": True,
    "static_position_embeddings": True,
}
"""As the config.json of opus-mt models has it, but for the sizes."""


def _spoken(texts: tuple[str, ...], size: int) -> bytes:
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(texts * 4),
        model_writer=written,
        model_type="unigram",
        vocab_size=size,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return written.getvalue()


def opus(path: Path, sizes: Mapping[str, Any] = OPUS, *, languages: str = "ko-en") -> Path:
    """A MarianMT folder as opus-mt models are: two sets of pieces, one list of ids, no start.

    Its output bias asks for padding at once, which its own settings never have it write.
    """
    sides = (TEXTS[2:4], TEXTS[:2])
    path.mkdir()
    pieces: dict[str, None] = {}
    for name, texts in zip(("source.spm", "target.spm"), sides, strict=True):
        raw = _spoken(texts, 60)
        (path / name).write_bytes(raw)
        own = sentencepiece.SentencePieceProcessor(model_proto=raw)
        pieces |= dict.fromkeys(own.IdToPiece(id) for id in range(3, own.GetPieceSize()))
    names = ["</s>", "<unk>", ">>eng<<", *pieces, "<pad>"]
    pad = len(names) - 1
    ids = {piece: id for id, piece in enumerate(names)}
    (path / "vocab.json").write_text(json.dumps(ids, ensure_ascii=False), "utf-8")
    source, target = languages.split("-")
    told = {"source_lang": source, "target_lang": target, "model_max_length": 80}
    (path / "tokenizer_config.json").write_text(json.dumps(told), "utf-8")
    torch.manual_seed(11)
    config = MarianConfig(
        vocab_size=len(names), pad_token_id=pad, decoder_start_token_id=pad, **sizes
    )
    model = MarianMTModel(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "positions" not in name:
                parameter.add_(torch.randn_like(parameter) * config.d_model**-0.5)
        model.final_logits_bias.normal_()
        model.final_logits_bias[0, pad] = 50.0
    model.save_pretrained(path)
    (path / "generation_config.json").unlink()  # older folders have it all in one
    config_file = path / "config.json"
    told = {**json.loads(config_file.read_text("utf-8")), **sizes, "bad_words_ids": [[pad]]}
    config_file.write_text(json.dumps(told), "utf-8")
    return path


def real(package: str, ending: str) -> Path:
    """A file that an installed package brings (requirements-weights.txt)."""
    files = metadata.files(package) or []
    return Path(str(next(file.locate() for file in files if file.name.endswith(ending))))
