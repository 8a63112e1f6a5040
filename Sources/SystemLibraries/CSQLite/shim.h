// SPDX-License-Identifier: Apache-2.0
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H
#include <sqlite3.h>

// Swift cannot call functions with variable arguments.
static inline int cairn_sqlite3_keep_no_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
#endif
