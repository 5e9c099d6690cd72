#pragma once
#include <stddef.h>

// The rules of Conformance/, embedded in the binary so that it can be moved.
struct martlet_conformance_file {
  const char *name;  // path below Conformance/
  const unsigned char *bytes;
  size_t count;
};

// The file at an index; NULL past the last one.
const struct martlet_conformance_file *martlet_conformance_file(size_t index);
