# What a folder of headrace/ is made into: library, tests, header check, fuzzers, benchmarks, program.

# headrace_read_deps(FILE): reads the table of modules and edges into HEADRACE_MODULES and HEADRACE_DEPS_<module>.
function(headrace_read_deps file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(STRINGS ${file} lines REGEX "^[a-z]+:")
  set(modules)
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([a-z]+): *(.*)$" _ "${line}")
    list(APPEND modules ${CMAKE_MATCH_1})
    string(REPLACE " " ";" deps "${CMAKE_MATCH_2}")
    set(HEADRACE_DEPS_${CMAKE_MATCH_1} "${deps}" PARENT_SCOPE)
  endforeach()
  set(HEADRACE_MODULES ${modules} PARENT_SCOPE)
endfunction()

# headrace_module(NAME [LIBS lib...] [TEST_LIBS lib...] [TEST_DEPS module...] [TEST_SHARDS count]
#                 [NOT_SANITIZED pattern...] [PROTOS file...])
# makes, of the folder it is called in:
#   hr_NAME        library of every .cc but main.cc, tests, fuzzers and benchmarks; linked to what DEPS allows
#   NAME_test      one binary of every *_test.cc and of test/*.cc, registered with ctest as NAME; with TEST_SHARDS
#                  as NAME-1-of-COUNT and so on, which share its tests, so that a long one keeps every core busy
#   NAME_headers   every header compiled alone, as part of the target `headers`
#   NAME_x_fuzz    one libFuzzer binary for every x_fuzz.cc, as part of the target `fuzzers`; with HEADRACE_FUZZ
#   NAME_bench     one Google Benchmark binary of every *_bench.cc, as part of `benchmarks`; with HEADRACE_BENCH
# TEST_DEPS lets tests, fuzzers and benchmarks (only) reach modules beyond DEPS. NOT_SANITIZED names tests, as
# patterns of GTEST_FILTER, that are left out under sanitizers: those that spend minutes in the compiler and in
# the kernels of a plugin, which is not ours to check, and reach none of our code that other tests do not.
# ctest's label `kill` marks what kills processes; it runs in .ci/run alone.
function(headrace_module name)
  cmake_parse_arguments(arg "" "TEST_SHARDS" "LIBS;TEST_LIBS;TEST_DEPS;NOT_SANITIZED;PROTOS" ${ARGN})
  file(GLOB_RECURSE all CONFIGURE_DEPENDS *.cc)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS *.h)
  set(sources ${all})
  set(tests ${all})
  set(fuzzers ${all})
  set(benchmarks ${all})
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz|bench)\\.cc$|/main\\.cc$|/test/")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$|/test/[^/]*\\.cc$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cc$")
  list(FILTER benchmarks INCLUDE REGEX "_bench\\.cc$")
  list(TRANSFORM arg_TEST_DEPS PREPEND hr_)
  set(test_libs hr_${name} ${arg_TEST_DEPS} ${arg_TEST_LIBS})

  headrace_library(${name} "${sources}" "${arg_LIBS}" "${arg_PROTOS}")
  headrace_headers(${name} "${headers}")

  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ${test_libs} GTest::gmock GTest::gtest_main)
    headrace_tests(${name} "${arg_TEST_SHARDS}" "${arg_NOT_SANITIZED}")
  endif()
  if(HEADRACE_FUZZ)
    foreach(fuzzer IN LISTS fuzzers)
      get_filename_component(stem ${fuzzer} NAME_WE)
      add_executable(${name}_${stem} EXCLUDE_FROM_ALL ${fuzzer})
      target_link_libraries(${name}_${stem} PRIVATE ${test_libs})
      target_link_options(${name}_${stem} PRIVATE -fsanitize=fuzzer)
      add_dependencies(fuzzers ${name}_${stem})
    endforeach()
  endif()
  if(HEADRACE_BENCH AND benchmarks)
    add_executable(${name}_bench EXCLUDE_FROM_ALL ${benchmarks})
    target_link_libraries(${name}_bench PRIVATE ${test_libs} benchmark::benchmark_main)
    add_dependencies(benchmarks ${name}_bench)
  endif()
endfunction()

# Registers NAME_test with ctest, whole or, where `shards` is a number, in so many parts.
function(headrace_tests name shards not_sanitized)
  set(environment)
  if(HEADRACE_SANITIZE AND not_sanitized)
    list(JOIN not_sanitized ":" patterns)
    set(environment "GTEST_FILTER=-${patterns}")
  endif()
  if(NOT shards)
    add_test(NAME ${name} COMMAND ${name}_test WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_property(TEST ${name} PROPERTY ENVIRONMENT ${environment})
    return()
  endif()
  foreach(shard RANGE 1 ${shards})
    set(test ${name}-${shard}-of-${shards})
    math(EXPR index "${shard} - 1")
    add_test(NAME ${test} COMMAND ${name}_test WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    set_property(TEST ${test} PROPERTY
      ENVIRONMENT ${environment} GTEST_TOTAL_SHARDS=${shards} GTEST_SHARD_INDEX=${index})
  endforeach()
endfunction()

# headrace_program(NAME MODULE): the program NAME, at the root of the build folder, of main.cc and MODULE's library.
function(headrace_program name module)
  add_executable(${name} main.cc)
  target_link_libraries(${name} PRIVATE hr_${module})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

# The library hr_NAME; of headers alone it is an interface. Protocol buffers are private to it and lite.
function(headrace_library name sources libs protos)
  set(scope INTERFACE)
  if(sources)
    set(scope PUBLIC)
    add_library(hr_${name} STATIC ${sources})
  else()
    add_library(hr_${name} INTERFACE)
  endif()
  set(deps ${HEADRACE_DEPS_${name}})
  list(TRANSFORM deps PREPEND hr_)
  target_link_libraries(hr_${name} ${scope} ${deps} ${libs} Threads::Threads)

  if(protos)
    find_package(Protobuf REQUIRED)
    protobuf_generate_cpp(proto_sources proto_headers ${protos})
    set_source_files_properties(${proto_sources} PROPERTIES COMPILE_OPTIONS "-w")
    target_sources(hr_${name} PRIVATE ${proto_sources})
    target_include_directories(hr_${name} SYSTEM PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
    target_link_libraries(hr_${name} PRIVATE protobuf::libprotobuf-lite)
  endif()
endfunction()

# One unit a header that includes it and nothing else: a header that leans on its includer does not compile.
function(headrace_headers name headers)
  set(units)
  foreach(header IN LISTS headers)
    file(RELATIVE_PATH path ${CMAKE_SOURCE_DIR} ${header})
    set(unit ${CMAKE_BINARY_DIR}/headers/${path}.cc)
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${path}\"\n")
    list(APPEND units ${unit})
  endforeach()
  if(units)
    add_library(${name}_headers OBJECT EXCLUDE_FROM_ALL ${units})
    target_link_libraries(${name}_headers PRIVATE hr_${name} GTest::gmock)
    target_compile_options(${name}_headers PRIVATE -O0)
    add_dependencies(headers ${name}_headers)
  endif()
endfunction()
