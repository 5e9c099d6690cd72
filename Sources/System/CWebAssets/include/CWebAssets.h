#pragma once
#include <stddef.h>

// A file of the dashboard, embedded in the binary.
struct martlet_web_asset {
  const char *name;  // file name, such as style.css
  const char *type;  // media type
  const unsigned char *bytes;
  size_t count;
};

// The file at an index; NULL past the last one.
const struct martlet_web_asset *martlet_web_asset(size_t index);
