#pragma once
#include <stddef.h>

// A file of the dashboard, inside the binary so that it can be moved.
struct martlet_web_asset {
  const char *name;  // file name: style.css
  const char *type;  // media type
  const unsigned char *bytes;
  size_t count;
};

// Number from 0; NULL past the last.
const struct martlet_web_asset *martlet_web_asset(size_t index);
