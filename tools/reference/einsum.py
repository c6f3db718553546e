#!/usr/bin/env python3
"""Makes headrace/graph/testdata/einsum.{txt,safetensors}: einsums with their gradients, by jax.numpy.

The files in the tree were made with jax 0.11.2, numpy 2.5.5 and safetensors 0.8.0 on CPU:

    python tools/reference/einsum.py headrace/graph/testdata

A line of the .txt is one einsum, "subscripts" and the shape of each operand, with bars between; first those of TABLE,
then COUNT drawn at random. The .safetensors has, for all of them behind each other, the elements of the operands, of
the results' cotangents, of the results and of the operands' cotangents. All are small integers, so that every sum is
exact in any order, and the comparison can be too.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import save_file

jax.config.update("jax_enable_x64", True)

COUNT = 120
SEED = 11

TABLE = """
i | 3
ij | 2 3
ij->ji | 2 3
ji | 2 3
ij-> | 2 3
ij->j | 2 3
i-> | 0
-> |
 |
ii | 3 3
ii->i | 3 3
iij->j | 2 2 3
iij->ij | 2 2 3
iji->j | 2 3 2
iji->ij | 2 3 2
iii->i | 3 3 3
iijj->ij | 2 2 3 3
ijij->ji | 2 3 2 3
ijk->kij | 2 3 4
ba | 2 3
bAa | 2 3 2
... | 2 3
...-> | 2 3
...->... | 2 3
i... | 2 3
...i->...  | 2 3 2
...i->i... | 2 3 2
i...j->j...i | 2 3 2 2
...ii->... | 2 3 3
i...i->i... | 3 2 3
i->...i | 3
ij,jk | 2 3 | 3 4
ij,jk->ik | 2 3 | 3 4
ij,jk->ki | 2 3 | 3 4
ij,kj->ik | 2 3 | 4 3
ji,jk->ik | 3 2 | 3 4
ij,ij->ij | 2 3 | 2 3
ij,ij->i | 2 3 | 2 3
ij,ij-> | 2 3 | 2 3
ij,ji->ij | 2 3 | 3 2
ij,ji | 3 3 | 3 3
i,j->ij | 2 | 3
i,j->ji | 2 | 3
i,j | 2 | 3
i,j-> | 2 | 3
i,i | 3 | 3
,ij->ij | | 2 3
ij,->ji | 2 3 |
, | |
ij,j->i | 2 3 | 3
ij,k->i | 2 3 | 2
bij,bjk->bik | 2 2 3 | 2 3 2
bij,bjk->ikb | 2 2 3 | 2 3 2
bqhd,bkhd->bhqk | 2 3 2 2 | 2 2 2 2
bhqk,bkhd->bqhd | 2 2 3 2 | 2 2 2 2
...ij,...jk->...ik | 2 2 3 | 2 3 2
...ij,...jk->...ik | 2 3 | 2 2 3 2
...ij,...jk->...ik | 2 1 2 3 | 3 3 2
...ij,jk | 2 2 3 | 3 2
...,... | 2 1 3 | 2 1
...,...->... | 3 | 2 3
i...,...i->... | 2 3 | 3 2
i...,...i | 2 1 | 3 2
...i,...i-> | 2 3 | 2 3
...i,...i->i | 2 3 | 3
ij,ij->ij | 1 3 | 2 3
ij,ij->j | 1 3 | 2 3
ij,ij-> | 1 3 | 2 1
ij,kj | 1 3 | 2 3
ij,jk | 2 1 | 3 2
iij,ij->j | 2 2 3 | 2 3
ii,jj->ij | 2 2 | 3 3
ii,ii-> | 2 2 | 2 2
ij,jk->ik | 2 0 | 0 3
ij,jk->ik | 0 2 | 2 3
ij,ij->i | 0 2 | 1 2
ij,jk,kl | 2 3 | 3 2 | 2 4
ij,jk,kl->li | 2 3 | 3 2 | 2 4
ij,jk,ki | 2 3 | 3 2 | 2 2
i,ij,j | 2 | 2 3 | 3
i,i,i->i | 3 | 3 | 3
i,j,k->kji | 2 | 3 | 2
ij,ik,il->jkl | 2 2 | 2 3 | 2 2
...i,ij,...j->... | 2 2 | 2 3 | 2 3
bi,bj,ijk->bk | 2 2 | 2 3 | 2 3 2
ij,jk,kl,lm | 2 3 | 3 2 | 2 3 | 3 2
ij,jk,kl,li | 2 3 | 3 2 | 2 3 | 3 2
i,j,k,l->il | 2 | 2 | 3 | 2
ab,bc,cd,de,ef | 2 2 | 2 3 | 3 2 | 2 2 | 2 3
a,ab,bc,c,ad->d | 2 | 2 2 | 2 3 | 3 | 2 2
a,b,a,b,a,b-> | 2 | 3 | 2 | 3 | 2 | 3
"""


def table():
    for line in TABLE.strip("\n").splitlines():
        text, *shapes = line.split(" |")
        yield text, [tuple(int(d) for d in shape.split()) for shape in shapes]


def draw_term(rng, labels):
    count = int(rng.choice([0, 1, 2, 2, 3, 3]))
    return [str(c) for c in rng.choice(labels, count)]


def draw(rng):
    """Subscripts with the shapes of their operands, which may not be allowed."""
    labels = list("abcdeXY"[: int(rng.integers(2, 8))])
    sizes = {label: int(rng.integers(1, 4)) for label in labels}
    dots = [int(rng.integers(1, 4)) for _ in range(2)] if rng.random() < 0.4 else None
    terms, shapes = [], []
    for _ in range(int(rng.choice([1, 2, 2, 3, 3, 4, 5, 6]))):
        term = draw_term(rng, labels)
        stretched = rng.random() < 0.1
        shape = [1 if stretched and term.count(c) == 1 else sizes[c] for c in term]
        if dots and rng.random() < 0.7:
            at = int(rng.integers(0, len(term) + 1))
            count = int(rng.integers(0, 3))
            under = [1 if rng.random() < 0.2 else d for d in dots[2 - count :]]
            term.insert(at, "...")
            shape[at:at] = under
        terms.append("".join(term))
        shapes.append(tuple(shape))
    text = ",".join(terms)
    if rng.random() < 0.8:
        used = sorted({c for term in terms for c in term if c != "."})
        output = [c for c in rng.permutation(used) if rng.random() < 0.5] if used else []
        if dots and rng.random() < 0.8:
            output.insert(int(rng.integers(0, len(output) + 1)), "...")
        text += "->" + "".join(output)
    return text, shapes


def evaluate(text, shapes, rng):
    """Elements of the operands, the cotangent, the result and the operands' cotangents."""
    operands = [rng.integers(-2, 3, shape).astype(np.float64) for shape in shapes]
    result, back = jax.vjp(lambda *xs: jnp.einsum(text, *xs), *operands)
    seed = rng.integers(-2, 3, result.shape).astype(np.float64)
    return {"in": operands, "seed": [seed], "out": [result], "grad": back(seed)}


def small(arrays):
    return sum(a.size for a in arrays) <= 300 and all(np.abs(a).max(initial=0) < 2**15 for a in arrays)


def main(folder):
    rng = np.random.default_rng(SEED)
    lines, elements = [], {name: [] for name in ("in", "seed", "out", "grad")}

    def add(text, shapes, found):
        lines.append(" | ".join([f'"{text}"', *(str(list(shape)) for shape in shapes)]))
        for name, arrays in found.items():
            elements[name] += [np.asarray(a).ravel() for a in arrays]

    for text, shapes in table():
        add(text, shapes, evaluate(text, shapes, rng))
    wanted = len(lines) + COUNT
    while len(lines) < wanted:
        text, shapes = draw(rng)
        try:
            found = evaluate(text, shapes, rng)
        except (ValueError, TypeError):
            continue
        if small([a for arrays in found.values() for a in arrays]):
            add(text, shapes, found)
    folder = pathlib.Path(folder)
    (folder / "einsum.txt").write_text("\n".join(lines) + "\n")
    joined = {name: np.concatenate(parts) for name, parts in elements.items()}
    assert all(np.array_equal(a, a.astype(np.int16)) for a in joined.values())
    save_file({name: a.astype(np.int16) for name, a in joined.items()}, folder / "einsum.safetensors")


if __name__ == "__main__":
    main(sys.argv[1])
