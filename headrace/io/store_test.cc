#include "headrace/io/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "headrace/io/temporary_folder.h"

namespace headrace::io {
namespace {

TEST(OpenStore, OpensAPathAndAFileUrl) {
  const TemporaryFolder folder;
  for (const std::string& url : {folder.path(), "file://" + folder.path(), folder / "new/"}) {
    Result<std::unique_ptr<Store>> store = OpenStore(url);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    ASSERT_TRUE((*store)->Write("key", AsBytes(url)).ok());
    EXPECT_EQ(*(*store)->ReadText("key"), url);
    ASSERT_TRUE((*store)->LocalPath("key").has_value());
    EXPECT_TRUE(std::filesystem::exists(*(*store)->LocalPath("key")));
  }
}

TEST(OpenStore, OpeningMakesNothing) {
  const TemporaryFolder folder;
  ASSERT_TRUE(OpenStore(folder / "runs").ok());
  EXPECT_FALSE(std::filesystem::exists(folder / "runs"));
}

TEST(OpenStore, MemoryIsSharedByName) {
  {
    Result<std::unique_ptr<Store>> store = OpenStore("mem://store_test/a");
    ASSERT_TRUE((*store)->Write("key", AsBytes("value")).ok());
    EXPECT_EQ((*store)->Name(), "mem://store_test/a");
    EXPECT_FALSE((*store)->LocalPath("key").has_value());
  }
  EXPECT_EQ(*(*OpenStore("mem://store_test/a"))->ReadText("key"), "value");
  EXPECT_EQ((*OpenStore("mem://store_test/b"))->Read("key").status().code(), Code::kNotFound);
}

TEST(OpenStore, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(
      OpenStore("s3://bucket/x").status().ToString(),
      "UNIMPLEMENTED: 's3://bucket/x' has the scheme 's3', which is not supported; known are a path and "
      "file://, mem://");
  EXPECT_EQ(OpenStore("").status().ToString(),
            "INVALID_ARGUMENT: the place to open is empty; give a path or a URL");
  EXPECT_EQ(
      OpenStore("file://runs/x").status().ToString(),
      "INVALID_ARGUMENT: 'file://runs/x' names no absolute path; write file:///PATH, or the path alone");
  EXPECT_EQ(OpenStore("mem://").status().ToString(),
            "INVALID_ARGUMENT: 'mem://' has no name; write mem://NAME");
}

TEST(ReadFile, ReadsPathsAndUrls) {
  const TemporaryFolder folder;
  ASSERT_TRUE((*OpenStore(folder.path()))->Write("a.csv", AsBytes("1,2\n")).ok());
  EXPECT_EQ(ReadFile(folder / "a.csv")->text(), "1,2\n");
  EXPECT_EQ(ReadFile("file://" + folder / "a.csv")->text(), "1,2\n");
  ASSERT_TRUE((*OpenStore("mem://files/b"))->Write("c.csv", AsBytes("3\n")).ok());
  EXPECT_EQ(ReadFile("mem://files/b/c.csv")->text(), "3\n");
  EXPECT_TRUE(ReadFile("DEPS").ok()) << "in the working folder";
  EXPECT_TRUE(ReadFile("/proc/version").ok());
}

TEST(ReadFile, SaysWhatIsWrong) {
  EXPECT_EQ(ReadFile("no/such/file.csv").status().ToString(),
            "NOT_FOUND: reading no/such/file.csv: no such file or folder; check the path");
  EXPECT_EQ(ReadFile("mem://files/gone").status().code(), Code::kNotFound);
  EXPECT_EQ(ReadFile("gopher://host/a.csv").status().code(), Code::kUnimplemented);
  EXPECT_EQ(ReadFile("data/").status().ToString(), "INVALID_ARGUMENT: 'data/' names no file");
  EXPECT_EQ(ReadFile("").status().ToString(), "INVALID_ARGUMENT: '' names no file");
}

}  // namespace
}  // namespace headrace::io
