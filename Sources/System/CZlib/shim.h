#pragma once
#if !__has_include(<zlib.h>)
#error "zlib.h is missing; install zlib1g-dev"
#endif
#include <zlib.h>

// `deflateInit2` is a macro. 15 bits of window and 16 more for a gzip header (zlib.h).
static inline int martlet_deflate_init_gzip(z_stream *stream) {
  return deflateInit2(stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}
