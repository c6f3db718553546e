// Shared libraries that are not quite plugins. Each is this file, built with one value of FAKE.
#include <pjrt_c_api.h>

#include <cstring>

#define NO_ENTRY 1    // a library without GetPjrtApi
#define NO_TABLE 2    // GetPjrtApi returns nothing
#define TOO_OLD 3     // an API from long ago
#define TOO_SHORT 4   // a table that ends before its version
#define REFUSES 5     // fails to initialize
#define NO_DEVICES 6  // a client without devices

struct PJRT_Error {
  const char* message;
};

#if FAKE == NO_ENTRY
extern "C" __attribute__((visibility("default"))) int headrace_test_nothing() { return 0; }
#else

namespace {

void Destroy(PJRT_Error_Destroy_Args* args) { delete args->error; }
void Message(PJRT_Error_Message_Args* args) {
  args->message = args->error->message;
  args->message_size = std::strlen(args->message);
}
PJRT_Error* GetCode(PJRT_Error_GetCode_Args* args) {
  args->code = PJRT_Error_Code_FAILED_PRECONDITION;
  return nullptr;
}
PJRT_Error* Initialize(PJRT_Plugin_Initialize_Args*) {
  return FAKE == REFUSES ? new PJRT_Error{"the driver is missing"} : nullptr;
}
PJRT_Error* CreateClient(PJRT_Client_Create_Args*) { return nullptr; }
PJRT_Error* DestroyClient(PJRT_Client_Destroy_Args*) { return nullptr; }
PJRT_Error* PlatformName(PJRT_Client_PlatformName_Args* args) {
  args->platform_name = "fake";
  args->platform_name_size = 4;
  return nullptr;
}
PJRT_Error* PlatformVersion(PJRT_Client_PlatformVersion_Args*) { return nullptr; }
PJRT_Error* ProcessIndex(PJRT_Client_ProcessIndex_Args*) { return nullptr; }
PJRT_Error* Devices(PJRT_Client_Devices_Args*) { return nullptr; }

}  // namespace

extern "C" __attribute__((visibility("default"))) const PJRT_Api* GetPjrtApi() {
  if (FAKE == NO_TABLE) return nullptr;
  static PJRT_Api table{};
  table.struct_size = FAKE == TOO_SHORT ? 8 : sizeof(PJRT_Api);
  table.pjrt_api_version.major_version = 0;
  table.pjrt_api_version.minor_version = FAKE == TOO_OLD ? 30 : 81;
  table.PJRT_Error_Destroy = Destroy;
  table.PJRT_Error_Message = Message;
  table.PJRT_Error_GetCode = GetCode;
  table.PJRT_Plugin_Initialize = Initialize;
  table.PJRT_Client_Create = CreateClient;
  table.PJRT_Client_Destroy = DestroyClient;
  table.PJRT_Client_PlatformName = PlatformName;
  table.PJRT_Client_PlatformVersion = PlatformVersion;
  table.PJRT_Client_ProcessIndex = ProcessIndex;
  table.PJRT_Client_Devices = Devices;
  return &table;
}
#endif
