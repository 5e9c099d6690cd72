import PushPayload
import Testing

@testable import PushModel
@testable import PushStore

let inboxBehaviours = [
  StoreBehaviour("an inbox has its messages from publication to their end, the last one first") {
    store in
    let inbox = try await InboxFixture(store, "inbox")
    try await inbox.fixture.register(2)
    for id in ["for-all", "for-first", "later", "also"] {
      let delay = id == "later" ? 50 : 0
      try await inbox.add(
        id, after: .seconds(delay), for: id == "for-first" ? DeviceNumbers([1]) : nil)
    }
    #expect(try await inbox.ids(0) == ["also", "for-first", "for-all"])
    #expect(try await inbox.ids(1) == ["also", "for-all"])
    #expect(try await inbox.ids(2) == [])
    #expect(try await inbox.ids(1, after: .seconds(50)) == ["later", "also", "for-all"])
    #expect(try await inbox.ids(1, after: .seconds(100)) == [])
  },
  StoreBehaviour("the pages of an inbox have each message once while messages are published") {
    store in
    let inbox = try await InboxFixture(store, "pages")
    try await inbox.fixture.register(1)
    for number in 0..<5 { try await inbox.add("\(number)") }
    try await inbox.add("scheduled", after: .seconds(10))
    var page = try await inbox.page(0, limit: 2)
    var seen = page.elements.map(\.message.id)
    #expect(page.total == 5)
    for number in 5..<8 {
      try await inbox.add("\(number)", after: .seconds(number))
      page = try await inbox.page(0, after: .seconds(60), cursor: page.cursor, limit: 2)
      seen += page.elements.map(\.message.id)
      // The unread ones of all pages, with those that came meanwhile.
      #expect(page.total == number + 2)
      if page.cursor == nil { break }
    }
    #expect(seen == ["4", "3", "2", "1", "0"].map { "pages-\($0)" })
    #expect(page.cursor == nil)
    #expect(try await inbox.ids(0, after: .seconds(60)).prefix(2) == ["scheduled", "6"])
    await expect(.expiredCursor) { _ = try await inbox.page(0, cursor: "x") }
  },
  StoreBehaviour("a page ends with the message that fills it") { store in
    for (number, count) in [(0, 1), (1, 2)] {
      let inbox = try await InboxFixture(store, "bytes-\(number)")
      try await inbox.fixture.register(1)
      let frame = JSONValue.object(["text": ""]).bytes.count
      for id in ["a", "b", "c"] {
        let length = InboxMessage.pageBytes - frame - number
        try await inbox.add(id, text: String(repeating: "x", count: length))
      }
      let page = try await inbox.page(0)
      #expect(page.elements.count == count && page.total == 3)
      let rest = try await inbox.page(0, cursor: page.cursor)
      #expect(rest.elements.count == 1 && (rest.cursor == nil) == (count == 2))
    }
  },
  StoreBehaviour("a message for few or for many devices is in the inbox of exactly these") {
    store in
    let inbox = try await InboxFixture(store, "reach")
    try await inbox.fixture.register(4200)
    let limit = UInt32(MessageDevices.listLimit)
    let audiences: [String: [UInt32]] = [
      "at-limit": Array(3201..<3201 + limit), "past-limit": Array(3200..<3201 + limit),
      "bounds": [1, 4095, 4096, 4097, 4200],
      "all-but-few": (1...4200).filter { ![7, 8, 4095, 4096].contains($0) },
    ]
    for (id, devices) in audiences.sorted(by: { $0.key < $1.key }) {
      try await inbox.add(id, for: DeviceNumbers(devices))
    }
    for number: UInt32 in [1, 7, 8, 9, 3199, 3200, 3201, 4094, 4095, 4096, 4097, 4200] {
      let expected = audiences.filter { $0.value.contains(number) }.keys.sorted()
      #expect(try await inbox.ids(Int(number) - 1).sorted() == expected, "\(number)")
      #expect(try await inbox.page(Int(number) - 1, limit: 0).total == expected.count)
    }
  },
  StoreBehaviour("what is read is the user's on each device, and a device's own without a user") {
    store in
    let inbox = try await InboxFixture(store, "read")
    for (number, user) in [(0, "ada"), (1, "ada"), (2, "bob"), (3, nil)] {
      try await inbox.fixture.update("read-\(number)") { $0.userID = .set(user) }
    }
    for id in ["a", "b", "c"] { try await inbox.add(id) }
    #expect(try await inbox.mark(0, read: ["a"]).unread == 2)
    #expect(
      try await inbox.unread() == [["b", "c"], ["b", "c"], ["a", "b", "c"], ["a", "b", "c"]])
    #expect(try await inbox.mark(3, read: ["a", "b"]).unread == 1)
    // Another mark of the same changes nothing.
    #expect(try await inbox.mark(1, read: ["a"]).unread == 2)
    #expect(try await inbox.unread() == [["b", "c"], ["b", "c"], ["a", "b", "c"], ["c"]])
    // A device that gets a user shows the user's state, and without the user its own again.
    try await inbox.fixture.update("read-3") { $0.userID = .set("ada") }
    #expect(try await inbox.unread()[3] == ["b", "c"])
    #expect(try await inbox.mark(3, read: ["c"]).unread == 1)
    #expect(try await inbox.unread() == [["b"], ["b"], ["a", "b", "c"], ["b"]])
    try await inbox.fixture.update("read-3") { $0.userID = .set(nil) }
    #expect(try await inbox.unread()[3] == ["c"])
    // A user whose id looks like a device's is another.
    try await inbox.fixture.update("read-2") { $0.userID = .set("d4") }
    #expect(try await inbox.unread()[2] == ["a", "b", "c"])
  },
  StoreBehaviour("a message for a few devices is not shown to the next user of one of them") {
    store in
    let inbox = try await InboxFixture(store, "private")
    for (number, user) in [(0, "ada"), (1, nil), (2, nil), (3, nil)] {
      try await inbox.fixture.update("private-\(number)") { $0.userID = .set(user) }
    }
    try await inbox.add("few", for: DeviceNumbers([1, 2]))
    try await inbox.add("all")
    func ids(_ user: String?) async throws -> [[String]] {
      for number in 0..<2 {
        try await inbox.fixture.update("private-\(number)") { $0.userID = .set(user) }
      }
      return [try await inbox.ids(0), try await inbox.ids(1)]
    }
    // What came to a device without a user is for whoever has it.
    #expect(try await ids("ada") == [["all", "few"], ["all", "few"]])
    #expect(try await ids("bob") == [["all"], ["all", "few"]])
    #expect(try await ids(nil) == [["all"], ["all", "few"]])
    #expect(try await inbox.mark(0, read: ["few"]).missing == ["private-few"])
    #expect(try await ids("ada") == [["all", "few"], ["all", "few"]])
  },
  StoreBehaviour("messages are read up to a time, and hidden ones do not come back") { store in
    let inbox = try await InboxFixture(store, "marks")
    try await inbox.fixture.register(2)
    for (number, id) in ["a", "b", "c", "d"].enumerated() {
      try await inbox.add(id, after: .seconds(number))
    }
    try await inbox.add("other", for: DeviceNumbers([2]))
    let until = Sample.now + .seconds(1)
    #expect(try await inbox.mark(0, until: until + .milliseconds(-1)).unread == 3)
    #expect(try await inbox.mark(0, until: until).unread == 2)
    let hidden = try await inbox.mark(0, hidden: ["b", "c", "none", "other"])
    #expect(hidden == MarkedInbox(unread: 1, missing: ["none", "marks-other"]))
    #expect(try await inbox.ids(0, after: .seconds(9)) == ["d", "a"])
    let again = try await inbox.mark(0, read: ["c"], hidden: ["b"])
    #expect(again == MarkedInbox(unread: 1))
    #expect(try await inbox.ids(0, after: .seconds(9)) == ["d", "a"])
    #expect(try await inbox.ids(1, after: .seconds(9)) == ["d", "c", "b", "other", "a"])
    // What is not published yet cannot be read.
    try await inbox.add("later", after: .seconds(50))
    #expect(try await inbox.mark(0, read: ["later"]).missing == ["marks-later"])
  },
  StoreBehaviour(
    "an erased device takes what it had read with it, and a user's last one the user's"
  ) {
    store in
    let inbox = try await InboxFixture(store, "forget")
    for number in 0..<3 {
      try await inbox.fixture.update("forget-\(number)") {
        $0.userID = .set(number < 2 ? "ada" : nil)
      }
    }
    try await inbox.add("a")
    for number in [0, 2] { #expect(try await inbox.mark(number, read: ["a"]).unread == 0) }
    func erase(_ number: Int) async throws {
      _ = try await store.erase(device: "forget-\(number)", app: "forget", at: Sample.now)
    }
    try await erase(0)
    #expect(try await inbox.ids(0) == [])
    #expect(try await inbox.mark(0, read: ["a"]).missing == ["forget-a"])
    #expect(try await inbox.page(1).total == 0)
    try await erase(1)
    try await erase(2)
    try await inbox.fixture.update("forget-3") { $0.userID = .set("ada") }
    #expect(try await inbox.page(3).total == 1)
  },
  StoreBehaviour("the unread messages are counted for who shows the device's secret") { store in
    let inbox = try await InboxFixture(store, "proven")
    for (id, hash) in [("own", [UInt8](repeating: 1, count: 32)), ("none", nil)] {
      _ = try await store.update(
        device: id, app: "proven", DevicePatch(),
        by: .app(secretHash: hash, deviceLimit: 10), at: Sample.now)
    }
    try await inbox.add("a")
    func count(_ device: String, _ byte: UInt8) async throws -> Int? {
      try await store.unreadCount(
        device: device, app: "proven", provenBy: [UInt8](repeating: byte, count: 32),
        at: Sample.now)
    }
    #expect(try await count("own", 1) == 1)
    #expect(try await count("own", 2) == nil)
    #expect(try await count("none", 1) == nil)
    #expect(try await count("nobody", 1) == nil)
  },
]

/// An app whose messages have ids that begin with the app's.
private struct InboxFixture {
  let fixture: StoreFixture
  private var store: any PushStore { fixture.store }
  private var app: String { fixture.app }

  init(_ store: any PushStore, _ app: String) async throws {
    fixture = try await StoreFixture(store, app)
  }

  func add(
    _ id: String, after delay: Duration = .zero, for devices: DeviceNumbers? = nil,
    text: String = "Text"
  ) async throws {
    var message = Message(
      id: "\(app)-\(id)", app: app, audience: "a", title: "Title",
      content: ["text": .string(text)], createdAt: Sample.now,
      unpublishAt: Sample.now + .seconds(100))
    message.publishAt = Sample.now + delay
    try await store.add(message, for: devices)
  }

  func page(
    _ device: Int, after delay: Duration = .zero, cursor: String? = nil, limit: Int = 10
  ) async throws -> Page<InboxMessage> {
    try await store.inbox(
      device: "\(app)-\(device)", app: app, at: Sample.now + delay, after: cursor, limit: limit)
  }

  func ids(_ device: Int, after delay: Duration = .zero) async throws -> [String] {
    try await page(device, after: delay).elements.map(name)
  }

  private func name(_ message: InboxMessage) -> String {
    String(message.message.id.dropFirst(app.count + 1))
  }

  /// The unread messages of the first four devices, in the order of their ids.
  func unread() async throws -> [[String]] {
    var all: [[String]] = []
    for device in 0..<4 {
      let page = try await page(device)
      let unread = page.elements.filter { !$0.isRead }.map(name).sorted()
      #expect(page.total == unread.count)
      all.append(unread)
    }
    return all
  }

  func mark(
    _ device: Int, read: [String] = [], until: Timestamp? = nil, hidden: [String] = []
  ) async throws -> MarkedInbox {
    func ids(_ names: [String]) -> [String] { names.map { $0 == "none" ? $0 : "\(app)-\($0)" } }
    return try await store.mark(
      InboxMarks(read: ids(read), readUntil: until, hidden: ids(hidden)),
      device: "\(app)-\(device)", app: app, at: Sample.now + .seconds(9))
  }
}
