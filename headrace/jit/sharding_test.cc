// Ops on several devices give what they give on one.
#include "headrace/graph/ops/sharding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/graph/gradient.h"
#include "headrace/graph/ops.h"
#include "headrace/graph/vmap.h"
#include "headrace/jit/test/run_on_mesh.h"

namespace headrace::jit {
namespace {

HostTensor Counting(Shape shape, DType dtype = DType::kF32) {
  HostTensor tensor({dtype, std::move(shape)});
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.Set(i, static_cast<double>(i % 7));
  return tensor;
}

const Mesh kMesh{{{"data", 2}, {"fsdp", 2}}};

// Both programs on the mesh and on one device, element for element.
void ExpectSameOnMesh(const Function& function, const std::vector<HostTensor>& arguments,
                      const ProgramOptions& options = {}) {
  const auto one = RunOnMesh(function, {}, arguments);
  const auto many = RunOnMesh(function, kMesh, arguments, options);
  ASSERT_EQ(one.size(), many.size());
  for (size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one[i].type(), many[i].type());
    EXPECT_TRUE(std::ranges::equal(one[i].bytes(), many[i].bytes())) << "result " << i;
  }
}

// Small integers, so that sums in another order are the same.
TEST(Sharding, ConstraintsChangeNoNumber) {
  const Types types = {{DType::kF32, {8, 4}}, {DType::kF32, {4, 6}}};
  const Function function = Trace("step", types, [](std::span<const Value> x) {
    const Value hidden = ConstrainSharding(Dot(x[0], x[1]), {{{"data"}, {"fsdp", "tensor"}}});
    return Values{hidden, Gradient(Sum(hidden * hidden), x)[1]};
  });
  ExpectSameOnMesh(function, {Counting({8, 4}), Counting({4, 6})},
                   {.parameter_shardings = {{{{"data", "fsdp"}, {}}}, {{{"fsdp"}, {}}}}});
}

TEST(Sharding, ConstraintsOfABatchLeaveItOpen) {
  const Function function = Trace("batch", Types{{DType::kF32, {8, 4, 2}}}, [](std::span<const Value> x) {
    auto body = [](std::span<const Value> v) {
      return Values{ConstrainSharding(v[0] + 1.0, {{{"fsdp"}, {}}}) * v[0]};
    };
    return Vmap(body, x, {0});
  });
  ExpectSameOnMesh(function, {Counting({8, 4, 2})}, {.parameter_shardings = {{{{"data"}, {}, {}}}}});
}

// The same key gives the same bits however they are laid out.
TEST(Sharding, ChangesNoRandomBit) {
  const Function function = Trace("draw", Types{{DType::kU32, {2}}}, [](std::span<const Value> key) {
    const Value bits = RandomBits(key[0], {DType::kU32, {8, 6}});
    return Values{ConstrainSharding(bits, {{{"data"}, {"fsdp"}}})};
  });
  ExpectSameOnMesh(function, {HostTensor::Of<uint32_t>({2}, {0, 7})},
                   {.result_shardings = {{{{"data"}, {"fsdp"}}}}});
}

TEST(Sharding, RowsComeFromAShardedTable) {
  const Types types = {{DType::kF32, {8, 4}}, {DType::kI32, {6}}};
  const Function function = Trace("rows", types, [](std::span<const Value> x) {
    const Value rows = TakeRows(x[0], x[1], OutOfRange::kClamp);
    return Values{rows, Gradient(Sum(rows * rows), x.first(1))[0]};
  });
  ExpectSameOnMesh(function, {Counting({8, 4}), Counting({6}, DType::kI32)},
                   {.parameter_shardings = {{{{"fsdp"}, {}}}, {{{"data"}}}}});
}

}  // namespace
}  // namespace headrace::jit
