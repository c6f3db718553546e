# Compiler flags, ccache, mold and sanitizers: what holds for every target.
option(HEADRACE_SANITIZE "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(HEADRACE_FUZZ "Build libFuzzer targets (clang only)" OFF)

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# Debug info costs compile time and disk; ask for it where it is wanted.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
add_compile_options(-Wall -Wextra -Werror -Wno-missing-field-initializers -fvisibility=hidden)
add_compile_definitions(HEADRACE_VERSION="${PROJECT_VERSION}")
include_directories(${CMAKE_SOURCE_DIR})

if(HEADRACE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
if(HEADRACE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_package(Threads REQUIRED)
find_package(GTest REQUIRED)
