// SPDX-License-Identifier: Apache-2.0
// Inflates all blobs of a .osm.pbf on one thread and looks at nothing: what no reader can do
// without. Links libdeflate, as Cairn does.
#include <libdeflate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t varint(const uint8_t **at) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    uint8_t byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  if (!file) return 66;
  struct libdeflate_decompressor *inflater = libdeflate_alloc_decompressor();
  uint8_t *blob = malloc(33 << 20), *content = malloc(33 << 20), head[4];
  size_t total = 0;
  while (fread(head, 1, 4, file) == 4) {
    uint32_t size = (uint32_t)head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3];
    if (size > 65536 || fread(blob, 1, size, file) != size) return 65;
    uint64_t length = 0;
    for (const uint8_t *at = blob, *end = blob + size; at < end;) {
      uint64_t tag = varint(&at), value = varint(&at);
      if (tag == 3 << 3) length = value;
      if ((tag & 7) == 2) at += value;
    }
    if (length > 32 << 20 || fread(blob, 1, length, file) != length) return 65;
    for (const uint8_t *at = blob, *end = blob + length; at < end;) {
      uint64_t tag = varint(&at), value = varint(&at);
      if (tag == (3 << 3 | 2)) {
        size_t written;
        if (libdeflate_zlib_decompress(inflater, at, value, content, 33 << 20, &written)) return 65;
        total += written;
      }
      if ((tag & 7) == 2) at += value;
    }
  }
  printf("%zu\n", total);
  return 0;
}
