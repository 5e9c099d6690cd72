import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import MartletKit

@Suite("The inbox", .timeLimit(.minutes(10)))
struct InboxTests {
  private func phone(_ server: ModelServer, user: String? = "ada", seed: UInt64 = 1) async throws
    -> (phone: ModelPhone, push: PushDevice)
  {
    let phone = ModelPhone(server, seed: seed)
    let push = phone.launch().push
    if let user { try await push.signIn(user, proof: ModelServer.proof(user)) }
    await push.start()
    await push.synchronize()
    return (phone, push)
  }

  private func publish(_ count: Int, on server: ModelServer) {
    for number in 0..<count { server.state.withLock { $0.inbox.publish("m\(number)") } }
  }

  @Test("messages are read page by page, and what is read on one phone is on the other")
  func twoPhones() async throws {
    let server = ModelServer()
    publish(120, on: server)
    let (_, push) = try await phone(server)
    #expect(push.inbox.unreadCount == 120 && push.inbox.content.messages.isEmpty)
    var messages = try await push.inbox.refresh()
    #expect(messages.count == 50 && push.inbox.content.hasMore)
    #expect(messages.first?.id == "m119" && messages.first?.title == "Title of m119")
    #expect(messages.first?.custom == ["key": "value"] && messages.first?.text == nil)
    server.state.withLock { $0.inbox.publish("new") }
    while push.inbox.content.hasMore { messages = try await push.inbox.loadMore() }
    #expect(messages.map(\.id) == (0..<120).reversed().map { "m\($0)" })
    messages = try await push.inbox.refresh()
    #expect(messages.count == 121 && messages.first?.id == "new")

    let count = server.requests.count
    await push.inbox.markRead(["new", "m0"])
    await push.inbox.markRead(["new"])
    await push.inbox.hide("m119")
    // At once on this phone, and with one request on the other.
    #expect(push.inbox.unreadCount == 118)
    #expect(push.inbox.content.messages.prefix(2).map(\.id) == ["new", "m118"])
    await push.synchronize()
    #expect(server.requests.count == count + 1 && push.inbox.unreadCount == 118)
    let (_, other) = try await phone(server, seed: 2)
    #expect(other.inbox.unreadCount == 118)
    #expect(try await other.inbox.refresh().prefix(2).map(\.isRead) == [true, false])
    await other.inbox.markAllRead()
    #expect(other.inbox.unreadCount == 0)
    await other.synchronize()
    #expect(try await push.inbox.refresh().allSatisfy(\.isRead) && push.inbox.unreadCount == 0)
    // Another person has read nothing.
    let (_, bob) = try await phone(server, user: "bob", seed: 3)
    #expect(bob.inbox.unreadCount == 121)
  }

  @Test("without a network the messages are on disk, and marks are told once it is back")
  func offline() async throws {
    let server = ModelServer()
    publish(3, on: server)
    let (phone, push) = try await phone(server)
    try await push.inbox.refresh()
    let next = phone.launch().push
    server.fail(.offline, .offline)
    await next.start()
    await #expect(throws: PushError.self) { try await next.inbox.refresh() }
    #expect(next.inbox.content.messages.map(\.id) == ["m2", "m1", "m0"])
    await next.inbox.markRead(["m2"])
    await next.inbox.hide("m1")
    let last = phone.launch().push
    #expect(last.inbox.content.messages.map(\.isRead) == [true, false])
    await last.start()
    for fault in [ModelServer.Fault.answerLost, .lost, .status(503)] {
      server.fail(fault)
      await last.synchronize()
      phone.advance(seconds: 10)
    }
    #expect(await last.synchronize().state == .upToDate)
    #expect(server.inbox.read["ada"]?.contains("m2") == true)
    #expect(server.inbox.hidden["ada"] == ["m1"])
    #expect(phone.disk.facts("Marks").isEmpty)
    let count = server.requests.count
    await last.synchronize()
    #expect(server.requests.count == count)
    #expect(last.inbox.unreadCount == 1)
  }

  @Test("an answer from before a mark does not take it back")
  func staleAnswer() async throws {
    let server = ModelServer()
    publish(2, on: server)
    let (_, push) = try await phone(server)
    try await push.inbox.refresh()
    let old = server.state.withLock(\.inbox)
    await push.inbox.markRead(["m1"])
    await push.inbox.hide("m0")
    await push.synchronize()
    let new = server.state.withLock { state in
      defer { state.inbox = old }
      return state.inbox
    }
    let messages = try await push.inbox.refresh()
    #expect(messages.map(\.id) == ["m1"] && messages.first?.isRead == true)
    #expect(push.inbox.unreadCount == 0)
    server.state.withLock { $0.inbox = new }
    #expect(try await push.inbox.refresh() == messages)
  }

  @Test("who signs out leaves no message behind, and what was read is the user's")
  func signOut() async throws {
    let server = ModelServer()
    publish(2, on: server)
    let (phone, push) = try await phone(server)
    try await push.inbox.refresh()
    await push.inbox.markRead(["m0"])
    await push.signOut()
    #expect(push.inbox.content == .empty)
    #expect(phone.disk.files["Inbox/messages.json"] == nil)
    #expect(phone.launch().push.inbox.content == .empty)
    await push.synchronize()
    #expect(server.inbox.read["ada"] == ["m0"] && server.inbox.read[""] == nil)
    #expect(push.inbox.unreadCount == 2)
    try await push.signIn("bob", proof: ModelServer.proof("bob"))
    #expect(try await push.inbox.refresh().count == 2)
    #expect(push.inbox.unreadCount == 2)
  }

  @Test("a mark that waits while nobody knows whose device it is is not another person's")
  func doubt() async throws {
    let server = ModelServer()
    publish(1, on: server)
    let (phone, push) = try await phone(server)
    try await push.inbox.refresh()
    await push.inbox.markRead(["m0"])
    await push.signOut()
    server.fail(.answerLost)
    await push.synchronize()
    phone.advance(seconds: 5)
    try await push.signIn("bob", proof: ModelServer.proof("bob"))
    #expect(await push.synchronize().state == .upToDate)
    #expect(server.inbox.read["bob"]?.isEmpty ?? true)
    #expect(server.inbox.read[""]?.isEmpty ?? true)
    #expect(phone.disk.facts("Marks").isEmpty)
  }

  @Test("each window is told of the inbox now, and of its changes")
  func windows() async throws {
    let server = ModelServer()
    publish(2, on: server)
    let (_, push) = try await phone(server)
    var first = push.inbox.changes.makeAsyncIterator()
    var second = push.inbox.changes.makeAsyncIterator()
    for count in [0, 2] {
      if count > 0 { try await push.inbox.refresh() }
      #expect(await first.next()?.messages.count == count)
      #expect(await second.next()?.messages.count == count)
    }
    await push.inbox.markRead(["m0"])
    #expect(await first.next()?.unreadCount == 1)
    #expect(await second.next()?.unreadCount == 1)
    await push.signOut()
    #expect(await first.next() == .empty)
  }

  @Test("a cursor that is too old makes the list begin anew")
  func expiredCursor() async throws {
    let server = ModelServer()
    publish(60, on: server)
    let (_, push) = try await phone(server)
    try await push.inbox.refresh()
    server.state.withLock { state in
      state.inbox.cursorsExpire = true
      state.inbox.publish("new")
    }
    let messages = try await push.inbox.loadMore()
    #expect(messages.count == 50 && messages.first?.id == "new" && push.inbox.content.hasMore)
  }

  @Test("before the start and after the end there is no inbox, and the export has what is kept")
  func life() async throws {
    let server = ModelServer()
    publish(1, on: server)
    let phone = ModelPhone(server)
    let push = phone.launch().push
    #expect(push.inbox.content == .empty)
    await push.inbox.markRead(["m0"])
    await #expect(throws: PushError.self) { try await push.inbox.refresh() }
    #expect(phone.disk.files.isEmpty && server.requests.isEmpty)
    await push.start()
    try await push.inbox.refresh()
    await push.inbox.markRead(["m0"])
    let export = try JSONValue(parsing: try await push.export())
    #expect(export["inbox"]?.array?.first?["id"] == "m0")
    #expect(export["marks"]?.array?.count == 1)
    try await push.erase()
    #expect(push.inbox.content == .empty && phone.disk.files.isEmpty)
    await push.start()
    await push.synchronize()
    #expect(push.inbox.content.messages.isEmpty)
  }

  @Test("an identifier of 64 characters is marked, and one that no message has is not")
  func identifiers() async throws {
    let (phone, push) = try await phone(ModelServer())
    let longest = String(repeating: "é", count: 64)
    await push.inbox.markRead([longest, longest + "é", ""])
    await push.inbox.hide("")
    #expect(phone.disk.facts("Marks").map { $0.json["message"] } == [.string(longest)])
  }

  @Test("a tap names the message that its push announces")
  func opening() async throws {
    let (_, push) = try await phone(ModelServer())
    let payload: JSONValue = ["_nid": "n", "_st": ["mid": "m1"]]
    #expect(push.recordOpening(payload: payload, request: "r")?.messageID == "m1")
    #expect(push.recordOpening(payload: ModelPhone.payload("o"), request: "s")?.messageID == nil)
  }

  @Test("a message that an app makes for a preview is the same as one of the server")
  func preview() {
    let message = InboxMessage(
      id: "m1", title: "Sale", text: "Today", link: "shop://sale",
      imageURL: URL(string: "https://cdn.example/a.png"),
      mediaURL: URL(string: "https://cdn.example/a.mp4"), custom: ["kind": "sale"],
      publishedAt: Date(timeIntervalSince1970: 1_700_000_000.5), isRead: true)
    #expect(InboxMessage(message.stored) == message)
    let bare = InboxMessage(id: "m2", title: "", publishedAt: .distantPast)
    #expect(InboxMessage(bare.stored)?.title == "")
    let content = InboxContent(messages: [message, bare], unreadCount: 1)
    #expect(content.messages.count == 2 && !content.hasMore)
    #expect(PushStatus(.refused(status: 401, reason: "key")).state.httpStatus == 401)
    let opening = Opening(notificationID: "n", request: "r", payload: ["_nid": "n"])
    #expect(opening.action == nil && opening.link == nil)
  }
}
