import CLinux

/// The clock of this machine.
package enum SystemClock {
  /// Whether a time service synchronizes the clock, according to the kernel; `nil` if the kernel does not say.
  package static var isSynchronized: Bool? {
    switch martlet_clock_is_synchronized() {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
