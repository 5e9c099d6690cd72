// Functions of the C library that a program calls under valgrind 3.19 (LD_PRELOAD).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// valgrind takes a signal out of the mask that is given, and crashes on the constant one of Dispatch.
int sigsuspend(const sigset_t *mask) {
  sigset_t copy = *mask;
  return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}

// Answers as a kernel with seccomp does, which valgrind lacks and without which the process that draws pictures does not go on.
// libseccomp finds out what the kernel has by calls that must fail.
static long answer_seccomp(long operation, long argument) {
  if (operation == SECCOMP_SET_MODE_STRICT) errno = EINVAL;
  else if (operation == SECCOMP_SET_MODE_FILTER && !argument) errno = EFAULT;
  else return 0;
  return -1;
}

long syscall(long number, ...) {
  static long (*real)(long, ...);
  if (!real) real = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  long values[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) values[i] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_seccomp) return answer_seccomp(values[0], values[2]);
  return real(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

// As a child of itself, a program would start valgrind's own file, which is /proc/self/exe to the kernel. PROGRAM is the script
// that starts the program under valgrind.
int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const arguments[], char *const environment[]) {
  static __typeof__(posix_spawn) *real;
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "posix_spawn");
  if (strcmp(path, "/proc/self/exe") == 0) path = PROGRAM;
  return real(process, path, actions, attributes, arguments, environment);
}

// A program under valgrind takes some thirty times the processor time that it is allowed outside, more on a busy machine.
int setrlimit(__rlimit_resource_t resource, const struct rlimit *limits) {
  struct rlimit allowed = *limits;
  if (resource == RLIMIT_CPU) {
    if (allowed.rlim_cur != RLIM_INFINITY) allowed.rlim_cur *= 100;
    if (allowed.rlim_max != RLIM_INFINITY) allowed.rlim_max *= 100;
  }
  return prlimit(0, resource, &allowed, NULL);
}

// A thread that ends while the program exits: each lock that its last functions take waits, at most for 300 ms, until the handlers
// of `exit` have run. A handler that frees what such a function uses is then an invalid access in every run.
static pthread_key_t at_end_of_thread;
static __thread int is_ending;
static atomic_int has_exited;

static void end_thread(void *value) {
  (void)value;
  is_ending = 1;
}

// The first handler to be registered is the last to run.
static void end_process(void) {
  has_exited = 1;
  usleep(200000);
}

__attribute__((constructor)) static void begin(void) {
  pthread_key_create(&at_end_of_thread, end_thread);
  atexit(end_process);
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  static int (*real)(pthread_key_t, const void *);
  if (!real) real = (int (*)(pthread_key_t, const void *))dlsym(RTLD_NEXT, "pthread_setspecific");
  if (!is_ending && !pthread_getspecific(at_end_of_thread)) real(at_end_of_thread, &at_end_of_thread);
  return real(key, value);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  static int (*real)(pthread_rwlock_t *);
  if (!real) real = (int (*)(pthread_rwlock_t *))dlsym(RTLD_NEXT, "pthread_rwlock_wrlock");
  for (int tries = 0; is_ending && !has_exited && tries < 30; tries++) usleep(10000);
  return real(lock);
}
