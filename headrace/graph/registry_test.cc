#include "headrace/graph/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "headrace/graph/test/op_case.h"

namespace headrace {
namespace {

struct Exemption {
  std::string_view op;
  std::string_view what;  // cases, gradient, batching
  std::string_view reason;
};

// What ops are not tested for by testdata/cases, and why. Everything else is.
constexpr std::string_view kDiscrete = "its results are not floating-point";
constexpr Exemption kExemptions[] = {
    {"all_gather", "cases", "exchanges between devices: jit/manual_test.cc"},
    {"all_reduce", "cases", "exchanges between devices: jit/manual_test.cc"},
    {"all_to_all", "cases", "exchanges between devices: jit/manual_test.cc"},
    {"and", "gradient", kDiscrete},
    {"bitcast_convert", "gradient", "bits do not vary smoothly"},
    {"case", "cases", "holds functions, which have no text: jit/control_flow_test.cc"},
    {"collective_permute", "cases", "exchanges between devices: jit/manual_test.cc"},
    {"compare", "gradient", kDiscrete},
    {"composite", "cases", "holds a function, which has no text: jit/composite_test.cc"},
    {"constant", "cases", "holds a tensor, which has no text: emission_test.cc"},
    {"count_leading_zeros", "gradient", kDiscrete},
    {"custom_gradient", "cases", "holds functions, which have no text: jit/remat_test.cc"},
    {"custom_call", "cases", "runs what others register: custom_call_test.cc"},
    {"eigh", "cases", "eigenvectors point either way: jit/linear_algebra_test.cc"},
    {"householder_product", "gradient", "a part of qr, which has one"},
    {"householder_qr", "gradient", "a part of qr, which has one"},
    {"iota", "batching", "has no operands"},
    {"iota", "gradient", "has no operands"},
    {"is_finite", "gradient", kDiscrete},
    {"next_after", "gradient", "steps from one float to another"},
    {"not", "gradient", kDiscrete},
    {"or", "gradient", kDiscrete},
    {"polygamma", "gradient", "has one in its second operand alone: jit/special_test.cc"},
    {"popcnt", "gradient", kDiscrete},
    {"manual_computation", "cases", "holds a function, which has no text: jit/manual_test.cc"},
    {"partition_id", "cases", "exchanges between devices: jit/manual_test.cc"},
    {"reduce_scatter", "cases", "exchanges between devices: jit/manual_test.cc"},
    {"remat", "cases", "holds a function, which has no text: jit/remat_test.cc"},
    {"scan", "cases", "holds a function, which has no text: jit/control_flow_test.cc"},
    {"reduce_by", "cases", "holds a function, which has no text: jit/reduce_by_test.cc"},
    {"reduce_window_by", "cases", "holds a function, which has no text: jit/reduce_by_test.cc"},
    {"shift_left", "gradient", kDiscrete},
    {"shift_right_arithmetic", "gradient", kDiscrete},
    {"shift_right_logical", "gradient", kDiscrete},
    {"threefry2x32", "gradient", kDiscrete},
    {"while", "cases", "holds functions, which have no text: jit/control_flow_test.cc"},
    {"xor", "gradient", kDiscrete},
    {"zeta", "gradient", "has one in its second operand alone: jit/special_test.cc"},
};

bool IsExempt(std::string_view op, std::string_view what) {
  return std::ranges::any_of(kExemptions, [&](const Exemption& exemption) {
    return exemption.op == op && (exemption.what == what || exemption.what == "cases");
  });
}

// The ops that have a case which `tests` what it asks for.
std::set<std::string_view> OpsWith(const std::vector<OpCase>& cases,
                                   const std::function<bool(const OpCase&)>& tests) {
  std::set<std::string_view> names;
  for (const OpCase& op_case : cases) {
    if (tests(op_case)) names.insert(op_case.op->name());
  }
  return names;
}

TEST(Registry, EveryOpIsTestedOrSaysWhyNot) {
  const std::vector<OpCase> cases = ReadOpCases();
  const std::pair<std::string_view, std::set<std::string_view>> covered[] = {
      {"cases", OpsWith(cases, [](const OpCase&) { return true; })},
      {"gradient", OpsWith(cases, [](const OpCase& c) { return c.HasGradient(); })},
      {"batching", OpsWith(cases, [](const OpCase& c) { return c.Tests("batching"); })},
  };
  for (const auto& [what, ops] : covered) {
    for (const std::string& op : OpNames()) {
      EXPECT_NE(ops.contains(op), IsExempt(op, what))
          << op << " has " << (ops.contains(op) ? "a case for" : "neither a case for nor an exemption from ")
          << what;
    }
  }
  for (const Exemption& exemption : kExemptions) {
    EXPECT_NE(MakeOp(exemption.op), nullptr) << exemption.op << " is exempt but does not exist";
  }
}

TEST(Registry, KnowsOpsByName) {
  EXPECT_THAT(OpNames(), ::testing::IsSupersetOf({"add", "dot_general", "transpose"}));
  EXPECT_TRUE(std::ranges::is_sorted(OpNames()));
  EXPECT_EQ(MakeOp("transpose")->name(), "transpose");
  EXPECT_EQ(MakeOp("transposed"), nullptr);
}

}  // namespace
}  // namespace headrace
