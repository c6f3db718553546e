// A config with one field of every sort, for tests and fuzzers.
#pragma once

#include <array>

#include "headrace/core/config.h"

namespace headrace::config::internal {

struct Sgd {
  static constexpr std::string_view kKind = "sgd";
  double learning_rate = 0.1;
  double momentum = 0;
  void Fields(Visitor& v) {
    v.Field("learning_rate", learning_rate, "Step size", Positive());
    v.Field("momentum", momentum, "", Between(0, 1));
  }
};

struct AdamW {
  static constexpr std::string_view kKind = "adamw";
  double learning_rate = 1e-3;
  std::vector<double> betas = {0.9, 0.999};
  void Fields(Visitor& v) {
    v.Field("learning_rate", learning_rate, "Step size", Positive());
    v.Field("betas", betas, "Decay of the two averages", Between(0, 1));
  }
};

struct Source {
  std::string path;
  std::vector<int64_t> shape = {28, 28, 1};
  std::vector<std::string> columns;
  std::optional<int64_t> label;
  std::optional<double> scale;
  std::optional<std::string> comment;
  void Fields(Visitor& v) {
    v.Field("path", path, "The file to read", Required());
    v.Field("shape", shape, "Height, width, channels", AtLeast(1));
    v.Field("columns", columns, "");
    v.Field("label", label, "", AtLeast(0));
    v.Field("scale", scale, "");
    v.Field("comment", comment, "");
  }
};

struct Split {
  int64_t train = 4000;
  int64_t eval = 1000;
  void Fields(Visitor& v) {
    v.Field("train", train, "Number of examples to train on", AtLeast(1));
    v.Field("eval", eval, "", AtLeast(0));
  }
  Status Validate() const {
    if (eval > train) return InvalidArgument("eval: {} is more than train, {}", eval, train);
    if (train + eval > 10'000) return InvalidArgument("there are 10000 examples, not {}", train + eval);
    return Ok();
  }
};

struct Sample {
  std::string name = "run";
  int64_t seed = 0;
  bool shuffle = true;
  std::string dtype = "f32";
  Source source;
  std::optional<Split> split;
  std::variant<AdamW, Sgd> optimizer;
  void Fields(Visitor& v) {
    static constexpr std::array<std::string_view, 2> kTypes = {"f32", "bf16"};
    v.Field("name", name, "What the run is called");
    v.Field("seed", seed, "");
    v.Field("shuffle", shuffle, "");
    v.OneOf("dtype", dtype, kTypes, "Element type");
    v.Field("source", source, "");
    v.Field("split", split, "");
    v.Field("optimizer", optimizer, "");
  }
};

}  // namespace headrace::config::internal
