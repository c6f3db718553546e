#include "headrace/io/memory_store.h"

#include "headrace/io/store_suite.h"

namespace headrace::io {
namespace {

INSTANTIATE_TEST_SUITE_P(Memory, StoreSuite,
                         testing::Values(StoreUnderTest{"memory",
                                                        [](const std::string&) {
                                                          return std::make_unique<MemoryStore>("mem://suite");
                                                        }}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace headrace::io
