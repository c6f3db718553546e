#include "headrace/jit/array.h"

#include <cstring>

namespace headrace::jit {
namespace {

// Copies between a dense block and its place in the whole, one run at a time: what lies together in both.
template <class CopyRun>
void ForEachRun(const Shape& whole, const Block& block, int64_t element_size, CopyRun copy) {
  int along = whole.rank();  // the first dimension of a run; those after it are whole
  int64_t run_size = 1;
  while (along > 0) {
    --along;
    run_size *= block.size[static_cast<size_t>(along)];
    if (block.size[static_cast<size_t>(along)] != whole[along]) break;
  }
  int64_t runs = 1;
  for (int dim = 0; dim < along; ++dim) runs *= block.size[static_cast<size_t>(dim)];
  const std::vector<int64_t> strides = whole.Strides();
  for (int64_t run = 0; run < runs; ++run) {
    int64_t offset = 0;
    for (size_t dim = static_cast<size_t>(along); dim < strides.size(); ++dim)
      offset += block.start[dim] * strides[dim];
    int64_t rest = run;
    for (int dim = along - 1; dim >= 0; --dim) {
      const auto d = static_cast<size_t>(dim);
      offset += (block.start[d] + rest % block.size[d]) * strides[d];
      rest /= block.size[d];
    }
    copy(offset * element_size, run * run_size * element_size, static_cast<size_t>(run_size * element_size));
  }
}

HostTensor Extract(const HostTensor& whole, const Block& block) {
  if (Shape(block.size) == whole.shape()) return whole;
  HostTensor part({whole.dtype(), Shape(block.size)});
  std::byte* to = part.mutable_bytes().data();
  const std::byte* from = whole.bytes().data();
  ForEachRun(whole.shape(), block, ByteSize(whole.dtype()), [&](int64_t at, int64_t in_block, size_t bytes) {
    std::memcpy(to + in_block, from + at, bytes);
  });
  return part;
}

}  // namespace

Result<Array::Fetch> Array::FetchAsync() const {
  Fetch fetch;
  fetch.type_ = type_;
  const size_t needed = sharding_.IsReplicated() ? 1 : shards_.size();
  for (size_t device = 0; device < needed; ++device) {
    fetch.blocks_.push_back(BlockOf(mesh_, sharding_, type_.shape, static_cast<int64_t>(device)));
    HR_TRY(runtime::HostCopy copy, shards_[device].ToHostAsync());
    fetch.copies_.push_back(std::move(copy));
  }
  return fetch;
}

Result<HostTensor> Array::Fetch::Wait() && {
  if (copies_.size() == 1) return std::move(copies_[0]).Wait();
  HostTensor whole(type_);
  std::byte* to = whole.mutable_bytes().data();
  for (size_t i = 0; i < copies_.size(); ++i) {
    HR_TRY(HostTensor part, std::move(copies_[i]).Wait());
    const std::byte* from = part.bytes().data();
    ForEachRun(
        type_.shape, blocks_[i], ByteSize(type_.dtype),
        [&](int64_t at, int64_t in_block, size_t bytes) { std::memcpy(to + at, from + in_block, bytes); });
  }
  return whole;
}

Result<HostTensor> Array::ToHost() const {
  HR_TRY(Fetch fetch, FetchAsync());
  return std::move(fetch).Wait();
}

Status Array::Wait() const {
  for (const runtime::Buffer& shard : shards_) HR_TRY(shard.Wait());
  return Ok();
}

Result<Devices> Devices::Of(const runtime::Client& client, Mesh mesh) {
  Devices devices;
  const auto available = client.addressable_devices();
  const int64_t wanted = mesh.DeviceCount();
  if (wanted < 1 || wanted > static_cast<int64_t>(available.size())) {
    return InvalidArgument("the mesh takes {} devices; {} has {}", wanted, client.platform_name(),
                           available.size());
  }
  devices.client_ = &client;
  devices.mesh_ = std::move(mesh);
  devices.devices_.assign(available.begin(), available.begin() + wanted);
  return devices;
}

Result<Array> Devices::Put(const HostTensor& tensor, const Sharding& sharding) const {
  if (!Divides(mesh_, sharding, tensor.shape())) {
    return InvalidArgument("{} is not divisible as {}", tensor.type().ToString(), sharding.ToSdy(true));
  }
  const bool whole = sharding.IsReplicated();
  std::vector<runtime::Buffer> shards;
  for (size_t i = 0; i < devices_.size(); ++i) {
    const HostTensor part =
        whole ? tensor : Extract(tensor, BlockOf(mesh_, sharding, tensor.shape(), static_cast<int64_t>(i)));
    HR_TRY(runtime::Buffer shard, client_->ToDevice(part, *devices_[i]));
    shards.push_back(std::move(shard));
  }
  return Array(tensor.type(), mesh_, sharding, std::move(shards));
}

Result<Array> Devices::Put(const HostTensor& tensor) const {
  return Put(tensor, Sharding::Replicated(tensor.shape().rank()));
}

}  // namespace headrace::jit
