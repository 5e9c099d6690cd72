import APNsConformance
import APNsTestSupport
import APNsSandbox
import Foundation
import Synchronization
import TestSupport
import Testing
import _TLS

@testable import APNs

/// The time between the GOAWAY of a fault script and the end of the connection.
@Suite("The sandbox's drain after GOAWAY", .timeLimit(.minutes(10)))
struct SandboxDrainTests {
  /// A connection on which GOAWAY has come and the last answer.
  private func connection(_ fixture: SandboxFixture) async throws -> RawClient {
    let peer = try await RawClient.connect(fixture)
    let answer = try await peer.send(RawRequest(authorization: try fixture.authorization()))
    #expect(answer.status == 200)
    return peer
  }

  @Test("the connection stays open for the drain time, and the sandbox still reads")
  func stays() async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.goAway(), after: 0, lasting: .seconds(3600))])
    }
    let peer = try await connection(fixture)
    // A second connection, served by the same thread or another one, is not disturbed by the first.
    let other = try await RawClient.connect(fixture)
    #expect(
      try await other.send(RawRequest(authorization: fixture.authorization())).status == 200)
    // Frames of a type that HTTP/2 does not have are read and ignored (RFC 9113 section 5.5).
    let unknown = Frame.make(0xfa, 0, 0, Array(repeating: 0, count: 16_000))
    for _ in 0..<500 { await peer.send(raw: unknown) }
    #expect(await !peer.isEnded)
    // A sandbox that stops does not wait for the drain.
    await fixture.sandbox.stop()
    #expect(await peer.ended() == "Shutdown")
  }

  @Test(
    "after the drain time the connection is closed; of 0 at once",
    arguments: [nil, .milliseconds(20), .zero] as [Duration?])
  func ends(lasting: Duration?) async throws {
    let fixture = try await SandboxFixture.start {
      $0.script = FaultScript([.init(.goAway(reason: "IdleTimeout"), after: 0, lasting: lasting)])
    }
    let peer = try await connection(fixture)
    #expect(await peer.ended() == "IdleTimeout")
    await fixture.sandbox.stop()
  }

  @Test(
    "node sees no broken connection, and knows of each push whether it was processed",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/node"), "node is not installed"),
    arguments: 1...3)
  func node(_ run: Int) async throws {
    let fixture = try await SandboxFixture.start {
      $0.slowStart = false
      $0.script = FaultScript([.init(.goAway(), after: 100)])
    }
    let folder = TemporaryFolder()
    let authority = try folder.write(fixture.authority.certificatePEM, to: "ca.pem")
    let script = Repository.url("Tests/Peers/burst_node.mjs").path
    let result = await runProgram(
      "/usr/bin/node",
      [
        script, "localhost", String(fixture.port), authority, try fixture.authorization(), "600",
      ])
    await fixture.sandbox.stop()
    let delivered = fixture.record.delivered.count
    #expect(delivered == 101)
    #expect(result.output == "200: \(delivered)\nunprocessed: \(600 - delivered)")
  }
}
