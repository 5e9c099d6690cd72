import APNsTestSupport
import Testing

@testable import APNs

/// A server's misbehavior after the handshake, and the outcomes allowed for the push that meets it.
struct Hostility: CustomTestStringConvertible, Sendable {
  let name: String
  /// The allowed endings of the push on that connection: a status, `maybe` or `never`.
  let outcomes: Set<String>
  /// Whether the next push must use another connection.
  var isReplaced = true
  let script: @Sendable (HostileWire) throws -> Void

  init(
    _ name: String, _ outcomes: Set<String>, isReplaced: Bool = true,
    _ script: @escaping @Sendable (HostileWire) throws -> Void
  ) {
    self.name = name
    self.outcomes = outcomes
    self.isReplaced = isReplaced
    self.script = script
  }

  var testDescription: String { name }
}

@Suite("A hostile server", .timeLimit(.minutes(10)))
struct HostileServerTests {
  @Test(
    "the push that meets a fault has one outcome, and the next push is accepted",
    arguments: Hostility.broken + Hostility.answering)
  func hostile(_ hostility: Hostility) async throws {
    let server = try HostileServer(hostility.script)
    defer { server.stop() }
    let counters = APNsCounters()
    // No push may last until the deadline, so the deadline is far off.
    let client = try server.client {
      $0.requestTimeout = .seconds(100)
      $0.metrics = counters
    }
    try await check(hostility, client, server, counters)
  }

  @Test(
    "a fault on one stream affects neither the 19 other pushes in flight nor the connection",
    arguments: Hostility.answering.filter { !$0.isReplaced && $0.outcomes != ["never"] })
  func others(_ hostility: Hostility) async throws {
    let server = try HostileServer(crowd: 20, hostility.script)
    defer { server.stop() }
    let client = try server.client { $0.requestTimeout = .seconds(100) }
    #expect(await client.send(push()).isSuccess)
    let outcomes = await client.send(pushes(20))
    let chosen = try #require(outcomes.firstIndex { $0.apnsID == server.chosen })
    #expect(hostility.outcomes.contains(outcomes[chosen].ending), "\(outcomes[chosen])")
    for (index, outcome) in outcomes.enumerated() where index != chosen {
      #expect(outcome.isSuccess, "\(outcome)")
    }
    #expect(await client.send(push()).isSuccess)
    #expect(server.count == 1)
    #expect(server.requests.values.allSatisfy { $0 == 1 })
    await client.close()
  }

  @Test(
    "a push that is never answered ends at its deadline, and the next push uses another connection",
    arguments: Hostility.endless)
  func endless(_ hostility: Hostility) async throws {
    let server = try HostileServer(hostility.script)
    defer { server.stop() }
    let counters = APNsCounters()
    let client = try server.client {
      $0.requestTimeout = .seconds(1)
      $0.metrics = counters
    }
    try await check(hostility, client, server, counters)
  }

  private func check(
    _ hostility: Hostility, _ client: APNsClient, _ server: HostileServer, _ counters: APNsCounters
  ) async throws {
    let first = await client.send(push())
    let word = first.ending
    #expect(hostility.outcomes.contains(word), "\(first)")
    if first.kind != .answered { #expect(first.message?.isEmpty == false) }
    // On a busy machine connecting may exceed a short deadline, so pushes are sent until one succeeds.
    var tries = 1
    var last = await client.send(push())
    while !last.isSuccess, !Task.isCancelled {
      last = await client.send(push())
      tries += 1
    }
    #expect(server.count > (hostility.isReplaced ? 1 : 0))
    await client.close()
    #expect(counters.snapshot.ended.values.reduce(0, +) == tries + 1)
    // A push that may have been received is not sent again by the client.
    #expect(server.requests[last.apnsID] == 1)
    if first.kind != .neverSent, word != "200" {
      #expect(server.requests[first.apnsID, default: 1] == 1)
    }
  }
}
