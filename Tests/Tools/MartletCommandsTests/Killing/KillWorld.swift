import APNsSandbox
import Foundation
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

/// An app with devices in a store, the nodes that share it, and a model of APNs that records the
/// pushes.
struct KillWorld {
  let apns: Witness
  let tokens: [String]
  private let directory: TemporaryFolder
  private let database: [String]
  private let apnsOptions: [String]
  private let key: String
  private let phones: Int

  /// - Parameters:
  ///   - cluster: The PostgreSQL of the store; without one the store is SQLite.
  ///   - standby: The standby that takes over when the cluster is killed.
  ///   - phones: The devices beside the others that ``Phones`` reports for.
  init(
    _ directory: TemporaryFolder, on cluster: PostgreSQLCluster? = nil,
    or standby: PostgreSQLCluster? = nil, devices count: Int, phones: Int = 0,
    stallsAfter limit: Int = .max
  ) async throws {
    let p8 = OpenSSLCrypto.makeP256KeyPEM()
    apns = try await Witness(p8: p8, stallsAfter: limit)
    self.directory = directory
    database =
      cluster.map { cluster in
        ["--database", standby.map { cluster.url(or: $0) } ?? cluster.url]
      } ?? []
    apnsOptions = [
      "--apns", apns.url, "--apns-ca", try directory.write(apns.caPEM, to: "ca.pem"),
    ]
    let store = ["--data", directory.path("node-0")] + database + ["--json"]
    let app = try await Self.run(
      [
        "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
        "KEY1234567", "--key-file", try directory.write(p8, to: "key.p8"),
      ] + store)
    let imported = (0..<count).map { String(0x10_0000 + $0, radix: 16) }
    self.phones = phones
    tokens = imported + (0..<phones).map(Phones.token)
    let csv = try directory.write(
      "token,os_name\n" + imported.map { $0 + ",iOS\n" }.joined(), to: "devices.csv")
    _ = try await Self.run(
      ["devices", "import", "--app", app["id"]?.string ?? "", csv] + store)
    key = app["keys"]?["admin"]?.string ?? ""
  }

  /// Starts a node with a data directory of its own; all nodes share one secret key.
  func serve(
    node: Int = 0, workers: Int, under limit: String? = nil
  ) throws -> ServeProcess {
    try ServeProcess(
      [
        "--data", directory.path("node-\(node)"),
        "--secret-key-file", directory.path("node-0/secret.key"), "--workers", "\(workers)",
      ] + database + apnsOptions, under: limit)
  }

  func client(of server: ServeProcess) async throws -> ServerClient {
    ServerClient(base: try #require(await server.url()), key: key)
  }

  /// The client of a server that runs in this process.
  func client(onPort port: UInt16) -> ServerClient {
    ServerClient(base: "http://127.0.0.1:\(port)", key: key)
  }

  /// Posts a notification to all devices and returns its id.
  func send(through client: ServerClient) async throws -> String {
    for phone in 0..<phones {
      let device: JSONValue = [
        "device": ["push_token": .string(Phones.token(phone)), "platform": "iOS"]
      ]
      _ = try await client.patientRequest(
        "PUT", "/v6/devices/\(Phones.id(phone))", body: device)
    }
    let body: JSONValue = ["notification": ["to": "*", "payload": ["alert": "Hi"]]]
    let sent = try await client.patientRequest("POST", "/v6/notifications", body: body)
    return sent["notification"]?["id"]?.string ?? ""
  }

  /// Waits for the end of the send and returns its counts.
  func finish(_ notification: String, through client: ServerClient) async throws {
    let path = "/v6/notifications/\(notification)"
    // The stream of its states ends when it does. It is asked for again while the store is away.
    _ = await runProgram(
      "/usr/bin/curl",
      ["-sN", "-m", "400", "--retry", "30", "-u", ":" + key, client.base + path + "/stream"])
    let send = try await client.patientRequest("GET", path)
    #expect(send["state"] == "complete")
    #expect(send["counts"]?["targeted"]?.integer == Int64(tokens.count))
    #expect(send["counts"]?["sent"]?.integer == Int64(tokens.count))
  }

  /// Compares the pushes that APNs received with those that were sent.
  ///
  /// - Parameter window: The most pushes that may have been repeated.
  func expectAll(
    of notification: String, repeatedAtMost window: Int, _ name: String, isPrinted: Bool
  ) {
    let pushes = self.pushes
    let lost = Set(tokens).subtracting(pushes.keys).count
    let repeats = pushes.values.reduce(0) { $0 + $1.count - 1 }
    let result = "\(name): \(lost) lost, \(repeats) repeated of at most \(window)"
    if isPrinted { print(result) }
    #expect(lost == 0, "\(result)")
    #expect(repeats <= window, "\(result)")
    #expect(pushes.count == tokens.count, "\(result)")
    // Who got it twice got the same push twice.
    let different = pushes.values.count { same in
      Set(same.map(\.apnsID)).count > 1 || Set(same.map(\.collapseID)) != [notification]
    }
    #expect(different == 0, "\(result)")
  }

  var pushes: [String: [SandboxDelivery]] { Dictionary(grouping: apns.accepted, by: \.token) }

  private static func run(_ line: [String]) async throws -> JSONValue {
    let console = ServeConsole()
    #expect(await console.run(line) == .success, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")
  }
}
