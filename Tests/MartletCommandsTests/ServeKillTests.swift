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

@Suite("A martlet serve that is killed", .timeLimit(.minutes(10)))
struct ServeKillTests {
  let directory = TemporaryFolder()

  @Test("after kill -9 in the middle of a send each device gets it, and has one outcome")
  func kill() async throws {
    let world = try await KillWorld(directory, devices: 2500, stallsAfter: 1500)
    let first = try world.serve(workers: 1)
    let notification = try await world.send(through: first)
    await world.apns.stalled()
    first.kill()

    await world.apns.recover()
    try await world.finish(notification, workers: 1)
    // Everyone got it. Who had an outcome got it once; who got it twice got the same push twice.
    let pushes = world.pushes
    #expect(Set(pushes.keys) == Set(world.tokens))
    for token in world.tokens.prefix(1000) { #expect(pushes[token]?.count == 1) }
    expectSame(pushes, notification)
  }

  @Test("killed again and again at random moments it loses no device and repeats few")
  func randomKills() async throws {
    let plan = KillPlan()
    let workers = 2
    let world = try await KillWorld(directory, devices: plan.devices)
    var server = try world.serve(workers: workers)
    let notification = try await world.send(through: server)
    for moment in plan.moments {
      await world.apns.reached(moment)
      server.kill()
      await server.ended()
      server = try world.serve(workers: workers)
    }
    server.kill()
    await server.ended()
    try await world.finish(notification, workers: workers)

    let pushes = world.pushes
    let lost = Set(world.tokens).subtracting(pushes.keys).count
    let repeats = pushes.values.reduce(0) { $0 + $1.count - 1 }
    // The last of them was killed too.
    let window = (plan.moments.count + 1) * workers * 1000
    let result = "\(plan): \(lost) lost, \(repeats) repeated of at most \(window)"
    if plan.isTorture { print(result) }
    #expect(lost == 0, "\(result)")
    #expect(repeats <= window, "\(result)")
    #expect(pushes.count == plan.devices, "\(result)")
    expectSame(pushes, notification)
  }

  private func expectSame(_ pushes: [String: [SandboxDelivery]], _ notification: String) {
    let different = pushes.values.count { same in
      Set(same.map(\.apnsID)).count > 1 || Set(same.map(\.collapseID)) != [notification]
    }
    #expect(different == 0)
  }

  @Test("a file that may not grow is 503, and once it may the next send is accepted")
  func fileSize() async throws {
    let world = try await KillWorld(directory, devices: 1)
    // 512 KiB for each file.
    let server = try world.serve(workers: 1, under: "ulimit -S -f 1024")
    let client = try await world.client(of: server)
    let text = String(repeating: "x", count: 3900)
    let body: JSONValue = ["notification": ["to": "*", "payload": ["alert": .string(text)]]]
    var refusal = ""
    var accepted: Int64 = 0
    while refusal.isEmpty, accepted < 1000 {
      do {
        _ = try await client.request("POST", "/v6/notifications", body: body.serialized())
        accepted += 1
      } catch {
        refusal = "\(error)"
      }
    }
    #expect(refusal.contains("the store is not available"), "\(refusal)")
    let raised = await runProgram(
      "/usr/bin/env", ["prlimit", "--pid", "\(server.identifier)", "--fsize=unlimited"])
    #expect(raised.status == 0)
    _ = try await client.request("POST", "/v6/notifications", body: body.serialized())
    let list = try await client.request("GET", "/v6/notifications")
    #expect(list["meta"]?["total"]?.integer == accepted + 1)
    #expect(await server.terminate() == 0)
    await world.apns.stop()
  }
}

/// How many devices there are, and after how many pushes each kill comes.
private struct KillPlan: CustomStringConvertible {
  let devices: Int
  let moments: [Int]
  let seed: UInt64
  /// `make torture` sets it.
  let isTorture: Bool

  init() {
    let environment = ProcessInfo.processInfo.environment
    isTorture = environment["MARTLET_TORTURE"] != nil
    let seed = environment["MARTLET_SEED"].flatMap(UInt64.init) ?? .random(in: 0...(.max))
    let devices = isTorture ? 100_000 : 20_000
    var random = SplitMix64(state: seed)
    moments = (0..<(isTorture ? 20 : 3)).map { _ in Int.random(in: 1..<devices, using: &random) }
      .sorted()
    self.seed = seed
    self.devices = devices
  }

  var description: String {
    "\(moments.count) kills on \(devices) devices with MARTLET_SEED=\(seed)"
  }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators".
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

/// An app with devices, and Apple's side that remembers what it took.
private struct KillWorld {
  let apns: Witness
  let tokens: [String]
  private let options: [String]
  private let key: String

  init(
    _ directory: TemporaryFolder, devices count: Int, stallsAfter limit: Int = .max
  ) async throws {
    let p8 = OpenSSLCrypto.makeP256KeyPEM()
    apns = try await Witness(p8: p8, stallsAfter: limit)
    let ca = try directory.write(apns.caPEM, to: "ca.pem")
    let data = directory.path("data")
    let app = try await Self.run([
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", try directory.write(p8, to: "key.p8"), "--data", data, "--json",
    ])
    tokens = (0..<count).map { String(0x10_0000 + $0, radix: 16) }
    let csv = try directory.write(
      "token,os_name\n" + tokens.map { $0 + ",iOS\n" }.joined(), to: "devices.csv")
    let id = app["id"]?.string ?? ""
    _ = try await Self.run(["devices", "import", "--app", id, csv, "--data", data, "--json"])
    options = ["--data", data, "--apns", apns.url, "--apns-ca", ca]
    key = app["keys"]?["push"]?.string ?? ""
  }

  func serve(workers: Int, under limit: String? = nil) throws -> ServeProcess {
    try ServeProcess(options + ["--workers", "\(workers)"], under: limit)
  }

  func client(of server: ServeProcess) async throws -> ServerClient {
    ServerClient(base: try #require(await server.url()), key: key)
  }

  /// Posts to everyone; the notification's id.
  func send(through server: ServeProcess) async throws -> String {
    let body: JSONValue = ["notification": ["to": "*", "payload": ["alert": "Hi"]]]
    let sent = try await client(of: server).request(
      "POST", "/v6/notifications", body: body.serialized())
    return sent["notification"]?["id"]?.string ?? ""
  }

  /// Lets one more server end the send, and counts.
  func finish(_ notification: String, workers: Int) async throws {
    let server = try serve(workers: workers)
    let client = try await client(of: server)
    var state: JSONValue = .null
    while state["state"] != "complete" {
      state = try await client.request("GET", "/v6/notifications/\(notification)")
    }
    #expect(state["counts"]?["targeted"]?.integer == Int64(tokens.count))
    #expect(state["counts"]?["sent"]?.integer == Int64(tokens.count))
    #expect(await server.terminate() == 0)
    await apns.stop()
  }

  var pushes: [String: [SandboxDelivery]] { Dictionary(grouping: apns.accepted, by: \.token) }

  private static func run(_ line: [String]) async throws -> JSONValue {
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
    let deliveries = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let stalls = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  init(p8: String, stallsAfter limit: Int) async throws {
    let authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["127.0.0.1"])
    var configuration = APNsSandbox.Configuration(
      certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
    configuration.providerKeys = [.init(teamID: "TEAM123456", keyID: "KEY1234567", pem: p8)]
    let state = State()
    configuration.onDelivery = { delivery in
      state.accepted.withLock { $0.append(delivery) }
      state.deliveries.continuation.yield()
    }
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

  /// Returns once it has taken so many pushes.
  func reached(_ count: Int) async {
    let isReached = { self.state.accepted.withLock { $0.count >= count } }
    if isReached() { return }
    for await _ in state.deliveries.stream where isReached() { return }
  }

  func stalled() async { for await _ in state.stalls.stream { return } }
  func recover() async { await sandbox.run(FaultScript()) }
  func stop() async { await sandbox.stop() }
}

/// The built program at work.
private final class ServeProcess: Sendable {
  private let child: ChildProcess

  var identifier: Int32 { child.identifier }

  /// `limit` is what a shell does before it becomes the program.
  init(_ options: [String], under limit: String? = nil) throws {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "martlet").path()
    let line = [program, "serve", "--listen", "127.0.0.1:0"] + options
    child = try ChildProcess(
      "/usr/bin/env", ["sh", "-c", (limit.map { $0 + "; " } ?? "") + #"exec "$@""#, "sh"] + line,
      keepsErrors: false)
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

  func ended() async { _ = await child.wait() }

  /// Sends SIGTERM and returns the exit status.
  func terminate() async -> Int32 {
    child.signal(SIGTERM)
    return await child.wait()
  }
}
