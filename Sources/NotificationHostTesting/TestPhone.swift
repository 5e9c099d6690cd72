import Foundation
public import NotificationHost
public import UserNotifications

/// A phone for one test: a `NotificationHost` whose folders are its own and go when it goes.
///
/// ```swift
/// let phone = try TestPhone { NotificationService() }
/// let report = try await phone.deliver(#"{"aps": {"alert": "Hello", "mutable-content": 1}}"#)
/// report.expect(.displayed, body: "Hello")
/// ```
///
/// Time is virtual: an extension that uses up its thirty seconds costs the test milliseconds.
public final class TestPhone: Sendable {
  /// The host, for what a test does beyond delivering a payload.
  public let host: NotificationHost
  private let folder: URL

  /// Makes a phone with one app.
  ///
  /// - Parameters:
  ///   - answers: What each URL answers; the network is up and knows no other.
  ///   - clock: Its time, for what else a test puts on it.
  ///   - behavior: What Apple does not document.
  ///   - edit: Changes the app: its settings, entitlements, categories, lock state …
  ///   - makeExtension: Makes the principal class, once for each notification.
  /// - Throws: Why its folder cannot be made.
  public init(
    _ answers: [String: ScriptedNetwork.Answer] = [:], clock: VirtualClock = VirtualClock(),
    behavior: HostBehavior = HostBehavior(),
    app edit: (inout NotificationHost.App) -> Void = { _ in },
    makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")
    var app = NotificationHost.App(
      container: folder.appending(path: "container"), makeExtension: makeExtension)
    app.temporaryDirectory = folder.appending(path: "tmp")
    app.network = ScriptedNetwork(answers, clock: clock)
    edit(&app)
    for made in [app.container, app.temporaryDirectory] {
      try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    }
    host = NotificationHost(app: app, clock: clock, behavior: behavior)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Delivers a payload as it is written.
  ///
  /// - Parameters:
  ///   - json: The payload.
  ///   - pushType: `alert`, `background`, …; `nil` where the sender left it out.
  /// - Returns: What became of it; the files it shows exist as long as the phone.
  /// - Throws: `JSONError` where the payload is not JSON.
  public func deliver(_ json: String, pushType: String? = "alert") async throws -> DeliveryReport {
    await host.deliver(try PushMessage(json: json, pushType: pushType))
  }
}
