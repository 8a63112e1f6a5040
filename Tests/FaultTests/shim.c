// SPDX-License-Identifier: Apache-2.0
// A library to be preloaded, which makes system calls fail, kill, hang or babble, and the clock
// jump, by the environment:
//
//   FAULT_PROGRAM  the program that it is about, such as cairn or cairn-build-graph
//   FAULT_CALL     write, fsync, rename, create, mkdir, unlink; any: all but unlink; step: all but write
//   FAULT_NUMBER   at the how-manieth of these calls of a process, counted from 1
//   FAULT_ACTION   error, full (error from then on), kill, hang, babble
//   FAULT_ERRNO    the error number
//   FAULT_ONCE     a file: the fault happens only if it is not there, and makes it
//   FAULT_MARK     a file that gets a byte for each fault that comes about
//   FAULT_TRACE    a file that gets a line for each file that FAULT_PROGRAM flushes, links or renames
//   FAULT_CLOCK    if set, the clock of the day jumps by up to ten years at every look
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static atomic_int calls;
static atomic_int isFull;

static long raw(long number, long a, long b, long c, long d, long e, long f) {
  static long (*real)(long, ...);
  if (!real) real = dlsym(RTLD_NEXT, "syscall");
  return real(number, a, b, c, d, e, f);
}

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

static void babble(void) {
  static char text[1 << 16];
  for (size_t at = 0; at < sizeof text; at++) text[at] = at % 64 == 63 ? '\n' : 'x';
  long megabytes = atol(setting("FAULT_MEGABYTES"));
  for (long block = 0; block < megabytes * 16; block++) {
    for (size_t done = 0; done < sizeof text;) {
      long count = raw(SYS_write, 2, (long)(text + done), (long)(sizeof text - done), 0, 0, 0);
      if (count <= 0) return;
      done += (size_t)count;
    }
  }
}

// Notes that a fault comes about.
static void mark(void) {
  const char *path = setting("FAULT_MARK");
  if (!*path) return;
  long file = raw(SYS_openat, AT_FDCWD, (long)path, O_CREAT | O_APPEND | O_WRONLY, 0644, 0, 0);
  if (file < 0) return;
  raw(SYS_write, file, (long)"!", 1, 0, 0, 0);
  raw(SYS_close, file, 0, 0, 0, 0, 0);
}

// Notes a call of the program; what is flushed is known by its descriptor.
static void trace(const char *call, const char *path, int file) {
  const char *log = setting("FAULT_TRACE");
  if (!*log || strcmp(program_invocation_short_name, setting("FAULT_PROGRAM")) != 0) return;
  char name[4096] = "", line[4200];
  if (path) {
    snprintf(name, sizeof name, "%s", path);
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (readlink(link, name, sizeof name - 1) < 0) return;
  }
  int count = snprintf(line, sizeof line, "%s %s\n", call, name);
  long out = raw(SYS_openat, AT_FDCWD, (long)log, O_CREAT | O_APPEND | O_WRONLY, 0644, 0, 0);
  if (out < 0) return;
  raw(SYS_write, out, (long)line, count, 0, 0, 0);
  raw(SYS_close, out, 0, 0, 0, 0, 0);
}

static int selects(const char *call) {
  const char *selected = setting("FAULT_CALL");
  if (strcmp(selected, "any") == 0) return strcmp(call, "unlink") != 0;
  if (strcmp(selected, "step") == 0) return strcmp(call, "write") != 0;
  return strcmp(selected, call) == 0;
}

// Whether the call is to fail; errno is set then.
static int fails(const char *call) {
  if (strcmp(program_invocation_short_name, setting("FAULT_PROGRAM")) != 0) return 0;
  if (!selects(call)) return 0;
  const char *action = setting("FAULT_ACTION");
  if (!atomic_load(&isFull)) {
    if (atomic_fetch_add(&calls, 1) + 1 != atoi(setting("FAULT_NUMBER"))) return 0;
    const char *once = setting("FAULT_ONCE");
    if (*once) {
      long made = raw(SYS_openat, AT_FDCWD, (long)once, O_CREAT | O_EXCL | O_WRONLY, 0644, 0, 0);
      if (made < 0) return 0;
      raw(SYS_close, made, 0, 0, 0, 0, 0);
    }
    mark();
  }
  if (strcmp(action, "kill") == 0) raw(SYS_kill, getpid(), SIGKILL, 0, 0, 0, 0);
  if (strcmp(action, "hang") == 0) {
    signal(SIGTERM, SIG_IGN);
    for (;;) pause();
  }
  if (strcmp(action, "babble") == 0) {
    babble();
    return 0;
  }
  if (strcmp(action, "full") == 0) atomic_store(&isFull, 1);
  errno = atoi(setting("FAULT_ERRNO"));
  return 1;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = dlsym(RTLD_NEXT, #name)

// What goes to the terminal or to the orchestrator is left alone.
ssize_t write(int file, const void *bytes, size_t count) {
  REAL(write);
  return file > 2 && fails("write") ? -1 : real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) {
  REAL(pwrite);
  return fails("write") ? -1 : real(file, bytes, count, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
  REAL(pwrite64);
  return fails("write") ? -1 : real(file, bytes, count, at);
}

int fsync(int file) {
  REAL(fsync);
  if (fails("fsync")) return -1;
  int status = real(file);
  trace("fsync", NULL, file);
  return status;
}

int fdatasync(int file) {
  REAL(fdatasync);
  return fails("fsync") ? -1 : real(file);
}

int rename(const char *from, const char *to) {
  REAL(rename);
  if (fails("rename")) return -1;
  trace("rename", to, -1);
  return real(from, to);
}

int link(const char *from, const char *to) {
  REAL(link);
  if (fails("create")) return -1;
  trace("link", to, -1);
  return real(from, to);
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  return fails("mkdir") ? -1 : real(path, mode);
}

int unlink(const char *path) {
  REAL(unlink);
  return fails("unlink") ? -1 : real(path);
}

int unlinkat(int folder, const char *path, int flags) {
  REAL(unlinkat);
  return fails("unlink") ? -1 : real(folder, path, flags);
}

int rmdir(const char *path) {
  REAL(rmdir);
  return fails("unlink") ? -1 : real(path);
}

int remove(const char *path) {
  REAL(remove);
  return fails("unlink") ? -1 : real(path);
}

long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long words[6];
  for (int at = 0; at < 6; at++) words[at] = va_arg(list, long);
  va_end(list);
  if (number == SYS_renameat2) {
    if (fails("rename")) return -1;
    trace("rename", (const char *)words[3], -1);
  }
  return raw(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    mode_t mode = 0; \
    if (flags & (O_CREAT | __O_TMPFILE)) { \
      va_list list; \
      va_start(list, flags); \
      mode = va_arg(list, mode_t); \
      va_end(list); \
    } \
    return flags & O_CREAT && fails("create") ? -1 : real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

static long jump(void) {
  static atomic_uint seed = 1;
  static atomic_int looks;
  if (atomic_fetch_add(&looks, 1) == 0) mark();
  unsigned next = atomic_fetch_add(&seed, 2654435761u) + (unsigned)getpid() * 40503u;
  return (long)(next % 630720000u) - 315360000;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  REAL(clock_gettime);
  int status = real(clock, now);
  if (clock == CLOCK_REALTIME && *setting("FAULT_CLOCK")) now->tv_sec += jump();
  return status;
}

int gettimeofday(struct timeval *now, void *zone) {
  REAL(gettimeofday);
  int status = real(now, zone);
  if (*setting("FAULT_CLOCK")) now->tv_sec += jump();
  return status;
}

time_t time(time_t *now) {
  struct timespec clock;
  clock_gettime(CLOCK_REALTIME, &clock);
  if (now) *now = clock.tv_sec;
  return clock.tv_sec;
}
