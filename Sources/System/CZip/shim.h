#pragma once
#if !__has_include(<zip.h>)
#error "zip.h is missing; install libzip-dev"
#endif
#include <zip.h>
