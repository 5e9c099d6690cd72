import APNsSandbox
import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing
import _Spawn
import _OpenSSLCrypto
import _TLS

@testable import MartletCommands

@Suite("A martlet serve that is killed", .timeLimit(.minutes(2)))
struct ServeKillTests {
  let directory = TemporaryFolder()

  @Test("after kill -9 in the middle of a send each device gets it, and has one outcome")
  func kill() async throws {
    let count = 2500
    let p8 = OpenSSLCrypto.makeP256KeyPEM()
    let apns = try await Witness(p8: p8, stallsAfter: 1500)
    let ca = try directory.write(apns.caPEM, to: "ca.pem")
    let data = directory.path("data")
    let app = try await run([
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", try directory.write(p8, to: "key.p8"), "--data", data, "--json",
    ])
    let tokens = (0..<count).map { String(0x10_0000 + $0, radix: 16) }
    let csv = try directory.write(
      "token,os_name\n" + tokens.map { $0 + ",iOS\n" }.joined(), to: "devices.csv")
    let id = app["id"]?.string ?? ""
    _ = try await run(["devices", "import", "--app", id, csv, "--data", data, "--json"])

    let options = ["--data", data, "--workers", "1", "--apns", apns.url, "--apns-ca", ca]
    let first = try ServeProcess(options)
    let key = app["keys"]?["push"]?.string ?? ""
    let client = ServerClient(base: try #require(await first.url()), key: key)
    let body: JSONValue = ["notification": ["to": "*", "payload": ["alert": "Hi"]]]
    let sent = try await client.request("POST", "/v6/notifications", body: body.serialized())
    let notification = sent["notification"]?["id"]?.string ?? ""
    await apns.stalled()
    first.kill()

    await apns.recover()
    let second = try ServeProcess(options)
    let again = ServerClient(base: try #require(await second.url()), key: key)
    var state: JSONValue = .null
    while state["state"] != "complete" {
      state = try await again.request("GET", "/v6/notifications/\(notification)")
    }
    #expect(state["counts"]?["targeted"]?.integer == Int64(count))
    #expect(state["counts"]?["sent"]?.integer == Int64(count))
    #expect(await second.terminate() == 0)
    await apns.stop()

    // Everyone got it. Who had an outcome got it once; who got it twice got the same push twice.
    let pushes = Dictionary(grouping: apns.accepted, by: \.token)
    #expect(Set(pushes.keys) == Set(tokens))
    for token in tokens.prefix(1000) { #expect(pushes[token]?.count == 1) }
    for same in pushes.values {
      #expect(Set(same.map(\.apnsID)).count == 1)
      #expect(Set(same.map(\.collapseID)) == [notification])
    }
  }

  private func run(_ line: [String]) async throws -> JSONValue {
    let console = ServeConsole()
    #expect(await console.run(line) == .yes, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")
  }
}

/// A model of APNs that stops answering after a number of pushes, until it recovers.
private final class Witness: Sendable {
  let caPEM: String
  let url: String
  private let sandbox: APNsSandbox
  private let state: State

  private final class State: Sendable {
    let accepted = Mutex<[SandboxDelivery]>([])
    let stalls = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  init(p8: String, stallsAfter limit: Int) async throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["127.0.0.1"])
    var configuration = APNsSandbox.Configuration(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    configuration.providerKeys = [.init(teamID: "TEAM123456", keyID: "KEY1234567", pem: p8)]
    let state = State()
    configuration.onDelivery = { delivery in state.accepted.withLock { $0.append(delivery) } }
    configuration.script = FaultScript([.init(.stall, after: limit, count: .max)])
    configuration.journal = { line in
      if line.contains(#""status":null"#) { state.stalls.continuation.yield() }
    }
    self.state = state
    caPEM = authority.certificatePEM
    sandbox = try APNsSandbox(configuration: configuration)
    url = "https://127.0.0.1:\(try await sandbox.start())"
  }

  var accepted: [SandboxDelivery] { state.accepted.withLock(\.self) }

  func stalled() async { for await _ in state.stalls.stream { return } }
  func recover() async { await sandbox.run(FaultScript()) }
  func stop() async { await sandbox.stop() }
}

/// The built program at work.
private final class ServeProcess: Sendable {
  private let child: ChildProcess

  init(_ options: [String]) throws {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "martlet").path()
    child = try ChildProcess(
      program, ["serve", "--listen", "127.0.0.1:0"] + options, keepsErrors: false)
  }

  /// Where it listens; `nil` where it ended before it did.
  func url() async -> String? {
    let prefix = "listening on "
    for await line in child.lines where line.hasPrefix(prefix) {
      return String(line.dropFirst(prefix.count))
    }
    return nil
  }

  deinit { kill() }

  func kill() { child.signal(SIGKILL) }

  /// Sends SIGTERM and returns the exit status.
  func terminate() async -> Int32 {
    child.signal(SIGTERM)
    return await child.wait()
  }
}
