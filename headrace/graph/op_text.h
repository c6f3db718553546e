// Ops as text, for messages, tests and goldens: the visitors behind Op::ToString and ParseOp. Internal to
// `graph`.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "headrace/core/status.h"
#include "headrace/graph/op.h"

namespace headrace {

// Collects "permutation = [1, 0], precision = HIGH".
class AttributePrinter final : public AttributeVisitor {
 public:
  const std::string& text() const { return text_; }

  void Visit(std::string_view name, bool& value) override;
  void Visit(std::string_view name, int64_t& value) override;
  void Visit(std::string_view name, double& value) override;
  void Visit(std::string_view name, std::string& value) override;
  void Visit(std::string_view name, Ints& value) override;
  void Visit(std::string_view name, Padding& value) override;
  void Visit(std::string_view name, DType& value) override;
  void Visit(std::string_view name, Shape& value) override;
  void Visit(std::string_view name, std::vector<std::string>& value) override;
  void Visit(std::string_view name, std::vector<TensorType>& value) override;
  void Visit(std::string_view name, HostTensor& value) override;
  void Visit(std::string_view name, std::shared_ptr<const Function>& value) override;
  void Visit(std::string_view name, std::vector<std::shared_ptr<const Function>>& value) override;

 protected:
  void VisitEnum(std::string_view name, int& index, std::span<const std::string_view> names) override;

 private:
  void Put(std::string_view name, std::string_view value);
  std::string text_;
};

// Sets attributes from text; the first problem is kept.
class AttributeParser final : public AttributeVisitor {
 public:
  // `text` is what stands between the braces.
  explicit AttributeParser(std::string_view text);

  // The first problem, or the name of an attribute that the op does not have. Call after Op::Attributes.
  Status Finish() const;

  void Visit(std::string_view name, bool& value) override;
  void Visit(std::string_view name, int64_t& value) override;
  void Visit(std::string_view name, double& value) override;
  void Visit(std::string_view name, std::string& value) override;
  void Visit(std::string_view name, Ints& value) override;
  void Visit(std::string_view name, Padding& value) override;
  void Visit(std::string_view name, DType& value) override;
  void Visit(std::string_view name, Shape& value) override;
  void Visit(std::string_view name, std::vector<std::string>& value) override;
  void Visit(std::string_view name, std::vector<TensorType>& value) override;
  void Visit(std::string_view name, HostTensor& value) override;
  void Visit(std::string_view name, std::shared_ptr<const Function>& value) override;
  void Visit(std::string_view name, std::vector<std::shared_ptr<const Function>>& value) override;

 protected:
  void VisitEnum(std::string_view name, int& index, std::span<const std::string_view> names) override;

 private:
  // The text of an attribute, taken out of those that are left; null if it is not given.
  const std::string* Take(std::string_view name);
  void Problem(std::string_view name, std::string_view text, std::string_view expected);

  std::map<std::string, std::string, std::less<>> values_;
  std::string taken_;
  Status status_;
};

// "f32[2, 3]" read back; kInvalidArgument otherwise.
Result<TensorType> ParseTensorType(std::string_view text);

// Splits at commas that stand outside brackets and quotes, and trims each part.
std::vector<std::string> SplitTopLevel(std::string_view text);

}  // namespace headrace
