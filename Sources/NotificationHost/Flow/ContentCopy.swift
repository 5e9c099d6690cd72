import Foundation
import UserNotifications

/// A copy of the content as it was at the call, so that later changes have no effect.
///
/// `@unchecked Sendable`: the copy is immutable and its properties are immutable objects.
struct ContentCopy: @unchecked Sendable {
  let content: UNNotificationContent
  /// The files that were moved away at the call; the system's own from then on.
  let moved: [URL]

  init(_ content: UNNotificationContent, moved: [URL] = []) {
    self.moved = moved
    self.content = content.copy() as? UNNotificationContent ?? UNNotificationContent()
  }
}

/// `@unchecked Sendable`: a request is immutable.
struct RequestCopy: @unchecked Sendable {
  let object: UNNotificationRequest
  init(_ object: UNNotificationRequest) { self.object = object }
}
