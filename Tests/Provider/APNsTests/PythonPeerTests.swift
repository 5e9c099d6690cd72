import APNsTestSupport
import APNs
import Foundation
import TestSupport
import Testing
import _Spawn
import _TLS

/// Compares the client's outcomes with the log of a server on Python's `h2`, which shares no code with ours.
@Suite(
  "A server on Python's h2", .timeLimit(.minutes(10)),
  .enabled(if: PythonPeer.isInstalled, "h2 is not in .build/python: run scripts/bootstrap"))
struct PythonPeerTests {
  @Test(
    "the server logs one response for each push, with the status that the client reports",
    arguments: ["plain", "goaway:37", "refuse:5", "limit:20", "goaway:41,refuse:7,limit:30"])
  func agrees(_ script: String) async throws {
    let peer = try await PythonPeer(script)
    let client = try peer.client()
    let sent = (0..<300).map { push($0.isMultiple(of: 10) ? "ee" : deviceToken) }
    let outcomes = await client.send(sent)
    await client.close()
    let log = await peer.stop()

    for (push, outcome) in zip(sent, outcomes) {
      let isGone = push.deviceToken == "ee"
      #expect(outcome.status == (isGone ? 410 : 200), "\(outcome)")
      #expect(outcome.inactiveSince == (isGone ? 1_700_000_000_123 : nil))
      #expect(log.answers[outcome.apnsID] == [outcome.status])
    }
    #expect(log.answers.count == 300)
    #expect(log.lines.filter { $0.hasPrefix("fault") } == [], "h2 finds no fault with the client")
    for word in ["goaway", "refuse", "limit"] where script.contains(word) {
      #expect(log.lines.contains { $0.hasPrefix(word) }, "it did so")
    }
  }
}

/// The server's process.
final class PythonPeer: Sendable {
  struct Log {
    let lines: [String]
    /// The statuses of the responses, by `apns-id`.
    let answers: [String: [Int?]]
  }

  private static let python = Repository.url(".build/python/bin/python").path
  private static let program = Repository.url("Tests/Peers/apns_h2.py").path

  static let isInstalled =
    (try? FileManager.default.contentsOfDirectory(
      atPath: Repository.url(".build/python/lib").path))?
    .contains { version in
      FileManager.default.fileExists(
        atPath: Repository.url(".build/python/lib/\(version)/site-packages/h2").path)
    } ?? false

  private let process: ChildProcess
  private let folder = TemporaryFolder()
  private let authority: CertificateAuthority
  private let port: UInt16
  private let reader: Task<[String], Never>

  init(_ script: String) async throws {
    authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["127.0.0.1"])
    let process = try ChildProcess(
      Self.python,
      [
        Self.program, folder.write(leaf.certificatePEM, to: "certificate.pem"),
        folder.write(leaf.keyPEM, to: "key.pem"), script,
      ])
    self.process = process
    let (ports, found) = AsyncStream<UInt16>.makeStream()
    reader = Task {
      var lines: [String] = []
      for await line in process.lines {
        if line.hasPrefix("port "), let port = UInt16(line.dropFirst(5)) { found.yield(port) }
        lines.append(line)
      }
      found.finish()
      return lines
    }
    var iterator = ports.makeAsyncIterator()
    port = try #require(await iterator.next(), "the server said no port")
  }

  func client() throws -> APNsClient {
    var configuration = APNsClient.Configuration(
      credentials: .token(.made()), endpoint: .custom(host: "127.0.0.1", port: port))
    configuration.extraTrustPEM = authority.certificatePEM
    return try APNsClient(configuration: configuration)
  }

  /// Stops the server and returns its log.
  func stop() async -> Log {
    process.signal(SIGKILL)
    _ = await process.wait()
    let lines = await reader.value
    var answers: [String: [Int?]] = [:]
    for line in lines where line.hasPrefix("answered ") {
      let words = line.split(separator: " ")
      answers[String(words[1]), default: []].append(Int(words[2]))
    }
    return Log(lines: lines, answers: answers)
  }
}
