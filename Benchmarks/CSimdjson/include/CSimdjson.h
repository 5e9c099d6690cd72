#pragma once
// A C interface to simdjson (Debian: libsimdjson-dev).
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct martlet_simdjson martlet_simdjson;

// A parsed document, valid until the parser reads the next one. simdjson's doc/tape.md describes the words. Both
// pointers are NULL if the bytes are not JSON.
typedef struct {
  const uint64_t *words;
  const uint8_t *strings;
} martlet_simdjson_tape;

martlet_simdjson *martlet_simdjson_make(size_t depth);
void martlet_simdjson_free(martlet_simdjson *parser);
martlet_simdjson_tape martlet_simdjson_read(martlet_simdjson *parser, const uint8_t *bytes,
                                            size_t count);

#ifdef __cplusplus
}
#endif
