import Foundation
import MartletKit
import PushModel
import PushPayload
import PushStore
import TestSupport
import Testing

@testable import PushServer

/// MartletKit's inbox against the server that it is made for, over HTTP.
@Suite("The inbox of an app with MartletKit", .timeLimit(.minutes(10)))
struct AppInboxTests {
  /// A server with an app that takes its users' names without a proof.
  private struct World {
    let server: PushServer
    let keys: [APIKey.Role: String]
    let folder = TemporaryFolder()

    init(_ store: any PushStore) async throws {
      let secretKey = try #require(SecretKey(SecretKey.randomBytes()))
      var new = Fixture.newApp()
      new.identity = .off
      let created = try new.make(at: ServerClock.system.now(), sealedWith: secretKey)
      try await store.add(created.app, keys: created.records)
      keys = Dictionary(uniqueKeysWithValues: created.keys.map { ($0.role, $0.key) })
      server = try PushServer.started(
        .init(), store: store, secretKey: secretKey, sender: FakeApple()
      ) { _ in }
    }

    func device(_ name: String, user: String?) async throws -> PushDevice {
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
      let key = try #require(keys[.device])
      let folder = folder.url.appending(path: name, directoryHint: .isDirectory)
      let push = PushDevice(PushSettings(server: url, key: key, folder: folder))
      if let user { try await push.signIn(user, proof: nil) }
      await push.start()
      #expect(await push.synchronize().state == .upToDate)
      return push
    }

    /// Posts a message to everyone or to a user.
    @discardableResult
    func post(_ title: String, to user: String? = nil) async throws -> String {
      let target: JSONValue =
        user.map { [["name": "user_id", "criteria": [.string($0)]]] } ?? "*"
      let body: JSONValue = ["message": ["to": target, "title": .string(title)]]
      let answer = try await curl(
        "POST", "http://127.0.0.1:\(server.port)/v6/messages", key: keys[.push], body: body.text)
      return try #require(answer.json["id"]?.string, "\(answer)")
    }
  }

  private func run(_ store: any PushStore, _ body: (World) async throws -> Void) async throws {
    let world = try await World(store)
    do {
      try await body(world)
    } catch {
      await world.server.stop()
      throw error
    }
    await world.server.stop()
  }

  @Test("two phones of a person have one inbox, on SQLite")
  func sqlite() async throws {
    let folder = TemporaryFolder()
    try await twoPhones(SQLitePushStore(path: folder.path("martlet.sqlite")))
  }

  @Test(
    "two phones of a person have one inbox, on PostgreSQL",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func postgreSQL() async throws {
    try await PostgreSQLCluster().use { cluster in
      try await twoPhones(PostgreSQLPushStore(url: cluster.url))
    }
  }

  private func twoPhones(_ store: any PushStore) async throws {
    try await run(store) { world in
      let phone = try await world.device("phone", user: "ada")
      let tablet = try await world.device("tablet", user: "ada")
      let bob = try await world.device("bob", user: "bob")
      for number in 0..<55 { try await world.post("\(number)") }
      let own = try await world.post("for ada", to: "ada")

      // Messages that arrive between two pages are on neither, and none is on both.
      var messages = try await phone.inbox.refresh()
      #expect(messages.count == 50 && messages.first?.title == "for ada")
      try await world.post("late")
      #expect(phone.inbox.content.hasMore)
      messages = try await phone.inbox.loadMore()
      #expect(messages.map(\.title) == ["for ada"] + (0..<55).reversed().map(String.init))
      #expect(!phone.inbox.content.hasMore && phone.inbox.unreadCount == 57)
      messages = try await phone.inbox.refresh()
      #expect(messages.count == 57 && messages.first?.title == "late")

      await phone.inbox.markRead([own])
      await phone.inbox.hide(messages[0].id)
      #expect(phone.inbox.unreadCount == 55)
      #expect(await phone.synchronize().state == .upToDate)
      #expect(phone.inbox.unreadCount == 55)
      let other = try await tablet.inbox.refresh()
      #expect(tablet.inbox.unreadCount == 55)
      #expect(other.first?.id == own && other.first?.isRead == true)
      #expect(other.dropFirst().allSatisfy { !$0.isRead })
      // Another person's inbox has what is for all, unread.
      let foreign = try await bob.inbox.refresh()
      #expect(bob.inbox.unreadCount == 56 && foreign.first?.title == "late")

      await tablet.inbox.markAllRead()
      await tablet.synchronize()
      #expect(try await phone.inbox.refresh().allSatisfy(\.isRead))
      #expect(phone.inbox.unreadCount == 0)

      // Read as ada, told after she has signed out: it is hers.
      let last = try await world.post("last")
      try await phone.inbox.refresh()
      await phone.inbox.markRead([last])
      await phone.signOut()
      #expect(phone.inbox.content.messages.isEmpty)
      #expect(await phone.synchronize().state == .upToDate)
      #expect(phone.inbox.unreadCount == 57)
      _ = try await tablet.inbox.refresh()
      #expect(tablet.inbox.unreadCount == 0)
    }
  }
}
