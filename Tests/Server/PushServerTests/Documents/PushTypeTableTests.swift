import APNs
import Foundation
import PayloadLint
import PushPayload
import TestSupport
import Testing
import _TLS

@testable import NotificationHost
@testable import PushServer

@Suite("The table of push types in docs/provider/push-types.md", .timeLimit(.minutes(10)))
struct PushTypeTableTests {
  private static let parts = ["API", "Client", "Sandbox", "Lint", "Model"]

  /// The cells of the table by part, for each type in the order of its rows.
  private static func rows() throws -> [(type: String, cells: [String: String])] {
    let page = try String(
      contentsOf: Repository.url("docs/provider/push-types.md"), encoding: .utf8)
    let lines = page.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.dropFirst().dropLast().split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    #expect(lines.first == ["Push type"] + parts)
    return lines.dropFirst(2).map { cells in
      (cells[0].replacing("`", with: ""), Dictionary(uniqueKeysWithValues: zip(parts, cells[1...])))
    }
  }

  /// The types that the table says a part knows; a cell is "yes", or "no: " with a reason.
  private static func known(by part: String) throws -> [String] {
    try rows().filter { row in
      let cell = row.cells[part] ?? ""
      let isReason = cell.hasPrefix("no: ") && cell.count > 20
      #expect(cell == "yes" || isReason, "\(row.type), \(part): \(cell)")
      return cell == "yes"
    }.map(\.type)
  }

  @Test("it has a row for each type that Apple documents, and no other")
  func complete() throws {
    #expect(try Self.rows().map(\.type) == PushType.all.map(\.rawValue))
    for row in try Self.rows() { #expect(row.cells.count == Self.parts.count, "\(row.type)") }
  }

  @Test("the API sends the types that it says, and none of the others")
  func api() async throws {
    let world = try await ActivityWorld()
    let apple = world.fixture.apple
    try await world.fixture.register("phone")
    try await world.offer(token: "aa")
    for type in ["widgets", "controls"] {
      let path = "/v6/devices/phone/reload-tokens/\(type)"
      #expect(await world.ask("PUT", path, ["tokens": [["token": "bb"]]]).status == 204)
    }
    for payload: JSONValue in [["alert": "Hello"], ["content_available": true, "sync": 1]] {
      #expect(await world.fixture.send(payload).status == 201)
    }
    #expect(await world.push(ActivityWorld.start).status == 201)
    await world.deliver()
    for type in PushType.all.map(\.rawValue) {
      // A type that the API does not know is refused.
      let answer = await world.request(
        "POST", "/v6/reloads", ["reload": ["type": .string(type), "targets": "*"]])
      #expect(answer.status == (["widgets", "controls"].contains(type) ? 200 : 422), "\(type)")
    }
    let sent = Set(apple.taken.map(\.push.pushType.rawValue))
    #expect(try Self.known(by: "API") == sent.sorted())
  }

  /// A push of a type with nothing wrong.
  private static func push(_ type: PushType) -> APNsNotification {
    let payload =
      switch type {
      case .background: #"{"aps":{"content-available":1}}"#
      case .liveActivity: #"{"aps":{"timestamp":1798135200,"event":"update","content-state":{}}}"#
      case .widgets, .controls: #"{"aps":{"content-changed":true}}"#
      case .mdm: #"{"mdm":"magic"}"#
      default: #"{"aps":{"alert":"Hello"}}"#
      }
    return APNsNotification(
      deviceToken: "0a0b", topic: type.topic(forBundleID: "com.example.weather"), pushType: type,
      priority: 5, payload: Array(payload.utf8))
  }

  /// A type that Apple does not have, which no part may know.
  private static let invented = PushType(rawValue: "invented")

  @Test("the client sends, and the sandbox takes, a push of each type that they know")
  func clientAndSandbox() async throws {
    let app = Fixture.newApp("com.example.weather")
    let apns = try await LocalAPNs(for: app)
    var configuration = APNsClient.Configuration(
      credentials: .token(
        ProviderTokenCredentials(
          teamID: app.teamID, keyID: app.keyID, privateKeyPEM: app.privateKey)),
      endpoint: apns.endpoint)
    configuration.extraTrustPEM = apns.authority.certificatePEM
    let client = try APNsClient(configuration: configuration)
    var (byClient, bySandbox): ([String], [String]) = ([], [])
    for type in PushType.all + [Self.invented] {
      let outcome = await client.send(Self.push(type))
      // The client knows a type if it sends a valid push of it, and holds one that is too large.
      var large = Self.push(type)
      large.payload = [UInt8](repeating: 0x20, count: type.payloadLimit + 1)
      let isHeld = await client.send(large).isInvalid
      if outcome.kind == .answered, isHeld, PushType.all.contains(type) {
        byClient.append(type.rawValue)
      }
      if outcome.status == 200 { bySandbox.append(type.rawValue) }
      if type == Self.invented { #expect(outcome.reason == .invalidPushType) }
    }
    await client.close()
    await apns.stop()
    #expect(try Self.known(by: "Client") == byClient)
    #expect(try Self.known(by: "Sandbox") == bySandbox)
  }

  @Test("lint has nothing against a push of each type that it knows, and an error for others")
  func lint() throws {
    let known = (PushType.all + [Self.invented]).filter { type in
      let push = Self.push(type)
      func report(_ topic: String) -> LintReport {
        LintReport(
          LintSubject(
            push.payload,
            headers: LintHeaders(pushType: type.rawValue, priority: "5", topic: topic), now: nil))
      }
      // A suffix of its own, if the type has one, is missed.
      let isTopicJudged =
        type.requirements.topicSuffix.isEmpty || report("com.example.weather").hasErrors
      return !report(push.topic).hasErrors && isTopicJudged
    }
    #expect(try Self.known(by: "Lint") == known.map(\.rawValue))
  }

  @Test("the model of iOS passes a push of each type that it knows to its part of the system")
  func model() throws {
    let known = (PushType.all + [Self.invented]).filter { type in
      [.alert, .background].contains(type) || PushDestination(type.rawValue) != nil
    }
    #expect(try Self.known(by: "Model") == known.map(\.rawValue))
  }
}
