// ProcessSeconds: how long this process has been there, by the kernel's account, start-up included.
#pragma once

namespace headrace::cli {

// Seconds since the process was started; 0 where the kernel does not say.
double ProcessSeconds();

}  // namespace headrace::cli
