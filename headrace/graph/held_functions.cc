#include "headrace/graph/held_functions.h"

namespace headrace {
namespace {

// Collects the functions among an op's attributes.
class FunctionCollector final : public AttributeVisitor {
 public:
  std::vector<std::shared_ptr<const Function>> functions;

  void Visit(std::string_view, bool&) override {}
  void Visit(std::string_view, int64_t&) override {}
  void Visit(std::string_view, double&) override {}
  void Visit(std::string_view, std::string&) override {}
  void Visit(std::string_view, Ints&) override {}
  void Visit(std::string_view, Padding&) override {}
  void Visit(std::string_view, DType&) override {}
  void Visit(std::string_view, Shape&) override {}
  void Visit(std::string_view, std::vector<std::string>&) override {}
  void Visit(std::string_view, std::vector<TensorType>&) override {}
  void Visit(std::string_view, HostTensor&) override {}
  void Visit(std::string_view, std::shared_ptr<const Function>& value) override {
    if (value) functions.push_back(value);
  }
  void Visit(std::string_view, std::vector<std::shared_ptr<const Function>>& value) override {
    functions.insert(functions.end(), value.begin(), value.end());
  }

 protected:
  void VisitEnum(std::string_view, int&, std::span<const std::string_view>) override {}
};

}  // namespace

std::vector<std::shared_ptr<const Function>> HeldFunctions(const Op& op) {
  FunctionCollector collector;
  const_cast<Op&>(op).Attributes(collector);  // it only reads
  return std::move(collector.functions);
}

}  // namespace headrace
