import CLinux

/// The clock of this machine.
package enum SystemClock {
  /// Whether a time service keeps it right, as the kernel has heard; `nil` where it does not say.
  package static var isSynchronized: Bool? {
    switch martlet_clock_is_synchronized() {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
