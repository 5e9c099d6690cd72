import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
import UserNotifications

@Suite("The model of iOS", .timeLimit(.minutes(10)))
struct HostFlowTests {
  /// An extension whose behavior is a closure.
  final class Scripted: UNNotificationServiceExtension {
    typealias Handler = (UNNotificationContent) -> Void
    typealias Receive = @Sendable (UNNotificationRequest, @escaping Handler) -> Void
    private let receive: Receive
    private let warn: @Sendable () -> Void

    init(
      warn: @escaping @Sendable () -> Void = {},
      _ receive: @escaping Receive
    ) {
      self.receive = receive
      self.warn = warn
    }

    override func didReceive(
      _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping Handler
    ) { receive(request, contentHandler) }

    override func serviceExtensionTimeWillExpire() { warn() }
  }

  static let plain = #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1}}"#

  static func deliver(
    _ json: String = plain, pushType: String? = "alert",
    settings: NotificationSettings = NotificationSettings(),
    behavior: HostBehavior = HostBehavior(),
    categories: [String] = [], folder: TemporaryFolder? = nil,
    running make: (@Sendable () -> UNNotificationServiceExtension)?
  ) async throws -> DeliveryReport {
    let folder = folder ?? TemporaryFolder()
    var app = VirtualPhone.App(container: folder.url, makeExtension: make)
    app.temporaryDirectory = folder.url
    app.settings = settings
    app.extensionCategories = categories
    let message = PushMessage(payload: try JSONValue(parsing: json), pushType: pushType)
    return await VirtualPhone(app: app, behavior: behavior).deliver(message)
  }

  static func changing(_ change: @escaping @Sendable (UNMutableNotificationContent) -> Void)
    -> @Sendable () -> UNNotificationServiceExtension
  {
    {
      Scripted { request, handler in
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        change(content)
        handler(content)
      }
    }
  }

  @Test(
    "the extension runs only for a mutable alert",
    arguments: [
      (plain, "alert", true), (plain, nil, true), (plain, "background", false),
      (#"{"aps":{"alert":"B"}}"#, "alert", false),
      (#"{"aps":{"alert":"B","mutable-content":0}}"#, "alert", false),
      (#"{"aps":{"alert":"B","mutable-content":-1}}"#, "alert", false),
      (#"{"aps":{"alert":"B","mutable-content":"1"}}"#, "alert", true),
      (#"{"aps":{"alert":"B","mutable-content":true}}"#, "alert", true),
      (#"{"aps":{"alert":"B","mutable-content":false}}"#, "alert", false),
      (#"{"aps":{"badge":1,"mutable-content":1}}"#, "alert", false),
      (#"{"aps":{"sound":"default","mutable-content":1}}"#, "alert", false),
      (#"{"aps":{"alert":{"subtitle":"S"},"mutable-content":1}}"#, "alert", true),
      (#"{"aps":{"alert":"","badge":1,"mutable-content":1}}"#, "alert", false),
    ] as [(String, String?, Bool)])
  func eligibility(json: String, pushType: String?, runs: Bool) async throws {
    let report = try await Self.deliver(
      json, pushType: pushType, running: Self.changing { $0.title = "changed" })
    #expect(report.run.ran == runs)
    #expect((report.content?.title == "changed") == runs)
  }

  @Test("quiet delivery runs the extension, alerts off do not")
  func settings() async throws {
    var quiet = NotificationSettings()
    (quiet.alerts, quiet.lockScreen) = (false, false)
    #expect(try await Self.deliver(settings: quiet, running: Self.changing { _ in }).run.ran)
    let denied = try await Self.deliver(settings: .denied, running: Self.changing { _ in })
    #expect(!denied.run.ran)
    #expect(denied.outcome == .notDisplayed)
  }

  @Test("without an extension the original is shown")
  func noExtension() async throws {
    let report = try await Self.deliver(running: nil)
    #expect(report.outcome == .displayed)
    #expect(report.content?.body == "B")
    #expect(report.reason == "the app has no notification service extension")
  }

  @Test(
    "an unusable payload is dropped",
    arguments: [
      "{}", #"{"aps":{}}"#, #"{"aps":1}"#, "[]", #"{"aps":{"alert":5}}"#,
      #"{"aps":{"alert":"","mutable-content":1}}"#,
    ])
  func dropped(json: String) async throws {
    #expect(try await Self.deliver(json, running: Self.changing { _ in }).outcome == .dropped)
  }

  @Test("warned at 29 s, ended at 30 s, on a clock that jumps")
  func times() async throws {
    let warnings = Mutex(0)
    let report = try await Self.deliver {
      Scripted(warn: { warnings.withLock { $0 += 1 } }) { _, _ in }
    }
    #expect(warnings.withLock { $0 } == 1)
    #expect(report.run.expired)
    #expect(report.run.elapsed >= .seconds(30) && report.run.elapsed < .seconds(31))
    #expect(report.outcome == .displayedOriginal)
    #expect(report.content?.body == "B")
  }

  @Test("a blocked extension is ended")
  func blocked() async throws {
    var behavior = HostBehavior()
    behavior.timeLimit = .milliseconds(300)
    behavior.expiryGrace = .milliseconds(100)
    let gate = DispatchSemaphore(value: 0)
    let report = try await Self.deliver(behavior: behavior) { Scripted { _, _ in gate.wait() } }
    gate.signal()
    #expect(report.outcome == .displayedOriginal)
    #expect(report.run.handlerCalls == 0)
  }

  @Test("a launch that outlasts the grace is warned after it")
  func lateWarning() async throws {
    var behavior = HostBehavior()
    behavior.expiryGrace = behavior.timeLimit
    let kept = Mutex<Kept?>(nil)
    let report = try await Self.deliver(behavior: behavior) {
      Scripted(warn: { kept.withLock { $0 }?.reply() }) { request, handler in
        kept.withLock { $0 = Kept(content: request.content, handler: handler) }
      }
    }
    #expect(report.outcome == .displayed)
    #expect(report.run.expired && report.run.handlerCalls == 1)
  }

  final class EndOfLife: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  /// `@unchecked Sendable`: the content is immutable, and the handler may be called from any thread.
  struct Kept: @unchecked Sendable {
    let content: UNNotificationContent
    let handler: Scripted.Handler
    func reply() { handler(content) }
  }

  @Test("an instance that is made too late never sees the notification")
  func slowLaunch() async throws {
    var behavior = HostBehavior()
    behavior.timeLimit = .milliseconds(50)
    behavior.expiryGrace = .milliseconds(10)
    let gate = DispatchSemaphore(value: 0)
    let (ended, end) = AsyncStream<Void>.makeStream()
    let received = Mutex(false)
    let report = try await Self.deliver(behavior: behavior) {
      gate.wait()
      let token = EndOfLife { end.finish() }
      return Scripted { _, _ in
        withExtendedLifetime(token) { received.withLock { $0 = true } }
      }
    }
    #expect(report.outcome == .displayedOriginal && !report.run.expired)
    gate.signal()
    // The instance is let go of, and was never asked.
    for await _ in ended {}
    #expect(!received.withLock { $0 })
  }

  @Test("attached files of the temporary folder are moved when the handler is called")
  func movedAtTheCall() async throws {
    let folder = TemporaryFolder()
    let file = try folder.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
    let report = try await Self.deliver(folder: folder) {
      Scripted { request, handler in
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.attachments = [
          try! UNNotificationAttachment(identifier: "a", url: file, options: nil)
        ]
        handler(content)
        // Overwritten right after: what is shown is what was there.
        try! Data([1]).write(to: file)
      }
    }
    let shown = try #require(report.attachments.first)
    #expect(try Data(contentsOf: shown.file) == Data(Fixtures.bytes("media/picture.png")))
    #expect(folder.contents == ["Attachments", "picture.png"], "nothing else is left")
  }

  @Test("the first call of the handler counts, later ones are ignored")
  func twice() async throws {
    let report = try await Self.deliver {
      Scripted { request, handler in
        for title in ["first", "second"] {
          let content = request.content.mutableCopy() as! UNMutableNotificationContent
          content.title = title
          handler(content)
        }
      }
    }
    #expect(report.content?.title == "first")
    #expect(report.run.handlerCalls == 2)
  }

  @Test("content changed after the call has no effect")
  func mutation() async throws {
    let report = try await Self.deliver {
      Scripted { request, handler in
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.title = "at the call"
        handler(content)
        content.title = "after the call"
      }
    }
    #expect(report.content?.title == "at the call")
  }

  @Test("content without text shows the original")
  func emptied() async throws {
    let report = try await Self.deliver(
      running: Self.changing { ($0.title, $0.subtitle, $0.body) = ("", "", "") })
    #expect(report.outcome == .displayedOriginal)
    #expect(report.content?.title == "T")
  }

  @Test("an invalid attachment does not affect the others")
  func attachments() async throws {
    let folder = TemporaryFolder()
    let inside = try folder.write(Fixtures.bytes("media/picture.png"), to: "good.png")
    let elsewhere = TemporaryFolder()
    let outside = try elsewhere.write(Fixtures.bytes("media/photo.jpg"), to: "outside.jpg")
    let deleted = try folder.write([1], to: "deleted.gif")
    let report = try await Self.deliver(
      folder: folder,
      running: Self.changing { content in
        content.attachments = [outside, deleted, inside].map {
          try! UNNotificationAttachment(identifier: "", url: $0, options: nil)
        }
        try? FileManager.default.removeItem(at: deleted)
      })
    #expect(report.outcome == .displayed)
    #expect(report.attachments.map(\.type) == ["public.png"])
    #expect(
      report.trace.count { $0.stage.rawValue == "attachments" && $0.message.hasSuffix("(100)") }
        == 2)
    #expect(!folder.contents.contains("good.png"), "the original is gone")
    #expect(FileManager.default.fileExists(atPath: outside.path()))
  }

  @Test("a file of the bundle is copied and not deleted")
  func bundled() async throws {
    let (folder, bundle) = (TemporaryFolder(), TemporaryFolder())
    let file = try bundle.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
    var app = VirtualPhone.App(
      container: folder.url,
      makeExtension: Self.changing {
        $0.attachments = [try! UNNotificationAttachment(identifier: "", url: file, options: nil)]
      })
    app.bundle = bundle.url
    let message = PushMessage(payload: try JSONValue(parsing: Self.plain))
    let report = await VirtualPhone(app: app).deliver(message)
    #expect(report.attachments.count == 1)
    #expect(bundle.contents == ["picture.png"])
  }

  @Test("notifications are processed one after the other")
  func serial() async throws {
    let folder = TemporaryFolder()
    let running = Mutex((now: 0, most: 0))
    let app = VirtualPhone.App(container: folder.url) {
      Scripted { request, handler in
        running.withLock {
          $0.now += 1
          $0.most = max($0.most, $0.now)
        }
        // Decremented before the reply, because the next notification may start at the reply.
        running.withLock { $0.now -= 1 }
        handler(request.content)
      }
    }
    let host = VirtualPhone(app: app)
    let payload = try JSONValue(parsing: Self.plain)
    await withTaskGroup(of: DeliveryReport.self) { group in
      for _ in 0..<20 { group.addTask { await host.deliver(PushMessage(payload: payload)) } }
      for await report in group { #expect(report.outcome == .displayed) }
    }
    #expect(running.withLock { $0.most } == 1)
  }

  @Test(
    "a category restricts the extension only if the switch is on",
    arguments: [(false, true), (true, false)])
  func gate(isOn: Bool, runs: Bool) async throws {
    var behavior = HostBehavior()
    behavior.categoryGatesServiceExtension = isOn
    let report = try await Self.deliver(
      behavior: behavior, categories: ["CAT"], running: Self.changing { _ in })
    #expect(report.run.ran == runs)
  }

  @Test("the identifier is the collapse id; text is localized by key")
  func building() async throws {
    let folder = TemporaryFolder()
    let json =
      #"{"aps":{"alert":{"title":"%2$@ %1$@ 5%% %x","title-loc-key":"K","title-loc-args":["a",2]},"badge":-1,"relevance-score":7,"interruption-level":"loud"}}"#
    let host = VirtualPhone(app: .init(container: folder.url))
    let report = await host.deliver(
      PushMessage(payload: try JSONValue(parsing: json), collapseID: "c1"))
    #expect(report.content?.requestIdentifier == "c1")
    #expect(report.content?.title == "2 a 5% ")
    #expect(report.content?.badge == nil)
    #expect(report.content?.relevanceScore == 1)
    #expect(report.content?.interruptionLevel == "active")
  }
}

@Suite("The replacement of UserNotifications")
struct LookAlikeTests {
  @Test(
    "an attachment checks file, type and size, with Apple's error codes",
    arguments: [
      ("picture.png", nil, nil), ("missing.png", nil, 100), ("notes.txt", nil, 101),
      ("big.mp3", nil, 102),
      ("notes.txt", "public.jpeg", nil), ("notes.txt", "image/jpeg", 101),
    ] as [(String, String?, Int?)])
  func attachment(name: String, hint: String?, code: Int?) throws {
    let folder = TemporaryFolder()
    _ = try folder.write([1, 2, 3], to: "picture.png")
    _ = try folder.write([1, 2, 3], to: "notes.txt")
    _ = try folder.write([UInt8](repeating: 0, count: 5_000_001), to: "big.mp3")
    var thrown: Int?
    do {
      let options = hint.map { [UNNotificationAttachmentOptionsTypeHintKey: $0] }
      _ = try UNNotificationAttachment(identifier: "", url: folder.file(name), options: options)
    } catch let error as UNError {
      thrown = error.code.rawValue
    }
    #expect(thrown == code)
  }

  @Test("a mutable copy does not change its original, and defaults are Apple's")
  func copies() {
    let content = UNMutableNotificationContent()
    #expect(content.title == "" && content.badge == nil && content.attachments.isEmpty)
    #expect(content.interruptionLevel == .active && content.relevanceScore == 0)
    content.title = "A"
    let copy = content.copy() as! UNNotificationContent
    content.title = "B"
    #expect(copy.title == "A")
    #expect(!(copy is UNMutableNotificationContent))
  }
}
