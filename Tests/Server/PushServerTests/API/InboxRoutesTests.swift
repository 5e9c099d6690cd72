import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("Inboxes over the API", .timeLimit(.minutes(10)))
struct InboxRoutesTests {
  /// Two devices of ada's with secrets, one of bob's, and an app's server that posts messages.
  private struct World {
    let fixture: Fixture
    static let secrets = ["phone": DeviceSecretTests.own, "tablet": DeviceSecretTests.other]

    init() async throws {
      fixture = try await Fixture()
      for (id, secret) in Self.secrets { try await fixture.bind(id, to: secret) }
      for id in ["phone", "tablet"] {
        try await fixture.register(id) { $0.userID = .set("ada") }
      }
      try await fixture.register("bob") { $0.userID = .set("bob") }
    }

    /// Posts a message a second after the one before, and returns its id.
    func post(_ title: String, to target: JSONValue = "*") async throws -> String {
      fixture.clock.advance(by: .seconds(1))
      let body: JSONValue = ["message": ["to": target, "title": .string(title)]]
      let answer = await fixture.request("POST", "/v6/messages", body: body.text)
      return try #require(answer.json["id"]?.string)
    }

    func request(
      _ method: String, _ path: String, as device: String = "phone", role: APIKey.Role = .device,
      body: String = "", headers: [(String, String)] = []
    ) async -> Fixture.Answer {
      var all = headers + [("Content-Type", "application/json")]
      if let secret = Self.secrets[device] { all.append((DeviceClaim.secretHeader, secret)) }
      return await fixture.request(
        method, "/v6/devices/\(device)\(path)", role: role, body: body, headers: all)
    }

    func titles(_ device: String) async -> [String?] {
      let list = await request("GET", "/messages", as: device)
      return (list.json["messages"]?.array ?? []).map { $0["title"]?.string }
    }
  }

  @Test("two devices of a user have one read state, which the list, the count and the header show")
  func shared() async throws {
    let world = try await World()
    let first = try await world.post("first")
    let second = try await world.post("second")
    let list = await world.request("GET", "/messages")
    #expect(list.status == 200 && list.headers["Martlet-Unread"] == "2")
    #expect(list.json["unread"] == 2 && list.json["meta"] == ["cursor": .null])
    let message = try #require(list.json["messages"]?.array?.first)
    #expect(message["id"] == .string(second) && message["is_read"] == false)
    #expect(message["published_at"] == message["created_at"])
    let now = world.fixture.clock.now
    #expect(message["unpublish_at"] == .string((now + NewMessage.life).iso8601))
    #expect(list.json["server_time"] == .string(now.iso8601))

    let read = await world.request("POST", "/messages/read", body: #"{"ids":["\#(first)"]}"#)
    #expect(read.status == 200 && read.json == ["unread": 1])
    #expect(read.headers["Martlet-Unread"] == "1")
    let other = await world.request("GET", "/messages", as: "tablet").json
    #expect(other["messages"]?.array?.map { $0["is_read"] } == [false, true])
    // The app's server reads the same, and bob's device has a state of its own.
    for (device, unread) in [("tablet", 1), ("bob", 2)] {
      let list = await world.fixture.request("GET", "/v6/devices/\(device)/messages")
      #expect(list.json["unread"] == .integer(Int64(unread)))
    }
    let hidden = await world.request("DELETE", "/messages/\(second)", as: "tablet")
    #expect(hidden.status == 200 && hidden.json == ["unread": 0])
    #expect(await world.titles("phone") == ["first"])
    // A repeat after a lost answer is no error; what is not in the inbox is one.
    #expect(await world.request("DELETE", "/messages/\(second)").status == 200)
    #expect(await world.request("DELETE", "/messages/none").status == 404)
  }

  @Test("messages are read up to the time at which the last one shown was published")
  func until() async throws {
    let world = try await World()
    for title in ["a", "b"] { _ = try await world.post(title) }
    let list = await world.request("GET", "/messages").json
    let time = try #require(list["messages"]?.array?.first?["published_at"]?.string)
    _ = try await world.post("c")
    let read = await world.request("POST", "/messages/read", body: #"{"until":"\#(time)"}"#)
    #expect(read.json == ["unread": 1])
  }

  @Test("an inbox is read page by page while messages arrive, each message once")
  func pages() async throws {
    let world = try await World()
    for number in 0..<120 { _ = try await world.post("\(number)") }
    var (titles, cursor) = ([String](), "")
    repeat {
      let page = await world.request("GET", "/messages?cursor=\(cursor)").json
      titles += (page["messages"]?.array ?? []).compactMap { $0["title"]?.string }
      cursor = page["meta"]?["cursor"]?.string ?? ""
      _ = try await world.post("new")
    } while !cursor.isEmpty && titles.count < 200
    #expect(titles == (0..<120).reversed().map(String.init))
  }

  @Test("every answer to a proven device has the number of unread messages, and others have none")
  func header() async throws {
    let world = try await World()
    let id = try await world.post("a")
    let requests: [(String, String, String, Int)] = [
      ("PUT", "", #"{"device":{"tags":["a"]}}"#, 200),
      ("GET", "", "", 200), ("POST", "/events", #"{"events":[{"name":"play"}]}"#, 202),
      ("POST", "/sync", "{}", 200),
    ]
    for (method, path, body, status) in requests {
      let answer = await world.request(method, path, body: body)
      #expect(answer.status == status, "\(answer.text)")
      #expect(answer.headers["Martlet-Unread"] == "1", "\(method) \(path)")
    }
    let seen = await world.fixture.request(
      "POST", "/v6/messages/\(id)/impressions", role: .device,
      body: #"{"impression":{"device_id":"phone","kind":2}}"#,
      headers: [
        ("Content-Type", "application/json"), (DeviceClaim.secretHeader, DeviceSecretTests.own),
      ])
    #expect(seen.status == 202 && seen.headers["Martlet-Unread"] == "0")
    // A list that has not changed is not sent again, and the header is.
    let list = await world.request("GET", "/messages")
    let same = await world.request(
      "GET", "/messages", headers: [("If-None-Match", try #require(list.headers["ETag"]))])
    #expect(same.status == 304 && same.headers["Martlet-Unread"] == "0")
    // Without a secret nothing that is stored is told.
    for (device, role) in [("bob", APIKey.Role.device), ("new", .device), ("bob", .push)] {
      let answer = await world.request(
        "PUT", "", as: device, role: role, body: #"{"device":{"tags":["a"]}}"#)
      #expect(answer.status == 200 && answer.headers["Martlet-Unread"] == nil)
    }
    let refused = await world.request("POST", "/events", body: "{}")
    #expect(refused.status == 400 && refused.headers["Martlet-Unread"] == nil)
  }

  @Test("the first update that shows a secret has the header too")
  func binding() async throws {
    let world = try await World()
    _ = try await world.post("a")
    let headers = [
      ("Content-Type", "application/json"), (DeviceClaim.secretHeader, DeviceSecretTests.own),
    ]
    let answer = await world.fixture.request(
      "PUT", "/v6/devices/new", role: .device, body: #"{"device":{}}"#, headers: headers)
    #expect(answer.headers["Martlet-Unread"] == "1")
  }

  @Test(
    "a body that says nothing, too much or something else is refused with its path",
    arguments: [
      ("{}", 422, "$.ids is missing"), (#"{"ids":[]}"#, 422, "$.ids must have 1 to 1000 ids"),
      (#"{"ids":"a"}"#, 400, "$.ids must be an array, not a string"),
      (#"{"ids":["a",5]}"#, 400, "$.ids[1] must be a string, not a number"),
      (#"{"ids":[""]}"#, 422, "$.ids[0] must be 1 to 64 characters"),
      (#"{"until":"soon"}"#, 422, "$.until must be an ISO 8601 date"),
      (#"{"untill":"2023-11-14"}"#, 422, "$.untill is not known; did you mean until?"),
    ])
  func refused(body: String, status: Int, error: String) async throws {
    let world = try await World()
    let answer = await world.request("POST", "/messages/read", body: body)
    #expect(answer.status == status && answer.error == error, "\(answer.text)")
  }

  @Test("1,000 ids of 64 characters are taken, and one more or one longer is refused")
  func limits() async throws {
    let world = try await World()
    func read(_ count: Int, _ length: Int) async -> Int {
      let ids = JSONValue.array(
        (0..<count).map { _ in .string(String(repeating: "a", count: length)) })
      return await world.request(
        "POST", "/messages/read", body: JSONValue.object(["ids": ids]).text
      )
      .status
    }
    #expect(await read(1000, 64) == 200)
    #expect(await read(1001, 64) == 422)
    #expect(await read(1, 65) == 422)
  }

  @Test("a message shows at most 256 KiB, so that a page has a bound")
  func contentLimit() async throws {
    let world = try await World()
    func post(_ bytes: Int) async -> Fixture.Answer {
      func content(_ last: Int) -> JSONValue {
        // The values of 10,000 characters, the most there may be, and one that fills the rest.
        var custom: [String: JSONValue] = ["last": .string(String(repeating: "x", count: last))]
        for number in 100..<126 {
          custom["\(number)"] = .string(String(repeating: "x", count: 10_000))
        }
        return ["type": "text_message", "custom": .object(custom)]
      }
      let rest = bytes - content(0).bytes.count
      #expect((0...10_000).contains(rest))
      let custom = content(rest)["custom"] ?? .null
      let body: JSONValue = ["message": ["to": "*", "title": "t", "custom": custom]]
      return await world.fixture.request("POST", "/v6/messages", body: body.text)
    }
    #expect(await post(MessageContent.limit).status == 201)
    let refused = await post(MessageContent.limit + 1)
    #expect(refused.status == 422 && refused.error.hasPrefix("$.message must have at most 262144"))
  }

  @Test("a device that does not exist has no inbox")
  func unknown() async throws {
    let world = try await World()
    for (method, path, body) in [
      ("GET", "/messages", ""), ("POST", "/messages/read", #"{"ids":["a"]}"#),
      ("DELETE", "/messages/a", ""),
    ] {
      #expect(
        await world.request(method, path, as: "nobody", role: .push, body: body).status == 404)
      #expect(await world.request(method, path, as: "nobody", body: body).status == 403)
    }
  }
}
