"""Makes headrace/runtime/testdata/exported.{mlir,mlirbc}: one program as JAX exports it, as text and as bytecode.

The files in the tree were made with jax 0.11.2 on CPU:

    python tools/reference/exported_program.py headrace/runtime/testdata

The program takes x: f32[3, 4] and w: f32[4, 2] and returns tanh(x @ w) and the sum of that.
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
from jax import export

# Locations name this file without its folder, so that the bytes do not depend on where it lies.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")


def program(x, w):
    y = jnp.tanh(x @ w)
    return y, y.sum()


def main(folder):
    exported = export.export(jax.jit(program))(
        jax.ShapeDtypeStruct((3, 4), jnp.float32), jax.ShapeDtypeStruct((4, 2), jnp.float32)
    )
    folder = pathlib.Path(folder)
    (folder / "exported.mlir").write_text(str(exported.mlir_module()))
    (folder / "exported.mlirbc").write_bytes(exported.mlir_module_serialized)


if __name__ == "__main__":
    main(sys.argv[1])
