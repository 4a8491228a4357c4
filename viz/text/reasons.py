"""Why something is refused, in the reader's language: here the codes of `core.reasons`.

Names of arrays, options, keys and formats stay as they are spelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from core.reasons import REASONS, Reason
from viz.text.language import Language
from viz.text.refusals import REASONS as OWN
from viz.text.rows import by_name

if TYPE_CHECKING:
    from core.training.events import DataRead

KO: Final[dict[str, str]] = {
    # an .npz file
    "file_large": "{limit:,}바이트보다 커요",
    "npz_none": ".npz 파일이 아니거나 중간에 잘렸어요",
    "npz_malformed": "파일의 형식이 잘못됐어요",
    "arrays_many": "배열이 {limit}개보다 많아요",
    "arrays_large": "압축을 푼 배열이 {size:,}바이트로, {limit:,}바이트를 넘어요",
    "array_missing": "{array} 배열이 없어요",
    "array_twice": "{array} 배열이 두 번 들어 있어요",
    "array_packed": "{array} 배열이 알 수 없는 방식으로 압축됐어요",
    "array_version": "{array} 배열의 형식 버전을 알 수 없어요",
    "array_objects": "{array} 배열에 단순한 수가 아니라 파이썬 객체가 들어 있어요",
    "array_short": "{array} 배열이 중간에 잘렸어요",
    "array_shorter": "{array} 배열의 내용이 스스로 밝힌 크기보다 짧아요",
    "array_longer": "{array} 배열의 내용이 스스로 밝힌 크기보다 길어요",
    "array_turned": "{array} 배열이 열 우선 순서로 저장됐어요. 행 우선 순서로 저장하세요",
    "array_characters": "{array} 배열에 글자가 아닌 값이 있어요",
    "array_type": "{array} 배열의 dtype이 {dtype}이고 축이 {axes}개예요",
    "array_shape": "{array} 배열의 모양이 ({found})인데, 토큰 수에 맞는 모양은 ({wanted})",
    "array_large": "{array} 배열이 {size:,}바이트로, {limit:,}바이트를 넘어요",
    # a trace
    "meta_json": "meta가 JSON이 아니에요",
    "meta_model": "meta에 model_id가 없어요",
    "meta_format": "meta의 format이 {found}인데, 읽을 수 있는 것은 {version}뿐이에요",
    "meta_infinite": "meta에 유한하지 않은 수가 있어요({key})",
    "tokens_none": "토큰이 하나도 없어요",
    "tokens_many": "{axis} 토큰이 {count:,}개로, {limit:,}개를 넘어요",
    "tokens_uneven": "{axis} 토큰과 그 texts, ids, words의 개수가 서로 달라요",
    "tokens_written": "쓴 토큰과 읽은 토큰의 개수가 달라요",
    "kind_unknown": "{kind!r} 종류의 어텐션은 없어요",
    "kind_misfiled": "{kind} 어텐션이 {name} 자리에 있어요",
    "kind_empty": "{kind}에 행이나 열이 없어요",
    "kind_headless": "{kind}에 층이나 헤드가 없어요",
    "kind_axes": "{kind}: 축의 크기가 {found}인데, 토큰 수대로라면 {wanted} 크기여야 해요",
    "heads_many": "{kind}: 층이나 헤드가 {limit}개를 넘어요",
    "heads_all": "{kind}: {layers}개 층에 헤드가 {heads}개씩으로, 모두 {limit:,}개를 넘어요",
    "mask_form": "{kind}: 마스크가 bool (query, key)나 (layer, head, query, key) 모양이 아니에요",
    "weights_axes": "{kind}: weights의 축이 4개가 아니라 {axes}개예요",
    "weight_infinite": "{kind}: 음수이거나 유한하지 않은 가중치가 있어요",
    "weight_forbidden": "{kind}: 마스크가 막은 칸에 가중치가 있어요",
    "row_sum": ("{kind}: 한 행의 합({sum:.6g})이 {wanted:g}에서 {tolerance:f} 넘게 벗어났어요"),
    "score_infinite": "{kind}: 유한하지 않은 점수가 있어요",
    "part_shape": "{kind}: {part} 배열과 weights 배열의 모양이 달라요",
    "part_infinite": "{kind}: {part} 배열에 유한하지 않은 값이 있어요",
    "vectors_alone": "{kind}: queries와 keys는 함께 있어야 해요",
    "vectors_uneven": "{kind}: queries와 keys의 차원이 다르거나 0이에요",
    "vectors_wide": "{kind}: 벡터의 차원이 {width:,}인데, 1에서 {limit:,}까지여야 해요",
    "stack_axes": "{stack}: {part} 배열이 토큰 수와 맞지 않아요",
    "stack_infinite": "{stack}: {part} 배열에 유한하지 않은 값이 있어요",
    "states_many": "{stack}: 이름이 붙은 상태가 {count}개인데, 1개에서 {limit}개까지여야 해요",
    "states_named": "{stack}: 두 상태의 이름이 같아요",
    "logits_wide": "logits의 열이 {count:,}개로, {limit:,}개를 넘어요",
    "logits_target": "logits가 target 토큰과 맞지 않아요",
    "logit_infinite": "유한하지 않은 로짓이 있어요",
    "vocabulary_uneven": "vocabulary와 logits의 길이가 달라요",
    # a setting, or one of several
    "one_of": "{known} 가운데 하나여야 해요",
    "whole_from_none": "정수여야 해요. 0은 없음, 그다음은 1, 2, … 순서예요",
    "host_names": "class.example.org, lab처럼 컴퓨터 이름을 쉼표로 나누어 적으세요",
    "odd": "홀수여야 해요",
    "rising": "1부터 커지는 수여야 해요",
    "three_rising": "셋 이상, 커지는 차례로 주어야 해요",
    # a model at work
    "range": "{low}에서 {high}까지여야 해요",
    "branch_tokens": "토큰 번호는 0에서 {high}까지여야 해요",
    "branch_ended": "끝 토큰 뒤에는 아무것도 올 수 없어요",
    "branch_target": "목표 문장이 정해져 있어 자유롭게 쓸 것이 없어요",
    "forcing": "목표 문장을 쓰게 하는",
    "branching": "다른 토큰을 먼저 쓰게 하는",
    "sampling": "토큰을 확률에 따라 뽑아 쓰는",
    "sampling_range": "시드는 0에서 {seeds:,}, 온도는 0에서 {temperatures:g}까지이고, "
    "top-p는 0보다 크고 1 이하여야 해요",
    "sampling_target": "목표 문장이 정해져 있어 뽑을 것이 없어요",
    "sampling_beam": "빔 탐색은 토큰을 뽑지 않아요. 둘 중 하나만 쓰세요",
    "messages": "글을 대화 메시지로 읽는",
    "hiding": "입력 토큰을 가리는",
    "filling": "글의 빈칸을 채우는",
    "hidden_place": "자리는 1에서 {high}까지여야 해요",
    "labelling": "글을 다 읽고 레이블을 붙이는",
    "predicting": "다음에 올 것을 맞히는",
    "searching": "빔 탐색",
    "writing": "글을 쓰는",
    "answering": "글에 다른 글로 답하는",
    "lifting": "디코더의 마스크를 푸는",
    "edit_site": "{site}에는 {place} 값이 없어요",
    "edit_absent": "이 모델에는 {site} 어텐션이 없어요",
    "edit_fixed": "이 모델에서는 {site}의 {place} 값을 바꿀 수 없어요",
    "edit_headless": "잔차 스트림에는 헤드가 없어요",
    "edit_how": "값은 바꾸거나(set), 곱하거나(scale), 더할(add) 수 있어요. {how}: 없는 방법이에요",
    "edit_numbers": "값은 숫자 하나, 숫자의 튜플, 또는 그런 행의 튜플이어야 해요",
    "edit_infinite": "유한하지 않은 값이 있어요",
    "edit_mask": "마스크는 1(볼 수 있음)이나 0으로만 바꿀 수 있어요",
    "edit_weights": "가중치는 음수일 수 없어요",
    "edit_negative": "층, 헤드, 행, 열의 번호는 0부터 시작해요",
    "edit_values": "값의 개수가 행이나 열의 개수와 달라요",
    "edit_width": "값이 {count}개인데 자리는 {wanted}개예요",
    "edit_layer": "{layers}개 층에 헤드가 {heads}개씩 있고, 번호는 0부터 시작해요",
    "edit_stream": "잔차 스트림은 {layers}개 층이 읽고 마지막 층이 하나를 남겨요. 번호는 0부터예요",
    "edit_reach": "행이 {rows}개, 열이 {columns}개 있고, 번호는 0부터 시작해요",
    "overflow": "어텐션 계산에서 오버플로가 났어요({reason})",
    # a checkpoint folder
    "at": "{place}: {reason}",
    "other": "내용이 올바르지 않아요",
    "link_out": "폴더 밖을 가리키는 링크예요",
    "file_none": "파일이 아니에요",
    "file_foreign": "{file} 파일은 체크포인트에 속하지 않아요",
    "file_limit": "{file} 파일이 {limit:,}바이트보다 커요",
    "weights_size": "{size:,}바이트는 config.json의 파라미터 {count:,}개와 맞지 않는 크기예요",
    "tensor_surplus": "{tensor} 텐서는 이 모델의 것이 아니에요",
    "tensor_shape": "{tensor} 텐서의 모양이 {found}인데, {wanted} 모양이어야 해요",
    "tensor_type": "{tensor} 텐서가 16비트나 32비트 실수도 int8 행렬도 아니라 {dtype} 형식이에요",
    "tensor_infinite": "{tensor} 텐서에 유한하지 않은 값이 있어요",
    "config_longer": "max_source나 max_target이 모델의 max_length보다 커요",
    "config_large": "max_length와 d_model의 곱이 너무 커요",
    "language_tag": "{found!r}: en이나 ko 같은 언어 태그가 아니에요",
    "config_pad": "pad_id가 토크나이저의 값({id})과 달라요",
    "tokenizer_unopened": "열 수 없고, 대신 쓸 수 있는 어휘 파일(vocab.txt, vocab.json과 "
    "merges.txt, spiece.model, tokenizer.model)도 열 수 없어요",
    "tokenizer_entries": "토크나이저의 항목이 {count}개인데 모델의 어휘는 {wanted}개예요",
    "vocabularies_two": (
        "읽는 토큰은 {read:,}개, 쓰는 토큰은 {written:,}개예요. 어휘가 둘인 모델은 열 수 없어요"
    ),
    "generation_odd": "{place}에 토큰 번호가 아닌 값이 있어요",
    "sentencepiece_none": "SentencePiece 모델이 아니에요",
    "special_ids": "특수 토큰의 번호가 맞지 않아요({found})",
    "characters_repeat": "글자가 중복되거나 너무 많아요",
    "characters_long": "한 글자가 아닌 항목이 있어요",
    "characters_none": "글자 목록이 없어요",
    "labels_repeat": "같은 레이블이 두 번 있어요",
    "labels_none": "글로 답하는 모델에는 레이블이 없어요",
    "labels_backward": "레이블은 끝에서 붙이는데, 거꾸로 읽는 모델은 거기서 본 것이 없어요",
    "labels_few": "레이블이 둘 이상이어야 해요",
    "label_unknown": "없는 레이블이에요: {label!r}. 있는 것: {known}",
    "labels_uneven": "{text!r}의 단어는 토큰으로 보면 {words}개인데 레이블은 {labels}개예요",
    "counts_uneven": "배열들이 서로 맞지 않아요",
    "counts_foreign": "다른 어휘를 센 값이에요",
    "trace_foreign": "다른 가중치로 만든 기록이에요",
    # a Hugging Face folder
    "attends_itself": (
        "어텐션을 자기 방식으로 계산해서 가중치만 보여요. 어텐션의 점수와 편집은 없어요"
    ),
    "answers_apart": (
        "어텐션을 물으니 답이 {apart}만큼 달라져서, 모델이 스스로 알려 주는 가중치만 보여요. "
        "어텐션의 점수와 편집은 없어요"
    ),
    "scores_bent": "점수가 한계를 넘지 않게 눌려서, 쿼리와 키의 곱만으로 된 점수가 아니에요",
    "reads_causally": (
        "층은 뒤쪽 토큰을 보지 않는 디코더의 것이에요. 그래도 인코더처럼 글을 통째로 읽기만 해서 "
        "여기서는 인코더라고 불러요"
    ),
    "rows_sunk": "행의 일부는 어느 토큰도 아닌 헤드의 싱크(attention sink)로 가요",
    "shares_none": (
        "어느 행렬이 출력 투영 W^O인지 확인하지 못해서, 헤드가 각각 얼마나 더하는지는 보이지 않아요"
    ),
    "shares_between": (
        "헤드가 더한 값이 정규화 같은 단계를 더 거쳐 잔차 스트림에 들어가요. "
        "헤드의 몫은 W^O가 낸 값에서 잰 거예요"
    ),
    "residual_none": (
        "층에서 층으로 이어지는 잔차 스트림을 확인하지 못해서, 기록하거나 편집할 수 없어요"
    ),
    "answers_same": "어텐션을 물어도 답이 같아요. 차이는 {apart} 이하예요",
    "architecture_unknown": (
        "{name} 구조는 Headlight가 열 수 없어요. 빈칸을 채우거나 레이블을 붙이거나 읽기만 하는 "
        "인코더, 글을 이어 쓰는 디코더, 인코더와 디코더를 함께 써서 글을 쓰는 모델은 열 수 있어요"
    ),
    "reads_no_text": "{name} 모델은 그림이나 소리를 읽어요. Headlight는 글을 읽는 모델을 열어요",
    "head_unseen": "{name}의 출력층이 내는 답은 보이지 않고, 본체의 어텐션만 보여요",
    "attention_none": "어텐션이 없거나 알려 주지 않는 모델이에요",
    "attention_odd": (
        "알려 주는 어텐션이 토큰끼리의 가중치가 아니에요. 창 안의 값이거나 소프트맥스 전의 값이에요"
    ),
    "attention_other": "어텐션을 물으면 답이 {apart}만큼 달라져요",
    "attention_ahead": "뒤에 오는 토큰도 보기 때문에 글을 이어 쓰는 모델이 아니에요",
    "unseen_encoder_self": "인코더 셀프 어텐션은 볼 수 없어요",
    "unseen_decoder_self": "디코더 셀프 어텐션은 볼 수 없어요",
    "unseen_cross": "크로스 어텐션은 볼 수 없어요",
    "cache_other": (
        "캐시를 쓰면 전체를 다시 읽을 때와 다르게 써서, 단계마다 앞의 토큰을 모두 다시 읽어요"
    ),
    "layers_idle": (
        "{layers}개 층 가운데 {idle}개에는 어텐션이 없어요. 층 번호는 나머지 층만 세어요"
    ),
    "heads_uneven": "{kind}: 층마다 헤드 수가 달라요",
    "tensors_missing": "{tensor} 등 텐서 {count:,}개가 없어요",
    "tensors_mismatched": "{tensor}의 모양이 설정과 달라요",
    "hub_none": "model_type이 없어서 Hugging Face 모델로 열 수 없어요",
    "own_code": "모델에 딸린 코드를 실행해야 열 수 있어요",
    "quantized": "특별한 라이브러리용으로 압축된 가중치예요. 압축하기 전의 모델을 쓰세요",
    "config_absurd": "{place} 값이 어떤 모델에도 없을 만큼 커요",
    "pickled": "코드를 실행할 수 있는 형식이에요. .safetensors로 된 모델을 쓰세요",
    "hub_pickled": (
        "가중치가 코드를 실행할 수 있는 피클로만 있고, 아직 아무도 변환해 두지 않았어요"
    ),
    "hub_name": "owner/name처럼 Hub에 있는 모델의 이름이나 그 링크가 아니에요",
    "hub_weightless": ".safetensors 가중치가 없어요. .gguf 파일은 경로로 열 수 있어요",
    "hub_absent": "그런 이름의 모델이 없거나 허락을 받아야 읽을 수 있어요",
    "hub_gated": (
        "주인의 허락이 필요해요. 모델 페이지에서 동의한 다음 이 컴퓨터에서 hf auth login 명령으로 "
        "로그인하세요"
    ),
    "hub_offline": (
        "여기서는 연결되지 않아요. 연결되는 곳에서 hf download 명령으로 받은 폴더를 가져와 "
        "그 경로를 입력하세요"
    ),
    "disk_short": "디스크가 {needed} GB 필요한데 {free} GB만 비어 있어요",
    "weights_elsewhere": "transformers_weights로 다른 가중치를 가리켜요",
    "adapter": "다른 모델을 바꾸는 어댑터예요. 먼저 그 모델과 합치세요",
    "index_none": "가중치 파일의 이름이 없어요",
    "index_out": "{name!r} 파일은 그 옆에 있는 safetensors 파일이 아니에요",
    "header_long": "머리 부분이 잘렸거나 너무 길어요",
    "tensor_lies": "{tensor} 텐서가 밝힌 크기가 사실과 달라요",
    "tensors_apart": "텐서들이 파일을 빈틈없이 채우지 않아요",
    "gguf_none": "GGUF 파일이 아니에요",
    "gguf_version": "GGUF 버전이 {version}인데, 리틀 엔디언으로 된 2와 3만 읽을 수 있어요",
    "gguf_counts": "텐서 {tensors:,}개와 설정 {settings:,}개가 있다고 하는데, 그런 모델은 없어요",
    "gguf_twice": "{name} 이름이 두 번 들어 있어요",
    "gguf_kind": "읽을 수 없는 종류({kind})의 설정이 있어요",
    "gguf_stored": "{tensor} 텐서가 읽을 수 없는 방식({kind})으로 저장됐어요",
    "gguf_nameless": "어떤 구조의 모델인지 적혀 있지 않아요",
    "gguf_split": "여럿으로 나뉜 모델의 한 조각이에요. 먼저 하나로 합치세요",
    "gguf_tokens": "어휘가 들어 있지 않아요",
    "gguf_cut": "파일이 잘렸어요. {wanted:,}바이트 가운데 {found:,}바이트만 있어요",
    "gguf_alignment": "정렬 값이 {found}인데, {limit:,} 이하의 2의 거듭제곱이어야 해요",
    "gguf_setting": "{name} 값이 {value}인 모델은 GGUF에서 읽을 수 없어요",
    "gguf_positions": "위치를 늘이는 방식({kind})을 GGUF에서는 읽을 수 없어요",
    "numbers_few": "수가 {count:,}개 들어 있는데, 설정된 크기에는 {wanted:,}개가 필요해요",
    "template_other": (
        "채팅 템플릿이 메시지의 앞뒤에 정해진 글을 붙이는 형식이 아니라서, 메시지로 물을 수 없고 "
        "글로만 물을 수 있어요"
    ),
    "weights_half": (
        "float32로는 자리가 모자라 가중치를 반정밀도({kind})로 열었어요. 숫자는 "
        "두세 자리까지 맞아요"
    ),
    "writes_first": (
        "모델의 자체 설정에 따라 확률과 관계없이 항상 {token}부터 써요. "
        "확률은 모델이 계산한 그대로 보여 줘요"
    ),
    "writes_otherwise": (
        "모델의 자체 설정({names})이 쓰는 글을 바꾸게 되어 있지만 따르지 않아요. "
        "가장 그럴듯한 토큰을 써요"
    ),
    "writes_never": (
        "모델의 자체 설정에 따라 확률과 관계없이 쓰지 않는 토큰이 {count:,}개 있어요({tokens}). "
        "확률은 모델이 계산한 그대로 보여 줘요"
    ),
    "weights_quantized": (
        "양자화된 가중치({kinds})를 float32로 풀어서, 보이는 것은 모두 그 값으로 계산했어요"
    ),
    "json_deep": "너무 깊이 겹쳐 있어요",
    "json_none": "JSON 객체가 아니에요",
    "memory_short": "메모리가 {needed} GB 필요한데 {free} GB만 비어 있어요",
    "trial_long": "{seconds}초 안에 열리지 않았어요",
    "trial_failed": "열어도 글자 하나도 읽지 못해요",
    "trial_crashed": "열어 보던 프로세스가 도중에 죽었어요",
    "trial_memory": "여는 데 크기에 비해 메모리가 너무 많이 들어요",
    "marian_none": (
        "MarianMT 폴더에는 사인·코사인 위치와 SentencePiece를 쓰는 post-norm 트랜스포머만 담겨요"
    ),
    "marian_other": "{name} 폴더예요. Hugging Face 폴더 중에는 MarianMT만 우리 모델로 바뀌어요",
    "marian_option": "{option} 값이 {value}인데, 우리 트랜스포머에는 없는 구조예요",
    "marian_ids": "어휘 번호가 0부터 빠짐없이 하나씩 매겨져 있지 않아요",
    "sample_wanted": "토큰을 뽑는 방법인데 --sample 없이는 뽑지 않아요",
    "folder_full": "그 안에 이미 무언가 있어요",
    "tokenizer_template": "토크나이저가 글을 온전히 지키지 못해요",
    # pairs to train on
    "damaged": "파일이 손상됐어요",
    "file_odd": "일반 파일이 아니에요",
    "parquet_none": "손상됐거나, 풀기에 너무 크거나, Parquet 파일이 아니에요",
    "utf_16": "UTF-16 텍스트예요. UTF-8로 저장하세요",
    "subsets_none": "subset은 Hub의 데이터셋에만 있어요. `subset`을 빼세요",
    "splits_file": "파일 하나에는 split이 없어요. `split`을 빼세요",
    "splits_none": "나뉜 부분(split)이 없어요",
    "splits_known": "`split`에 다음 가운데 하나를 적으세요: {known}",
    "files_many": "파일이 {limit:,}개보다 많아요",
    "files_none": "{known} 파일이 없어요",
    "files_none_of": "{split!r} split의 {known} 파일이 없어요",
    "columns_none": "{columns} 열이 없고 다른 열도 없어요. `columns`에 두 열을 적으세요",
    "columns_other": "{columns} 열이 없고 {found} 열은 있어요. `columns`에 두 열을 적으세요",
    "columns_two": "두 이름을 쉼표로 나누어 적으세요",
    "pairs_none": "문장 쌍이 없어요",
    "pairs_many": "{pairs:,}쌍이나 {characters:,}자를 넘어요. 일부만 쓰세요",
    "rows_bad": "{fault} ({rows:,}행 가운데 {bad:,}행이 쌍이 아님)",
    # a list of what is accepted
    "calibrated_none": "맞는 출력이 하나도 없어서, 맞을 때 얼마나 확신하는지 알 수 없어요",
    "of_data": "문장 쌍을 읽는 방법이라, --data가 있어야 쓸 수 있어요",
    "data_or_list": "문장 쌍(--data)과 정답 목록(--accept) 가운데 하나만 쓸 수 있어요",
    "brackets_open": "정답 칸의 괄호가 짝이 맞지 않아요",
    "alternatives_many": "괄호가 나타내는 글이 너무 많아요({limit:,}개 초과)",
    # a row of them, and why it is no pair
    "line_at": "{number}번째 줄: {fault}",
    "row_at": "{number}번째 행: {fault}",
    "within": "{file} {reason}",
    "cells_one": "열이 하나뿐",
    "cells_few": "열이 {found}개",
    "cells_wide": "열이 {found}개, 첫 행은 {first}개",
    "line_long": "{limit:,}자보다 긴 줄",
    "cell_long": "{column}: {limit:,}자가 넘음",
    "cell_empty": "{column}: 글이 없음",
    "nul": "NUL 문자가 있음",
    "utf_8": "UTF-8이 아님",
    "object_none": "JSON 객체가 아님",
    "keys_none": "{columns} 없음",
    "column_first": "첫째 열",
    "column_second": "둘째 열",
    "columns_both": "{first} 및 {second}",
    "columns_either": "{one} 또는 {other}",
    "library": "데이터셋을 읽는 라이브러리가 읽지 못했어요",
    # a training run
    "parts_whole": "valid와 test의 합이 전체보다 커요",
    "parts_kept": "kept는 훈련에 쓰이니 valid와 test는 0이어야 해요",
    "patience_average": "patience를 쓰면 가장 좋은 가중치로 끝나니 average는 1이어야 해요",
    "own_words": "이 종류의 모델은 자기가 쓴 말을 읽지 않아요. 이 값을 빼세요",
    "corpora_named": "두 말뭉치의 이름이 같아요",
    "corpora_empty": "corpora: 훈련할 쌍이 남지 않았어요",
    "bpe_dropout": "corpora.bpe_dropout: 빼놓을 병합은 SentencePiece에만 있어요",
    "corpora_changed": "corpora: 훈련을 시작한 뒤 데이터가 바뀌었어요",
    "test_unread": "모델이 읽을 수 있는 시험 텍스트가 하나도 없어요",
    "language_neither": "{model} 모델의 방향은 {source} → {target}예요",
    "pairs_few": "읽을 수 있는 쌍이 {count}개인데, {wanted}개가 필요해요",
    "pairs_uncut": "단어가 띄어쓰기와 같게 나뉘는 쌍이 없어요",
    "pairs_long": "max_source, max_target: 모든 쌍이 이보다 길어요",
    "links_malformed": "{line}번째 줄이 원문, 번역, 0-1 2-3 같은 연결을 탭으로 나눈 것이 아니에요",
    "links_outside": "{line}번째 줄이 없는 단어를 연결해요",
    "links_none": "연결된 문장 쌍이 없어요",
    "looking_across": "번역문에서 원문을 보는 어텐션을 쓰는",
    "reads_short": "글의 토큰을 {length}개까지 맞히는데, {wanted}번째 자리부터 물었어요",
    "texts_short": "토큰이 {length}개뿐인 글이 있는데, {wanted}번째 자리부터 물었어요",
    "trained_elsewhere": "이 연구는 Headlight에서 훈련한 모델의 체크포인트가 있어야 해요",
    "data_untold": "어느 언어를 아는지 모델이 알려 주지 않아요. 파일을 주세요",
    "languages_apart": "거꾸로 옮기는 모델이어야 해요({source} → {target})",
    "languages_unlike": "첫 모델과 같은 방향으로 옮기는 모델이어야 해요({source} → {target})",
    "models_few": "평균을 내려면 모델이 둘 이상 있어야 해요",
    "shares_each": "모델 {count}개에 몫을 하나씩 주고, 합이 0보다 크게 하세요",
    "unlike_first": "{name} 모델은 첫 모델과 크기가 다르거나 토큰이 달라요",
    "data_needed": "문법은 한국어와 영어만 써요({languages} 아님). 파일을 주세요",
    "data_korean": "이런 글은 문법이 한국어로만 써요({language} 아님). 파일을 주세요",
    "data_both": "가르칠 것과 시험할 것을 둘 다 주거나 둘 다 빼세요",
    "pretrained_shape": "{name}의 크기가 달라요. 그쪽: {there}, 이 레시피: {here}",
    "pretrained_size": "model.{name}의 값을 똑같이 적으세요. 그쪽: {there}, 이 레시피: {here}",
    "pretrained_nothing": "tokenizer와 weights가 둘 다 false예요. 이 표를 빼세요",
    "patience_valid": "training.patience: 길이가 맞는 검증(valid) 쌍이 있는 말뭉치가 없어요",
    "vocabulary": "글이 너무 적거나 어휘의 크기가 글에 맞지 않아요",
    "run_value": "시작할 때와 값이 달라요",
    "run_sizes": "크기가 다른 모델에서 저장한 상태예요",
    "run_missing": "그런 훈련이 없어요",
    "loss": "손실",
    "run_folder": "훈련 폴더의",
    # the operating system
    "disk_full": "디스크에 남은 공간이 없어요",
    "denied": "권한이 없어요",
    "forbidden": "허용되지 않는 작업이에요",
    "missing": "그런 파일이나 폴더가 없어요",
    "folder": "파일이 아니라 폴더예요",
    "folder_none": "폴더가 아니에요",
    "read_only": "읽기 전용 디스크예요",
    "name_long": "파일 이름이 너무 길어요",
    "system": "운영 체제에서 오류가 났어요",
}

TEXT: Final[dict[Language, Mapping[str, str]]] = {
    "en": {**REASONS, **by_name(OWN["en"])},
    "ko": {**KO, **by_name(OWN["ko"])},
}
"""Codes of the core and of the app."""


def filled(
    sentence: str, parameters: Mapping[str, str | int | float | Reason], language: Language
) -> str:
    """A sentence with what it names, the reasons among that in the same language."""
    told = {
        name: reason_text(value, language) if isinstance(value, Reason) else value
        for name, value in parameters.items()
    }
    return sentence.format(**told)


def reason_text(reason: Reason, language: Language) -> str:
    """A reason as part of a sentence: without a full stop at its end."""
    return filled(TEXT[language][reason.code], reason.parameters, language)


def bad_rows(data: DataRead, language: Language) -> list[str]:
    """The first rows that are no pair; of a run of before faults had codes, in English."""
    return [reason_text(fault, language) for fault in data.faults] or list(data.bad_rows)
