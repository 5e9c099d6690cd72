#pragma once
#include <stddef.h>

// The media that `martlet demo` serves, embedded in the binary so that it can be moved.
struct martlet_demo_medium {
  const char *name;  // file name, which is its path on the demo's media server
  const char *type;  // media type
  const unsigned char *bytes;
  size_t count;
};

// The medium at an index; NULL past the last one.
const struct martlet_demo_medium *martlet_demo_medium(size_t index);
