#pragma once
#if !__has_include(<seccomp.h>)
#error "seccomp.h is missing; install libseccomp-dev"
#endif
#include <seccomp.h>
