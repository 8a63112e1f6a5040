// SPDX-License-Identifier: Apache-2.0
#ifndef CNETTLE_SHIM_H
#define CNETTLE_SHIM_H
#include <nettle/md5.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#endif
