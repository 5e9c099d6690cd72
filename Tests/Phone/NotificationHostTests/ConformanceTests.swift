import APNsConformance
import Foundation
import NotificationHost
import PushPayload
import Synchronization
import TestSupport
import Testing
import UserNotifications

@Suite("The model of iOS against the rules about phones", .timeLimit(.minutes(5)))
struct ConformanceTests {
  static let rules = (try? ConformanceRules.all().filter { $0.phoneCase != nil }) ?? []

  @Test("the model keeps each rule", arguments: rules)
  func keeps(rule: ConformanceRule) async throws {
    let test = try PhoneCase(try #require(rule.phoneCase))
    let (report, error) = try await test.run()
    #expect(test.problems(in: report, error: error) == [], "\(rule.id): \(report)")
  }

  @Test("another outcome than that of a rule is a problem")
  func fails() async throws {
    for rule in Self.rules {
      let test = try PhoneCase(try #require(rule.phoneCase))
      let report = DeliveryReport(outcome: .dropped, reason: "")
      #expect(!test.problems(in: report, error: nil).isEmpty, "\(rule.id)")
    }
  }
}

/// The case of a rule about phones, which a virtual phone runs.
private struct PhoneCase: Decodable {
  struct Reply: Decodable, Sendable {
    struct File: Decodable, Sendable {
      var name: String
      var media: String?
      var bytes: Int?
      var hint: String?
    }
    var set: [String: JSONValue]?
    var silent: Bool?
    var attach: File?
  }

  struct Expectation: Decodable {
    var outcome: String
    var ran: Bool?
    var expired: Bool?
    var wakes: Bool?
    var content: [String: JSONValue]?
    var attachments: [String]?
    var error: Int?
  }

  var payload: JSONValue
  var pushType: String?
  var collapseID: String?
  var allowed: [String]?
  var entitlements: [String]?
  var strings: [String: String]?
  var reply: Reply?
  var expect: Expectation

  private enum CodingKeys: String, CodingKey {
    case payload, allowed, entitlements, strings, expect
    case pushType = "push-type"
    case collapseID = "collapse-id"
    case reply = "extension"
  }

  init(_ json: JSONValue) throws {
    self = try JSONDecoder().decode(PhoneCase.self, from: json.serialized())
  }

  /// Delivers the push, and returns the code of the error that the extension's attachment was refused with.
  func run() async throws -> (DeliveryReport, error: Int?) {
    let folder = TemporaryFolder()
    let box = ErrorCode()
    var app = VirtualPhone.App(container: folder.url)
    app.temporaryDirectory = folder.url
    if let allowed {
      app.settings = .denied
      for name in allowed {
        let allow = try #require(Self.settings[name])
        allow(&app.settings)
      }
    }
    if let entitlements {
      app.entitlements.timeSensitive = entitlements.contains("time-sensitive")
      app.entitlements.filtering = entitlements.contains("filtering")
      app.entitlements.criticalAlerts = entitlements.contains("critical-alerts")
    }
    if let strings {
      let bundle = folder.url.appending(path: "App.app")
      let language = bundle.appending(path: "en.lproj")
      try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
      let text = strings.map { "\"\($0.key)\" = \"\($0.value)\";\n" }.joined()
      try Data(text.utf8).write(to: language.appending(path: "Localizable.strings"))
      app.bundle = bundle
    }
    if let reply {
      let url = folder.url
      app.makeExtension = {
        HostFlowTests.Scripted { request, handler in
          guard reply.silent != true,
            let content = request.content.mutableCopy() as? UNMutableNotificationContent
          else { return }
          Self.change(content, as: reply, in: url) { code in box.value.withLock { $0 = code } }
          handler(content)
        }
      }
    }
    let message = PushMessage(
      payload: payload, pushType: pushType ?? "alert", collapseID: collapseID)
    let report = await VirtualPhone(app: app).deliver(message)
    return (report, box.value.withLock { $0 })
  }

  private final class ErrorCode: Sendable {
    let value = Mutex<Int?>(nil)
  }

  private static let settings: [String: @Sendable (inout NotificationSettings) -> Void] = [
    "alerts": { $0.alerts = true }, "lock-screen": { $0.lockScreen = true },
    "notification-center": { $0.notificationCenter = true }, "badges": { $0.badges = true },
    "sounds": { $0.sounds = true },
  ]

  private static func change(
    _ content: UNMutableNotificationContent, as reply: Reply, in folder: URL,
    refused: (Int) -> Void
  ) {
    for (name, value) in reply.set ?? [:] {
      switch name {
      case "title": content.title = value.string ?? ""
      case "subtitle": content.subtitle = value.string ?? ""
      case "body": content.body = value.string ?? ""
      default: content.userInfo = value.object?.mapValues { $0.integer ?? 0 } ?? [:]
      }
    }
    guard let file = reply.attach else { return }
    let url = folder.appending(path: file.name)
    if let media = file.media {
      try? FileManager.default.copyItem(at: Fixtures.url("media/\(media)"), to: url)
    }
    if let bytes = file.bytes {
      _ = FileManager.default.createFile(atPath: url.path(), contents: nil)
      let handle = try? FileHandle(forWritingTo: url)
      try? handle?.truncate(atOffset: UInt64(bytes))
      try? handle?.close()
    }
    let options = file.hint.map { [UNNotificationAttachmentOptionsTypeHintKey: $0] }
    do {
      content.attachments = [
        try UNNotificationAttachment(identifier: "", url: url, options: options)
      ]
    } catch { refused((error as? UNError)?.code.rawValue ?? -1) }
  }

  /// The differences of a report from what the rule asks for.
  func problems(in report: DeliveryReport, error: Int?) -> [String] {
    var problems: [String] = []
    func check<Value: Equatable>(_ name: String, _ came: Value, _ wanted: Value?) {
      if let wanted, wanted != came { problems.append("\(name) is \(came), and not \(wanted)") }
    }
    check("outcome", report.outcome.rawValue, expect.outcome)
    check("ran", report.run.ran, expect.ran)
    check("expired", report.run.expired, expect.expired)
    check("wakes", report.wakesApp, expect.wakes)
    check("attachments", report.attachments.map(\.type), expect.attachments)
    if expect.error != nil { check("error", error, .some(expect.error)) }
    let content = report.content.map(Self.members) ?? [:]
    for (name, wanted) in expect.content ?? [:] {
      check(name, content[name] ?? .null, wanted)
    }
    return problems
  }

  private static func members(of content: ShownContent) -> [String: JSONValue] {
    [
      "requestIdentifier": .string(content.requestIdentifier), "title": .string(content.title),
      "subtitle": .string(content.subtitle), "body": .string(content.body),
      "badge": content.badge.map { .integer(Int64($0)) } ?? .null,
      "sound": content.sound.map(JSONValue.string) ?? .null,
      "categoryIdentifier": .string(content.categoryIdentifier),
      "threadIdentifier": .string(content.threadIdentifier),
      "interruptionLevel": .string(content.interruptionLevel),
      "relevanceScore": .number(content.relevanceScore), "userInfo": content.userInfo,
    ]
  }
}
