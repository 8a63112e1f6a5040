// SPDX-License-Identifier: Apache-2.0
// What the modules that apps reach use of a C library, for a target that has none.
#include <stddef.h>

double sin(double);
double cos(double);
double asin(double);
double atan(double);
double sinh(double);
double atan2(double, double);
double exp(double);
double log(double);
double pow(double, double);
double hypot(double, double);

typedef struct { int words[8]; } pthread_mutex_t;
typedef struct pthread_mutexattr pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);

extern const int errno;
enum { ENOENT = 2 };
char *strerror(int);
int memcmp(const void *, const void *, size_t);
int strcmp(const char *, const char *);
size_t strlen(const char *);

struct stat { unsigned st_mode; long long st_size; };
int stat(const char *, struct stat *);
#define S_IFMT 0170000u
#define S_IFREG 0100000u
#define S_IFDIR 0040000u

typedef struct file FILE;
FILE *fopen(const char *, const char *);
int fclose(FILE *);
int fileno(FILE *);
int fstat(int, struct stat *);
size_t fread(void *, size_t, size_t, FILE *);
