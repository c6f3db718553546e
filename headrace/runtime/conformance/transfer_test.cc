// Tensors to a device and back: every element type, every kind of memory.
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "headrace/runtime/conformance/conformance.h"

namespace headrace::runtime {
namespace {

using testing::ElementsAre;

constexpr DType kEveryType[] = {DType::kPred,   DType::kI8,      DType::kI16,  DType::kI32, DType::kI64,
                                DType::kU8,     DType::kU16,     DType::kU32,  DType::kU64, DType::kF16,
                                DType::kF32,    DType::kF64,     DType::kBF16, DType::kC64, DType::kC128,
                                DType::kF8E5M2, DType::kF8E4M3FN};

// Bytes that are all valid values: booleans are 0 or 1, the rest counts.
HostTensor Filled(const TensorType& type) {
  HostTensor tensor(type);
  std::span<std::byte> bytes = tensor.mutable_bytes();
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::byte>(type.dtype == DType::kPred ? i % 2 : i % 120);
  }
  return tensor;
}

bool SameBytes(const HostTensor& a, const HostTensor& b) {
  return a.type() == b.type() && std::memcmp(a.bytes().data(), b.bytes().data(), a.bytes().size()) == 0;
}

class TransferConformance : public Conformance {};

TEST_P(TransferConformance, EveryTypeBothWays) {
  for (DType dtype : kEveryType) {
    for (const Shape& shape : {Shape{}, Shape{1}, Shape{3, 5}, Shape{2, 3, 4, 5}, Shape{0}, Shape{3, 0, 2}}) {
      const HostTensor tensor = Filled({dtype, shape});
      Buffer buffer = Put(tensor);
      EXPECT_EQ(buffer.type(), tensor.type());
      EXPECT_TRUE(SameBytes(Must(buffer.ToHost()), tensor)) << tensor.type().ToString();
    }
  }
}

TEST_P(TransferConformance, EveryTypeThroughAProgram) {
  for (DType dtype : kEveryType) {
    const TensorType type{dtype, {4, 6}};
    Executable reverse = Compile(Module("(%x: " + type.ToMlir() + ") -> " + type.ToMlir(),
                                        "    %y = stablehlo.reverse %x, dims = [0, 1] : " + type.ToMlir() +
                                            "\n    return %y : " + type.ToMlir()));
    EXPECT_EQ(*reverse.outputs()[0], type);
    const HostTensor tensor = Filled(type);
    Buffer x = Put(tensor);
    Buffer y = std::move(Must(reverse.Execute({{&x}}))[0]);
    HostTensor back = Must(std::move(Must(reverse.Execute({{&y}}))[0]).ToHost());
    EXPECT_TRUE(SameBytes(back, tensor)) << type.ToString();
    EXPECT_FALSE(SameBytes(Must(y.ToHost()), tensor)) << type.ToString();
  }
}

// A view into foreign memory, at offsets that no device likes.
TEST_P(TransferConformance, UnalignedMemoryIsKeptAlive) {
  auto memory = std::make_shared<std::vector<float>>(1 << 16);
  for (size_t i = 0; i < memory->size(); ++i) (*memory)[i] = static_cast<float>(i);
  std::weak_ptr<std::vector<float>> watch = memory;
  const auto bytes = std::as_bytes(std::span(*memory)).subspan(4, 4 * 1000);
  Buffer buffer = Put(HostTensor({DType::kF32, {1000}}, bytes, std::move(memory)));
  std::vector<float> values = Values<float>(buffer);
  EXPECT_EQ(values.front(), 1);
  EXPECT_EQ(values.back(), 1000);
  buffer.Delete();
  // The device lets go on a thread of its own.
  for (int i = 0; i < 1000 && !watch.expired(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(watch.expired());
}

TEST_P(TransferConformance, AlignedMemoryIsKeptAliveAsLongAsTheBuffer) {
  auto owner = std::make_shared<HostTensor>(HostTensor::Of<float>({4}, {1, 2, 3, 4}));
  std::weak_ptr<HostTensor> watch = owner;
  const auto bytes = owner->bytes();
  {
    Buffer buffer = Put(HostTensor({DType::kF32, {4}}, bytes, std::move(owner)));
    ASSERT_TRUE(buffer.Wait().ok());
    EXPECT_THAT(Values<float>(buffer), ElementsAre(1, 2, 3, 4));
  }
  for (int i = 0; i < 1000 && !watch.expired(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(watch.expired());
}

// Rows and columns keep their places although the compiler may choose another layout for the output.
TEST_P(TransferConformance, ComesBackRowMajor) {
  Executable transpose = Compile(Module("(%x: tensor<2x3xf32>) -> tensor<3x2xf32>",
                                        "    %y = stablehlo.transpose %x, dims = [1, 0]"
                                        " : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
                                        "    return %y : tensor<3x2xf32>"));
  Buffer x = Put(HostTensor::Of<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_THAT(Values<float>(Must(transpose.Execute({{&x}}))[0]), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST_P(TransferConformance, FromDeviceToDevice) {
  Buffer here = Put(HostTensor::Of<int32_t>({3}, {7, 8, 9}));
  Buffer there = Must(here.ToDevice(device(5)));
  EXPECT_EQ(&there.device(), &device(5));
  EXPECT_EQ(there.type(), here.type());
  here.Delete();
  EXPECT_THAT(Values<int32_t>(there), ElementsAre(7, 8, 9));
}

TEST_P(TransferConformance, ADeletedBufferSaysSo) {
  Buffer buffer = Put(HostTensor::Scalar<float>(1));
  EXPECT_FALSE(buffer.IsDeleted());
  buffer.Delete();
  buffer.Delete();
  EXPECT_TRUE(buffer.IsDeleted());
  EXPECT_EQ(buffer.ToHost().status().message(),
            "a buffer of f32[] on " + device(0).description() +
                " cannot be copied to the host: it was deleted, or donated to an "
                "execution");
  EXPECT_EQ(buffer.ToDevice(device(1)).status().code(), Code::kInvalidArgument);
}

TEST_P(TransferConformance, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        auto buffer = client_->ToDevice(HostTensor::Of<int32_t>({2}, {t, i}), device(static_cast<size_t>(t)));
        auto host = buffer.ok() ? buffer->ToHost() : Result<HostTensor>(buffer.status());
        if (!host.ok() || host->data<int32_t>()[0] != t || host->data<int32_t>()[1] != i) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(Plugins, TransferConformance, testing::ValuesIn(PluginsUnderTest()), PluginName);

}  // namespace
}  // namespace headrace::runtime
