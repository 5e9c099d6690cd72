#define _GNU_SOURCE
#include "include/CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, (action))
#define REFUSE(call, error) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), ANSWER(SECCOMP_RET_ERRNO | (error))

// Refuses what decoding and drawing never need: the network, other programs and other processes.
static int refuse_system_calls(void) {
#ifdef THIS_ARCHITECTURE
  struct sock_filter program[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      LOAD(nr),
#ifdef __x86_64__
      // The x32 system calls have numbers of their own.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      ANSWER(SECCOMP_RET_KILL_PROCESS),
      REFUSE(SYS_fork, EPERM),
      REFUSE(SYS_vfork, EPERM),
#endif
      REFUSE(SYS_socket, EPERM),
      REFUSE(SYS_socketpair, EPERM),
      REFUSE(SYS_connect, EPERM),
      REFUSE(SYS_bind, EPERM),
      REFUSE(SYS_listen, EPERM),
      REFUSE(SYS_execve, EPERM),
      REFUSE(SYS_execveat, EPERM),
      REFUSE(SYS_ptrace, EPERM),
      REFUSE(SYS_process_vm_readv, EPERM),
      REFUSE(SYS_process_vm_writev, EPERM),
      REFUSE(SYS_kill, EPERM),
      REFUSE(SYS_tkill, EPERM),
      REFUSE(SYS_pidfd_open, EPERM),
      REFUSE(SYS_pidfd_send_signal, EPERM),
      REFUSE(SYS_bpf, EPERM),
      REFUSE(SYS_perf_event_open, EPERM),
      REFUSE(SYS_userfaultfd, EPERM),
      REFUSE(SYS_io_uring_setup, EPERM),
      REFUSE(SYS_add_key, EPERM),
      REFUSE(SYS_request_key, EPERM),
      REFUSE(SYS_keyctl, EPERM),
      REFUSE(SYS_unshare, EPERM),
      REFUSE(SYS_setns, EPERM),
      REFUSE(SYS_mount, EPERM),
      // A process may limit itself, and no other one.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 4),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
      ANSWER(SECCOMP_RET_ALLOW),
      // Its flags are in memory, where a filter cannot look. The C library falls back to clone(2).
      REFUSE(SYS_clone3, ENOSYS),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
      ANSWER(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0) return errno;
#endif
  return 0;
}

static long landlock_version(void) {
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int martlet_limits_files(void) { return landlock_version() > 0; }

// Lets the process open the paths alone, and those only for reading. Linux before 5.13, and one that was built without
// Landlock, has no such limit.
static int limit_files(const char *const *readable, int count) {
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
    if (rule.parent_fd < 0) continue;  // What is not there needs no right.
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

int martlet_confine(const char *const *readable, int count) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  int error = limit_files(readable, count);
  return error ? error : refuse_system_calls();
}
