#define _GNU_SOURCE
#include "include/CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int martlet_nameless_file(const char *folder) {
  int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  // Some file systems have no O_TMPFILE.
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return descriptor;
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/martlet-body-XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof path) return -1;
  descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor >= 0) unlink(path);
  return descriptor;
}

int martlet_memory_file(void) { return memfd_create("martlet", MFD_CLOEXEC); }
