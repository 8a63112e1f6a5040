// SPDX-License-Identifier: Apache-2.0
#include "leaflet.h"

#if !__has_include("/usr/share/javascript/leaflet/leaflet.min.js")
#error "Leaflet is missing. Install libjs-leaflet (make setup)"
#endif

#define EMBED(name, file)                                                                    \
  __asm__(".section .rodata\n" #name ": .incbin \"/usr/share/javascript/leaflet/" file "\"\n" \
          #name "_end: .byte 0\n.text");                                                     \
  extern const unsigned char name[], name##_end[];

EMBED(cairn_leaflet_script_bytes, "leaflet.min.js")
EMBED(cairn_leaflet_style_bytes, "leaflet.css")

const unsigned char *cairn_leaflet_script(size_t *bytes) {
  *bytes = (size_t)(cairn_leaflet_script_bytes_end - cairn_leaflet_script_bytes);
  return cairn_leaflet_script_bytes;
}

const unsigned char *cairn_leaflet_style(size_t *bytes) {
  *bytes = (size_t)(cairn_leaflet_style_bytes_end - cairn_leaflet_style_bytes);
  return cairn_leaflet_style_bytes;
}
