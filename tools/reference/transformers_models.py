#!/usr/bin/env python3
"""Makes headrace/models/testdata/transformers.safetensors: small models of Hugging Face's transformers on CPU.

The file in the tree was made with Python 3.11, torch 1.13.1 (Debian's python3-torch), transformers 4.40.2 and
safetensors 0.8.0:

    python tools/reference/transformers_models.py headrace/models/testdata/transformers.safetensors

For a model `m`: the operands m/in0 ..., parameters m/param/NAME, the result m/out, and the gradients m/grad/NAME of
m/loss. For decoders the loss is the mean cross-entropy of each next token; for encoders the sum of the result times
m/seed; for classifiers the mean cross-entropy of the classes m/in1. Images are channels last.
"""

import sys

import torch
from safetensors.torch import save_file
from transformers import (
    BertConfig, BertModel, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, MixtralConfig,
    MixtralForCausalLM, ViTConfig, ViTForImageClassification)

torch.manual_seed(7)
tensors = {}


def randomized(model):
    """Parameters that are nowhere 0 or 1, so that each one shows."""
    model.eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.4)
    return model


def save(name, model, inputs, out, loss):
    model.zero_grad()
    loss.backward()
    for i, x in enumerate(inputs):
        tensors[f"{name}/in{i}"] = x.to(torch.int32) if x.dtype == torch.int64 else x
    for key, parameter in model.named_parameters():
        if parameter.grad is None:
            continue
        tensors[f"{name}/param/{key}"] = parameter.detach()
        tensors[f"{name}/grad/{key}"] = parameter.grad
    tensors[f"{name}/out"] = out.detach()
    tensors[f"{name}/loss"] = loss.detach()


def decoder(name, model):
    model = randomized(model)
    tokens = torch.randint(0, model.config.vocab_size, (2, 7))
    out = model(tokens, labels=tokens)
    save(name, model, [tokens], out.logits, out.loss)


def encoder(name, model):
    model = randomized(model)
    tokens = torch.randint(0, model.config.vocab_size, (2, 6))
    types = torch.tensor([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 0]])
    mask = torch.tensor([[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0]], dtype=torch.bool)
    out = model(tokens, token_type_ids=types, attention_mask=mask.long()).last_hidden_state * mask[..., None]
    seed = torch.randn_like(out)
    tensors[f"{name}/seed"] = seed
    save(name, model, [tokens, types, mask], out, (out * seed).sum())


def classifier(name, model, size):
    model = randomized(model)
    images = torch.randn(3, size, size, 3)
    labels = torch.randint(0, model.config.num_labels, (3,))
    out = model(images.permute(0, 3, 1, 2), labels=labels)
    save(name, model, [images, labels], out.logits, out.loss)


def main():
    small = {"vocab_size": 11, "attn_implementation": "eager"}
    decoder("gpt", GPT2LMHeadModel(GPT2Config(
        n_positions=9, n_embd=8, n_layer=2, n_head=2, embd_pdrop=0, resid_pdrop=0, attn_pdrop=0, **small)))
    llama = {"hidden_size": 16, "intermediate_size": 20, "num_hidden_layers": 2, "max_position_embeddings": 9,
             "num_attention_heads": 4, "rms_norm_eps": 1e-5, **small}
    decoder("llama", LlamaForCausalLM(LlamaConfig(num_key_value_heads=2, rope_theta=1e4, **llama)))
    decoder("llama_tied", LlamaForCausalLM(LlamaConfig(tie_word_embeddings=True, rope_theta=500.0, **llama)))
    encoder("bert", BertModel(BertConfig(
        hidden_size=8, intermediate_size=12, num_hidden_layers=2, num_attention_heads=2, max_position_embeddings=9,
        hidden_dropout_prob=0, attention_probs_dropout_prob=0, **small)))
    classifier("vit", ViTForImageClassification(ViTConfig(
        image_size=12, patch_size=4, hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=12,
        num_labels=5, attn_implementation="eager")), 12)
    decoder("mixtral", MixtralForCausalLM(MixtralConfig(
        num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2, output_router_logits=True,
        router_aux_loss_coef=0.1, rope_theta=1e4, **llama)))
    save_file({name: tensor.contiguous().clone() for name, tensor in tensors.items()}, sys.argv[1])


if __name__ == "__main__":
    main()
