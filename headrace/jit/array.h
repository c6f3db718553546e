// Array: a tensor on the devices of a mesh. Devices: which ones those are.
//
// An Array owns one Buffer a device, each holding the block that its Sharding says. It is move-only and
// asynchronous as Buffers are. Devices is a cheap value; it and the Client must outlive the Arrays.
//
//   HR_TRY(Devices devices, Devices::Of(client, Mesh{{{"data", 4}}}));
//   HR_TRY(Array x, devices.Put(tensor, Sharding{{{"data"}, {}}}));
//   HR_TRY(HostTensor back, x.ToHost());
#pragma once

#include <vector>

#include "headrace/core/status.h"
#include "headrace/graph/mesh.h"
#include "headrace/runtime/client.h"

namespace headrace::jit {

class Array {
 public:
  Array(TensorType type, Mesh mesh, Sharding sharding, std::vector<runtime::Buffer> shards)
      : type_(std::move(type)),
        mesh_(std::move(mesh)),
        sharding_(std::move(sharding)),
        shards_(std::move(shards)) {}

  const TensorType& type() const { return type_; }  // of the whole
  const Sharding& sharding() const { return sharding_; }
  const std::vector<runtime::Buffer>& shards() const {
    return shards_;
  }  // in the order of the mesh's devices

  // A copy of the whole on its way to the host.
  class Fetch {
   public:
    // Blocks. Call once.
    Result<HostTensor> Wait() &&;

   private:
    friend class Array;
    TensorType type_;
    std::vector<Block> blocks_;
    std::vector<runtime::HostCopy> copies_;
  };
  Result<Fetch> FetchAsync() const;

  // The whole tensor; blocks. A replicated Array is read from its first device only.
  Result<HostTensor> ToHost() const;

  // Waits until every shard is there; the error of the work that should have filled it otherwise.
  Status Wait() const;

 private:
  TensorType type_;
  Mesh mesh_;
  Sharding sharding_;
  std::vector<runtime::Buffer> shards_;
};

class Devices {
 public:
  // The first mesh.DeviceCount() devices of this process; kInvalidArgument if it has fewer.
  static Result<Devices> Of(const runtime::Client& client, Mesh mesh = {});

  const runtime::Client& client() const { return *client_; }
  const Mesh& mesh() const { return mesh_; }
  const std::vector<const runtime::Device*>& devices() const { return devices_; }

  // Places a tensor; returns before the copies are done. kInvalidArgument if the sharding does not divide the
  // shape.
  Result<Array> Put(const HostTensor& tensor, const Sharding& sharding) const;
  // The same, whole on every device.
  Result<Array> Put(const HostTensor& tensor) const;

 private:
  const runtime::Client* client_ = nullptr;
  Mesh mesh_;
  std::vector<const runtime::Device*> devices_;
};

}  // namespace headrace::jit
