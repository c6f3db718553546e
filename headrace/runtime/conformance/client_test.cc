// What a client says of itself and its devices.
#include <set>

#include "headrace/runtime/conformance/conformance.h"

namespace headrace::runtime {
namespace {

using testing::HasSubstr;

class ClientConformance : public Conformance {};

TEST_P(ClientConformance, DescribesItsDevices) {
  EXPECT_EQ(client_->platform_name(), "cpu");
  EXPECT_FALSE(client_->platform_version().empty());
  EXPECT_EQ(client_->process_index(), 0);
  EXPECT_EQ(&client_->plugin(), plugin_);
  ASSERT_EQ(client_->devices().size(), static_cast<size_t>(kDevices));
  ASSERT_EQ(client_->addressable_devices().size(), static_cast<size_t>(kDevices));
  std::set<int> ids;
  for (const Device& device : client_->devices()) {
    ids.insert(device.id());
    EXPECT_TRUE(device.addressable());
    EXPECT_EQ(device.process_index(), 0);
    EXPECT_FALSE(device.kind().empty());
    EXPECT_FALSE(device.description().empty());
  }
  EXPECT_EQ(ids.size(), static_cast<size_t>(kDevices));
}

TEST_P(ClientConformance, MemoryOfADeviceIsKnownOrRefused) {
  auto memory = device(0).Memory();
  if (memory.ok()) {
    EXPECT_GE(memory->in_use, 0);
  } else {
    EXPECT_EQ(memory.status().code(), Code::kUnimplemented);
    EXPECT_THAT(memory.status().message(), HasSubstr("memory of " + device(0).description()));
  }
}

TEST_P(ClientConformance, WrongOptionsAreRefused) {
  auto client = Client::Create(*plugin_, {{{"cpu_device_count", std::string("many")}}});
  ASSERT_FALSE(client.ok());
  EXPECT_THAT(client.status().message(), HasSubstr("starting a client of the plugin " + GetParam().path));
}

TEST_P(ClientConformance, TwoClientsSideBySide) {
  auto other = Must(Client::Create(*plugin_, {{{"cpu_device_count", int64_t{1}}}}));
  EXPECT_EQ(other->devices().size(), 1u);
  Buffer here = Put(HostTensor::Scalar<int32_t>(1));
  Buffer there = Must(other->ToDevice(HostTensor::Scalar<int32_t>(2)));
  EXPECT_EQ(Values<int32_t>(here)[0] + Values<int32_t>(there)[0], 3);
}

INSTANTIATE_TEST_SUITE_P(Plugins, ClientConformance, testing::ValuesIn(PluginsUnderTest()), PluginName);

}  // namespace
}  // namespace headrace::runtime
