#include <algorithm>
#include <set>

#include "headrace/core/config.h"
#include "headrace/core/internal/leaves.h"
#include "headrace/core/internal/scalar.h"

namespace headrace::config {
namespace internal {
namespace {

class Flattener : public Visitor {
 public:
  std::vector<Leaf> leaves;

 private:
  void OnLeaf(const FieldInfo& field, LeafRef value) override { Add(field.name, WriteLeaf(value)); }
  void OnStruct(const FieldInfo& field, const StructRef& value) override {
    const std::string parent = std::exchange(path_, JoinPath(path_, field.name));
    value.fields(*this);
    path_ = parent;
  }
  void OnOptional(const FieldInfo& field, bool& present, const StructRef& value) override {
    present ? OnStruct(field, value) : Add(field.name, "null");
  }
  void OnChoice(const FieldInfo& field, const ChoiceRef& value) override {
    const std::string parent = std::exchange(path_, JoinPath(path_, field.name));
    Add(value.key, std::string(value.kind));
    value.value.fields(*this);
    path_ = parent;
  }

  void Add(std::string_view name, std::string text) {
    leaves.push_back({JoinPath(path_, name), std::move(text)});
  }

  std::string path_;
};

}  // namespace

std::vector<Leaf> Leaves(const StructRef& value) {
  Flattener flattener;
  value.fields(flattener);
  return std::move(flattener.leaves);
}

std::string JoinPath(std::string_view parent, std::string_view name) {
  return parent.empty() ? std::string(name) : fmt::format("{}.{}", parent, name);
}

}  // namespace internal

std::vector<Difference> Compare(const StructRef& before, const StructRef& after) {
  const std::vector<internal::Leaf> olds = internal::Leaves(before);
  const std::vector<internal::Leaf> news = internal::Leaves(after);
  std::set<std::string_view> remaining;  // keys of `news` from position j on
  for (const internal::Leaf& leaf : news) remaining.insert(leaf.key);

  std::vector<Difference> differences;
  size_t i = 0, j = 0;
  while (i < olds.size() || j < news.size()) {
    if (i < olds.size() && !remaining.contains(olds[i].key)) {
      differences.push_back({olds[i].key, olds[i].text, ""});
      ++i;
    } else if (i < olds.size() && olds[i].key == news[j].key) {
      if (olds[i].text != news[j].text) differences.push_back({olds[i].key, olds[i].text, news[j].text});
      remaining.erase(news[j].key);
      ++i, ++j;
    } else {
      differences.push_back({news[j].key, "", news[j].text});
      remaining.erase(news[j].key);
      ++j;
    }
  }
  return differences;
}

}  // namespace headrace::config
