// SPDX-License-Identifier: Apache-2.0
#ifndef CLEAFLET_H
#define CLEAFLET_H
#include <stddef.h>

/* The files of Debian's package libjs-leaflet, with their lengths. */

const unsigned char *cairn_leaflet_script(size_t *bytes);
const unsigned char *cairn_leaflet_style(size_t *bytes);
#endif
