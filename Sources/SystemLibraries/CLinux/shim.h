// SPDX-License-Identifier: Apache-2.0
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// Linux calls that Swift's Glibc module leaves out, because glibc declares them for _GNU_SOURCE.

// Fills the mask of processors that this process may use; returns its bytes, or -1.
static inline long cairn_processor_mask(unsigned char *mask, unsigned long bytes) {
  return syscall(SYS_sched_getaffinity, 0, bytes, mask);
}

// Limits this thread to a mask of processors; what the system refuses changes nothing.
static inline void cairn_limit_thread(unsigned long bytes, const unsigned char *mask) {
  (void)syscall(SYS_sched_setaffinity, 0, bytes, mask);
}

// The processor that runs this thread, or -1.
int cairn_current_processor(void) __asm__("sched_getcpu");

// Limits the threads that are made with these attributes to a mask of processors.
int cairn_limit_new_thread(pthread_attr_t *attributes, unsigned long bytes,
                           const unsigned char *mask) __asm__("pthread_attr_setaffinity_np");

// Swaps two paths in one step; both must be there. Returns 0, or -1 and errno.
static inline long cairn_exchange_paths(const char *first, const char *second) {
  return syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, 2u /* RENAME_EXCHANGE */);
}

// Makes an empty file share all blocks of another one until one of them is written to. Returns 0, or -1
// where the file system cannot.
static inline int cairn_clone_file(int file, int other) { return ioctl(file, FICLONE, other); }

// Makes a pipe whose ends no program inherits; returns 0, or -1 and errno.
static inline int cairn_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

// A descriptor that becomes readable when a child ends; -1 where the kernel has none (Linux 5.3).
static inline int cairn_process_descriptor(int process) {
#ifdef SYS_pidfd_open
  return (int)syscall(SYS_pidfd_open, process, 0);
#else
  return -1;
#endif
}

// Has the kernel kill this process when the thread that started it ends. Returns 0, or -1 where the
// parent is not that process, or not any more.
static inline int cairn_end_with_parent(int parent) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent ? 0 : -1;
}

// Makes this thread, and no other, nicer to all others by some steps, at most 19.
static inline void cairn_lower_thread_priority(int steps) {
  setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), steps);
}

// Raises the niceness of a process by some steps: of its first thread and of those that it starts
// from then on.
static inline void cairn_lower_priority(pid_t process, int steps) {
  errno = 0;
  int niceness = getpriority(PRIO_PROCESS, (id_t)process);
  if (errno == 0) setpriority(PRIO_PROCESS, (id_t)process, niceness + steps);
}

// Lets malloc keep what is freed: pieces of up to 32 MiB, the most that it allows.
static inline void cairn_keep_freed_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

// The columns of the terminal behind a descriptor, or 0 if it is none or does not say.
static inline int cairn_terminal_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
#endif
