"""Why something is refused, for the sentence of an error: again a code and its parameters.

What a library or the operating system says of itself is the parameter `said`: it is English, so
the command line prints it, and the app in another language goes without. All else that a sentence
names is data, the same in every language.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from pydantic import ValidationError

REASONS: Final[dict[str, str]] = {
    # an .npz file
    "file_large": "it is larger than {limit:,} bytes",
    "npz_none": "it is no .npz file, or was cut short",
    "npz_malformed": "it is malformed ({said})",
    "arrays_many": "it holds more than {limit} arrays",
    "arrays_large": "its arrays unpack to {size:,} bytes, more than {limit:,}",
    "array_missing": "{array} is missing",
    "array_twice": "{array} is there twice",
    "array_packed": "{array} is packed in an unknown way",
    "array_version": "{array} is in an unknown version of the format",
    "array_objects": "{array} holds Python objects, not plain numbers",
    "array_short": "{array} is cut short",
    "array_shorter": "{array} declares more than it holds",
    "array_longer": "{array} is longer than it declares",
    "array_turned": "{array} lies column by column; save it row by row",
    "array_characters": "{array} holds what is no character",
    "array_type": "{array} has dtype {dtype} and {axes} axes",
    "array_shape": "{array} has shape ({found}), where its tokens want ({wanted})",
    "array_large": "{array} takes {size:,} bytes, more than {limit:,}",
    # a trace
    "meta_json": "meta is not JSON",
    "meta_model": "meta names no model_id",
    "meta_format": "meta names format {found}; there are {version}",
    "meta_infinite": "meta holds a number that is not finite ({key})",
    "tokens_none": "it holds no tokens",
    "tokens_many": "it holds {count:,} {axis} tokens, more than {limit:,}",
    "tokens_uneven": "the {axis} tokens and their texts, ids and words differ in number",
    "tokens_written": "tokens written and tokens read differ in number",
    "kind_unknown": "unknown kind of attention {kind!r}",
    "kind_misfiled": "{kind} is filed under {name}",
    "kind_empty": "{kind} has no row or no column",
    "kind_headless": "{kind}: no layer or no head",
    "kind_axes": "{kind}: axes {found} do not fit tokens {wanted}",
    "heads_many": "{kind}: more than {limit} layers or heads",
    "heads_all": "{kind}: {layers} layers of {heads} heads, more than {limit:,} in all",
    "mask_form": "{kind}: the mask is not a bool (query, key) or (layer, head, query, key)",
    "weights_axes": "{kind}: weights have {axes} axes, not 4",
    "weight_infinite": "{kind}: a weight is negative or not finite",
    "weight_forbidden": "{kind}: weight on a cell that the mask forbids",
    "row_sum": "{kind}: a row sums to {sum:.6g}, not {wanted:g} within {tolerance:f}",
    "score_infinite": "{kind}: a score is not finite",
    "part_shape": "{kind}: {part} and weights differ in shape",
    "part_infinite": "{kind}: {part} are not finite",
    "vectors_alone": "{kind}: it takes both queries and keys",
    "vectors_uneven": "{kind}: queries and keys differ in width, or have none",
    "vectors_wide": "{kind}: vectors of {width:,} numbers, not 1 to {limit:,}",
    "stack_axes": "{stack}: {part} does not fit its tokens",
    "stack_infinite": "{stack}: {part} is not finite",
    "states_many": "{stack}: {count} named states, not 1 to {limit}",
    "states_named": "{stack}: two states have one name",
    "logits_wide": "logits have {count:,} columns, more than {limit:,}",
    "logits_target": "logits do not fit the target",
    "logit_infinite": "a logit is not finite",
    "vocabulary_uneven": "the vocabulary and the logits differ in length",
    # a setting, or one of several
    "one_of": "it is one of {known}",
    "whole_from_none": "it is a whole number: 0 for none, 1, 2 and so on",
    "host_names": "it is names of machines with commas between them, as class.example.org, lab",
    "odd": "it is an odd number",
    "rising": "they rise from 1",
    "three_rising": "three or more are needed, each above the one before",
    # a model at work
    "range": "it must be {low} to {high}",
    "branch_tokens": "its tokens must be 0 to {high}",
    "branch_ended": "nothing can follow the end token",
    "branch_target": "a target leaves it nothing to write freely",
    "forcing": "way to force a target on it",
    "branching": "way to have it write other tokens first",
    "sampling": "way to draw what it writes by chance",
    "sampling_range": "a seed is 0 to {seeds:,}, a temperature 0 to {temperatures:g}, "
    "and top-p above 0 to 1",
    "sampling_target": "a target leaves it nothing to draw",
    "sampling_beam": "a beam search draws nothing by chance; leave out one of the two",
    "messages": "way to read a text as a user's message",
    "hiding": "way to hide a token of its source",
    "filling": "way to fill a gap in a text",
    "hidden_place": "its places are 1 to {high}",
    "labelling": "way to give a label to what it has read whole",
    "predicting": "way to foretell what comes next",
    "searching": "beam search",
    "writing": "way to write a text",
    "answering": "way to answer a text by another",
    "lifting": "mask of a decoder that could be lifted",
    "edit_site": "{place} is nothing of {site}",
    "edit_absent": "this model has no {site} attention",
    "edit_fixed": "this model's {place} of {site} cannot be edited",
    "edit_headless": "a residual stream has no heads",
    "edit_how": "a value is set, scaled or added (set, scale, add), not {how}",
    "edit_numbers": "a value is a number, a tuple of numbers, or a tuple of such rows",
    "edit_infinite": "a value is not finite",
    "edit_mask": "a mask is set, to 1 (may attend) or 0",
    "edit_weights": "weights are not negative",
    "edit_negative": "layers, heads, rows and columns count from 0",
    "edit_values": "there are not as many values as rows or columns",
    "edit_width": "it has {count} values where there are {wanted}",
    "edit_layer": "there are {layers} layers of {heads} heads, counted from 0",
    "edit_stream": "{layers} layers read the stream and the last leaves one, counted from 0",
    "edit_reach": "there are {rows} rows and {columns} columns, counted from 0",
    "overflow": "its attention overflows ({reason})",
    # a checkpoint folder
    "at": "{place}: {reason}",
    "other": "{said}",
    "link_out": "it is a link out of the folder",
    "file_none": "it is not a file",
    "file_foreign": "{file} is no file of a checkpoint",
    "file_limit": "{file} is larger than {limit:,} bytes",
    "weights_size": "{size:,} bytes cannot be the {count:,} parameters of config.json",
    "tensor_surplus": "{tensor} does not belong to this model",
    "tensor_shape": "{tensor} is {found}, not {wanted}",
    "tensor_type": "{tensor} is {dtype}, not a float of 16 or 32 bits or an int8 matrix",
    "tensor_infinite": "{tensor} holds values that are not finite",
    "config_longer": "max_source or max_target is beyond the model's max_length",
    "config_large": "max_length times d_model is too large",
    "language_tag": "{found!r} is no language tag, such as en or ko",
    "config_pad": "pad_id is not {id}, the tokenizer's",
    "tokenizer_unopened": "it does not open, nor does what a tokenizer may be made of instead "
    "(vocab.txt, vocab.json and merges.txt, spiece.model, tokenizer.model)",
    "tokenizer_entries": "its tokenizer has {count} entries, the model {wanted}",
    "vocabularies_two": (
        "it reads {read:,} tokens and writes {written:,}: two vocabularies are not taken"
    ),
    "generation_odd": "{place} names no token by its number",
    "sentencepiece_none": "not a SentencePiece model",
    "special_ids": "special ids are {found}",
    "characters_repeat": "characters repeat, or are too many",
    "characters_long": "an entry is not one character",
    "characters_none": "no list of characters",
    "labels_repeat": "two labels are the same",
    "labels_none": "who answers by a text has no labels",
    "labels_backward": "a label is given at the end, of which who reads backward has seen nothing",
    "labels_few": "two labels or more are needed",
    "label_unknown": "there is no label {label!r}; there are {known}",
    "labels_uneven": "{text!r} has {words} words, as its tokens have it, and {labels} labels",
    "counts_uneven": "arrays do not fit each other",
    "counts_foreign": "it counts another vocabulary",
    "trace_foreign": "it was taken of other weights",
    # a Hugging Face folder
    "attends_itself": (
        "it attends in a way of its own: its weights are shown, and its attention has neither "
        "scores nor edits here"
    ),
    "answers_apart": (
        "asked for its attention it answered otherwise, by {apart}: weights that it tells by "
        "itself are shown, and its attention has neither scores nor edits here"
    ),
    "scores_bent": (
        "its scores are bent to stay below a limit: they are no products of queries and keys alone"
    ),
    "reads_causally": (
        "its layers are those of a decoder, whose tokens look at none that come later: it reads a "
        "text whole, as an encoder does, so it is called one here"
    ),
    "rows_sunk": "a part of each row flows to no token, but to the attention sink of its head",
    "shares_none": (
        "which of its maps is the output projection W^O was not found: how much each head adds is "
        "not shown"
    ),
    "shares_between": (
        "what its heads add goes through something else, such as a norm, before it joins the "
        "residual stream: their shares are of what W^O gives"
    ),
    "residual_none": (
        "its layers do not hand one residual stream on: it is neither recorded nor edited"
    ),
    "answers_same": "asked for its attention it answers the same: by at most {apart} otherwise",
    "architecture_unknown": (
        "{name} is no architecture that Headlight opens: what does open are encoders that fill, "
        "label, tag or only read, decoders that go on with a text, and both that write one"
    ),
    "reads_no_text": "{name} reads pictures or sound, and Headlight opens models that read text",
    "head_unseen": "what its head ({name}) says is not shown: only what its body looks at",
    "attention_none": "it tells nothing of its attention, or has none",
    "attention_odd": (
        "what it tells of its attention are no weights of its tokens on each other, as of windows "
        "or before their softmax"
    ),
    "attention_other": "asked for its attention it answers otherwise, by {apart}",
    "attention_ahead": "it looks at what comes later, too, so it does not go on with a text",
    "unseen_encoder_self": "its encoder's self-attention cannot be seen",
    "unseen_decoder_self": "its decoder's self-attention cannot be seen",
    "unseen_cross": "its cross-attention cannot be seen",
    "cache_other": (
        "by its cache it would write otherwise than by whole passes: each step reads all before it"
    ),
    "layers_idle": (
        "{idle} of its {layers} layers attend to nothing: layers are counted among the others"
    ),
    "heads_uneven": "{kind}: its layers differ in their number of heads",
    "tensors_missing": "tensors are missing: {count:,} in all, {tensor} for one",
    "tensors_mismatched": "{tensor} has another shape than the configuration says",
    "hub_none": "it names no model_type, so it is no model of the Hugging Face libraries",
    "own_code": "it wants code of its own to be run",
    "quantized": "its weights are packed for a special library; take the model as it was before",
    "config_absurd": "{place} is beyond what any model has",
    "pickled": "a file of that kind may run code; take the model's .safetensors",
    "hub_pickled": (
        "it brings its weights as pickles alone, which may run code, and nobody has converted them"
    ),
    "hub_name": "it is no name of a model of the Hub, as owner/name, nor a link to one",
    "hub_weightless": "it brings no weights as .safetensors; a .gguf file opens by its path",
    "hub_absent": "there is no model of that name that may be read without asking its owner",
    "hub_gated": (
        "its owner wants to be asked: agree on its page, then log in with hf auth login on this "
        "machine"
    ),
    "hub_offline": (
        "it cannot be reached from here; fetch the model where it can be with hf download, bring "
        "the folder here, and name its path"
    ),
    "disk_short": "it takes {needed} GB of disk, and {free} GB are free",
    "weights_elsewhere": "it names weights of its own choice by transformers_weights",
    "adapter": "it changes another model, which has to be put together with it first",
    "index_none": "it names no files of weights",
    "index_out": "{name!r} is no file of safetensors beside it",
    "header_long": "its header is cut short, or too long",
    "tensor_lies": "{tensor} does not say its size truly",
    "tensors_apart": "its tensors do not fill it",
    "gguf_none": "it is no GGUF file",
    "gguf_version": "it is GGUF of version {version}; 2 and 3 are read, with their low bytes first",
    "gguf_counts": "it names {tensors:,} tensors and {settings:,} settings, more than any model",
    "gguf_twice": "{name} is in it twice",
    "gguf_kind": "a setting is of kind {kind}, which is none that is read",
    "gguf_stored": "{tensor} is stored in a way ({kind}) that is not read",
    "gguf_nameless": "it does not say which architecture it is",
    "gguf_split": "it is one part of several; put them together first",
    "gguf_tokens": "it brings no vocabulary",
    "gguf_cut": "it is cut short: {found:,} of its {wanted:,} bytes are there",
    "gguf_alignment": "its alignment is {found}, no power of two up to {limit:,}",
    "gguf_setting": "its {name} is {value}, which is not read from GGUF",
    "gguf_positions": "its positions are scaled in a way ({kind}) that is not read from GGUF",
    "numbers_few": "it holds {count:,} numbers, and its sizes need {wanted:,}",
    "template_other": (
        "its chat template does not put two plain texts around a message: it reads texts as they "
        "are, and no messages"
    ),
    "weights_half": (
        "its weights are held in half precision ({kind}), as there is no room for float32: what is "
        "shown is right to two or three digits"
    ),
    "writes_first": (
        "whatever it finds likely, its own settings have it write {token} first; probabilities are "
        "shown as it finds them"
    ),
    "writes_otherwise": (
        "its own settings would change what it writes ({names}), and are not followed: it writes "
        "what it finds likeliest"
    ),
    "writes_never": (
        "whatever it finds likely, its own settings forbid it {count:,} tokens ({tokens}); "
        "probabilities are shown as it finds them"
    ),
    "weights_quantized": (
        "its weights were quantized ({kinds}); they are unpacked to float32, and what is shown is "
        "computed from that"
    ),
    "json_deep": "it is nested too deep",
    "json_none": "it is no JSON object",
    "memory_short": "it takes {needed} GB of memory, and {free} GB are free",
    "trial_long": "it could not be opened within {seconds} s",
    "trial_failed": "opened, it could not read one letter ({said})",
    "trial_crashed": "opening it ended the process that tried",
    "trial_memory": "opening it took more memory than its size tells",
    "marian_none": (
        "a MarianMT folder holds a post-norm Transformer with sinusoidal positions and "
        "SentencePiece's pieces"
    ),
    "marian_other": "it is {name}; of Hugging Face folders, those of MarianMT alone become ours",
    "marian_option": "its {option} is {value}, which no Transformer of ours has",
    "marian_ids": "its vocabulary does not number every piece once, beginning with 0",
    "sample_wanted": "it says how tokens are drawn, and nothing is drawn without --sample",
    "folder_full": "there is something in it already",
    "tokenizer_template": "its tokenizer does not keep a text whole",
    # pairs to train on
    "damaged": "it is damaged",
    "file_odd": "it is not a regular file",
    "parquet_none": "it is damaged, too big to unpack, or no Parquet file",
    "utf_16": "it is UTF-16 text; save it as UTF-8",
    "subsets_none": "only datasets of the Hub have subsets: leave `subset` out",
    "splits_file": "one file has no splits: leave `split` out",
    "splits_none": "it has no splits",
    "splits_known": "name one of its splits by `split`: {known}",
    "files_many": "it holds more than {limit:,} files",
    "files_none": "there is no {known} file in it",
    "files_none_of": "there is no {known} file of split {split!r} in it",
    "columns_none": "no columns {columns}; there are none: name two by `columns`",
    "columns_other": "no columns {columns}; there are {found}: name two by `columns`",
    "columns_two": "two names are needed, with a comma between them",
    "pairs_none": "there is no pair",
    "pairs_many": ("more than {pairs:,} pairs or {characters:,} characters: take a part of it"),
    "rows_bad": "{fault} ({bad:,} of {rows:,} rows are no pair)",
    # a list of what is accepted
    "calibrated_none": "no output to it is right, so nothing tells how sure a right one is",
    "of_data": "it says how pairs are read, and there are none without --data",
    "data_or_list": "it takes pairs (--data) or a list (--accept), one of the two",
    "brackets_open": "a bracket in what is accepted is not closed, or not opened",
    "alternatives_many": "its brackets spell too much: more than {limit:,} texts",
    # a row of them, and why it is no pair
    "line_at": "line {number}: {fault}",
    "row_at": "row {number}: {fault}",
    "within": "{file} {reason}",
    "cells_one": "one column",
    "cells_few": "{found} columns",
    "cells_wide": "{found} columns, where the first row has {first}",
    "line_long": "longer than {limit:,} characters",
    "cell_long": "more than {limit:,} characters in {column}",
    "cell_empty": "no text in {column}",
    "nul": "a NUL character",
    "utf_8": "not UTF-8",
    "object_none": "not a JSON object",
    "keys_none": "no {columns}",
    "column_first": "column 1",
    "column_second": "column 2",
    "columns_both": "{first} and {second}",
    "columns_either": "{one} or {other}",
    "library": "{said}",
    # a training run
    "parts_whole": "valid and test are more than the whole",
    "parts_kept": "what is kept is taught, so valid and test must be 0",
    "patience_average": "with patience a run ends with its best weights, so average must be 1",
    "own_words": "a model of this family reads none of its own words; leave it out",
    "corpora_named": "two corpora have one name",
    "corpora_empty": "corpora: no pair is left to train on",
    "bpe_dropout": "corpora.bpe_dropout: only SentencePiece has merges to leave out",
    "corpora_changed": "corpora: the data changed since the run began",
    "test_unread": "no text of the test can be read by the model",
    "language_neither": "{model} reads {source} and writes {target}",
    "pairs_few": "{count} pairs can be read, and {wanted} are needed",
    "pairs_uncut": "its words are not those that spaces cut, in any pair",
    "pairs_long": "max_source, max_target: every pair is longer",
    "links_malformed": "line {line} is not a source, a target and links such as 0-1 2-3, with tabs",
    "links_outside": "line {line} links words that are not there",
    "links_none": "it holds no pairs with links",
    "looking_across": "attention from a target to its source",
    "reads_short": "it foretells {length} tokens of a text, and places from {wanted} on are asked "
    "for",
    "texts_short": "a text has {length} tokens, and places from {wanted} on are asked for",
    "trained_elsewhere": "this study reads the checkpoint of a model that Headlight trained",
    "data_untold": "the model does not say which languages it knows: give a file",
    "languages_apart": "it should translate from {source} into {target}, the other way round",
    "languages_unlike": "it should translate from {source} into {target}, as the first one does",
    "models_few": "two models or more have a mean",
    "shares_each": "one share for each of the {count} models, and together more than 0",
    "unlike_first": "{name} is of other sizes than the first model, or has other tokens",
    "data_needed": "the grammar draws Korean and English, not {languages}: give a file",
    "data_korean": "the grammar draws such texts in Korean alone, not {language}: give a file",
    "data_both": "what is taught and what is tested are both given, or neither",
    "pretrained_shape": "{name} is {there} there, and {here} in this recipe",
    "pretrained_size": "model.{name} is {there} there, and {here} in this recipe: name the same",
    "pretrained_nothing": "tokenizer and weights are both false: leave the table out",
    "patience_valid": "training.patience: no corpus has a valid part with a pair that fits",
    "vocabulary": "{said}",
    "run_value": "the run began with another value",
    "run_sizes": "the saved state is of a model of other sizes",
    "run_missing": "there is no such run",
    "loss": "the loss",
    "run_folder": "the run's folder",
    # the operating system
    "disk_full": "No space left on device",
    "denied": "Permission denied",
    "forbidden": "Operation not permitted",
    "missing": "No such file or directory",
    "folder": "Is a directory",
    "folder_none": "Not a directory",
    "read_only": "Read-only file system",
    "name_long": "File name too long",
    "system": "{said}",
}

_SYSTEM: Final = {
    errno.ENOSPC: "disk_full",
    errno.EACCES: "denied",
    errno.EPERM: "forbidden",
    errno.ENOENT: "missing",
    errno.EISDIR: "folder",
    errno.ENOTDIR: "folder_none",
    errno.EROFS: "read_only",
    errno.ENAMETOOLONG: "name_long",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """Part of a sentence; as text it is English.

    Attributes:
        code: a key of `sentences`.
        parameters: what it names, other reasons among them.
    """

    sentences: ClassVar[Mapping[str, str]] = REASONS
    """English by code. Whoever refuses by codes of their own derives a class with more."""

    code: str
    parameters: Mapping[str, str | int | float | Reason]

    def __str__(self) -> str:
        return self.sentences[self.code].format(**self.parameters)


class RefusedError(ValueError):
    """Something cannot be used; whoever knows what it is called makes an error for people of it."""

    def __init__(self, code: str, **parameters: str | int | float | Reason) -> None:
        self.reason = because(code, **parameters)
        super().__init__(str(self.reason))


def because(code: str, **parameters: str | int | float | Reason) -> Reason:
    """A reason by its code, a key of `REASONS`, and what its sentence names."""
    return Reason(code, parameters)


def of_system(error: OSError) -> Reason:
    """What the operating system refuses."""
    known = _SYSTEM.get(error.errno or 0)
    return because(known) if known else because("system", said=error.strerror or str(error))


def reason_of(error: Exception) -> Reason:
    """What is wrong, by whoever found it; of pydantic's findings the first."""
    if isinstance(error, RefusedError):
        return error.reason
    if isinstance(error, OSError):
        return of_system(error)
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False)[0]
        own = first.get("ctx", {}).get("error")
        found = own.reason if isinstance(own, RefusedError) else because("other", said=first["msg"])
        place = ".".join(str(part) for part in first["loc"])
        return because("at", place=place, reason=found) if place else found
    return because("other", said=" ".join(str(error).split()).rstrip(".") or type(error).__name__)
