#include "headrace/run/run_config.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "headrace/io/input_error.h"
#include "headrace/io/store.h"

namespace headrace::run {

namespace {

constexpr std::array<std::string_view, 3> kRematPolicies = {"none", "dots", "full"};

// The kinds of models of which `has` holds: "gpt, llama and vit".
template <class Has>
std::string KindsThat(const Has& has) {
  std::vector<std::string_view> kinds;
  const auto ask = [&]<class... Kinds>(const std::variant<Kinds...>*) {
    (void)(..., (has(Kinds()) ? kinds.push_back(Kinds::kKind) : void()));
  };
  ask(static_cast<const models::ModelConfig*>(nullptr));
  const std::string_view last = kinds.back();
  kinds.pop_back();
  return fmt::format("{} and {}", fmt::join(kinds, ", "), last);
}

}  // namespace

RematPolicy TrainConfig::Remat() const {
  const auto at = std::ranges::find(kRematPolicies, remat) - kRematPolicies.begin();
  return static_cast<RematPolicy>(at);
}

void TrainConfig::Fields(config::Visitor& v) {
  v.Field("steps", steps, "Updates in all; or give epochs", config::AtLeast(1));
  v.Field("epochs", epochs, "Passes over the training data in all; or give steps", config::Positive());
  v.Field("global_batch_size", global_batch_size, "Examples in an update, over all devices and microbatches",
          config::AtLeast(1));
  v.Field("gradient_accumulation_steps", gradient_accumulation_steps,
          "Microbatches that a batch is cut into, one after the other, to save memory", config::AtLeast(1));
  v.Field("log_every", log_every, "Steps between two lines of metrics", config::AtLeast(1));
  v.Field("eval_every", eval_every, "Steps between two evaluations; 0: only at the end", config::AtLeast(0));
  v.Field("max_bad_steps", max_bad_steps,
          "Updates in a row that may be withheld for infinite gradients before the run gives up",
          config::AtLeast(1));
  v.OneOf("remat", remat, kRematPolicies,
          "What the way back works out again instead of keeping it: nothing, of each block all but matrix "
          "products (dots), or all of it (full); less memory for more time");
  v.Field("early_stopping", early_stopping, "End the run when a metric of its evaluations gets no better");
}

Status TrainConfig::Validate() const {
  if (steps && epochs) return InvalidArgument("epochs: give steps or epochs, not both");
  if (!steps && !epochs) return InvalidArgument("give steps or epochs");
  if (global_batch_size % gradient_accumulation_steps != 0) {
    return InvalidArgument("gradient_accumulation_steps: a batch of {} does not divide into {} equal parts",
                           global_batch_size, gradient_accumulation_steps);
  }
  if (early_stopping && eval_every == 0) {
    return InvalidArgument("early_stopping: needs evaluations to judge by; set eval_every above 0");
  }
  return Ok();
}

int64_t TrainConfig::TotalSteps(int64_t examples) const {
  if (steps) return *steps;
  return std::llround(
      std::ceil(*epochs * static_cast<double>(examples) / static_cast<double>(global_batch_size)));
}

void PrecisionConfig::Fields(config::Visitor& v) {
  static constexpr std::array<std::string_view, 3> kTypes = {"f32", "bf16", "f16"};
  static constexpr std::array<std::string_view, 1> kF32 = {"f32"};
  static constexpr std::array<std::string_view, 3> kDots = {"default", "high", "highest"};
  v.OneOf("compute", compute, kTypes,
          "Element type of the forward and backward pass; f16 scales the loss, so that gradients fit");
  v.OneOf("params", params, kF32, "Element type that parameters are kept and updated in");
  v.OneOf("output", output, kF32, "Element type of what the model gives, and of losses");
  v.OneOf("dot", dot, kDots, "How exactly TPUs and GPUs multiply f32 matrices; a CPU is always exact");
  v.Field("loss_scale", loss_scale, "What the loss is multiplied by at first, where compute is f16",
          config::Between(1, 1 << 24));
  v.Field("loss_scale_growth_interval", loss_scale_growth_interval,
          "Steps with finite gradients after which the loss scale is doubled", config::AtLeast(1));
}

Status PrecisionConfig::Validate() const {
  int exponent = 0;
  if (std::frexp(loss_scale, &exponent) != 0.5) {
    return InvalidArgument("loss_scale: must be a power of two, so that it rounds nothing; got {}",
                           loss_scale);
  }
  return Ok();
}

void MeshConfig::Fields(config::Visitor& v) {
  v.Field("data", data, "Devices that each take a part of the batch; -1, the default: all that are left",
          config::AtLeast(-1));
  v.Field("fsdp", fsdp, "Devices that also share parameters and optimizer state; -1: all that are left",
          config::AtLeast(-1));
}

Status MeshConfig::Validate() const {
  if (data == 0) return InvalidArgument("data: must be -1, or at least 1");
  if (fsdp == 0) return InvalidArgument("fsdp: must be -1, or at least 1");
  if (data == -1 && fsdp == -1) return InvalidArgument("only one axis can be -1, all that is left");
  return Ok();
}

Result<Mesh> MeshConfig::Resolve(int64_t devices) const {
  const int64_t wanted_data = data.value_or(fsdp == -1 ? 1 : -1);
  const int64_t given = wanted_data == -1 ? fsdp : fsdp == -1 ? wanted_data : wanted_data * fsdp;
  if (given > devices) {
    return InvalidArgument("mesh: needs {} devices, but {} visible; see --devices", given,
                           devices == 1 ? "only 1 is" : fmt::format("only {} are", devices));
  }
  const bool has_rest = wanted_data == -1 || fsdp == -1;
  if (has_rest && devices % given != 0) {
    return InvalidArgument("mesh: {} devices do not divide by {}", devices, given);
  }
  const int64_t rest = devices / given;
  return Mesh{{{"data", wanted_data == -1 ? rest : wanted_data}, {"fsdp", fsdp == -1 ? rest : fsdp}}};
}

void CheckpointConfig::Fields(config::Visitor& v) {
  v.Field("every", every, "Steps between two checkpoints; 0: only at the end", config::AtLeast(0));
  v.Field("keep", keep, "How many of the newest checkpoints are kept", config::AtLeast(1));
  v.Field("best", best, "Save after the evaluation in which this metric was best, and keep that checkpoint");
}

void RunConfig::Fields(config::Visitor& v) {
  v.Field("name", name, "What the run is called; it is written to runs/NAME", config::Required());
  v.Field("seed", seed,
          "Decides initial parameters, the order of the data, and everything else that is drawn",
          config::AtLeast(0));
  v.Field("model", model, "What is trained");
  v.Field("data", data, "What it is trained on");
  v.Field("train", train, "How long, and in what portions");
  v.Field("optimizer", optimizer, "How parameters move along their gradients");
  v.Field("schedule", schedule, "How the learning rate changes over the run");
  v.Field("average", average, "An average of the weights over the steps, which is evaluated and served");
  v.Field("trainable", trainable,
          "Patterns of names of the parameters that are trained, [\"head.*\"]; the others stay as they are; "
          "empty: all are trained");
  v.Field("init_from", init_from,
          "Weights to begin with: a run, a Hugging Face folder or a .safetensors file");
  v.Field("init_except", init_except,
          "Patterns of the parameters that begin anew all the same, such as a head for other classes");
  v.Field("precision", precision, "Element types");
  v.Field("mesh", mesh, "How the work is spread over devices");
  v.Field("checkpoint", checkpoint, "When the state is saved, and how much of that is kept");
}

Status RunConfig::Validate() const {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  if (name.find_first_not_of(kAllowed) != std::string::npos || name.starts_with('.')) {
    return InvalidArgument(
        "name: must be letters, digits, '.', '_' and '-', and not begin with '.', since a folder is named "
        "after it; got \"{}\"",
        name);
  }
  const auto has_blocks = [](const auto& kind) { return models::HasBlocks(kind); };
  if (train.Remat() != RematPolicy::kNone && !std::visit(has_blocks, model)) {
    const std::string_view kind = std::visit([](const auto& family) { return family.kKind; }, model);
    return InvalidArgument("train.remat: a model of kind {} has no blocks to work out again; {} have", kind,
                           KindsThat(has_blocks));
  }
  if (!init_except.empty() && !init_from) return InvalidArgument("init_except: goes with init_from");
  return Ok();
}

Result<RunConfig> LoadRunConfig(const std::string& path, std::span<const std::string> overrides) {
  HR_TRY(const io::Blob blob, io::AsInput(io::ReadFile(path)));
  RunConfig config;
  HR_TRY(config::Load(blob.text(), path, overrides, config));
  return config;
}

std::string RunConfigSchema() {
  RunConfig defaults;
  return config::JsonSchema(config::StructRef::Of(defaults), "A run of Headrace");
}

}  // namespace headrace::run
