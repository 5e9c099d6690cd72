import PushPayload
import Testing
import _HTTP2

@testable import APNs
@testable import APNsSandbox
@testable import PayloadLint

/// Compares what the APNs client, the sandbox and `martlet lint` say of the same request.
///
/// Client and lint read `PushType.Requirements`; the sandbox has a table of its own.
@Suite("Client, sandbox and lint agree about what a push type requires")
struct PushTypeAgreementTests {
  static let bundleID = "com.example.app"

  /// Topics with each suffix that some push type has, and topics that are wrong for every type.
  static let topics: [String] = {
    let suffixes = Set(PushType.all.map(\.requirements.topicSuffix)).sorted()
    return suffixes.map { bundleID + $0 } + [
      "", "com.example.my app", "com.example.äpp", String(repeating: "a", count: 256),
    ]
  }()
  static let priorities: [Int?] = [nil, -1, 0, 1, 2, 4, 5, 6, 7, 9, 10, 11, 100]
  static let expirations: [Int64?] = [nil, -1, 0, 1, 1_798_135_200, .max]
  static let collapseIDs: [String?] = [
    nil, "", "match", String(repeating: "ü", count: 32), String(repeating: "ü", count: 32) + "x",
  ]
  static let payloadSizes = [0, 1, 4096, 4097, 5120, 5121]

  /// A push that has nothing wrong, for a type.
  static func push(_ type: PushType) -> APNsNotification {
    APNsNotification(
      deviceToken: "0a0b", topic: type.topic(forBundleID: bundleID), pushType: type, priority: 5,
      payload: [0x20])
  }

  /// One change of a push, and its name where a test fails.
  struct Change: Sendable {
    var name: String
    var apply: @Sendable (inout APNsNotification) -> Void
  }

  static let changes: [Change] =
    topics.flatMap { topic in
      priorities.map { priority in
        Change(name: "topic \(topic), priority \(priority.map(String.init) ?? "none")") {
          $0.topic = topic
          $0.priority = priority
        }
      }
    }
    + expirations.map { value in
      Change(name: "expiration \(value.map(String.init) ?? "none")") {
        $0.expiration = value.map(APNsExpiration.init(seconds:))
      }
    }
    + collapseIDs.map { value in
      Change(name: "collapse id \(value ?? "none")") { $0.collapseID = value }
    }
    + payloadSizes.map { size in
      Change(name: "\(size) bytes") { $0.payload = [UInt8](repeating: 0x20, count: size) }
    }

  @Test("the client refuses what the sandbox refuses, and nothing else", arguments: PushType.all)
  func sandbox(type: PushType) throws {
    let sandbox = try SandboxProbe(token: "0a0b", bundleID: Self.bundleID)
    var wrong: [String] = []
    for change in Self.changes {
      var push = Self.push(type)
      change.apply(&push)
      let isRefused = push.problem(withToken: true) != nil
      let reason = sandbox.refusal(of: push)
      // Whether a topic such as com.example.app.voip is the bundle ID of the token's app is known to APNs
      // alone, and here to the sandbox, which is configured with the app.
      if reason == "DeviceTokenNotForTopic", !isRefused, type.requirements.topicSuffix.isEmpty,
        PushType.likelyType(ofTopic: push.topic) != nil
      {
        continue
      }
      if isRefused != (reason != nil) {
        wrong.append("\(change.name): client \(isRefused), sandbox \(reason ?? "200")")
      }
    }
    #expect(wrong == [])
  }

  @Test("lint reports an error where the client refuses a header", arguments: PushType.all)
  func lint(type: PushType) {
    var wrong: [String] = []
    // Lint does not check a header that it was not given, so it is always given a priority and a topic.
    let changes =
      Self.changes.map(\.apply) + [
        { $0.collapseID = " match" }, { $0.collapseID = "match\n" }, { $0.collapseID = "a\u{7F}" },
      ]
    for apply in changes {
      var push = Self.push(type)
      apply(&push)
      guard let priority = push.priority, push.payload == [0x20] else { continue }
      let headers = LintHeaders(
        pushType: type.rawValue, priority: String(priority),
        expiration: push.expiration.map { String($0.seconds) }, collapseID: push.collapseID,
        topic: push.topic)
      let report = LintReport(Self.payload(of: type), headers)
      let problem = push.problem(withToken: true)
      if report.hasErrors != (problem != nil) {
        wrong.append("\(headers.options): client \(problem ?? "sends"), lint \(report.lines)")
      }
    }
    #expect(wrong == [])
  }

  @Test("lint and client have the same limit of the payload", arguments: PushType.all)
  func payloadSize(type: PushType) {
    let limit = type.requirements.payloadLimit
    for size in [limit, limit + 1] {
      var push = Self.push(type)
      push.payload = [UInt8](LimitTests.payload(size).utf8)
      let report = LintReport(
        LintSubject(push.payload, headers: LintHeaders(pushType: type.rawValue), now: nil))
      #expect(report.lines.contains("M121 $") == (push.problem(withToken: true) != nil))
      #expect((push.problem(withToken: true) == nil) == (size == limit))
    }
  }

  @Test("without a priority the client refuses a background push, and lint is silent")
  func missingPriority() {
    for type in PushType.all {
      var push = Self.push(type)
      push.priority = nil
      #expect((push.problem(withToken: true) != nil) == (type == .background))
      let headers = LintHeaders(pushType: type.rawValue, topic: push.topic)
      #expect(!LintReport(Self.payload(of: type), headers).hasErrors)
    }
  }

  @Test("an unknown push type is an error of lint, and the client leaves it to APNs")
  func unknownType() {
    let type = PushType(rawValue: "invented")
    #expect(Self.push(type).problem(withToken: true) == nil)
    let headers = LintHeaders(pushType: type.rawValue)
    #expect(LintReport(#"{"aps":{"alert":"A"}}"#, headers).lines == ["M601 apns-push-type"])
  }

  /// A payload that has nothing wrong, for a type.
  static func payload(of type: PushType) -> String {
    switch type {
    case .background: #"{"aps":{"content-available":1}}"#
    case .liveActivity: #"{"aps":{"timestamp":1798135200,"event":"update","content-state":{}}}"#
    case .widgets, .controls: #"{"aps":{"content-changed":true}}"#
    default: #"{"aps":{"alert":"Hello"}}"#
    }
  }
}

/// The rules of the sandbox, asked without a connection.
struct SandboxProbe {
  private let rules: SandboxRules
  /// A provider token in form; the sandbox checks no signature where it has no key.
  private let authorization =
    "bearer eyJhbGciOiJFUzI1NiIsImtpZCI6IktFWTEyMzQ1NjcifQ."
    + "eyJpYXQiOjE3OTgxMzUyMDAsImlzcyI6IlRFQU0xMjM0NTYifQ." + String(repeating: "A", count: 86)

  init(token: String, bundleID: String) throws {
    var configuration = VirtualAPNs.Configuration(certificatePEM: "", keyPEM: "")
    configuration.apps = [token: bundleID]
    rules = try SandboxRules(configuration)
  }

  /// The reason with which the sandbox refuses a push; `nil` where it accepts it.
  func refusal(of push: APNsNotification) -> String? {
    var fields = [
      (":method", "POST"), (":path", "/3/device/" + push.deviceToken),
      ("authorization", authorization), ("apns-id", push.id), ("apns-topic", push.topic),
      ("apns-push-type", push.pushType.rawValue),
    ]
    if let priority = push.priority { fields.append(("apns-priority", String(priority))) }
    if let expiration = push.expiration {
      fields.append(("apns-expiration", String(expiration.seconds)))
    }
    if let collapseID = push.collapseID { fields.append(("apns-collapse-id", collapseID)) }
    let names = SandboxRequest.Field.allCases.map { String(describing: $0.name) }
    let request = SandboxRequest(
      fields.map { HeaderField($0.0, $0.1, number: names.firstIndex(of: $0.0)) }, arrivedAt: .zero)
    request.receive(push.payload)
    var provider = SandboxProvider()
    do throws(SandboxRules.Refusal) {
      try rules.check(request, &provider, now: 1_798_135_200_000)
      return nil
    } catch {
      return error.reason
    }
  }
}
