#pragma once
#if !__has_include(<nghttp2/nghttp2.h>)
#error "nghttp2/nghttp2.h is missing; install libnghttp2-dev"
#endif
#include <nghttp2/nghttp2.h>
