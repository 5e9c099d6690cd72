import Foundation
import PushPayload
import Testing

@testable import MartletKit

@Suite("The record of an inbox")
struct InboxRecordTests {
  private func message(_ id: String, at time: Int64 = 0, isRead: Bool = false, text: String = "")
    throws -> InboxMessage
  {
    let json: JSONValue = [
      "id": .string(id), "title": "T", "published_at": .string(Milliseconds(time).text),
      "is_read": .bool(isRead), "text": .string(text),
    ]
    return try #require(InboxMessage(json))
  }

  private func page(_ ids: [String], unread: Int? = nil, cursor: String? = nil) throws
    -> InboxRecord.Page
  {
    InboxRecord.Page(
      messages: try ids.map { try message($0) }, unread: unread ?? ids.count, cursor: cursor)
  }

  @Test("a first page goes before what was read, unless it does not reach it")
  func firstPage() throws {
    var record = InboxRecord(owner: "")
    record.begin(with: try page(["d", "c"], cursor: "c"), pending: [])
    record.append(try page(["b", "a"], cursor: "a"), pending: [])
    record.begin(with: try page(["e", "d"], unread: 5, cursor: "d"), pending: [])
    #expect(record.messages.map(\.id) == ["e", "d", "c", "b", "a"] && record.cursor == "a")
    record.begin(with: try page(["z", "y"], cursor: "y"), pending: [])
    #expect(record.messages.map(\.id) == ["z", "y"] && record.cursor == "y")
    // The whole inbox: what is behind it is not published any more.
    record.append(try page(["x"]), pending: [])
    record.begin(with: try page(["z", "y"]), pending: [])
    #expect(record.messages.map(\.id) == ["z", "y"] && record.cursor == nil)
  }

  @Test("a message behind the first page goes once the server no longer shows it")
  func ended() throws {
    func message(_ id: String, until end: Int64) throws -> InboxMessage {
      try #require(
        InboxMessage([
          "id": .string(id), "title": "T", "published_at": .string(Milliseconds(0).text),
          "unpublish_at": .string(Milliseconds(end).text), "is_read": true,
        ]))
    }
    let first = try message("d", until: 9000)
    func page(at time: Int64?) -> InboxRecord.Page {
      InboxRecord.Page(
        messages: [first], unread: 0, cursor: "d", time: time.map { Milliseconds($0) })
    }
    var record = InboxRecord(owner: "")
    record.begin(with: page(at: 1000), pending: [])
    record.append(
      InboxRecord.Page(
        messages: [try message("c", until: 2001), try message("b", until: 2000)], unread: 0,
        cursor: "b"), pending: [])
    record.begin(with: page(at: nil), pending: [])
    #expect(record.messages.map(\.id) == ["d", "c", "b"])
    record.begin(with: page(at: 1999), pending: [])
    #expect(record.messages.map(\.id) == ["d", "c", "b"])
    record.begin(with: page(at: 2000), pending: [])
    #expect(record.messages.map(\.id) == ["d", "c"] && record.cursor == "b")
  }

  @Test("what was read on another device is not shown as unread behind the first page")
  func readElsewhere() throws {
    var record = InboxRecord(owner: "")
    record.begin(with: try page(["d", "c"], unread: 4, cursor: "c"), pending: [])
    record.append(try page(["b", "a"], unread: 4), pending: [])
    record.begin(with: try page(["d", "c"], unread: 4, cursor: "c"), pending: [])
    #expect(record.messages.count == 4)
    record.begin(with: try page(["d", "c"], unread: 3, cursor: "c"), pending: [])
    #expect(record.messages.map(\.id) == ["d", "c"] && record.cursor == "c")
  }

  @Test(
    "a number of unread messages is never below zero, whatever the server says",
    arguments: [(Int.min, 0), (-1, 0), (0, 0), (1, 0), (2, 1), (Int.max, Int.max - 1)])
  func counts(number: Int, unread: Int) throws {
    var record = InboxRecord(owner: "u")
    record.count(number, pending: [.read("a", owner: "u")])
    #expect(record.unread == unread)
  }

  @Test("marks that the server does not know are in its list all the same")
  func pending() throws {
    var record = InboxRecord(owner: "u")
    record.begin(
      with: try page(["d", "c", "b", "a"], unread: 9),
      pending: [.read("a", owner: "u"), .hidden("b", owner: "u"), .read("other", owner: "u")])
    #expect(record.messages.map(\.id) == ["d", "c", "a"])
    #expect(record.messages.map(\.isRead) == [false, false, true])
    #expect(record.unread == 7)
    record.count(8, pending: [.read("c", owner: "u"), .hidden("c", owner: "u")])
    #expect(record.unread == 7)
    record.apply(.allRead(until: Milliseconds(0), owner: "u"))
    #expect(record.unread == 0 && record.messages.allSatisfy(\.isRead))
    record.count(4, pending: [.allRead(until: Milliseconds(0), owner: "u")])
    #expect(record.unread == 0)
  }

  @Test("500 messages are kept, and no page is read behind them", arguments: [499, 500, 501])
  func countLimit(count: Int) throws {
    var record = InboxRecord(owner: "")
    record.begin(with: try page((0..<count).map { "m\($0)" }, cursor: "next"), pending: [])
    #expect(record.messages.count == min(count, InboxRecord.maximumCount))
    #expect((record.cursor == nil) == (count >= InboxRecord.maximumCount))
  }

  @Test("facts of 512 KiB are one request, and one more fact is the next", arguments: [0, 1])
  func requestLimit(excess: Int) {
    let frame = JSONValue.object(["id": ""]).serialized().count
    let lengths = [1 << 18, (1 << 18) + excess].map { $0 - frame }
    let facts = lengths.map { length in
      let id = String(repeating: "x", count: length)
      return StoredFact(id: id, json: ["id": .string(id)])
    }
    var outgoing = OutgoingFacts()
    outgoing.add(facts, of: .events)
    #expect(outgoing[.events].count == 2 - excess)
    outgoing.add([StoredFact(id: "", json: [:])], of: .receipts)
    #expect(outgoing[.receipts].count == excess)
  }

  @Test("messages of 2 MiB are kept, and not a byte more", arguments: [0, 1])
  func byteLimit(excess: Int) throws {
    let frame = JSONValue.object(try message("a").json).serialized().count
    let half = InboxRecord.maximumBytes / 2 - frame
    var record = InboxRecord(owner: "")
    let messages = [
      try message("a", text: String(repeating: "x", count: half)),
      try message("b", text: String(repeating: "x", count: half + excess)),
    ]
    record.begin(
      with: InboxRecord.Page(messages: messages, unread: 2, cursor: "next"), pending: [])
    #expect(record.messages.count == 2 - excess)
    #expect((record.cursor == nil) == (excess == 1))
    #expect(InboxRecord(record.bytes) == record)
  }

  @Test("a hidden message stays away, also from the file, up to the limit of those remembered")
  func hidden() throws {
    var record = InboxRecord(owner: "u")
    for number in 0..<InboxRecord.hiddenLimit { record.apply(.hidden("h\(number)", owner: "u")) }
    var read = try #require(InboxRecord(record.bytes))
    #expect(read == record)
    read.begin(with: try page(["h0", "a"]), pending: [])
    #expect(read.messages.map(\.id) == ["a"] && read.unread == 1)
    read.apply(.hidden("one more", owner: "u"))
    read.begin(with: try page(["h1", "h0", "a"]), pending: [])
    #expect(read.messages.map(\.id) == ["h0", "a"])
  }

  @Test(
    "bytes that are no record are none, and a message that cannot be understood is left out",
    arguments: ["", "{}", "[]", #"{"version":2,"owner":"","messages":[]}"#])
  func hostile(text: String) throws {
    #expect(InboxRecord(Data(text.utf8)) == nil)
    let page = InboxRecord.Page([
      "messages": [5, [:], ["id": "", "title": ""], ["id": "a", "title": "T"]], "unread": -3,
    ])
    #expect(page?.messages == [] && page?.unread == 0)
    #expect(InboxRecord.Page(["messages": 5]) == nil)
  }
}
