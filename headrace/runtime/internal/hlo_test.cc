#include "headrace/runtime/internal/hlo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla_subset.pb.h"

namespace headrace::runtime::internal {
namespace {

constexpr int kS4 = 21, kF32 = 11, kTuple = 13, kToken = 17;  // xla.PrimitiveType

xla::ShapeProto Matrix(int element_type) {
  xla::ShapeProto shape;
  shape.set_element_type(element_type);
  shape.add_dimensions(2);
  shape.add_dimensions(3);
  shape.mutable_layout()->add_minor_to_major(1);
  shape.mutable_layout()->add_minor_to_major(0);
  return shape;
}

// An entry with two parameters, and a computation that its reduction calls.
xla::HloModuleProto MakeModule() {
  xla::HloModuleProto module;
  module.set_name("m");
  module.set_entry_computation_id(1);
  *module.mutable_host_program_shape()->add_parameters() = Matrix(kF32);
  *module.mutable_host_program_shape()->add_parameters() = Matrix(kF32);
  auto add = [](xla::HloComputationProto& computation, int64_t id, const char* name, const char* opcode) {
    xla::HloInstructionProto& instruction = *computation.add_instructions();
    instruction.set_id(id);
    instruction.set_name(name);
    instruction.set_opcode(opcode);
    *instruction.mutable_shape() = Matrix(kF32);
    return &instruction;
  };
  xla::HloComputationProto& entry = *module.add_computations();
  entry.set_id(1);
  entry.set_name("main");
  entry.set_root_id(13);
  add(entry, 11, "x", "parameter");
  add(entry, 12, "y", "parameter")->set_parameter_number(1);
  xla::HloInstructionProto* root = add(entry, 13, "r", "reduce");
  root->add_operand_ids(11);
  root->add_operand_ids(99);
  root->add_dimensions(0);
  root->add_called_computation_ids(2);
  root->mutable_metadata()->set_op_name("layers.3/sum");
  xla::ShapeProto both;
  both.set_element_type(kTuple);
  *both.add_tuple_shapes() = Matrix(kF32);
  *both.add_tuple_shapes() = Matrix(kS4);
  *root->mutable_shape() = both;
  xla::HloComputationProto& sum = *module.add_computations();
  sum.set_id(2);
  sum.set_name("sum");
  xla::HloInstructionProto* call = add(sum, 21, "c", "custom-call");
  call->set_custom_call_target("fast_sum");
  return module;
}

TEST(Hlo, PrintsAModule) {
  EXPECT_EQ(*HloText("hlo", MakeModule().SerializeAsString()), R"(HloModule m

%sum {
  %c = f32[2,3]{1,0} custom-call(), target="fast_sum"
}

ENTRY %main {
  %x = f32[2,3]{1,0} parameter(0)
  %y = f32[2,3]{1,0} parameter(1)
  ROOT %r = (f32[2,3]{1,0}, s4[2,3]{1,0}) reduce(%x, %#99), dimensions={0}, calls=%sum, op_name="layers.3/sum"
}
)");
}

TEST(Hlo, ReadsParametersAndWhichAreDonated) {
  xla::HloModuleProto module = MakeModule();
  EXPECT_FALSE(ReadParameters("hlo", module.SerializeAsString())->at(0).donated);
  module.mutable_input_output_alias()->add_entries()->set_parameter_number(1);
  module.mutable_buffer_donor()->add_entries()->set_parameter_number(7);  // there is none: left alone
  xla::HloModuleProtoWithConfig with_config;
  *with_config.mutable_hlo_module() = module;
  auto parameters = ReadParameters("hlo_with_config", with_config.SerializeAsString());
  ASSERT_TRUE(parameters.ok());
  ASSERT_EQ(parameters->size(), 2u);
  EXPECT_EQ(parameters->at(0).type.ToString(), "f32[2, 3]");
  EXPECT_FALSE(parameters->at(0).donated);
  EXPECT_TRUE(parameters->at(1).donated);
}

TEST(Hlo, SaysWhatItCannotRead) {
  EXPECT_EQ(HloText("mlir", "").status().ToString(),
            "UNIMPLEMENTED: the optimized program comes in the format 'mlir', which is not HLO");
  EXPECT_EQ(HloText("hlo", "rubbish").status().ToString(),
            "DATA_LOSS: the optimized program (7 bytes of format 'hlo') is not a whole HLO module");
  xla::HloModuleProto module = MakeModule();
  *module.mutable_host_program_shape()->mutable_parameters(1) = Matrix(kToken);
  EXPECT_EQ(
      ReadParameters("hlo", module.SerializeAsString()).status().message(),
      "parameter 1 of the program is token[2,3]{1,0}, which has no tensor type here; convert it inside the "
      "program");
  module.mutable_host_program_shape()->mutable_parameters(0)->set_dimensions(1, -1);
  EXPECT_EQ(ReadParameters("hlo", module.SerializeAsString()).status().message(),
            "parameter 0 of the program has a dimension without a fixed size");
}

}  // namespace
}  // namespace headrace::runtime::internal
