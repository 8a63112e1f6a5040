// SPDX-License-Identifier: Apache-2.0
#ifndef CJPEG_SHIM_H
#define CJPEG_SHIM_H
#include <turbojpeg.h>
#endif
