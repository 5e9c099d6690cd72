import CLinux
import CSeccomp
import Glibc

/// A rule for a system call that a confined process survives; a call without a rule ends it with SIGSYS.
package struct SystemCallRule: Sendable {
  /// The kernel's answer to a call.
  package enum Answer: Hashable, Sendable {
    /// The kernel performs the call.
    case allow
    /// The kernel does not perform the call, which fails with this `errno`.
    case refuse(Int32)
  }

  /// A comparison with one argument, which considers only the bits of a mask.
  ///
  /// A mask has no bits of the upper half, which the kernel ignores in an `int`.
  struct Condition: Sendable {
    var argument: UInt32
    var mask: UInt64 = 0xFFFF_FFFF
    var value: UInt64
  }

  /// The name of the call; the rule does not apply on an architecture that lacks the call.
  package let name: String
  package let answer: Answer
  /// The conditions on the arguments under which the rule applies.
  let conditions: [Condition]

  package var isUnconditional: Bool { conditions.isEmpty }

  /// The number of a call on this machine's architecture.
  ///
  /// It is negative if only other architectures have the call, and `nil` if libseccomp does not know the name.
  package static func number(of name: String) -> Int32? {
    let number = unsafe seccomp_syscall_resolve_name(name)
    return number == __NR_SCMP_ERROR ? nil : number
  }
}

// MARK: The calls of a process that decodes and draws

extension SystemCallRule {
  /// The rules for a process that is connected by the stream socket `channel`.
  package static func rules(channel: Int32) -> [SystemCallRule] {
    func answer(_ answer: Answer, _ names: [String]) -> [SystemCallRule] {
      names.map { SystemCallRule(name: $0, answer: answer, conditions: []) }
    }
    return answer(.allow, computing + reading + identifying)
      + answer(.refuse(EACCES), changingFiles) + answer(.refuse(EPERM), connecting)
      + [
        // The C library falls back to `clone`. The flags of `clone3` are in memory, which a filter cannot read.
        SystemCallRule(name: "clone3", answer: .refuse(ENOSYS), conditions: []),
        // A logging library asks whether it writes to a terminal.
        SystemCallRule(name: "ioctl", answer: .refuse(ENOTTY), conditions: []),
      ] + writing(to: channel) + openingFiles + startingThreads + itself
  }

  private static let computing = [
    "brk", "clock_getres", "clock_gettime", "clock_nanosleep", "exit", "exit_group", "futex",
    "getcpu", "getrandom", "getrusage", "gettimeofday", "madvise", "mmap", "mprotect", "mremap",
    "munmap", "nanosleep", "restart_syscall", "rseq", "rt_sigaction", "rt_sigprocmask",
    "rt_sigreturn", "sched_getaffinity", "sched_yield", "set_robust_list", "sigaltstack", "sysinfo",
    "time",
  ]
  /// The calls that read open files, and properties of files by name.
  private static let reading = [
    "access", "close", "faccessat", "faccessat2", "fadvise64", "fstat", "fstatfs", "getcwd",
    "getdents64", "lseek", "lstat", "newfstatat", "pread64", "read", "readlink", "readlinkat",
    "stat", "statfs", "statx",
  ]
  private static let identifying = [
    "getegid", "geteuid", "getgid", "getpid", "gettid", "getuid", "uname",
  ]
  /// The calls by which fontconfig writes its cache, without which it continues.
  private static let changingFiles = [
    "chmod", "fchmodat", "link", "linkat", "mkdir", "mkdirat", "rename", "renameat", "renameat2",
    "unlink", "unlinkat", "utimensat",
  ]
  /// The calls by which libraries look for services, without which they continue.
  ///
  /// The C library looks for a name service, GLib for the journal, and Swift's runtime for a program that prints the
  /// stack of a crash.
  private static let connecting = [
    "connect", "getpeername", "getsockname", "socket", "socketpair",
  ]

  private static func writing(to channel: Int32) -> [SystemCallRule] {
    let descriptor = Condition(argument: 0, value: UInt64(channel))
    let address = Condition(argument: 4, value: 0)
    return ["write", "writev"].map { name in
      SystemCallRule(
        name: name, answer: .allow,
        conditions: [Condition(argument: 0, value: UInt64(STDERR_FILENO))])
    } + [
      SystemCallRule(name: "sendto", answer: .allow, conditions: [descriptor, address]),
      SystemCallRule(name: "shutdown", answer: .allow, conditions: [descriptor]),
    ]
  }

  /// Files can only be opened for reading, even if the kernel does not limit which.
  private static let openingFiles: [SystemCallRule] = {
    let writing = [O_WRONLY, O_RDWR, O_CREAT, O_TRUNC].map { UInt64($0) }
    let none = Condition(argument: 2, mask: writing.reduce(0, |), value: 0)
    return [SystemCallRule(name: "openat", answer: .allow, conditions: [none])]
      + writing.map { flag in
        SystemCallRule(
          name: "openat", answer: .refuse(EACCES),
          conditions: [Condition(argument: 2, mask: flag, value: flag)])
      }
  }()

  private static let startingThreads: [SystemCallRule] = {
    let thread = UInt64(CLONE_THREAD)
    return [
      SystemCallRule(
        name: "clone", answer: .allow,
        conditions: [Condition(argument: 0, mask: thread, value: thread)]),
      SystemCallRule(
        name: "clone", answer: .refuse(EPERM),
        conditions: [Condition(argument: 0, mask: thread, value: 0)]),
    ]
  }()

  /// The calls that change only this process.
  ///
  /// Other commands of `fcntl` can make the kernel signal any process.
  private static let itself: [SystemCallRule] =
    [SystemCallRule(name: "prlimit64", answer: .allow, conditions: [.init(argument: 0, value: 0)])]
    + [F_GETFD, F_SETFD, F_GETFL].map { command in
      SystemCallRule(
        name: "fcntl", answer: .allow,
        conditions: [Condition(argument: 1, value: UInt64(command))])
    } + [
      SystemCallRule(
        name: "prctl", answer: .allow,
        conditions: [Condition(argument: 0, value: UInt64(PR_SET_NAME))])
    ]
}
