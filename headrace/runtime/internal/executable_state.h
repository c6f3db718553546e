// Executable::State: what an Executable owns and what it found out once, when it was made. Private to
// runtime.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "headrace/runtime/executable.h"
#include "headrace/runtime/internal/client_state.h"

namespace headrace::runtime {

struct Executable::State {
  State(std::shared_ptr<const internal::ClientState> client, PJRT_LoadedExecutable* loaded)
      : client(std::move(client)), loaded(loaded) {}
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  const internal::Api& api() const { return client->api; }

  std::shared_ptr<const internal::ClientState> client;
  PJRT_LoadedExecutable* loaded = nullptr;
  PJRT_Executable* executable = nullptr;
  std::string name;
  std::vector<const Device*> devices;
  bool knows_parameters = false;
  std::vector<Parameter> parameters;
  std::vector<std::shared_ptr<const TensorType>> outputs;
};

}  // namespace headrace::runtime
