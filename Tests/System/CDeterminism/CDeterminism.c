#define OPENSSL_SUPPRESS_DEPRECATED
#include "include/CDeterminism.h"

#include <openssl/rand.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The hook of the Swift runtime, which is not API (swiftlang/swift, include/swift/Runtime/ConcurrencyHooks.def).
#define SWIFT_CALL __attribute__((swiftcall))
typedef SWIFT_CALL void (*enqueue_original)(void *job);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_original original);

static _Thread_local struct {
  int captures;
  void **jobs;
  size_t count, capacity;
} waiting;

void martlet_jobs_add(void *job) {
  if (waiting.count == waiting.capacity) {
    waiting.capacity = waiting.capacity ? waiting.capacity * 2 : 64;
    waiting.jobs = realloc(waiting.jobs, waiting.capacity * sizeof *waiting.jobs);
    if (!waiting.jobs) abort();
  }
  waiting.jobs[waiting.count++] = job;
}

static SWIFT_CALL void enqueue(void *job, enqueue_original original) {
  if (!waiting.captures) return original(job);
  martlet_jobs_add(job);
}

static void set_hook(void) { swift_task_enqueueGlobal_hook = enqueue; }

void martlet_jobs_capture(int captures) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_hook);
  waiting.captures = captures;
}

size_t martlet_jobs_count(void) { return waiting.count; }

void *martlet_jobs_take(size_t index) {
  void *job = waiting.jobs[index];
  waiting.count--;
  memmove(waiting.jobs + index, waiting.jobs + index + 1, (waiting.count - index) * sizeof *waiting.jobs);
  return job;
}

void martlet_jobs_forget(void) { waiting.count = 0; }

// Random bytes

static _Thread_local struct {
  int is_seeded;
  uint64_t state;
} generator;

// SplitMix64.
static uint64_t next_number(void) {
  uint64_t z = (generator.state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static int random_bytes(unsigned char *bytes, int count) {
  if (!generator.is_seeded) return RAND_OpenSSL()->bytes(bytes, count);
  uint64_t number = 0;
  for (int index = 0; index < count; index++) {
    if (index % 8 == 0) number = next_number();
    bytes[index] = (unsigned char)(number >> (8 * (index % 8)));
  }
  return 1;
}

static int is_ready(void) { return 1; }

static void set_method(void) {
  static RAND_METHOD method = {.bytes = random_bytes, .pseudorand = random_bytes, .status = is_ready};
  RAND_set_rand_method(&method);
}

void martlet_random_seed(uint64_t seed) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_method);
  generator.is_seeded = 1;
  generator.state = seed;
}
