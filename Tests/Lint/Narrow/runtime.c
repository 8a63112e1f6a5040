// SPDX-License-Identifier: Apache-2.0
// The C library of a program of 32 bits that allocates, compares and ends: machines that check this
// have none for 32 bits.
#include <stddef.h>

extern int main(void);

void end(int status) {
  __asm__ volatile("int $0x80" ::"a"(1), "b"(status));
  __builtin_unreachable();
}

void say(const char *text, int length) {
  int result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(4), "b"(2), "c"(text), "d"(length) : "memory");
}

const int __stack_chk_guard = 1;
void __stack_chk_fail(void) { end(99); }

static char arena[64 << 20];
static size_t used;

int posix_memalign(void **memory, size_t alignment, size_t size) {
  used = (used + alignment - 1) & ~(alignment - 1);
  if (size > sizeof arena - used) return 12;
  *memory = arena + used;
  used += size;
  return 0;
}
void free(void *memory) {}

void *memmove(void *to, const void *from, size_t count) {
  char *target = to;
  const char *source = from;
  if (target < source) {
    for (size_t index = 0; index < count; index++) target[index] = source[index];
  } else {
    for (size_t index = count; index > 0; index--) target[index - 1] = source[index - 1];
  }
  return to;
}
void *memcpy(void *to, const void *from, size_t count) { return memmove(to, from, count); }
void *memset(void *to, int value, size_t count) {
  for (size_t index = 0; index < count; index++) ((volatile char *)to)[index] = (char)value;
  return to;
}
int memcmp(const void *one, const void *other, size_t count) {
  const unsigned char *first = one, *second = other;
  for (size_t index = 0; index < count; index++)
    if (first[index] != second[index]) return first[index] < second[index] ? -1 : 1;
  return 0;
}
size_t strlen(const char *text) {
  size_t count = 0;
  while (((volatile const char *)text)[count]) count++;
  return count;
}
int strcmp(const char *one, const char *other) {
  while (*one && *one == *other) one++, other++;
  return (unsigned char)*one - (unsigned char)*other;
}
void arc4random_buf(void *bytes, size_t count) { memset(bytes, 7, count); }

int pthread_mutex_init(void *mutex, const void *attributes) { return 0; }
int pthread_mutex_lock(void *mutex) { return 0; }
int pthread_mutex_unlock(void *mutex) { return 0; }
int pthread_mutex_destroy(void *mutex) { return 0; }

double cos(double angle) {
  __asm__("fcos" : "+t"(angle));
  return angle;
}
double trunc(double value) {
  return value > -0x1p52 && value < 0x1p52 ? (double)(long long)value : value;
}
double floor(double value) { return trunc(value) > value ? trunc(value) - 1 : trunc(value); }
double ceil(double value) { return -floor(-value); }
double round(double value) { return trunc(value < 0 ? value - 0.5 : value + 0.5); }

typedef unsigned long long Wide;
static Wide divide(Wide value, Wide divisor, Wide *rest) {
  Wide quotient = 0, remainder = 0;
  for (int bit = 63; bit >= 0; bit--) {
    remainder = remainder << 1 | (value >> bit & 1);
    if (remainder >= divisor) {
      remainder -= divisor;
      quotient |= 1ULL << bit;
    }
  }
  *rest = remainder;
  return quotient;
}
static Wide magnitude(long long value) { return value < 0 ? -(Wide)value : (Wide)value; }
Wide __udivdi3(Wide value, Wide divisor) {
  Wide rest;
  return divide(value, divisor, &rest);
}
Wide __umoddi3(Wide value, Wide divisor) {
  Wide rest;
  divide(value, divisor, &rest);
  return rest;
}
long long __divdi3(long long value, long long divisor) {
  Wide quotient = __udivdi3(magnitude(value), magnitude(divisor));
  return (value < 0) != (divisor < 0) ? (long long)-quotient : (long long)quotient;
}
long long __moddi3(long long value, long long divisor) {
  Wide rest = __umoddi3(magnitude(value), magnitude(divisor));
  return value < 0 ? (long long)-rest : (long long)rest;
}

// A trap is an illegal instruction, and the signal that it raises is what the caller sees.
void _start(void) { end(main()); }
