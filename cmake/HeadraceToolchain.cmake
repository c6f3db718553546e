# Compiler flags, ccache, mold and sanitizers: what holds for every target.
option(HEADRACE_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(HEADRACE_FUZZ "Build libFuzzer targets (clang only)" OFF)
option(HEADRACE_BENCH "Build benchmarks" OFF)

find_program(CCACHE ccache)
if(CCACHE)
  # Paths below the tree count relative to the build folder, so that a second clone finds what the first one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE})
  if(HEADRACE_SANITIZE)
    # Debug info names the build folder, which would make every clone's differ; here only stack traces read it.
    list(INSERT CMAKE_CXX_COMPILER_LAUNCHER 1 CCACHE_NOHASHDIR=1)
  endif()
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# No -g: debug info costs compile time and disk; ask for it where it is wanted. No -DNDEBUG: checks stay on.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
add_compile_options(-Wall -Wextra -Werror -Wno-missing-field-initializers -fvisibility=hidden)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wno-deprecated-declarations)  # libstdc++ 12's own stable_sort uses what C++17 deprecated
endif()
add_compile_definitions(HEADRACE_VERSION="${PROJECT_VERSION}")
include_directories(${CMAKE_SOURCE_DIR})

if(HEADRACE_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELEASE "-O1")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
if(HEADRACE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "HEADRACE_FUZZ needs clang; use: cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
find_package(fmt REQUIRED)
if(HEADRACE_BENCH)
  find_package(benchmark REQUIRED)
endif()
