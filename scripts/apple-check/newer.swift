// The control of the check: each statement uses what the target's minimum lacks, so the compiler must refuse it.
import UserNotifications

func newer(_ text: String, _ bytes: [UInt8]) {  // expected-note 2 {{add '@available' attribute}}
  // expected-error@+1 {{'span' is only available in}} expected-note@+1 {{add 'if #available'}}
  _ = text.utf8.span
  // expected-error@+1 {{is only available in}} expected-note@+1 {{add 'if #available'}}
  _ = String(validating: bytes, as: UTF8.self)
}

#if os(watchOS)
  func notOnAWatch() {
    // expected-watchos-error@+1 {{unavailable in watchOS}}
    _ = UNNotificationSound(named: UNNotificationSoundName("a"))
  }
#endif
