#pragma once
// What Glibc's Swift module leaves out: epoll, eventfd, accept4.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
