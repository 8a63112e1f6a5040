// SPDX-License-Identifier: Apache-2.0
#ifndef CHOGWEED_SHIM_H
#define CHOGWEED_SHIM_H
#include <nettle/eddsa.h>
#endif
