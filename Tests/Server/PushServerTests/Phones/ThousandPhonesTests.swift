import APNs
import Foundation
import MartletKit
import PushModel
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import PushServer

/// Many phones for ten minutes of the library's and the server's clock, against one server over HTTP.
@Suite("A thousand apps with MartletKit", .timeLimit(.minutes(30)))
struct ThousandPhonesTests {
  /// A thousand in `make verify`.
  private static let phones = Tier.sample(100, of: 1000)
  private static let seconds = 600
  /// How many phones act at the same time.
  private static let width = 16
  /// When the server goes away and comes back at another port, and when a push is sent.
  private static let (stops, starts, sends) = (200, 215, 330)

  private final class World: Sendable {
    let fixture: Fixture
    let prover: UserProver
    let folder = TemporaryFolder()
    private let port = Mutex<UInt16>(0)
    /// The port of the server that is up, or was last.
    var servedPort: UInt16 { port.withLock(\.self) }

    init() async throws {
      fixture = try await Fixture()
      prover = try await UserProver(for: fixture)
    }

    func serve() throws -> PushServer {
      let server = try PushServer.started(
        .init(), store: fixture.store, secretKey: fixture.secretKey, sender: fixture.apple,
        clock: fixture.clock.serverClock
      ) { _ in }
      port.withLock { $0 = server.port }
      return server
    }

    var now: Int64 { fixture.clock.now.milliseconds }

    func app(_ number: Int) throws -> SimulatedApp {
      let settings = PushSettings(
        server: try #require(URL(string: "http://localhost")),
        key: try #require(fixture.keys[.device]),
        folder: folder.url.appending(path: "\(number)", directoryHint: .isDirectory))
      return SimulatedApp(
        number, settings: settings,
        transport: AddressTransport(number: number + 1, port: { self.servedPort }),
        now: { self.now },
        proof: { user in
          let now = Date(timeIntervalSince1970: Double(self.now) / 1000)
          return try self.prover.proof(of: user, at: now)
        })
    }
  }

  @Test("after ten minutes of faults the server has what each app wants, and each fact once")
  func tenMinutes() async throws {
    let world = try await World()
    let apps = try (0..<Self.phones).map { try world.app($0) }
    let send = try await run(apps, world)
    for app in apps {
      let id = try #require(app.credentials?.id)
      let device = try #require(try await world.fixture.store.device(id, app: world.fixture.app.id))
      var stored = SimulatedApp.Wishes()
      stored.token = device.token
      stored.user = device.userID
      stored.tags = Set(device.tags)
      stored.visits = device.attributes["visits"]?.value.integer.map { Int($0) }
      #expect(stored == app.wishes, "phone \(app.number)")
      #expect(
        device.events.mapValues(\.count)
          == Dictionary(uniqueKeysWithValues: app.events.map { ($0, 1) }), "phone \(app.number)")
      #expect(app.status.state == .upToDate && app.status.problems.isEmpty, "phone \(app.number)")
    }
    let counts = try #require(try await world.fixture.store.send(send, app: world.fixture.app.id))
      .counts
    #expect(
      counts.displayed == apps.count { $0.push.isShown } && counts.displayed > Self.phones / 2)
    #expect(counts.opened == apps.count { $0.push.isOpened } && counts.opened > Self.phones / 10)
    try await checkFaults(apps, world)
  }

  /// Runs the ten minutes.
  ///
  /// - Returns: The send's id.
  private func run(_ apps: [SimulatedApp], _ world: World) async throws -> String {
    var server: PushServer? = try world.serve()
    var send = ""
    do {
      for second in 0..<Self.seconds {
        switch second {
        case Self.stops:
          await server?.stop()
          server = nil
        case Self.starts: server = try world.serve()
        case Self.sends: send = try await push(to: apps, world, at: second)
        default: break
        }
        try await all(apps) { try await $0.second(second) }
        world.fixture.clock.advance(by: .seconds(1))
      }
      for _ in 0..<2 {
        try await all(apps) { await $0.heal() }
        world.fixture.clock.advance(by: .seconds(4000))
      }
    } catch {
      await server?.stop()
      throw error
    }
    await server?.stop()
    return send
  }

  /// Does something with each app, with some at the same time.
  private func all(
    _ apps: [SimulatedApp], _ body: @escaping @Sendable (SimulatedApp) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<Self.width {
        // Each app is in one part alone.
        nonisolated(unsafe) let apps = stride(from: part, to: apps.count, by: Self.width)
          .map { apps[$0] }
        group.addTask { for app in apps { try await body(app) } }
      }
      try await group.waitForAll()
    }
  }

  /// Sends a push to everyone, which arrives at the phones whose token it was sent to.
  private func push(
    to apps: [SimulatedApp], _ world: World, at second: Int
  ) async throws -> String {
    let answer = try await curl(
      "POST", "http://127.0.0.1:\(world.servedPort)/v6/notifications",
      key: world.fixture.keys[.push],
      body: #"{"notification":{"to":"*","payload":{"alert":"Hello"}}}"#)
    let id = try #require(answer.json["notification"]?["id"]?.string, "\(answer)")
    try await world.fixture.completion(of: id)
    let taken = Dictionary(
      world.fixture.apple.taken.map { ($0.push.deviceToken, $0.payload) },
      uniquingKeysWith: { $1 })
    #expect(taken.count > Self.phones * 9 / 10)
    for app in apps {
      if let token = app.wishes.token, let payload = taken[token] {
        app.receive(payload, at: second)
      }
    }
    return id
  }

  /// Each fault was met, no phone was made twice, and none was kept busy.
  private func checkFaults(_ apps: [SimulatedApp], _ world: World) async throws {
    var counts: [String: Int] = [:]
    for app in apps { counts.merge(app.network.counts) { $0 + $1 } }
    let faults = ["unreachable", "lost on the way", "503", "429", "server away", "answer lost"]
    for fault in faults {
      #expect(counts[fault, default: 0] > Self.phones / 20, "\(fault): \(counts)")
    }
    #expect(Set(counts.keys).subtracting(faults) == ["200"], "\(counts)")
    #expect(apps.reduce(0) { $0 + $1.restarts } > Self.phones * 23 / 10)
    #expect(try await world.fixture.store.deviceCount(app: world.fixture.app.id) == Self.phones)
    let requests = counts.values.reduce(0, +)
    #expect(requests < Self.phones * 40, "\(requests) requests")
  }
}
