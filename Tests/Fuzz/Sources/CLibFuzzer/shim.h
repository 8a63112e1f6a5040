// SPDX-License-Identifier: Apache-2.0
#ifndef CLIBFUZZER_SHIM_H
#define CLIBFUZZER_SHIM_H
#include <stddef.h>
#include <stdint.h>
// <https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library>
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *bytes, size_t count));
#endif
