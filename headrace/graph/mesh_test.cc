#include "headrace/graph/mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace headrace {
namespace {

using ::testing::ElementsAre;

const Mesh kMesh{{{"data", 2}, {"fsdp", 3}, {"tensor", 2}}};

TEST(Mesh, CountsDevices) {
  EXPECT_EQ(kMesh.DeviceCount(), 12);
  EXPECT_EQ(Mesh{}.DeviceCount(), 1);
  EXPECT_EQ(kMesh.AxisSize("fsdp"), 3);
  EXPECT_EQ(kMesh.AxisSize("stage"), 1);
}

TEST(Sharding, WritesShardy) {
  const Sharding sharding{{{"data", "fsdp"}, {}, {"tensor", "?"}, {"?"}}};
  EXPECT_EQ(sharding.ToSdy(), R"(#sdy.sharding<@mesh, [{"data", "fsdp"}, {}, {"tensor", ?}, {?}]>)");
  EXPECT_EQ(Sharding::Replicated(2).ToSdy(true), "<@mesh, [{}, {}]>");
  EXPECT_EQ(Sharding::Replicated(0).ToSdy(true), "<@mesh, []>");
}

TEST(Sharding, DropsAxesThatTheMeshLacks) {
  const Sharding sharding{{{"stage", "data"}, {"expert", "?"}}};
  EXPECT_EQ(sharding.On(kMesh), (Sharding{{{"data"}, {"?"}}}));
  EXPECT_TRUE((Sharding{{{"stage"}}}).On(kMesh).IsReplicated());
}

// Device 0 1 2 3 … has coordinates (0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1) …
TEST(Block, OfOneAxis) {
  const Sharding sharding{{{}, {"tensor"}}};
  const Block block = BlockOf(kMesh, sharding, {5, 8}, 3);
  EXPECT_THAT(block.start, ElementsAre(0, 4));
  EXPECT_THAT(block.size, ElementsAre(5, 4));
  EXPECT_EQ(BlockOf(kMesh, sharding, {5, 8}, 2).start, BlockOf(kMesh, sharding, {5, 8}, 0).start);
}

TEST(Block, OfSeveralAxesInOneDimension) {
  // fsdp outermost: block number = fsdp · 2 + data.
  const Sharding sharding{{{"fsdp", "data"}}};
  EXPECT_THAT(BlockOf(kMesh, sharding, {12}, 0).start, ElementsAre(0));
  EXPECT_THAT(BlockOf(kMesh, sharding, {12}, 6).start, ElementsAre(2));    // data 1, fsdp 0
  EXPECT_THAT(BlockOf(kMesh, sharding, {12}, 5).start, ElementsAre(8));    // data 0, fsdp 2
  EXPECT_THAT(BlockOf(kMesh, sharding, {12}, 11).start, ElementsAre(10));  // data 1, fsdp 2
}

TEST(Block, BlocksTileTheWhole) {
  const Sharding sharding{{{"tensor"}, {"data", "fsdp"}}};
  const Shape shape = {4, 12};
  std::set<std::vector<int64_t>> starts;
  for (int64_t device = 0; device < kMesh.DeviceCount(); ++device) {
    const Block block = BlockOf(kMesh, sharding, shape, device);
    EXPECT_THAT(block.size, ElementsAre(2, 2));
    starts.insert(block.start);
  }
  EXPECT_EQ(starts.size(), 12u);  // no two are the same
}

TEST(Block, NeedsSizesThatDivide) {
  EXPECT_TRUE(Divides(kMesh, {{{"fsdp"}, {}}}, {6, 5}));
  EXPECT_FALSE(Divides(kMesh, {{{"fsdp"}, {}}}, {5, 6}));
  EXPECT_FALSE(Divides(kMesh, {{{"fsdp"}}}, {6, 5}));  // another rank
  EXPECT_TRUE(Divides(kMesh, {{{"stage"}}}, {5}));
}

}  // namespace
}  // namespace headrace
