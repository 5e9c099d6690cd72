public import Foundation
public import PushPayload

/// The system's callbacks. They may be called on any thread, before and after ``PushDevice/start()``, and return when their
/// values are on disk.
extension PushDevice {
  /// Sets the push token.
  ///
  /// Call it in the application's delegate, in `didRegisterForRemoteNotificationsWithDeviceToken`. Ask for the token at each
  /// start, by `registerForRemoteNotifications()`; it is sent only if it has changed.
  ///
  /// - Parameter token: The token, as the system gives it.
  public func setToken(_ token: Data) {
    let digits = [UInt8](token).hexadecimal
    change { record in record.want(MemberKey.token, .string(digits)) }
  }

  /// Reports that the system gave no push token; the server keeps the earlier one.
  ///
  /// - Parameter error: The system's error.
  public func reportTokenFailure(_ error: any Error) {
    board.note(PushStatus.Problem(path: "token", reason: error.localizedDescription))
  }

  /// Records a person's response to a notification.
  ///
  /// The receipt and the tap are on disk when it returns, so call it before the system's completion handler. A response that is
  /// reported twice counts once.
  ///
  /// - Parameters:
  ///   - payload: The payload of the notification.
  ///   - request: The identifier of the notification's request.
  ///   - action: The response; `nil` for a tap on the notification itself.
  ///   - text: The text that the person typed.
  /// - Returns: The tap, which ``openings`` delivers too; `nil` if the notification is not of this server, or was dismissed.
  @discardableResult
  public func recordOpening(
    payload: JSONValue, request: String, action: NotificationAction? = nil, text: String? = nil
  ) -> Opening? {
    guard let notification = Self.notificationID(in: payload) else { return nil }
    let now = environment.now()
    if action == .dismiss {
      memory.add([.receipt(.dismissed, notification: notification, at: now)])
      changed()
      return nil
    }
    let opening = Opening(
      notificationID: notification, request: request, payload: payload,
      action: action?.rawValue, text: text)
    if box.isNew(opening) {
      box.add(opening)
      let event = action == nil ? ReceiptEvent.opened : .action
      memory.add([
        .receipt(event, notification: notification, at: now), .opening(opening, at: now),
      ])
      box.deliver()
      changed()
    }
    return opening
  }

  /// Records that a notification was shown while the app was in the foreground.
  ///
  /// - Parameter payload: The payload of the notification.
  /// - Returns: Whether the notification is one of this server.
  @discardableResult
  public func recordPresentation(payload: JSONValue) -> Bool {
    guard let notification = Self.notificationID(in: payload) else { return false }
    memory.add([.receipt(.displayed, notification: notification, at: environment.now())])
    changed()
    return true
  }

  /// The notification's identifier at the server; `nil` if a Martlet server did not send it.
  private static func notificationID(in payload: JSONValue) -> String? {
    guard let id = payload["_nid"]?.string, (1...64).contains(id.unicodeScalars.count) else {
      return nil
    }
    return id
  }
}

/// The action that a person chose for a notification.
public struct NotificationAction: RawRepresentable, Hashable, Sendable {
  /// The identifier of the button.
  public let rawValue: String

  /// Creates an action.
  ///
  /// - Parameter rawValue: The identifier of the button.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The person dismissed the notification, which categories with `customDismissAction` report.
  public static let dismiss = NotificationAction(
    rawValue: "com.apple.UNNotificationDismissActionIdentifier")
}
