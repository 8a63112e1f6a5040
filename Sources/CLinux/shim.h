// SPDX-License-Identifier: Apache-2.0
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

// Linux calls that Swift's Glibc module leaves out, because glibc declares them for _GNU_SOURCE.

// Fills the mask of processors that this process may use; returns its bytes, or -1.
static inline long cairn_processor_mask(unsigned char *mask, unsigned long bytes) {
  return syscall(SYS_sched_getaffinity, 0, bytes, mask);
}

// Swaps two paths in one step; both must be there. Returns 0, or -1 and errno.
static inline long cairn_exchange_paths(const char *first, const char *second) {
  return syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, 2u /* RENAME_EXCHANGE */);
}
#endif
