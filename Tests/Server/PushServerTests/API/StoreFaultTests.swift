import PushModel
import PushPayload
import PushStore
import Synchronization
import Testing
import _SQLite

@testable import PushServer

@Suite("The API over a failing store", .timeLimit(.minutes(10)))
struct StoreFaultTests {
  let log = Log()

  final class Log: Sendable { let lines = Mutex<[LogLine]>([]) }

  /// A large body, so that the database soon needs another page.
  private static let send: String = {
    let text = String(repeating: "x", count: 4000)
    return #"{"notification":{"to":"*","payload":{"alert":"\#(text)"}}}"#
  }()

  /// An API that does not wait for locks, and a request to it.
  private func make() async throws -> (
    store: SQLitePushStore, post: @Sendable () async -> Fixture.Answer
  ) {
    let fixture = try await Fixture()
    let store = try SQLitePushStore(path: fixture.store.path, busyTimeout: .zero)
    let router = Router(
      Actions(
        store: store, secretKey: fixture.secretKey,
        log: { [log] line in log.lines.withLock { $0.append(line) } }))
    return (
      store, { await fixture.request("POST", "/v6/notifications", body: Self.send, to: router) }
    )
  }

  private func expectUnavailable(_ answer: Fixture.Answer, saying words: String) {
    #expect(answer.status == 503)
    #expect(answer.headers["Retry-After"] == "1")
    #expect(answer.error == "the store is not available; try again")
    let line = log.lines.withLock(\.last)
    #expect(line?.message.contains(words) == true, "\(line?.message ?? "")")
    #expect(line?.request == answer.headers["X-Request-Id"])
  }

  @Test("a locked database is 503 with Retry-After, and the next request is answered")
  func locked() async throws {
    let (store, post) = try await make()
    let other = try SQLiteConnection(path: store.path, busyTimeout: .zero)
    try other.execute("BEGIN IMMEDIATE")
    expectUnavailable(await post(), saying: "locked by another process")
    try other.execute("ROLLBACK")
    #expect(await post().status == 201)
  }

  @Test("while the store refuses writes the server is not ready")
  func readiness() async throws {
    let fixture = try await Fixture()
    let store = try SQLitePushStore(path: fixture.store.path, busyTimeout: .zero)
    let router = Router(Actions(store: store, secretKey: fixture.secretKey))
    func ready() async -> Int {
      await fixture.request("GET", "/readyz", role: nil, to: router).status
    }
    let other = try SQLiteConnection(path: store.path, busyTimeout: .zero)
    try other.execute("BEGIN IMMEDIATE")
    #expect(await ready() == 503)
    try other.execute("ROLLBACK")
    #expect(await ready() == 200)
    try await store.writer.read { try $0.execute("PRAGMA max_page_count = 1") }
    while await fixture.request("POST", "/v6/notifications", body: Self.send, to: router).status
      == 201
    {}
    #expect(await ready() == 503)
    try await store.writer.read { try $0.execute("PRAGMA max_page_count = 1000000") }
    #expect(await ready() == 200)
  }

  @Test("a full disk is 503 with Retry-After, nothing half is stored, and room is enough to go on")
  func full() async throws {
    let (store, post) = try await make()
    // SQLite reports a limit of pages as a full disk.
    try await store.writer.read { try $0.execute("PRAGMA max_page_count = 1") }
    var accepted = 0
    var answer = await post()
    while answer.status == 201 {
      accepted += 1
      answer = await post()
    }
    expectUnavailable(answer, saying: "is full; make room")
    let app = try #require(try await store.apps().first)
    #expect(try await store.sends(app: app.id, after: nil, limit: 1).total == accepted)
    try await store.writer.read { try $0.execute("PRAGMA max_page_count = 1000000") }
    #expect(await post().status == 201)
    #expect(try await store.sends(app: app.id, after: nil, limit: 1).total == accepted + 1)
  }
}
