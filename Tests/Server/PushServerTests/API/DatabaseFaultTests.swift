import Foundation
import PushModel
import PushStore
import TestSupport
import Testing
import _HTTPServer

@testable import PushServer

@Suite(
  "Every route while PostgreSQL fails", .serialized, .timeLimit(.minutes(10)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct DatabaseFaultTests {
  enum Fault: String, CaseIterable, Sendable {
    case hanging, gone, slow, full, readOnly

    /// All in `make verify`, as each takes as long as a request may wait.
    static var sampled: [Fault] { Tier.isWhole ? allCases : [.hanging] }
  }

  /// What a request may take, of which its deadline is ten seconds: other tests take processor time from it. Without one
  /// deadline it was 81 s and more.
  private static let limit = Duration.seconds(60)
  private static let stopLimit = Duration.seconds(60)

  @Test(
    "each route answers before long, and says that it is not its fault",
    arguments: Fault.sampled)
  func routes(fault: Fault) async throws {
    try await PostgreSQLCluster().use { cluster in
      let world = try await FaultWorld(cluster)
      // Also so that there are connections.
      let before = await world.answers { $0.method == "GET" }
      #expect(before.allSatisfy { $0.status < 500 || $0.status == 501 }, "\(before)")
      let holder = try await world.begin(fault)
      let answers = await world.answers { _ in true }
      #expect(answers.contains { $0.status == 503 })
      for answer in answers {
        let isTold = answer.status < 500 || [501, 503].contains(answer.status)
        #expect(isTold && answer.time < Self.limit, "\(fault) \(answer)")
      }
      holder?.cancel()
      if fault == .hanging { try await cluster.resume() }
    }
  }

  @Test("a server stops before long while its database hangs")
  func stops() async throws {
    try await PostgreSQLCluster().use { cluster in
      let world = try await FaultWorld(cluster)
      let server = try PushServer.started(
        .init(), store: world.store, secretKey: world.fixture.secretKey,
        sender: world.fixture.apple
      ) { _ in }
      try await cluster.suspend()
      let start = ContinuousClock.now
      await server.stop()
      #expect(ContinuousClock.now - start < Self.stopLimit)
      try await cluster.resume()
    }
  }
}

/// The API over a PostgreSQL database, with a request for each of its routes.
private struct FaultWorld {
  struct Answered: Sendable {
    var route: String
    var status: Int
    var time: Duration
  }

  let cluster: PostgreSQLCluster
  let fixture: Fixture
  let store: PostgreSQLPushStore
  private let router: Router
  private let app: String
  private let keys: [APIKey.Role: String]
  private let session: Session

  init(_ cluster: PostgreSQLCluster) async throws {
    self.cluster = cluster
    fixture = try await Fixture()
    store = try await PostgreSQLPushStore(url: cluster.url, patience: StoreDeadline.limit)
    let now = ServerClock.system.now()
    let created = try Fixture.newApp().make(at: now, sealedWith: fixture.secretKey)
    try await store.add(created.app, keys: created.records)
    var keys = Dictionary(uniqueKeysWithValues: created.keys.map { ($0.role, $0.key) })
    for role in [APIKey.Role.server, .metrics] {
      let (key, record) = APIKey.make(role: role, app: nil, at: now)
      try await store.add(record)
      keys[role] = key
    }
    app = created.app.id
    var session = Session(at: now)
    session.add(key: Identifiers.hash(ofKey: keys[.admin] ?? ""))
    (self.keys, self.session) = (keys, session)
    router = Router(
      Actions(store: store, secretKey: fixture.secretKey), pages: Dashboard.all,
      unknownPage: Dashboard.unknown)
  }

  /// Makes the database fail; returns what holds its locks.
  func begin(_ fault: DatabaseFaultTests.Fault) async throws -> Task<Void, Never>? {
    switch fault {
    case .hanging: try await cluster.suspend()
    case .gone: try await cluster.stop("immediate")
    case .slow:
      let locks = """
        DO $$ DECLARE name TEXT; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name); END LOOP;
        PERFORM pg_sleep(3600); END $$
        """
      let holder = Task { [cluster] in _ = try? await cluster.query(locks) }
      let held = "SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
      while try await cluster.query(held) != "t" {}
      return holder
    case .full:
      try await cluster.query(
        """
        CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION USING ERRCODE = ''53100'', MESSAGE = ''no space left''; END';
        DO $$ DECLARE name TEXT; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
        EXECUTE format('CREATE TRIGGER no_room BEFORE INSERT OR UPDATE OR DELETE ON %I'
          ' EXECUTE FUNCTION no_room()', name); END LOOP; END $$
        """)
    case .readOnly:
      try await cluster.query("ALTER SYSTEM SET default_transaction_read_only = on")
      try await cluster.query("SELECT pg_reload_conf()")
    }
    return nil
  }

  /// The answers to a request for each route of some, all made at once.
  func answers(_ isAsked: (Route) -> Bool) async -> [Answered] {
    let routes = (Router.routes + Dashboard.all).filter(isAsked)
    return await withTaskGroup(of: Answered.self) { group in
      for route in routes {
        group.addTask { [router] in
          let start = ContinuousClock.now
          let response = await router.respond(to: self.request(route))
          return Answered(
            route: "\(route.method) \(route.path)", status: response.status,
            time: ContinuousClock.now - start)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func request(_ route: Route) -> HTTPRequest {
    let segments = route.parts.map { $0.isName ? ($0.text == "app" ? app : "x") : $0.text }
    var headers: [(name: String, value: String)] = []
    var body = "{}"
    if let type = route.bodies.first {
      headers.append((name: "Content-Type", value: type))
      if type == "text/csv" { body = "token,os_name\n\(Fixture.token("d")),iOS\n" }
    }
    switch route.answerer {
    case .page:
      headers.append(
        (name: "Cookie", value: String(router.cookies.keeping(session).value.prefix { $0 != ";" })))
      body = "token=\(session.formToken)"
    case .open: break
    case .keyed(.app, _), .keyed(.ownDevice, _): headers.append(authorization(.admin))
    case .keyed(.metrics, _): headers.append(authorization(.metrics))
    case .keyed(.server, _), .keyed(.serverOrAdmin, _): headers.append(authorization(.server))
    }
    let isImport = route.pattern.last == "import"
    return HTTPRequest(
      method: route.method, path: "/" + segments.joined(separator: "/"),
      query: isImport ? [(name: "app", value: app)] : [], headers: headers,
      body: route.method == "GET" ? [] : Array(body.utf8))
  }

  private func authorization(_ role: APIKey.Role) -> (name: String, value: String) {
    (name: "Authorization", value: Fixture.basic(":" + (keys[role] ?? "")))
  }
}
