#include "headrace/io/input_error.h"

#include <gtest/gtest.h>

#include "headrace/io/store.h"

namespace headrace::io {
namespace {

TEST(AsInput, WhatIsWrongWithAnInputIsAMistakeOfWhoNamedIt) {
  EXPECT_EQ(AsInput(ReadFile("no/such/file.csv")).status().ToString(),
            "INVALID_ARGUMENT: reading no/such/file.csv: no such file or folder; check the path");
  EXPECT_EQ(AsInput(ReadFile("headrace/io")).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(AsInput(Error(Code::kOutOfRange, "a.gz is cut short")).ToString(),
            "INVALID_ARGUMENT: a.gz is cut short");
  EXPECT_EQ(AsInput(Error(Code::kDataLoss, "a.gz is damaged")).code(), Code::kInvalidArgument);
  EXPECT_EQ(AsInput(Error(Code::kUnimplemented, "a.npy holds text")).code(), Code::kInvalidArgument);
}

TEST(AsInput, TheMachinesFailuresKeepTheirCodes) {
  EXPECT_EQ(AsInput(Error(Code::kPermissionDenied, "a.gz")).code(), Code::kPermissionDenied);
  EXPECT_EQ(AsInput(Error(Code::kResourceExhausted, "a.gz")).code(), Code::kResourceExhausted);
  EXPECT_EQ(AsInput(Error(Code::kUnavailable, "a.gz")).code(), Code::kUnavailable);
}

TEST(AsInput, WhatIsRightStays) {
  EXPECT_TRUE(AsInput(Ok()).ok());
  EXPECT_EQ(*AsInput(Result<int>(3)), 3);
}

}  // namespace
}  // namespace headrace::io
