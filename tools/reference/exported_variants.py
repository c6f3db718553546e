"""Makes headrace/run/testdata/hlo/: one function as JAX exports it in every way, with arrays and JAX's results.

The files in the tree were made with jax 0.11.2, numpy 2.5 and flatbuffers 25.12 on CPU:

    python tools/reference/exported_variants.py headrace/run/testdata/hlo

scores takes x: f32[3, 4] and w: f32[4, 2] and returns softmax(x @ w), its arg-max and whether x is positive.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import export

# Locations name this file without its folder, so that the bytes do not depend on where it lies.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")


def scores(x, w):
    probabilities = jax.nn.softmax(x @ w)
    return probabilities, probabilities.argmax(axis=-1), x > 0


def main(folder):
    folder = pathlib.Path(folder)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 4), dtype=np.float32)
    w = rng.standard_normal((4, 2), dtype=np.float32)
    np.save(folder / "x.npy", x)
    np.save(folder / "w.npy", w)
    for i, result in enumerate(jax.jit(scores)(x, w)):
        np.save(folder / f"expected{i}.npy", np.asarray(result))

    types = jax.ShapeDtypeStruct(x.shape, x.dtype), jax.ShapeDtypeStruct(w.shape, w.dtype)
    exported = export.export(jax.jit(scores))(*types)
    (folder / "scores.mlir").write_text(str(exported.mlir_module()))
    (folder / "scores.mlirbc").write_bytes(exported.mlir_module_serialized)
    (folder / "scores.jaxexport").write_bytes(exported.serialize())

    platforms = export.export(jax.jit(scores), platforms=["tpu", "cpu"])(*types)
    (folder / "platforms.mlirbc").write_bytes(platforms.mlir_module_serialized)

    (rows,) = export.symbolic_shape("rows")
    symbolic = export.export(jax.jit(scores))(jax.ShapeDtypeStruct((rows, 4), x.dtype), types[1])
    (folder / "symbolic.mlir").write_text(str(symbolic.mlir_module()))
    (folder / "symbolic.mlirbc").write_bytes(symbolic.mlir_module_serialized)

    half = export.export(jax.jit(lambda x: x * 2))(jax.ShapeDtypeStruct((3, 4), jnp.bfloat16))
    (folder / "bfloat16.mlirbc").write_bytes(half.mlir_module_serialized)

    eigenvalues = export.export(jax.jit(jnp.linalg.eigvalsh))(jax.ShapeDtypeStruct((3, 3), jnp.float32))
    (folder / "lapack.mlirbc").write_bytes(eigenvalues.mlir_module_serialized)


if __name__ == "__main__":
    main(sys.argv[1])
