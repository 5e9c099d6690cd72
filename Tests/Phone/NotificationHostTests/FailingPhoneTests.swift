import Foundation
import MediaLoading
import NotificationHost
import NotificationHostTesting
import RichNotifications
import Testing
import UserNotifications

/// Tests that pass, unless the environment variable ``variable`` tells the process to let them fail.
///
/// `ExplanationTests` runs them so in a process of its own, and looks at what is attached.
@Suite("Tests of phones that fail on purpose in a process of their own")
struct FailingPhoneTests {
  static let variable = "MARTLET_TESTS_FAIL"
  /// `expectations` lets tests fail, and `limit` lets one hang until its time limit.
  static let failure = ProcessInfo.processInfo.environment[variable]
  static let url = "https://cdn.example/a.png"
  static let payload =
    #"{"aps": {"alert": "Hello", "mutable-content": 1}, "image_url": "\#(url)"}"#

  final class NotificationService: RichNotificationService {}
  struct Fault: Error {}

  private func phone() throws -> TestPhone {
    let picture = ScriptedNetwork.Response(
      headers: ["Cache-Control": "no-store"], body: .onePixelPNG)
    return try TestPhone([Self.url: picture]) { NotificationService() }
  }

  @Test("an expectation of a report, without the trait")
  func expectsReport() async throws {
    let report = try await phone().deliver(Self.payload)
    report.expect(.displayed, body: Self.failure == nil ? "Hello" : "Bye")
  }

  @Test("a plain expectation after two pushes", .explained)
  func expectsPlainly() async throws {
    let phone = try phone()
    _ = try await phone.deliver(#"{"aps": {"alert": "First", "mutable-content": 1}}"#)
    let report = try await phone.deliver(Self.payload)
    #expect(report.outcome == (Self.failure == nil ? .displayed : .suppressed))
    report.expect(Self.failure == nil ? .displayed : .suppressed)
  }

  @Test("an error", .explained)
  func throwsError() async throws {
    let phone = try phone()
    _ = try await phone.deliver(#"{"aps": {}}"#)
    if Self.failure != nil { throw Fault() }
  }

  @Test("a failure after as many pushes as are attached", .explained)
  func pushesTen() async throws { try await fail(after: 10) }

  @Test("a failure after one push more than are attached", .explained)
  func pushesEleven() async throws { try await fail(after: 11) }

  private func fail(after pushes: Int) async throws {
    let phone = try phone()
    for _ in 0..<pushes { _ = try await phone.deliver(#"{"aps": {}}"#) }
    #expect(Self.failure == nil)
  }

  @Test("a failure that is known", .explained)
  func knowsFailure() async throws {
    let report = try await phone().deliver(Self.payload)
    withKnownIssue { report.expect(.suppressed) }
  }

  @Test("nothing that fails", .explained)
  func passes() async throws {
    let report = try await phone().deliver(Self.payload)
    report.expect(.displayed, attachments: ["public.png"])
  }

  @Test("a delivery that never ends", .explained, .timeLimit(.minutes(1)))
  func hangs() async throws {
    guard let failure = Self.failure else { return }
    let network = SilentNetwork()
    let phone = try StuckService.phone(network)
    let delivery = Task { try await phone.deliver(Self.payload) }
    await network.hasRequest()
    if failure != "limit" {
      withUnsafeCurrentTask { $0?.cancel() }
      Issue.record("the test has canceled itself")
    }
    // The task of the test is the one that is canceled.
    _ = try await withTaskCancellationHandler {
      try await delivery.value
    } onCancel: {
      delivery.cancel()
    }
  }
}

/// An extension that replies when the load of a picture ends.
final class StuckService: UNNotificationServiceExtension {
  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let text = request.content.userInfo["image_url"] as? String, let url = URL(string: text)
    else { return contentHandler(request.content) }
    nonisolated(unsafe) let (content, reply) = (request.content, contentHandler)
    URLSession.shared.dataTask(with: url) { _, _, _ in reply(content) }.resume()
  }

  /// A phone whose extension has no time limit, so that it waits for the network.
  static func phone(_ network: SilentNetwork) throws -> TestPhone {
    var behavior = HostBehavior()
    behavior.isDebugging = true
    let clock = VirtualClock()
    network.use(clock)
    return try TestPhone(clock: clock, behavior: behavior) {
      $0.network = network
    } makeExtension: {
      StuckService()
    }
  }
}
