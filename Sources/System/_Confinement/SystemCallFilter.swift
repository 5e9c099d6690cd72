import CSeccomp
import Glibc

/// The filter with which the kernel ends this process at a system call without a rule.
enum SystemCallFilter {
  /// Applies rules permanently to all threads of this process.
  static func apply(_ rules: [SystemCallRule]) throws(ConfinementError) {
    guard let filter = unsafe seccomp_init(SCMP_ACT_KILL_PROCESS) else {
      throw ConfinementError("this kernel cannot end a process at a system call", ENOSYS)
    }
    defer { unsafe seccomp_release(filter) }
    let attributes = [
      (SCMP_FLTATR_CTL_TSYNC, 1), (SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS),
    ]
    for (attribute, value) in attributes {
      try check(unsafe seccomp_attr_set(filter, attribute, value), "cannot prepare the filter")
    }
    for rule in rules {
      guard let number = SystemCallRule.number(of: rule.name) else {
        throw ConfinementError("libseccomp does not know \(rule.name); install a newer one", EINVAL)
      }
      let conditions = rule.conditions.map {
        scmp_arg_cmp(
          arg: $0.argument, op: SCMP_CMP_MASKED_EQ, datum_a: $0.mask, datum_b: $0.value)
      }
      try check(
        unsafe seccomp_rule_add_array(
          filter, action(rule.answer), number, UInt32(conditions.count), conditions),
        "cannot add a rule for \(rule.name)")
    }
    try check(unsafe seccomp_load(filter), "cannot limit this process's system calls")
  }

  /// Throws an error if a function of libseccomp returned the negative of an `errno`.
  private static func check(_ result: Int32, _ failure: String) throws(ConfinementError) {
    guard result == 0 else { throw ConfinementError(failure, -result) }
  }

  /// libseccomp's number for an answer, because Swift cannot import its macro for errors.
  private static func action(_ answer: SystemCallRule.Answer) -> UInt32 {
    switch answer {
    case .allow: SCMP_ACT_ALLOW
    case .refuse(let error): 0x0005_0000 | UInt32(error)
    }
  }
}
