#pragma once
// simdjson (Debian: libsimdjson-dev) without its C++.
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct martlet_simdjson martlet_simdjson;

// What a document was read into, until the parser reads the next one; the format of the words is
// simdjson's doc/tape.md. Both are NULL where the bytes are no JSON.
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
