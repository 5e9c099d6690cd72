import APNsTestSupport
import APNs
import APNsSandbox
import Foundation
import TestSupport
import Testing
import _TLS

/// Third-party clients that send to an active, an inactive and a malformed device token.
@Suite("Third-party clients", .timeLimit(.minutes(10)))
struct UnknownClientTests {
  static let tokens = ["0a0b", "dead", "0c0"]

  @Test(
    "aioapns, which offers no ALPN and sends host instead of :authority, gets Apple's responses",
    .enabled(if: Peer.aioapns.isInstalled, "run scripts/bootstrap"))
  func aioapns() async throws {
    let output = try await run(.aioapns) { fixture in
      fixture.credentials.privateKeyPEM
    }
    #expect(output == ["200 -", "410 Unregistered", "400 BadDeviceToken"])
  }

  @Test(
    "httpx gets Apple's responses over HTTP/2",
    .enabled(if: Peer.httpx.isInstalled, "run scripts/bootstrap"))
  func httpx() async throws {
    let output = try await run(.httpx) { try $0.authorization() }
    #expect(
      output == ["HTTP/2 200 -", "HTTP/2 410 Unregistered", "HTTP/2 400 BadDeviceToken"])
  }

  @Test(
    "Node.js' http2 gets Apple's responses",
    .enabled(if: Peer.node.isInstalled, "node is not installed"))
  func node() async throws {
    let output = try await run(.node) { try $0.authorization() }
    #expect(output == ["200 -", "410 Unregistered", "400 BadDeviceToken"])
  }

  /// The lines that a client prints; `secret` is the key, passed in a file, or the authorization header.
  private func run(_ peer: Peer, _ secret: (SandboxFixture) throws -> String) async throws
    -> [String]
  {
    let fixture = try await SandboxFixture.start { $0.goneTokens = ["dead": 1] }
    let folder = TemporaryFolder()
    let authority = try folder.write(fixture.authority.certificatePEM, to: "ca.pem")
    var proof = try secret(fixture)
    if peer == .aioapns { proof = try folder.write(proof, to: "key.p8") }
    let result = await runProgram(
      peer.program,
      [peer.script, "localhost", String(fixture.port), authority, proof] + Self.tokens)
    await fixture.sandbox.stop()
    #expect(fixture.record.delivered.map(\.token) == ["0a0b"])
    return result.output.split(separator: "\n").map(String.init)
  }
}

/// A program under `Tests/Peers`, and its interpreter.
private enum Peer: String {
  case aioapns = "send_aioapns.py"
  case httpx = "send_httpx.py"
  case node = "send_node.mjs"

  private static let root = Repository.root

  var script: String { Self.root.appending(path: "Tests/Peers/\(rawValue)").path }
  var program: String {
    self == .node ? "/usr/bin/node" : Self.root.appending(path: ".build/python/bin/python").path
  }

  var isInstalled: Bool {
    let files = FileManager.default
    guard self != .node else { return files.isExecutableFile(atPath: program) }
    let library = Self.root.appending(path: ".build/python/lib").path
    let module = self == .aioapns ? "aioapns" : "httpx"
    let versions = (try? files.contentsOfDirectory(atPath: library)) ?? []
    return versions.contains {
      files.fileExists(atPath: "\(library)/\($0)/site-packages/\(module)")
    }
  }
}
