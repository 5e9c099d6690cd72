#define _GNU_SOURCE
#include "include/CLinux.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATH_SIZE 96

// Reads the beginning of a file as text; returns its length, 0 if it cannot be read.
static size_t read_text(const char *path, char *text, size_t size) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  ssize_t count = read(descriptor, text, size - 1);
  close(descriptor);
  if (count < 0) count = 0;
  text[count] = 0;
  return (size_t)count;
}

// The system call in which a thread waits; -1 if it does not wait.
static long system_call(int process, int thread) {
  char path[PATH_SIZE], text[256], *end;
  snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", process, thread);
  if (!read_text(path, text, sizeof text)) return -1;
  long call = strtol(text, &end, 10);
  return end == text ? -1 : call;
}

static int waits_for_events(long call) {
#ifdef SYS_epoll_wait
  if (call == SYS_epoll_wait) return 1;
#endif
  return call == SYS_epoll_pwait;
}

static int sleeps(long call) {
#ifdef SYS_nanosleep
  if (call == SYS_nanosleep) return 1;
#endif
  return call == SYS_clock_nanosleep;
}

int martlet_current_thread(void) { return (int)gettid(); }

void martlet_read_thread(int process, int thread, struct martlet_threads *threads) {
  char path[PATH_SIZE], text[4096];
  snprintf(path, sizeof path, "/proc/%d/task/%d/status", process, thread);
  if (!read_text(path, text, sizeof text)) return;  // The thread has ended.
  const char *state = strstr(text, "State:\t");
  const char *switches = strstr(text, "voluntary_ctxt_switches:\t");
  if (!state || !switches) return;
  if (state[7] == 'R' || state[7] == 'D') threads->running = 1;
  // FNV-1a, over the thread's number and the lines about switches.
  unsigned long hash = threads->switches ^ (unsigned long)thread;
  for (const char *byte = switches; *byte; byte++) hash = (hash ^ (unsigned char)*byte) * 1099511628211UL;
  threads->switches = hash;
  long call = system_call(process, thread);
  if (sleeps(call)) threads->sleeping = 1;
  // The name that Dispatch gives this thread.
  if (strncmp(text, "Name:\t-qos.overcommit\n", 22) == 0 && waits_for_events(call))
    threads->timer_waits = strtol(switches + 25, NULL, 10);
}

void martlet_read_threads(
    int process, const int *ignored, int ignored_count, struct martlet_threads *threads) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *folder = opendir(path);
  if (!folder) return;
  for (struct dirent *entry; (entry = readdir(folder));) {
    int thread = atoi(entry->d_name), is_ignored = thread == 0;
    for (int i = 0; i < ignored_count && !is_ignored; i++) is_ignored = ignored[i] == thread;
    if (!is_ignored) martlet_read_thread(process, thread, threads);
  }
  closedir(folder);
}

int martlet_waits_for_thread(int process, int thread) {
  char path[PATH_SIZE], text[256];
  snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", process, thread);
  long call;
  unsigned long timeout;
  if (!read_text(path, text, sizeof text)) return 0;
  // The number, then the arguments: the address, the operation, the value and the timeout.
  return sscanf(text, "%ld %*s %*s %*s %lx", &call, &timeout) == 2 && call == SYS_futex && timeout == 0;
}

int martlet_read_timers(int process, struct martlet_timer *timers, int capacity) {
  char path[PATH_SIZE], text[512];
  snprintf(path, sizeof path, "/proc/%d/fd", process);
  DIR *folder = opendir(path);
  if (!folder) return 0;
  int count = 0;
  for (struct dirent *entry; count < capacity && (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/fd/%.20s", process, entry->d_name);
    ssize_t length = readlink(path, text, sizeof text - 1);
    if (length != 20 || memcmp(text, "anon_inode:[timerfd]", 20) != 0) continue;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%.20s", process, entry->d_name);
    if (!read_text(path, text, sizeof text)) continue;
    const char *value = strstr(text, "it_value: (");
    long seconds, nanoseconds;
    if (!value || sscanf(value, "it_value: (%ld, %ld)", &seconds, &nanoseconds) != 2) continue;
    if (seconds == 0 && nanoseconds == 0) continue;  // Not set.
    timers[count].descriptor = atoi(entry->d_name);
    timers[count].seconds = seconds;
    timers[count++].nanoseconds = nanoseconds;
  }
  closedir(folder);
  return count;
}
