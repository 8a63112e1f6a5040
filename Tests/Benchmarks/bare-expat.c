// SPDX-License-Identifier: Apache-2.0
// bare-expat FILE: feeds Expat with a file of XML, plain or gzip, and does nothing with it.
#include <expat.h>
#include <stdio.h>
#include <zlib.h>

static void start(void *user, const char *name, const char **attributes) {
  (void)user, (void)name, (void)attributes;
}

static void end(void *user, const char *name) { (void)user, (void)name; }

int main(int count, char **arguments) {
  enum { chunk = 1 << 16 };
  // zlib passes on data that is not gzip unchanged.
  gzFile file = count == 2 ? gzopen(arguments[1], "rb") : NULL;
  if (!file) return 66;
  gzbuffer(file, chunk);
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetElementHandler(parser, start, end);
  int read;
  do {
    void *buffer = XML_GetBuffer(parser, chunk);
    read = buffer ? gzread(file, buffer, chunk) : -1;
    if (read < 0 || XML_ParseBuffer(parser, read, read == 0) != XML_STATUS_OK) {
      fprintf(stderr, "bare-expat: cannot read %s\n", arguments[1]);
      return 65;
    }
  } while (read > 0);
  XML_ParserFree(parser);
  gzclose(file);
  return 0;
}
