#pragma once
#include <stddef.h>
#include <stdint.h>

// What lets Swift code run twice in the same way: the jobs of one thread, which wait until it runs them, and random bytes that
// follow from a seed.

// Keeps the jobs that this thread enqueues on the global executor from now on, or no longer. Jobs of other threads run as usual.
void martlet_jobs_capture(int captures);
// The number of this thread's jobs that wait.
size_t martlet_jobs_count(void);
// Adds a job to those that wait.
void martlet_jobs_add(void *job);
// Takes the job at an index of those that wait, of which the earliest is the first.
void *martlet_jobs_take(size_t index);
// Forgets all jobs that wait; their tasks never go on.
void martlet_jobs_forget(void);
// Lets OpenSSL's random bytes follow from a seed on this thread; other threads get OpenSSL's own.
void martlet_random_seed(uint64_t seed);
