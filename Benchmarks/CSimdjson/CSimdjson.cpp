#include "CSimdjson.h"

#include <new>
#include <simdjson.h>

struct martlet_simdjson {
  simdjson::dom::parser parser;
  size_t depth;
};

extern "C" martlet_simdjson *martlet_simdjson_make(size_t depth) {
  return new (std::nothrow) martlet_simdjson{simdjson::dom::parser(), depth};
}

extern "C" void martlet_simdjson_free(martlet_simdjson *parser) { delete parser; }

extern "C" martlet_simdjson_tape martlet_simdjson_read(martlet_simdjson *self,
                                                       const uint8_t *bytes, size_t count) {
  auto &parser = self->parser;
  // It allocates by capacity and depth, and keeps what it has.
  if (parser.capacity() < count && parser.allocate(count, self->depth)) return {nullptr, nullptr};
  // Copies the bytes to where it may read beyond their end.
  if (parser.parse(bytes, count, true).error()) return {nullptr, nullptr};
  return {parser.doc.tape.get(), parser.doc.string_buf.get()};
}
