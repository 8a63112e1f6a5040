// SPDX-License-Identifier: Apache-2.0
#ifndef CEXPAT_SHIM_H
#define CEXPAT_SHIM_H
// expat.h declares its limits against entity amplification only under XML_DTD, although Debian's
// library is always built with them.
#ifndef XML_DTD
#define XML_DTD 1
#endif
#include <expat.h>
#endif
