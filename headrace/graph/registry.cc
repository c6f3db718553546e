#include "headrace/graph/registry.h"

#include <map>

#include "headrace/graph/ops.h"

namespace headrace {

// One line a file in ops/.
std::vector<OpEntry> BarrierOps();
std::vector<OpEntry> BitwiseOps();
std::vector<OpEntry> CaseOps();
std::vector<OpEntry> CholeskyOps();
std::vector<OpEntry> CollectiveOps();
std::vector<OpEntry> CompareOps();
std::vector<OpEntry> ComplexOps();
std::vector<OpEntry> CompositeOps();
std::vector<OpEntry> ConstantOps();
std::vector<OpEntry> ConvertOps();
std::vector<OpEntry> ConvolutionOps();
std::vector<OpEntry> CumulativeOps();
std::vector<OpEntry> CustomCallOps();
std::vector<OpEntry> CustomGradientOps();
std::vector<OpEntry> DotOps();
std::vector<OpEntry> DynamicSliceOps();
std::vector<OpEntry> EighOps();
std::vector<OpEntry> ElementwiseOps();
std::vector<OpEntry> FftOps();
std::vector<OpEntry> GatherOps();
std::vector<OpEntry> ManualOps();
std::vector<OpEntry> QrOps();
std::vector<OpEntry> ReduceByOps();
std::vector<OpEntry> ReduceOps();
std::vector<OpEntry> ReduceWindowOps();
std::vector<OpEntry> RematOps();
std::vector<OpEntry> ReverseOps();
std::vector<OpEntry> ScanOps();
std::vector<OpEntry> ScatterOps();
std::vector<OpEntry> ShapeOps();
std::vector<OpEntry> ShardingOps();
std::vector<OpEntry> SliceOps();
std::vector<OpEntry> SortOps();
std::vector<OpEntry> SpecialOps();
std::vector<OpEntry> ThreefryOps();
std::vector<OpEntry> TopKOps();
std::vector<OpEntry> TriangularSolveOps();
std::vector<OpEntry> TrigonometricOps();
std::vector<OpEntry> WhileOps();

namespace {

using Table = std::map<std::string, OpFactory, std::less<>>;

void Add(std::vector<OpEntry> entries, Table& ops) {
  for (OpEntry& entry : entries) {
    const bool inserted = ops.emplace(entry.name, std::move(entry.make)).second;
    HR_CHECK(inserted);  // two ops of one name
  }
}

const Table& AllOps() {
  static const Table table = [] {
    Table ops;
    Add(BarrierOps(), ops);
    Add(BitwiseOps(), ops);
    Add(CaseOps(), ops);
    Add(CholeskyOps(), ops);
    Add(CollectiveOps(), ops);
    Add(CompareOps(), ops);
    Add(ComplexOps(), ops);
    Add(CompositeOps(), ops);
    Add(ConstantOps(), ops);
    Add(ConvertOps(), ops);
    Add(ConvolutionOps(), ops);
    Add(CumulativeOps(), ops);
    Add(CustomCallOps(), ops);
    Add(CustomGradientOps(), ops);
    Add(DotOps(), ops);
    Add(DynamicSliceOps(), ops);
    Add(EighOps(), ops);
    Add(ElementwiseOps(), ops);
    Add(FftOps(), ops);
    Add(GatherOps(), ops);
    Add(ManualOps(), ops);
    Add(QrOps(), ops);
    Add(ReduceByOps(), ops);
    Add(ReduceOps(), ops);
    Add(ReduceWindowOps(), ops);
    Add(RematOps(), ops);
    Add(ReverseOps(), ops);
    Add(ScanOps(), ops);
    Add(ScatterOps(), ops);
    Add(ShapeOps(), ops);
    Add(ShardingOps(), ops);
    Add(SliceOps(), ops);
    Add(SortOps(), ops);
    Add(SpecialOps(), ops);
    Add(ThreefryOps(), ops);
    Add(TopKOps(), ops);
    Add(TriangularSolveOps(), ops);
    Add(TrigonometricOps(), ops);
    Add(WhileOps(), ops);
    return ops;
  }();
  return table;
}

}  // namespace

std::vector<std::string> OpNames() {
  std::vector<std::string> names;
  for (const auto& [name, make] : AllOps()) names.push_back(name);
  return names;
}

std::unique_ptr<Op> MakeOp(std::string_view name) {
  const auto found = AllOps().find(name);
  return found == AllOps().end() ? nullptr : found->second();
}

}  // namespace headrace
