#!/usr/bin/env python3
"""Makes a Hugging Face folder of a llama in a GGUF file: every weight as f32, under the names of transformers.

    .deps/python/bin/python tools/dequantize_gguf.py MODEL.gguf FOLDER

Writes FOLDER/config.json and FOLDER/model.safetensors. It reads the types F32, F16, Q8_0 and Q4_1, and says which one
it does not know. The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import json
import pathlib
import struct
import sys

import numpy as np
from safetensors.numpy import save_file

SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9
BLOCK = 32  # elements that share a scale

NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def scalar(self, code):
        (value,) = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize(code)
        return value

    def string(self):
        size = self.scalar("Q")
        self.at += size
        return self.data[self.at - size : self.at].decode("utf-8", "replace")

    def value(self, kind):
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            element, count = self.scalar("I"), self.scalar("Q")
            return [self.value(element) for _ in range(count)]
        return self.scalar(SCALARS[kind])


def blocks(data, at, count, size):
    return np.frombuffer(data, np.uint8, count // BLOCK * size, at).reshape(-1, size)


def half(columns):
    return np.ascontiguousarray(columns).view(np.float16).astype(np.float32)


def f32(data, at, count):
    return np.frombuffer(data, np.float32, count, at)


def f16(data, at, count):
    return np.frombuffer(data, np.float16, count, at).astype(np.float32)


def q8_0(data, at, count):
    """A scale, then 32 signed bytes."""
    rows = blocks(data, at, count, 34)
    return half(rows[:, :2]) * np.ascontiguousarray(rows[:, 2:]).view(np.int8)


def q4_1(data, at, count):
    """A scale and a minimum, then 16 bytes whose low halves come before their high ones."""
    rows = blocks(data, at, count, 20)
    codes = np.concatenate([rows[:, 4:] & 15, rows[:, 4:] >> 4], 1)
    return half(rows[:, :2]) * codes + half(rows[:, 2:4])


TYPES = {0: f32, 1: f16, 8: q8_0, 3: q4_1}


def halves(weight, heads):
    """Rows of a head from interleaved pairs, as GGUF turns them, to the two halves of transformers."""
    out, width = weight.shape
    return weight.reshape(heads, out // heads // 2, 2, width).swapaxes(1, 2).reshape(out, width)


def read(path):
    data = path.read_bytes()
    if data[:4] != b"GGUF":
        sys.exit(f"{path} is no GGUF file")
    reader = Reader(data)
    reader.at = 8
    tensor_count, field_count = reader.scalar("Q"), reader.scalar("Q")
    fields = {}
    for _ in range(field_count):
        key = reader.string()
        fields[key] = reader.value(reader.scalar("I"))
    tensors = []
    for _ in range(tensor_count):
        name = reader.string()
        dims = [reader.scalar("Q") for _ in range(reader.scalar("I"))]
        tensors.append((name, dims[::-1], reader.scalar("I"), reader.scalar("Q")))
    alignment = fields.get("general.alignment", 32)
    start = -(-reader.at // alignment) * alignment
    weights = {}
    for name, shape, kind, offset in tensors:
        if kind not in TYPES:
            sys.exit(f"{path}: {name} is of type {kind}, which is not one of F32, F16, Q8_0, Q4_1")
        weights[name] = TYPES[kind](data, start + offset, int(np.prod(shape))).reshape(shape)
    return fields, weights


def renamed(name):
    part, kind = name.removeprefix("blk.").rsplit(".", 1)
    layer, _, inner = part.partition(".")
    prefix = f"model.layers.{layer}." if inner else ""
    return f"{prefix}{NAMES[inner or part]}.{kind}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    fields, weights = read(source)
    architecture = fields["general.architecture"]
    if architecture != "llama":
        sys.exit(f"{source} holds a {architecture}; only llama is known")
    heads, key_heads = fields["llama.attention.head_count"], fields["llama.attention.head_count_kv"]
    model = {}
    for name, weight in weights.items():
        if ".attn_q." in name or ".attn_k." in name:
            weight = halves(weight, heads if ".attn_q." in name else key_heads)
        model[renamed(name)] = np.ascontiguousarray(weight, np.float32)
    config = {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": model["model.embed_tokens.weight"].shape[0],
        "hidden_size": fields["llama.embedding_length"],
        "intermediate_size": fields["llama.feed_forward_length"],
        "num_hidden_layers": fields["llama.block_count"],
        "num_attention_heads": heads,
        "num_key_value_heads": key_heads,
        "max_position_embeddings": fields["llama.context_length"],
        "rms_norm_eps": fields["llama.attention.layer_norm_rms_epsilon"],
        "rope_theta": fields["llama.rope.freq_base"],
        "tie_word_embeddings": "lm_head.weight" not in model,
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    save_file(model, folder / "model.safetensors", metadata={"format": "pt"})


if __name__ == "__main__":
    main()
