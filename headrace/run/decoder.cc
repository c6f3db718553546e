#include "headrace/run/decoder.h"

#include "headrace/graph/ops.h"
#include "headrace/jit/trace.h"
#include "headrace/run/model_variables.h"

namespace headrace::run {
namespace {

// What a language model is, found out by building it once without values.
struct Facts {
  std::vector<nn::VariableSpec> variables;
  std::vector<TensorType> cache;
  int64_t context = 0;
};

Result<Facts> FactsOf(const models::ModelConfig& config) {
  Facts facts;
  HR_TRY(jit::TryTrace("declare", {}, [&](std::span<const Value>) {
    Graph scratch;
    nn::Frame frame = nn::Frame::Declare(scratch);
    const auto model = models::MakeLanguageModel(config, nn::Scope(frame));
    facts.variables = frame.specs();
    facts.context = model->ContextLength();
    facts.cache = model->CacheTypes(/*batch=*/1, facts.context);
    return Values{};
  }));
  return facts;
}

// (variables, cache, token i32[1, 1], position i32[]) -> (cache, logits).
Result<Function> TraceDecode(const models::ModelConfig& config, const Facts& facts) {
  Types types;
  std::vector<std::string> names;
  auto add = [&](const TensorType& type, std::string name) {
    types.push_back(type);
    names.push_back(std::move(name));
  };
  for (const nn::VariableSpec& spec : facts.variables) add(spec.type, spec.name);
  for (size_t i = 0; i < facts.cache.size(); ++i) add(facts.cache[i], fmt::format("cache.{}", i));
  add({DType::kI32, {1, 1}}, "token");
  add({DType::kI32, {}}, "position");

  auto body = [&](std::span<const Value> a) {
    std::map<std::string, Value> variables;
    size_t next = 0;
    for (const nn::VariableSpec& spec : facts.variables) variables.emplace(spec.name, a[next++]);
    Values results;  // the cache, to begin with as it was
    for (size_t i = 0; i < facts.cache.size(); ++i) results.push_back(a[next++]);
    nn::Frame frame = nn::Frame::Bind(a[0].graph(), std::move(variables), {});
    const auto model = models::MakeLanguageModel(config, nn::Scope(frame));
    const Value logits = model->Decode(a[next], a[next + 1], results);  // [1, 1, vocabulary]
    results.push_back(Reshape(Convert(logits, DType::kF32), Ints{-1}));
    return results;
  };
  return jit::TryTrace("decode", types, body, names);
}

HostTensor OneToken(int64_t token) { return HostTensor::Of<int32_t>({1, 1}, {static_cast<int32_t>(token)}); }

}  // namespace

Result<Decoder> Decoder::Create(const runtime::Client& client, const models::ModelConfig& model,
                                const checkpoint::TensorMap& weights, const std::string& checkpoint) {
  HR_TRY(jit::Devices devices, jit::Devices::Of(client));
  Decoder decoder(std::move(devices));
  HR_TRY(const Facts facts, FactsOf(model));
  decoder.context_ = facts.context;
  HR_TRY(const Function function, TraceDecode(model, facts));
  decoder.vocabulary_ = function.results.back().dim(0);

  HR_TRY(const std::vector<HostTensor> values, ValuesOf(facts.variables, weights, checkpoint));
  for (const HostTensor& value : values) {
    HR_TRY(jit::Array array, decoder.devices_.Put(value));
    decoder.weights_.push_back(std::move(array));
  }
  for (const TensorType& type : facts.cache) {
    HR_TRY(jit::Array array, decoder.devices_.Put(HostTensor(type)));
    decoder.cache_.push_back(std::move(array));
  }
  jit::ProgramOptions options;
  options.donations.assign(function.parameters().size(), -1);
  for (size_t i = 0; i < decoder.cache_.size(); ++i) {
    options.donations[decoder.weights_.size() + i] = static_cast<int>(i);
  }
  HR_TRY(decoder.program_, jit::Program::Compile(decoder.devices_, function, options));
  return decoder;
}

Result<HostTensor> Decoder::Feed(int64_t token) {
  HR_CHECK(token >= 0 && token < vocabulary_);
  if (static_cast<int64_t>(tokens_.size()) == context_) {
    const std::vector<int64_t> kept(tokens_.begin() + (context_ + 1) / 2, tokens_.end());
    tokens_.clear();
    for (int64_t earlier : kept) HR_TRY(Step(earlier, false));
  }
  return Step(token, true);
}

Result<HostTensor> Decoder::Step(int64_t token, bool want_logits) {
  HR_TRY(const jit::Array placed, devices_.Put(OneToken(token)));
  HR_TRY(const jit::Array position,
         devices_.Put(HostTensor::Scalar<int32_t>(static_cast<int32_t>(tokens_.size()))));
  std::vector<const jit::Array*> arguments;
  for (const jit::Array& array : weights_) arguments.push_back(&array);
  for (const jit::Array& array : cache_) arguments.push_back(&array);
  arguments.insert(arguments.end(), {&placed, &position});
  HR_TRY(std::vector<jit::Array> results, program_->Run(arguments));
  const jit::Array logits = std::move(results.back());
  results.pop_back();
  cache_ = std::move(results);
  tokens_.push_back(token);
  return want_logits ? logits.ToHost() : Result<HostTensor>(HostTensor());
}

}  // namespace headrace::run
