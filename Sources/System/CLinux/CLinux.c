#define _GNU_SOURCE
#include <unistd.h>
#include "CLinux.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

int martlet_accept(int listener) {
  return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void martlet_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

void martlet_error_text(int code, char *buffer, unsigned long size) {
  char scratch[128];
  snprintf(buffer, size, "%s", strerror_r(code, scratch, sizeof scratch));
}

int martlet_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno; }

int martlet_pipe2(int ends[2], int flags) { return pipe2(ends, flags); }

int martlet_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

void martlet_schedule_as_batch(bool is_batch) {
  static _Thread_local int policy = -1;
  int wanted = is_batch ? SCHED_BATCH : SCHED_OTHER;
  if (policy == wanted) return;
  policy = wanted;
  // A policy that somebody else has chosen for the process is kept.
  if (sched_getscheduler(getpid()) != SCHED_OTHER) return;
  struct sched_param priority = {0};
  sched_setscheduler(0, policy, &priority);
}
