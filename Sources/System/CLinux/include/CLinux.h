#pragma once
// Declarations that Glibc's Swift module lacks: epoll, eventfd, constants of the kernel, and GNU extensions.
#include <linux/prctl.h>
#include <linux/sched.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <stdbool.h>

// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC.
int martlet_accept(int listener);

// pthread_setname_np(3) for the calling thread.
void martlet_name_thread(const char *name);

// strerror_r(3), whose two versions differ by feature macros.
void martlet_error_text(int code, char *buffer, unsigned long size);

// These declarations need _GNU_SOURCE, without which the Glibc module is built.
#include <spawn.h>
int martlet_pipe2(int ends[2], int flags);
int martlet_close_from(posix_spawn_file_actions_t *actions, int first);

// Hides the memory of this process from core files and from other processes of its user, until it executes another
// program. Returns 0, or the errno of the call that the system refused.
int martlet_hide_memory(void);

// gettid(2).
int martlet_current_thread(void);

// The activity of a process's threads, from /proc.
struct martlet_threads {
  int running;             // whether a thread runs, is ready to run or waits for a disk
  int sleeping;            // whether a thread sleeps for some time
  unsigned long switches;  // a digest of the threads and of their numbers of context switches
  long timer_waits;        // how often Dispatch's timer thread has waited; unchanged if there is no such thread
};

// Adds one thread to the activity of others.
void martlet_read_thread(int process, int thread, struct martlet_threads *threads);

// Adds all threads of a process except some.
void martlet_read_threads(
    int process, const int *ignored, int ignored_count, struct martlet_threads *threads);

// Whether a thread waits for another one without a timeout.
int martlet_waits_for_thread(int process, int thread);

// An active timer file descriptor, and the time until it expires.
struct martlet_timer {
  int descriptor;
  long seconds;
  long nanoseconds;
};

// Writes the timers of a process, and returns their number.
int martlet_read_timers(int process, struct martlet_timer *timers, int capacity);

// Permanently takes the right from this process to open files that are not readable ones, to write files, and to gain
// rights by starting a program. Returns 0, or the errno of the call that the system refused. Threads that already run
// keep the right to files, so it must be called before there are any.
int martlet_limit_files(const char *const *readable, int count);

// Whether the kernel has Landlock, which martlet_limit_files needs to limit files. Linux before 5.13 lacks it, and a
// kernel may be built without it.
int martlet_limits_files(void);

// Opens a temporary file that no folder lists; returns -1 with errno.
int martlet_nameless_file(const char *folder);

// Opens a file in memory that no folder lists, to be read and written; returns -1 with errno.
int martlet_memory_file(void);

// Whether the kernel considers the clock synchronized, by adjtimex(2), which only reads; -1 if it cannot be read.
int martlet_clock_is_synchronized(void);

// sched_setscheduler(2) for the calling thread, with SCHED_BATCH or SCHED_OTHER, which the threads that it starts
// inherit. If the system refuses the call, or the main thread has another policy, the thread runs as before.
void martlet_schedule_as_batch(bool is_batch);
