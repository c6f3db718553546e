#include "headrace/runtime/compile_options.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <set>
#include <type_traits>

#include "xla_subset.pb.h"

namespace headrace::runtime {

Status CompileOptions::Validate() const {
  if (num_replicas < 1) return InvalidArgument("num_replicas is {}; it must be at least 1", num_replicas);
  if (num_partitions < 1)
    return InvalidArgument("num_partitions is {}; it must be at least 1", num_partitions);
  const auto devices = static_cast<size_t>(num_replicas) * static_cast<size_t>(num_partitions);
  if (!device_ids.empty() && device_ids.size() != devices) {
    return InvalidArgument("device_ids names {} devices; {} replicas of {} partitions need {}",
                           device_ids.size(), num_replicas, num_partitions, devices);
  }
  std::set<int64_t> seen;
  for (int64_t id : device_ids) {
    if (!seen.insert(id).second) return InvalidArgument("device_ids names device {} twice", id);
  }
  return Ok();
}

std::string CompileOptions::Serialize() const {
  xla::CompileOptionsProto proto;
  xla::ExecutableBuildOptionsProto& build = *proto.mutable_executable_build_options();
  build.set_device_ordinal(-1);
  build.set_num_replicas(num_replicas);
  build.set_num_partitions(num_partitions);
  build.set_use_spmd_partitioning(num_partitions > 1);
  build.set_use_shardy_partitioner(use_shardy);
  if (!device_ids.empty()) {
    xla::DeviceAssignmentProto& assignment = *build.mutable_device_assignment();
    assignment.set_replica_count(num_replicas);
    assignment.set_computation_count(num_partitions);
    for (int partition = 0; partition < num_partitions; ++partition) {
      auto& devices = *assignment.add_computation_devices();
      for (int replica = 0; replica < num_replicas; ++replica) {
        devices.add_replica_device_ids(device_ids[static_cast<size_t>(replica * num_partitions + partition)]);
      }
    }
  }
  for (const Override& override : overrides) {
    xla::OptionOverrideProto& value = (*proto.mutable_env_option_overrides())[override.name];
    std::visit(
        [&value]<class T>(const T& v) {
          if constexpr (std::is_same_v<T, std::string>) {
            value.set_string_field(v);
          } else if constexpr (std::is_same_v<T, bool>) {
            value.set_bool_field(v);
          } else if constexpr (std::is_same_v<T, int64_t>) {
            value.set_int_field(v);
          } else {
            value.set_double_field(v);
          }
        },
        override.value);
  }
  // Maps are written in the order of their keys, so that the bytes can be a cache key.
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  proto.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

}  // namespace headrace::runtime
