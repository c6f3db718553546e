// HR_VECTOR_CLONES marks a function whose loops are worth wider vectors than every x86-64 has: it is compiled
// for AVX2 as well, and the program takes the better one when it starts. Without fused multiply-add, so that
// both give the same bits.
#pragma once

#if defined(__x86_64__) && !defined(__clang__)  // clang checks and fuzzes; its clones cannot be members
#define HR_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define HR_VECTOR_CLONES
#endif
