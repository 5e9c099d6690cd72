#pragma once
// What Glibc's Swift module leaves out: epoll, eventfd, and GNU extensions.
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC.
int martlet_accept(int listener);

// pthread_setname_np(3) for the calling thread.
void martlet_name_thread(const char *name);

// strerror_r(3), whose two versions differ by feature macros.
void martlet_error_text(int code, char *buffer, unsigned long size);

// Hidden behind _GNU_SOURCE, which the Glibc module is built without.
#include <spawn.h>
int martlet_pipe2(int ends[2], int flags);
int martlet_close_from(posix_spawn_file_actions_t *actions, int first);
