import Foundation
public import NotificationHost
public import UserNotifications

#if canImport(Testing)  // A build with --static-swift-stdlib has no Testing.
  import Testing
#endif

/// A `VirtualPhone` for one test, with temporary folders that are deleted with it and its reports.
///
/// ```swift
/// let phone = try TestPhone { NotificationService() }
/// let report = try await phone.deliver(#"{"aps": {"alert": "Hello", "mutable-content": 1}}"#)
/// report.expect(.displayed, body: "Hello")
/// ```
///
/// Time is virtual, so an extension that uses up its 30 seconds takes milliseconds.
///
/// In a test with the trait `explained`, a failure of any kind attaches what the phone did to the test.
public final class TestPhone: Sendable {
  /// The host, for tests that do more than deliver a payload.
  public let host: VirtualPhone
  let journal = PhoneJournal()
  private let clock: VirtualClock
  private let folder: PhoneFolder

  /// Creates a phone with one app.
  ///
  /// - Parameters:
  ///   - responses: The response of each URL. Any other URL fails as if the phone were offline.
  ///   - clock: The clock.
  ///   - behavior: Switches for behavior that Apple does not document.
  ///   - edit: Changes the app, for example its settings, entitlements or lock state. An app group with an identifier and
  ///     without a folder gets one, which is deleted with the phone.
  ///   - makeExtension: Creates an instance of the extension's principal class, once for each notification.
  /// - Throws: An error if a temporary folder cannot be created.
  public init(
    _ responses: [String: ScriptedNetwork.Response] = [:], clock: VirtualClock = VirtualClock(),
    behavior: HostBehavior = HostBehavior(),
    app edit: (inout VirtualPhone.App) -> Void = { _ in },
    makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
  ) throws {
    self.clock = clock
    folder = try PhoneFolder()
    var app = VirtualPhone.App(
      container: folder.url.appending(path: "container"), makeExtension: makeExtension)
    app.temporaryDirectory = folder.url.appending(path: "tmp")
    app.network = ScriptedNetwork(responses, clock: clock)
    edit(&app)
    if app.appGroupIdentifier != nil, app.appGroup == nil {
      app.appGroup = folder.url.appending(path: "group")
    }
    for folder in [app.container, app.temporaryDirectory, app.appGroup].compactMap(\.self) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    host = VirtualPhone(app: app, clock: clock, behavior: behavior, journal: journal)
    #if canImport(Testing)
      ExplainedTest.current?.add(self)
    #endif
  }

  /// Delivers a push.
  ///
  /// If the task is canceled, as when the time limit of a test is over, a warning of the test names the open work.
  ///
  /// - Parameters:
  ///   - json: The payload's JSON text.
  ///   - pushType: The header `apns-push-type`, such as `alert`; `nil` if it is absent.
  /// - Returns: The report, whose attachments exist as long as the phone or the report.
  /// - Throws: `JSONError` if the text is not JSON; `CancellationError` if the task is canceled.
  public func deliver(_ json: String, pushType: String? = "alert") async throws -> DeliveryReport {
    let message = try PushMessage(json: json, pushType: pushType)
    let (reports, continuation) = AsyncStream.makeStream(of: DeliveryReport.self)
    host.deliver(message) { report in
      continuation.yield(report)
      continuation.finish()
    }
    for await var report in reports {
      report.folder = folder
      return report
    }
    #if canImport(Testing)
      if ExplainedTest.current == nil, let test = Test.current {
        Issue.record(
          "\(OpenWork.sentence(of: [self]))", severity: .warning,
          sourceLocation: test.sourceLocation)
      }
    #endif
    throw CancellationError()
  }

  /// The events of all pushes, one on each line with the time of the clock.
  ///
  /// They are arrivals, decisions, requests and responses.
  ///
  /// Print it to see what the phone did and when. Work that is not done yet stands at the end.
  ///
  /// ```text
  ///   0.000 s  push 1  arrives as alert
  ///   0.000 s  push 1  the extension begins to run
  ///   0.000 s  push 1  GET https://cdn.example/a.png
  /// ```
  public var timeline: String {
    PhoneTimeline(journal.pushes.map(\.log), now: clock.now).description
  }

  /// The work that is open, one line each.
  var openWork: [String] {
    PhoneTimeline(journal.pushes.map(\.log), now: clock.now).openLines
  }
}

/// The folder of a phone's files, which is deleted with its last user.
private final class PhoneFolder: Sendable {
  let url: URL

  init() throws { url = try PhoneFolders.folder() }

  deinit { try? FileManager.default.removeItem(at: url) }
}
