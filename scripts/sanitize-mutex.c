// Reports to the thread sanitizer the locks that it cannot see.
//
// An uncontended `Mutex` of Swift's Synchronization module is locked in the code that uses it. A contended one is locked by
// the kernel (futex(2), FUTEX_LOCK_PI), which the standard library calls. The library is not instrumented, so the sanitizer
// reports each contended lock as a race. The two functions below replace the library's (LD_PRELOAD), call them, and report
// the acquisition or release.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SELF __attribute__((swift_context))
typedef __attribute__((swiftcall)) void (*lock_slow)(uint32_t, SELF void *);
typedef __attribute__((swiftcall)) void (*unlock_slow)(SELF void *);

static lock_slow real_lock;
static unlock_slow real_unlock;
static void (*acquire)(void *);
static void (*release)(void *);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

__attribute__((constructor)) static void find(void) {
  real_lock = (lock_slow)dlsym(RTLD_NEXT, LOCK);
  real_unlock = (unlock_slow)dlsym(RTLD_NEXT, UNLOCK);
  acquire = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_acquire");
  release = (void (*)(void *))dlsym(RTLD_DEFAULT, "__tsan_release");
}

__attribute__((swiftcall)) void lock_and_report(uint32_t thread, SELF void *lock) __asm__(LOCK);
__attribute__((swiftcall)) void lock_and_report(uint32_t thread, SELF void *lock) {
  if (!real_lock) abort(); // A program with a Mutex has the library.
  real_lock(thread, lock);
  if (acquire) acquire(lock);
}

__attribute__((swiftcall)) void unlock_and_report(SELF void *lock) __asm__(UNLOCK);
__attribute__((swiftcall)) void unlock_and_report(SELF void *lock) {
  if (!real_unlock) abort();
  if (release) release(lock);
  real_unlock(lock);
}
