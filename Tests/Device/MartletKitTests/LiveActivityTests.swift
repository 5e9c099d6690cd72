import Foundation
import PushPayload
import Synchronization
import Testing

@testable import MartletKit

@Suite("Live Activities", .timeLimit(.minutes(10)))
struct LiveActivityTests {
  private static let type = "OrderAttributes"

  private static func tokens(_ phone: ModelPhone) -> [String: String] {
    (phone.device?.activities.tokens ?? [:]).mapValues(\.token)
  }

  /// The requests for tokens, without the address of the server.
  private static func requests(_ phone: ModelPhone) -> [String] {
    phone.server.requests.filter { $0.url.path.contains("activities") }.map { request in
      let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
      let id = phone.record?.id ?? ""
      return "\(request.method) \(request.url.path) \(body)"
        .replacingOccurrences(of: id, with: "ID").trimmingCharacters(in: .whitespaces)
    }
  }

  @Test("the tokens are sent once the server knows the device, each in a request of its own")
  func requests() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    try push.liveActivities.setStartToken(Data([0, 0xab]), type: Self.type)
    try push.liveActivities.setToken(Data([1]), activity: "order-7.b", type: Self.type)
    await push.start()
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.server.requests.first?.url.path.hasSuffix("/sync") == true)
    #expect(
      Self.requests(phone) == [
        #"PUT /v6/devices/ID/activities/OrderAttributes/start-token {"token":"00ab"}"#,
        #"PUT /v6/activities/order-7.b/tokens/ID {"token":"01","type":"OrderAttributes"}"#,
      ])
    for request in phone.server.requests {
      #expect(request.headers["Martlet-Device-Secret"] == phone.record?.secret)
    }
    let count = phone.server.requests.count
    try push.liveActivities.setStartToken(Data([0, 0xab]), type: Self.type)
    try push.liveActivities.setToken(Data([1]), activity: "order-7.b", type: Self.type)
    await push.synchronize()
    #expect(phone.server.requests.count == count)
  }

  @Test("an activity that the server keeps is followed on its channel, or by a push of the server")
  func following() async throws {
    let phone = ModelPhone()
    let fresh = phone.launch().push
    await #expect(throws: PushError.self) { try await fresh.liveActivities.follow(activity: "a") }
    let push = await phone.started()
    await push.synchronize()
    phone.server.state.withLock { $0.keptActivities = ["match-1": "Y2g=", "order-7": .null] }
    #expect(try await push.liveActivities.follow(activity: "match-1") == "Y2g=")
    #expect(try await push.liveActivities.follow(activity: "order-7") == nil)
    try await push.liveActivities.unfollow(activity: "order-7")
    #expect(
      Self.requests(phone).suffix(3) == [
        "PUT /v6/activities/match-1/followers/ID", "PUT /v6/activities/order-7/followers/ID",
        "DELETE /v6/activities/order-7/followers/ID",
      ])
    phone.server.state.withLock { $0.keptActivities["odd"] = 5 }
    for (activity, code) in [("odd", "refused"), ("none", "refused"), ("a b", "invalid")] {
      let error = await #expect(throws: PushError.self) {
        try await push.liveActivities.follow(activity: activity)
      }
      #expect(error?.code.rawValue == code)
    }
    phone.server.fail(.offline)
    let error = await #expect(throws: PushError.self) {
      try await push.liveActivities.unfollow(activity: "match-1")
    }
    #expect(error?.code == .unreachable)
  }

  @Test("a new token replaces the one before in one request, and the end removes it by its name")
  func rotation() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    for byte: UInt8 in 1...3 {
      try push.liveActivities.setToken(Data([byte]), activity: "a", type: "T")
      await push.synchronize()
    }
    push.liveActivities.recordEnd(of: "a", token: Data([3]))
    try push.liveActivities.setStartToken(Data([9]), type: "T")
    await push.synchronize()
    try push.liveActivities.setStartToken(nil, type: "T")
    await push.synchronize()
    #expect(
      Self.requests(phone) == [
        #"PUT /v6/activities/a/tokens/ID {"token":"01","type":"T"}"#,
        #"PUT /v6/activities/a/tokens/ID {"token":"02","type":"T"}"#,
        #"PUT /v6/activities/a/tokens/ID {"token":"03","type":"T"}"#,
        #"PUT /v6/devices/ID/activities/T/start-token {"token":"09"}"#,
        #"DELETE /v6/activities/a/tokens/ID {"token":"03"}"#,
        "DELETE /v6/devices/ID/activities/T/start-token",
      ])
    #expect(phone.record?.known.keys.contains { TokenKey($0) != nil } == false)
  }

  // kylebshr/luka-ios, pull request 146: an activity that ended removed the token of the next one.
  @Test("an activity that has ended does not remove the token of a newer one", arguments: 0..<3)
  func lateEnd(order: Int) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    await push.synchronize()
    if order == 0 { push.liveActivities.recordEnd(of: "a", token: Data([1])) }
    // The removal is under way, and its answer is lost.
    if order == 1 {
      push.liveActivities.recordEnd(of: "a", token: Data([1]))
      phone.server.fail(.answerLost)
      await push.synchronize()
    }
    try push.liveActivities.setToken(Data([2]), activity: "a", type: "T")
    if order == 2 { push.liveActivities.recordEnd(of: "a", token: Data([1])) }
    phone.advance(seconds: 10)
    #expect(await push.synchronize().state == .upToDate)
    #expect(Self.tokens(phone) == ["a": "02"])
    // What was on its way for long comes at last.
    for request in phone.server.requests where request.method == "DELETE" {
      _ = try phone.server.answer(request)
    }
    #expect(Self.tokens(phone) == ["a": "02"])
  }

  @Test("an activity that ended while its token was in doubt leaves none at the server")
  func lostAnswer() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    await push.synchronize()
    try push.liveActivities.setToken(Data([2]), activity: "a", type: "T")
    phone.server.fail(.answerLost)
    await push.synchronize()
    push.liveActivities.recordEnd(of: "a", token: Data([2]))
    phone.advance(seconds: 10)
    #expect(await push.synchronize().state == .upToDate)
    #expect(Self.tokens(phone) == [:])
    #expect(phone.record?.doubtful == [])
  }

  @Test("a token that comes back while the next one is in doubt is sent again")
  func backAndForth() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    await push.synchronize()
    try push.liveActivities.setToken(Data([2]), activity: "a", type: "T")
    phone.server.fail(.answerLost)
    await push.synchronize()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    phone.advance(seconds: 10)
    #expect(await push.synchronize().state == .upToDate)
    #expect(Self.tokens(phone) == ["a": "01"])
  }

  @Test("what ended while the app did not run is removed when it says what runs")
  func running() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    for (activity, type) in [("a", "T"), ("b", "T"), ("c", "Other")] {
      try push.liveActivities.setToken(Data([1]), activity: activity, type: type)
    }
    await push.synchronize()
    let next = await phone.started()
    next.liveActivities.setRunning(["b"], type: "T")
    #expect(await next.synchronize().state == .upToDate)
    #expect(Self.tokens(phone) == ["b": "01", "c": "01"])
  }

  @Test("a stop withdraws the tokens, and a start sends those that are still wanted")
  func stop() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([7]))
    try push.liveActivities.setStartToken(Data([9]), type: "T")
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    try push.liveActivities.setToken(Data([2]), activity: "b", type: "T")
    await push.synchronize()
    phone.server.fail(.offline)
    await #expect(throws: PushError.self) { try await push.stop() }
    try await push.stop()
    #expect(phone.device?.members["push_token"] == nil && Self.tokens(phone) == [:])
    #expect(phone.device?.activities.startTokens == [:])
    // While the device is stopped nothing is sent, and what has ended is not sent later.
    push.liveActivities.recordEnd(of: "b", token: Data([2]))
    let count = phone.server.requests.count
    await push.synchronize()
    #expect(phone.server.requests.count == count)
    await push.start()
    #expect(await push.synchronize().state == .upToDate)
    #expect(Self.tokens(phone) == ["a": "01"])
    #expect(phone.device?.activities.startTokens == ["T": "09"])
  }

  @Test("nothing is written before the start, and before the first unlock tokens wait")
  func consent() async throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    #expect(phone.disk.files.isEmpty && phone.server.requests.isEmpty)
    phone.disk.state.withLock { $0.isLocked = true }
    await push.start()
    #expect(await push.synchronize().state == .waitingForStorage)
    phone.disk.state.withLock { $0.isLocked = false }
    await push.activate()
    #expect(await push.synchronize().state == .upToDate)
    #expect(Self.tokens(phone) == ["a": "01"] && phone.server.devices.count == 1)
  }

  @Test("an erasure leaves no token here")
  func erase() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    try await push.erase()
    #expect(phone.record == nil && phone.server.devices.values.map(\.isErased) == [true])
    await push.start()
    #expect(await push.synchronize().state == .upToDate)
    #expect(Self.tokens(phone) == [:])
  }

  @Test(
    "each answer to a token leads to the state of its table, and to the token at the server in the end",
    arguments: [
      (400, nil), (401, .refused), (403, .upToDate), (404, .upToDate), (408, .retrying),
      (409, .retrying), (413, nil), (422, nil), (425, .retrying), (429, .retrying),
      (451, .erased), (500, .retrying), (503, .retrying),
    ] as [(Int, PushStatus.State.Kind?)])
  func answers(status: Int, kind: PushStatus.State.Kind?) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    phone.server.fail(.status(status))
    let answer = await push.synchronize()
    guard let kind else {
      // The token is refused for good: it is named, without the token, until there is another one.
      #expect(answer.state == .upToDate)
      #expect(answer.problems == [PushStatus.Problem(path: "$.activities.a", reason: "a fault")])
      try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
      await push.synchronize()
      #expect(Self.tokens(phone) == [:])
      try push.liveActivities.setToken(Data([2]), activity: "a", type: "T")
      #expect(await push.synchronize().state == .upToDate)
      #expect(Self.tokens(phone) == ["a": "02"])
      return
    }
    #expect(answer.state.kind == kind)
    guard kind != .erased else { return #expect(phone.record?.wanted == [:]) }
    let next = await phone.started()
    phone.advance(seconds: 10)
    #expect(await next.synchronize().state == .upToDate)
    #expect(Self.tokens(phone) == ["a": "01"] && phone.server.devices.count == 1)
  }

  @Test(
    "each answer to a removal ends it or repeats it",
    arguments: [
      (204, PushStatus.State.Kind.upToDate), (400, .upToDate), (401, .refused), (403, .upToDate),
      (404, .upToDate),
      (413, .upToDate), (422, .upToDate), (429, .retrying), (500, .retrying),
    ])
  func removals(status: Int, kind: PushStatus.State.Kind) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    await push.synchronize()
    push.liveActivities.recordEnd(of: "a", token: Data([1]))
    phone.server.fail(.status(status))
    #expect(await push.synchronize().state.kind == kind)
    let isDone = kind == .upToDate
    #expect(phone.record?.difference.isEmpty == isDone)
  }

  @Test("a token that fails holds up neither events nor changes")
  func order() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    try await push.record("event")
    await push.update { $0.tags = ["a"] }
    phone.server.gate.withLock { gate in
      gate = { if $0.url.path.contains("/tokens/") { phone.server.fail(.status(500)) } }
    }
    #expect(await push.synchronize().state.kind == .retrying)
    #expect(phone.device?.events == ["event": 1] && phone.device?.members["tags"] == ["a"])
  }

  @Test("a device that the server has lost is registered again with its tokens")
  func unknown() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setStartToken(Data([9]), type: "T")
    await push.synchronize()
    phone.server.state.withLock { $0.devices = [:] }
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    #expect(await push.synchronize().state == .upToDate)
    #expect(Self.tokens(phone) == ["a": "01"])
    #expect(phone.device?.activities.startTokens == ["T": "09"])
  }

  @Test("a server that says 404 to every token is not asked in a loop")
  func unknownForEver() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    let count = phone.server.requests.count
    phone.server.gate.withLock { gate in
      gate = { if $0.url.path.contains("/tokens/") { phone.server.fail(.status(404)) } }
    }
    #expect(await push.synchronize().state.kind == .retrying)
    // The token, the device with everything, and the token once more.
    #expect(phone.server.requests.count == count + 3)
  }

  @Test("a device that the server has lost is registered again, which a 403 does not say")
  func unsaid() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    await push.update { $0.tags = ["a"] }
    try push.liveActivities.setStartToken(Data([9]), type: "T")
    await push.synchronize()
    phone.server.state.withLock { $0.devices = [:] }
    try push.liveActivities.setStartToken(Data([8]), type: "T")
    let count = phone.server.requests.count
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.device?.activities.startTokens == ["T": "08"])
    #expect(phone.device?.members["tags"] == ["a"])
    // The token, the question, the device, and the token again.
    #expect(phone.server.requests.count == count + 4)
    // A stopped device that is lost has no token there.
    phone.server.state.withLock { $0.devices = [:] }
    try await push.stop()
    #expect(phone.server.devices.values.allSatisfy { $0.activities.startTokens == [:] })
  }

  @Test("a server that says 403 to every token is asked once, and then a person has to act")
  func forbiddenForEver() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try push.liveActivities.setToken(Data([1]), activity: "a", type: "T")
    let count = phone.server.requests.count
    phone.server.gate.withLock { gate in
      gate = { if $0.url.path.contains("/tokens/") { phone.server.fail(.status(403)) } }
    }
    #expect(await push.synchronize().state == .refused(status: 403, reason: "a fault"))
    #expect(phone.server.requests.count == count + 3)
    #expect(phone.record?.isRegistered == true)
  }

  @Test(
    "an identifier has 1 to 64 letters, digits, hyphens, underscores and dots",
    arguments: [
      ("a", true), (String(repeating: "a", count: 64), true), ("Ab-9_.z", true), ("", false),
      (String(repeating: "a", count: 65), false), ("a/b", false), ("ä", false), ("a b", false),
      (".a", false), (".", false),
    ])
  func identifiers(text: String, isValid: Bool) throws {
    let phone = ModelPhone()
    let push = phone.launch().push
    #expect(((try? ActivityReference(text)) != nil) == isValid)
    if !isValid {
      #expect(throws: PushError.self) {
        try push.liveActivities.setToken(Data([1]), activity: text, type: "T")
      }
    }
  }

  @Test(
    "the name of a type has 1 to 128 letters, digits, underscores and dots",
    arguments: [
      ("OrderAttributes", true), ("Bestelländerung", false), ("_A.B9", true), ("9A", false),
      (String(repeating: "T", count: 128), true),
      ("", false), (String(repeating: "T", count: 129), false), ("a/b", false),
      ("List<Int>", false),
      ("../x", false),
    ])
  func types(text: String, isValid: Bool) throws {
    let push = ModelPhone().launch().push
    if isValid {
      try push.liveActivities.setStartToken(Data([1]), type: text)
    } else {
      #expect(throws: PushError.self) {
        try push.liveActivities.setStartToken(Data([1]), type: text)
      }
    }
  }

  @Test("a reference is what a server puts into the attributes")
  func reference() throws {
    struct Attributes: Codable {
      var order: String
      var martlet: ActivityReference?
    }
    let json = #"{"order":"7","martlet":{"activity_id":"order-7"}}"#
    let attributes = try JSONDecoder().decode(Attributes.self, from: Data(json.utf8))
    #expect(try attributes.martlet == ActivityReference("order-7"))
    #expect(
      try JSONDecoder().decode(Attributes.self, from: Data(#"{"order":"7"}"#.utf8)).martlet == nil)
  }

  @Test("a value that the server refuses to remove is not sent for ever")
  func refusedRemoval() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    await push.update { $0.tags = ["a"] }
    await push.synchronize()
    await push.update { $0.tags = [] }
    phone.server.fail(.status(422), .status(422))
    let status = await push.synchronize()
    #expect(status.state == .upToDate && status.problems.map(\.path) == ["$.device.tags"])
    #expect(phone.device?.members["tags"] == ["a"])
  }
}
