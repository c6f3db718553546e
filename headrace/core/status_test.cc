#include "headrace/core/status.h"

#include <gtest/gtest.h>

#include <memory>

namespace headrace {
namespace {

Result<int> ParsePositive(int n) {
  if (n <= 0) return InvalidArgument("{} is not positive", n);
  return n;
}

Status CheckBoth(int a, int b) {
  HR_TRY(ParsePositive(a).Context("first"));
  HR_TRY(int value, ParsePositive(b).Context("second of {}", 2));
  return value > 0 ? Ok() : Error(Code::kInternal, "unreachable");
}

TEST(Status, OkByDefault) {
  Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.ToString(), "OK");
}

TEST(Status, TryReturnsTheFirstErrorWithItsContext) {
  EXPECT_TRUE(CheckBoth(1, 2).ok());
  EXPECT_EQ(CheckBoth(-1, 2).ToString(), "INVALID_ARGUMENT: first: -1 is not positive");
  EXPECT_EQ(CheckBoth(1, 0).ToString(), "INVALID_ARGUMENT: second of 2: 0 is not positive");
}

TEST(Status, ContextLeavesSuccessAlone) {
  EXPECT_TRUE(Ok().Context("anywhere").ok());
  EXPECT_EQ(*ParsePositive(3).Context("anywhere"), 3);
}

TEST(Status, CodesMapOutward) {
  EXPECT_EQ(ExitCode(Code::kOk), 0);
  EXPECT_EQ(ExitCode(Code::kInvalidArgument), 2);
  EXPECT_EQ(ExitCode(Code::kDataLoss), 1);
  EXPECT_EQ(HttpStatus(Code::kNotFound), 404);
  EXPECT_EQ(CodeName(Code::kUnauthenticated), "UNAUTHENTICATED");
}

TEST(Result, CarriesMoveOnlyValues) {
  auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(7); };
  auto take = [&]() -> Result<int> {
    HR_TRY(auto pointer, make());
    return *pointer;
  };
  EXPECT_EQ(*take(), 7);
}

TEST(ResultDeathTest, ReadingTheValueOfAnErrorIsABug) {
  Result<int> result = InvalidArgument("no");
  EXPECT_DEATH((void)result.value(), "internal check failed");
}

}  // namespace
}  // namespace headrace
