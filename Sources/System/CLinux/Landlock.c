#define _GNU_SOURCE
#include "include/CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long landlock_version(void) {
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int martlet_limits_files(void) { return landlock_version() > 0; }

int martlet_limit_files(const char *const *readable, int count) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  long version = landlock_version();
  if (version < 1) return 0;
  // The rights of the first version; later ones add to it.
  uint64_t handled = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  if (version >= 2) handled |= LANDLOCK_ACCESS_FS_REFER;
  struct landlock_ruleset_attr attributes = {.handled_access_fs = handled};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
  if (rules < 0) return errno;
  for (int i = 0; i < count; i++) {
    struct landlock_path_beneath_attr rule = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE};
    rule.parent_fd = open(readable[i], O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) continue;  // A missing file needs no right.
    struct stat status;
    if (fstat(rule.parent_fd, &status) == 0 && S_ISDIR(status.st_mode))
      rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    long result = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    int error = errno;
    close(rule.parent_fd);
    if (result != 0) {
      close(rules);
      return error;
    }
  }
  int error = syscall(SYS_landlock_restrict_self, rules, 0) == 0 ? 0 : errno;
  close(rules);
  return error;
}
