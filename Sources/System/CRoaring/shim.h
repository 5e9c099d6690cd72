#pragma once
#if !__has_include(<roaring/roaring.h>)
#error "roaring/roaring.h is missing; install libroaring-dev"
#endif
#include <roaring/roaring.h>
