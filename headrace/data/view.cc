#include "headrace/data/view.h"

#include "headrace/core/check.h"
#include "headrace/data/index_shuffle.h"

namespace headrace::data {
namespace {

// Example i of a view is example order(i) of what lies below.
template <class Order>
class View final : public Dataset {
 public:
  View(std::shared_ptr<const Dataset> below, int64_t size, Order order)
      : below_(std::move(below)), size_(size), order_(std::move(order)) {}

  std::string Name() const override { return below_->Name(); }
  std::string Where(int64_t index) const override { return below_->Where(order_(index)); }
  std::string Sha256() const override { return below_->Sha256(); }
  int64_t size() const override { return size_; }
  const std::vector<NamedType>& fields() const override { return below_->fields(); }
  Status Fill(int64_t index, Row row) const override { return below_->Fill(order_(index), row); }
  bool can_cut() const override { return below_->can_cut(); }
  Status FillCut(int64_t index, const CutPicture& cut, Row row) const override {
    return below_->FillCut(order_(index), cut, row);
  }
  std::optional<int32_t> KnownLabel(int64_t index) const override {
    return below_->KnownLabel(order_(index));
  }
  std::vector<std::string> ClassNames() const override { return below_->ClassNames(); }
  std::shared_ptr<const SkippedExamples> Skipped() const override { return below_->Skipped(); }

 private:
  std::shared_ptr<const Dataset> below_;
  int64_t size_;
  Order order_;
};

template <class Order>
std::shared_ptr<const Dataset> MakeView(std::shared_ptr<const Dataset> below, int64_t size, Order order) {
  return std::make_shared<View<Order>>(std::move(below), size, std::move(order));
}

}  // namespace

std::shared_ptr<const Dataset> Slice(std::shared_ptr<const Dataset> dataset, int64_t begin, int64_t count) {
  HR_CHECK(begin >= 0 && count >= 0 && begin + count <= dataset->size());
  return MakeView(std::move(dataset), count, [begin](int64_t index) { return begin + index; });
}

std::shared_ptr<const Dataset> Shuffled(std::shared_ptr<const Dataset> dataset, uint64_t seed) {
  const int64_t size = dataset->size();
  if (size == 0) return dataset;
  return MakeView(std::move(dataset), size, IndexShuffle(size, seed, 0));
}

}  // namespace headrace::data
