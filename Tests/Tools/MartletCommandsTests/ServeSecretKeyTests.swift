import Foundation
import PushModel
import PushPayload
import PushServer
import PushStore
import Testing
import _OpenSSLCrypto
import TestSupport

@testable import MartletCommands

@Suite("The secret key of martlet serve", .timeLimit(.minutes(10)))
struct ServeSecretKeyTests {
  let directory = TemporaryFolder()
  let p8 = OpenSSLCrypto.makeP256KeyPEM()
  var data: String { directory.path("data") }
  var file: String { data + "/secret.key" }

  private func makeApp(_ options: [String] = []) async throws -> String {
    let key = try directory.write(p8, to: "key.p8")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let console = ServeConsole()
    let line = [
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", key, "--data", data, "--json",
    ]
    #expect(await console.run(line + options) == .success, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")["id"]?.string ?? ""
  }

  private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  private func store() throws -> SQLitePushStore {
    try SQLitePushStore(path: data + "/martlet.sqlite")
  }

  /// Whether a file of the database has the first line of the p8 key's Base64.
  private func isClearOnDisk() throws -> Bool {
    let line = Data(p8.split(separator: "\n")[1].utf8)
    return try ["", "-wal"].map { data + "/martlet.sqlite" + $0 }
      .filter(FileManager.default.fileExists)
      .contains { try bytes($0).range(of: line) != nil }
  }

  @Test("the first use makes 32 random bytes that only the owner can read, and encrypts the p8 key")
  func made() async throws {
    let id = try await makeApp()
    let secret = try bytes(file)
    #expect(secret.count == 32)
    #expect(Set(secret).count > 8)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try !isClearOnDisk())
    let running = try #require(await RunningServe.start(["--data", data]))
    #expect(await running.stop() == .success)
    #expect(try bytes(file) == secret)
    let app = try #require(try await store().app(id))
    #expect(try SecretKey(Array(secret))?.privateKey(of: app) == p8)
    let left = try FileManager.default.contentsOfDirectory(atPath: data)
    #expect(left.filter { $0.hasPrefix("secret.key") } == ["secret.key"])
  }

  @Test(
    "a wrong, damaged or missing secret key is one line with the fix, and nothing is lost",
    arguments: [
      (nil, "restore it, or name its place with --secret-key-file"),
      (Data(repeating: 231, count: 32), "were sealed with another secret key"),
      (Data(repeating: 231, count: 31), "must be exactly 32 random bytes"),
      (Data(repeating: 231, count: 33), "must be exactly 32 random bytes"),
      (Data(), "must be exactly 32 random bytes"),
    ] as [(Data?, String)])
  func refused(wrong: Data?, message: String) async throws {
    let id = try await makeApp()
    let secret = try bytes(file)
    let app = try await store().app(id)
    try FileManager.default.removeItem(atPath: file)
    try wrong?.write(to: URL(filePath: file))

    let key = directory.path("key.p8")
    for line in [
      ["serve", "--listen", "127.0.0.1:0"], ["serve", "--check"],
      [
        "apps", "create", "--bundle-id", "b", "--team-id", "TEAM123456", "--key-id", "KEY1234567",
        "--key-file", key,
      ],
    ] {
      let console = ServeConsole()
      #expect(await console.run(line + ["--data", data]) == .failure)
      #expect(console.errors.count == 1)
      #expect(console.errors.first?.contains(message) == true, "\(console.errors)")
      #expect(console.errors.first?.contains(file) == true)
      // The path has digits of its own.
      #expect(console.errors.first?.replacing(file, with: "").contains("231") == false)
    }
    #expect(FileManager.default.fileExists(atPath: file) == (wrong != nil))
    #expect(try await store().apps() == [app].compactMap { $0 })

    try secret.write(to: URL(filePath: file))
    let running = await RunningServe.start(["--data", data])
    #expect(running != nil)
    _ = await running?.stop()
  }

  @Test("option, environment and file may put the secret key elsewhere")
  func elsewhere() async throws {
    let shared = directory.path("shared.key")
    _ = try await makeApp(["--secret-key-file", shared])
    #expect(FileManager.default.fileExists(atPath: shared))
    #expect(!FileManager.default.fileExists(atPath: file))
    let config = try directory.write(#"{"secret-key-file": "\#(shared)"}"#, to: "config.json")
    let places: [([String], [String: String])] = [
      (["--secret-key-file", shared], [:]), ([], ["MARTLET_SECRET_KEY_FILE": shared]),
      (["--config", config], [:]),
      (["--secret-key-file", shared], ["MARTLET_SECRET_KEY_FILE": "/none"]),
    ]
    for (options, environment) in places {
      let running = await RunningServe.start(["--data", data] + options, environment: environment)
      #expect(running != nil)
      _ = await running?.stop()
    }
    let without = ServeConsole()
    #expect(await without.run(["serve", "--data", data, "--check"]) == .failure)
  }

  @Test(
    "a secret key that others may use is a warning with its mode and the cure",
    arguments: [(0o600, nil), (0o400, nil), (0o640, "0640"), (0o604, "0604"), (0o666, "0666")]
      as [(Int, String?)])
  func mode(mode: Int, shown: String?) async throws {
    _ = try await makeApp()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    let running = try #require(await RunningServe.start(["--data", data]))
    let warnings = running.console.errors.filter { $0.contains("other users may use") }
    #expect(warnings.count == (shown == nil ? 0 : 1))
    if let shown {
      #expect(warnings.first?.contains("whose mode is \(shown); run chmod 600 \(file)") == true)
    }
    #expect(await running.stop() == .success)
  }

  @Test("a path where it cannot be written is named")
  func unusable() async throws {
    for (place, message) in [
      (data + "/none/secret.key", "cannot write"), (data, "cannot read"),
      ("/dev/null/secret.key", "cannot read"),
    ] {
      let console = ServeConsole()
      #expect(await console.run(["serve", "--data", data, "--secret-key-file", place]) == .failure)
      #expect(console.errors.first?.contains("\(message) \(place)") == true, "\(console.errors)")
    }
  }
}
