import Foundation
import UserNotifications

/// An immutable copy of the content that the extension passed to the content handler.
///
/// `@unchecked Sendable`: the copy and its properties are immutable objects.
struct ContentCopy: @unchecked Sendable {
  let content: UNNotificationContent
  /// The files that were moved when the handler was called, which belong to the system from then on.
  let moved: [URL]

  init(_ content: UNNotificationContent, moved: [URL] = []) {
    self.moved = moved
    self.content = content.copy() as? UNNotificationContent ?? UNNotificationContent()
  }
}

/// A notification request; it is `@unchecked Sendable`, because it is immutable.
struct RequestCopy: @unchecked Sendable {
  let object: UNNotificationRequest
  init(_ object: UNNotificationRequest) { self.object = object }
}
