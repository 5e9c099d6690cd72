import Foundation
public import NotificationHost
public import UserNotifications

/// A `VirtualPhone` for one test, with temporary folders that are deleted with it.
///
/// ```swift
/// let phone = try TestPhone { NotificationService() }
/// let report = try await phone.deliver(#"{"aps": {"alert": "Hello", "mutable-content": 1}}"#)
/// report.expect(.displayed, body: "Hello")
/// ```
///
/// Time is virtual, so an extension that uses up its 30 seconds takes milliseconds.
public final class TestPhone: Sendable {
  /// The host, for tests that do more than deliver a payload.
  public let host: VirtualPhone
  private let folder: URL

  /// Creates a phone with one app.
  ///
  /// - Parameters:
  ///   - responses: The response of each URL. Any other URL fails as if the phone were offline.
  ///   - clock: The clock.
  ///   - behavior: Switches for behavior that Apple does not document.
  ///   - edit: Changes the app, for example its settings, entitlements or lock state.
  ///   - makeExtension: Creates an instance of the extension's principal class, once for each notification.
  /// - Throws: An error if a temporary folder cannot be created.
  public init(
    _ responses: [String: ScriptedNetwork.Response] = [:], clock: VirtualClock = VirtualClock(),
    behavior: HostBehavior = HostBehavior(),
    app edit: (inout VirtualPhone.App) -> Void = { _ in },
    makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
    var app = VirtualPhone.App(
      container: folder.appending(path: "container"), makeExtension: makeExtension)
    app.temporaryDirectory = folder.appending(path: "tmp")
    app.network = ScriptedNetwork(responses, clock: clock)
    edit(&app)
    for folder in [app.container, app.temporaryDirectory] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    host = VirtualPhone(app: app, clock: clock, behavior: behavior)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Delivers a push.
  ///
  /// - Parameters:
  ///   - json: The payload's JSON text.
  ///   - pushType: The header `apns-push-type`, such as `alert`; `nil` if it is absent.
  /// - Returns: The report, whose attachments exist as long as the phone.
  /// - Throws: `JSONError` if the text is not JSON.
  public func deliver(_ json: String, pushType: String? = "alert") async throws -> DeliveryReport {
    await host.deliver(try PushMessage(json: json, pushType: pushType))
  }
}
