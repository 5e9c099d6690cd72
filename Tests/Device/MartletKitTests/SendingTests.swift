import Foundation
import PushPayload
import Synchronization
import Testing

@testable import MartletKit

@Suite("Sending", .timeLimit(.minutes(10)))
struct SendingTests {
  @Test("changes before the first start are one request")
  func registration() async throws {
    let phone = ModelPhone()
    let app = phone.launch()
    app.push.setToken(Data([0x00, 0xff, 0x0a]))
    app.push.reportPermission(.quiet)
    await app.push.update { $0.tags = ["a"] }
    await app.push.update { $0.tags.insert("b") }
    try await app.push.signIn(
      "ada", email: "a@example.com", proof: ModelServer.proof("ada", email: "a@example.com"))
    await app.push.start()
    let status = await app.push.synchronize()
    #expect(status == PushStatus(.upToDate))
    #expect(phone.server.requests.count == 1)
    let device = try #require(phone.device)
    #expect(
      device.members == [
        "push_token": "00ff0a", "push_enabled": true, "push_quiet": true, "tags": ["a", "b"],
        "user_id": "ada", "user_email": "a@example.com", "locale": "de-DE", "app_version": "1.0",
      ])
    #expect(device.opens == 1 && device.secret == phone.record?.secret)
    #expect(phone.record?.proof == nil)
    let request = try #require(phone.server.requests.first)
    #expect(request.method == "POST")
    #expect(request.headers["Authorization"] == "Basic OktFWQ==")
    #expect(request.url.path == "/v6/devices/\(phone.record?.id ?? "")/sync")
    #expect(phone.record?.id.count == 32 && device.secret?.count == 43)
  }

  @Test("what is unchanged is not sent, and a value that changed back neither")
  func nothing() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    await push.synchronize()
    let count = phone.server.requests.count
    push.setToken(Data([2]))
    push.setToken(Data([1]))
    await push.update { $0.tags.insert("a") }
    await push.update { $0.tags.remove("a") }
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.server.requests.count == count)
  }

  @Test(
    "everything is sent again after a week, after an update of the app, and after the clock was wrong",
    arguments: [(7 * 86_400, nil), (60, "2.0"), (-3600, nil)] as [(Int64, String?)])
  func refresh(seconds: Int64, version: String?) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    await push.update { $0.tags = ["a"] }
    await push.synchronize()
    phone.server.state.withLock { state in
      for id in state.devices.keys { state.devices[id]?.members["tags"] = nil }
    }
    // An app that is used each day sends everything once a week all the same.
    for _ in 0..<max(0, seconds / 86_400 - 1) {
      phone.advance(seconds: 86_400)
      await push.activate()
      await push.synchronize()
    }
    await push.activate()
    await push.synchronize()
    #expect(phone.device?.members["tags"] == nil)
    phone.advance(seconds: min(seconds, 86_400))
    if let version { phone.system.withLock { $0["app_version"] = version } }
    await push.activate()
    await push.synchronize()
    #expect(phone.device?.members["tags"] == ["a"])
  }

  @Test("coming to the foreground within a minute is one opening")
  func openings() async {
    let phone = ModelPhone()
    let push = await phone.started()
    for seconds: Int64 in [1, 58, 1, 59, 1] {
      phone.advance(seconds: seconds)
      await push.activate()
      await push.synchronize()
    }
    // At 0, 60 and 120 seconds.
    #expect(phone.device?.opens == 3)
  }

  @Test(
    "a request that fails is sent again later, and then everything is there once",
    arguments: [
      .offline, .lost, .answerLost, .status(500), .status(502), .status(503, retryAfter: "7"),
      .status(429, retryAfter: "7"), .status(408), .status(425), .status(409),
    ] as [ModelServer.Fault])
  func later(fault: ModelServer.Fault) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    for number in 0..<3 {
      await push.update { $0["n"] = .integer(number) }
      push.recordOpening(payload: ModelPhone.payload("n\(number)"), request: "r\(number)")
      try await push.record("event")
      // A receipt, an update and an event.
      for _ in 0..<3 {
        phone.server.fail(fault)
        let status = await push.synchronize()
        guard let date = status.state.retryDate else {
          Issue.record("\(status)")
          return
        }
        let now = Milliseconds(phone.time.withLock(\.self)).date
        let wait = date.timeIntervalSince(now)
        if case .status(_, retryAfter: "7") = fault {
          #expect(wait == 7)
        } else {
          #expect(wait <= 4)
        }
        // Nothing is sent before the wait is over.
        let count = phone.server.requests.count
        await push.synchronize()
        #expect(phone.server.requests.count == count)
        phone.advance(seconds: 8)
        // What goes through makes the next one fail.
        if phone.disk.facts("Receipts").isEmpty, phone.record?.needsUpdate == false,
          phone.disk.facts("Events").isEmpty
        {
          break
        }
      }
      #expect(await push.synchronize().state == .upToDate)
    }
    let device = try #require(phone.device)
    #expect(device.attributes["n"]?["value"] == 2)
    #expect(device.events == ["event": 3])
    #expect(phone.server.state.withLock(\.receipts).values.sorted() == [1, 1, 1])
    #expect(device.opens == 1)
  }

  @Test("waits grow with each failure, and a start does not wait")
  func backoff() async {
    let phone = ModelPhone()
    let push = await phone.started()
    var waits: [Double] = []
    for number in 0..<12 {
      phone.server.fail(.status(500))
      await push.update { $0["n"] = .integer(number) }
      guard let date = await push.synchronize().state.retryDate else { break }
      waits.append(date.timeIntervalSince(Milliseconds(phone.time.withLock(\.self)).date))
      phone.time.withLock { $0 = Milliseconds(date).count }
    }
    #expect(waits.count == 12)
    for (wait, delay) in zip(waits, RetryTable.delays) {
      #expect((Double(delay) * 0.5...Double(delay)).contains(wait))
    }
    phone.server.fail(.status(500))
    await push.synchronize()
    await push.activate()
    #expect(await push.synchronize().state == .upToDate)
  }

  @Test("a clock that is set back does not lengthen a wait")
  func clock() async {
    let phone = ModelPhone()
    let push = await phone.started()
    await push.update { $0.tags = ["a"] }
    phone.server.fail(.status(503, retryAfter: "3600"))
    #expect(await push.synchronize().state.kind == .retrying)
    phone.advance(seconds: -86_400)
    #expect(await push.synchronize().state == .upToDate)
  }

  @Test(
    "a refusal that a person must mend stops the requests until the app starts again",
    arguments: [401, 403, 404, 405, 301] as [Int])
  func refused(status: Int) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try await push.record("event")
    await push.update { $0.tags = ["a"] }
    phone.server.fail(.status(status))
    let state = PushStatus.State.refused(status: status, reason: "a fault")
    #expect(await push.synchronize().state == state)
    let count = phone.server.requests.count
    phone.advance(seconds: 86_400)
    await push.update { $0.tags = ["b"] }
    #expect(await push.synchronize().state == state)
    #expect(phone.server.requests.count == count)
    let next = await phone.started()
    #expect(next.status.state == .upToDate)
    #expect(phone.device?.members["tags"] == ["b"] && phone.device?.events == ["event": 1])
  }

  @Test("a device that the server has lost is registered again with everything")
  func unknown() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([1]))
    await push.update { $0.tags = ["a"] }
    await push.synchronize()
    phone.server.state.withLock { $0.devices = [:] }
    try await push.record("event")
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.device?.members["push_token"] == "01")
    #expect(phone.device?.members["tags"] == ["a"] && phone.device?.events == ["event": 1])
  }

  @Test("a device that is 404 for ever is not registered in a loop")
  func unknownForEver() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    try await push.record("event")
    let count = phone.server.requests.count
    phone.server.gate.withLock { gate in
      gate = { request in
        if request.url.path.hasSuffix("sync") { phone.server.fail(.status(404)) }
      }
    }
    #expect(await push.synchronize().state == .refused(status: 404, reason: "a fault"))
    #expect(phone.server.requests.count == count + 2)
  }

  @Test("a device that the server erased is erased here, and stays it")
  func erased() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let id = phone.record?.id
    phone.server.state.withLock { $0.devices[id ?? ""] = .init(isErased: true) }
    try await push.record("event")
    #expect(await push.synchronize().state == .erased)
    #expect(phone.disk.facts("Events").isEmpty && phone.record?.wanted == [:])
    let again = await phone.started()
    #expect(again.status.state == .erased && phone.record?.id == id)
    let count = phone.server.requests.count
    try await again.record("event")
    #expect(await again.synchronize().state == .erased)
    #expect(phone.server.requests.count == count)
    await again.startOver()
    #expect(await again.synchronize().state == .upToDate)
    #expect(phone.record?.id != id && phone.device != nil)
  }

  @Test("one invalid event among many is found and dropped, the others are counted")
  func invalidEvent() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    for number in 0..<150 {
      phone.advance(seconds: 1)
      try await push.record(number == 70 ? "a\"b" : "e")
    }
    let status = await push.synchronize()
    #expect(status.state == .upToDate)
    #expect(status.problems.map(\.path) == ["events.a\"b"])
    #expect(phone.device?.events == ["e": 149])
  }

  @Test("events that the server names as dropped are named to the app, and not sent again")
  func droppedEvents() async throws {
    let phone = ModelPhone()
    phone.server.state.withLock { $0.takesValidFacts = true }
    let push = await phone.started()
    let count = phone.server.requests.count
    for name in ["first", "a\"b", "second", "c\"d"] { try await push.record(name) }
    let status = await push.synchronize()
    #expect(status.state == .upToDate)
    #expect(Set(status.problems.map(\.path)) == ["events.a\"b", "events.c\"d"])
    #expect(status.problems.allSatisfy { $0.reason == "name is refused" })
    #expect(phone.device?.events == ["first": 1, "second": 1])
    #expect(phone.server.requests.count == count + 1)
    await push.synchronize()
    #expect(phone.server.requests.count == count + 1)
  }

  @Test("an update that is too large is sent in parts, and one value that is too large is named")
  func tooLarge() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    phone.server.state.withLock { $0.bodyLimit = 2000 }
    await push.update { profile in
      for number in 0..<100 {
        profile["a\(number)"] = .string(String(repeating: "x", count: 100))
      }
      profile["large"] = .strings(Array(repeating: String(repeating: "y", count: 255), count: 10))
    }
    let status = await push.synchronize()
    #expect(status.state == .upToDate)
    #expect(status.problems.map(\.path) == ["$.device.user_attributes.large"])
    #expect(phone.device?.attributes.count == 100)
  }

  @Test("values that the server drops are named, and the others stored")
  func dropped() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let long = String(repeating: "x", count: 256)
    await push.update { profile in
      profile.tags = ["a", long]
      profile["good"] = .boolean(true)
      profile["b\"ad"] = .boolean(true)
    }
    let status = await push.synchronize()
    #expect(status.state == .upToDate)
    #expect(
      status.problems.map(\.path) == ["$.device.tags", "$.device.user_attributes['b\"ad']"])
    #expect(phone.device?.attributes.keys.sorted() == ["good"])
    await push.update { $0.tags.remove(long) }
    #expect(await push.synchronize().problems.map(\.path) == ["$.device.user_attributes['b\"ad']"])
    #expect(phone.device?.members["tags"] == ["a"])
    // A request in which nothing is valid is 422.
    await push.update { $0["wor\"se"] = .integer(1) }
    #expect(await push.synchronize().problems.count == 2)
    await push.update { profile in
      profile["b\"ad"] = nil
      profile["wor\"se"] = nil
    }
    #expect(await push.synchronize() == PushStatus(.upToDate))
  }

  @Test("a development build says so, and the server's refusal is named")
  func development() async {
    let phone = ModelPhone()
    let push = phone.launch(gateway: .development).push
    await push.start()
    let status = await push.synchronize()
    #expect(status.state == .upToDate)
    #expect(status.problems.map(\.path) == ["$.device.development"])
  }

  @Test("a receipt of an earlier device of this phone is removed, those of this one are sent")
  func foreignReceipts() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let id = try #require(phone.record?.id)
    let files = FactFiles(
      storage: ModelStorage(phone.disk), folder: "Receipts", limit: 500, time: "at")
    for device in [id, "another"] {
      try files.add(ReceiptEvent.displayed.receipt(of: "n", by: device, at: 0))
    }
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.server.state.withLock(\.receipts).count == 1)
    #expect(phone.disk.facts("Receipts").isEmpty)
  }

  @Test("everything that waits is one request, also that of a device that registers")
  func oneRequest() async throws {
    let phone = ModelPhone()
    let first = phone.launch().push
    first.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    await first.start()
    await first.synchronize()
    #expect(phone.server.requests.count == 1)
    #expect(phone.server.state.withLock(\.receipts).count == 1)
    let next = phone.launch().push
    next.recordOpening(payload: ModelPhone.payload("m"), request: "s")
    try await next.record("event")
    await next.update { $0.tags = ["a"] }
    await next.start()
    await next.synchronize()
    #expect(phone.server.requests.count == 2)
    #expect(phone.server.state.withLock(\.receipts).count == 2)
    #expect(phone.device?.events == ["event": 1] && phone.device?.members["tags"] == ["a"])
  }

  @Test("after a refusal a tap's receipt goes before the opening of the app, each part alone")
  func order() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    phone.advance(seconds: 61)
    push.recordOpening(payload: ModelPhone.payload("n"), request: "r")
    try await push.record("event")
    await push.inbox.markRead(["m"])
    await push.activate()
    phone.server.fail(.status(422))
    #expect(await push.synchronize().state == .upToDate)
    let paths = phone.server.requests.dropFirst().map { $0.url.lastPathComponent }
    #expect(paths == ["sync", "receipts", "sync", phone.record?.id, "events"])
    // The next ones are one request again.
    try await push.record("event")
    await push.update { $0.tags = ["a"] }
    let count = phone.server.requests.count
    await push.synchronize()
    #expect(phone.server.requests.count == count + 1)
  }

  @Test("facts that are more than a request takes are sent in several")
  func manyFacts() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let long = String(repeating: "n", count: 8000)
    for number in 0..<70 {
      phone.advance(seconds: 1)
      try await push.record("e\(number)", notification: long)
    }
    #expect(await push.synchronize().state == .upToDate)
    #expect(phone.device?.events.count == 70)
    let sizes = phone.server.requests.dropFirst().map { $0.body?.count ?? 0 }
    #expect(sizes.count == 2 && sizes.allSatisfy { $0 < 1 << 20 })
  }

  @Test("requests are described without credentials and without what they carry")
  func descriptions() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    push.setToken(Data([0xab, 0xcd]))
    try await push.signIn("ada", proof: ModelServer.proof("ada"))
    await push.synchronize()
    let request = try #require(phone.server.requests.last)
    var dumped = "\(request)"
    dump(request, to: &dumped)
    dump(push.settings, to: &dumped)
    let secret = try #require(phone.record?.secret)
    for word in ["abcd", "ada", "KEY", "OktFWQ==", secret] { #expect(!dumped.contains(word)) }
  }
}
