import Foundation
import PushCrypto
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

@Suite("martlet identity-keys", .timeLimit(.minutes(10)))
struct ServeIdentityTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }

  private func run(_ line: [String]) async throws -> JSONValue {
    let console = ServeConsole()
    #expect(await console.run(line + ["--json"]) == .success, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")
  }

  private func makeApp(_ options: [String] = []) async throws -> JSONValue {
    let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
    return try await run(
      [
        "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
        "KEY1234567", "--key-file", key, "--data", data,
      ] + options)
  }

  private func curl(_ arguments: [String]) async throws -> JSONValue {
    let run = await runProgram("/usr/bin/curl", ["--silent", "--max-time", "60"] + arguments)
    return try JSONValue(parsing: run.output)
  }

  private static func token(signedBy pem: String) throws -> String {
    let claims: JSONValue = [
      "sub": "ada", "aud": "com.example.app",
      "exp": .integer(Int64(Date().timeIntervalSince1970) + 600),
    ]
    let signed =
      Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8)) + "." + Base64URL.encode(claims.bytes)
    let key = try OpenSSLCrypto().privateKey(pem: pem)
    return try signed + "." + Base64URL.encode(key.signature(for: Array(signed.utf8)))
  }

  @Test(
    "keys are added, listed and removed, in the store and over HTTP, and verify tokens at once",
    arguments: [0, 1])
  func keys(way: Int) async throws {
    let app = try await makeApp()
    let id = app["id"]?.string ?? ""
    let serve = try #require(await RunningServe.start(["--data", data]))
    let place =
      way == 0
      ? ["--data", data] : ["--server", serve.url, "--api-key-file", data + "/admin.key"]
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let publicPEM = try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem)
    let file = try directory.write(publicPEM, to: "identity.pub.pem")
    let added = try await run(
      ["identity-keys", "add", "--app", id, file, "--expires", "2100-01-31"] + place)
    #expect(added["public_key"] == .string(publicPEM))
    #expect(added["expires_at"] == "2100-01-31T00:00:00.000Z")
    let listed = try await run(["identity-keys", "list", "--app", id] + place)
    #expect(listed == [added])

    func put(_ device: String, _ headers: [String]) async throws -> JSONValue {
      try await curl(
        ["--user", ":" + (app["keys"]?["device"]?.string ?? ""), "--request", "PUT"]
          + (["Content-Type: application/json"] + headers).flatMap { ["--header", $0] }
          + [
            "--data", #"{"device":{"user_id":"ada","push_token":"aa\#(device)"}}"#,
            serve.url + "/v6/devices/d\(device)",
          ])
    }
    func user(_ device: String) async throws -> JSONValue? {
      try await curl([
        "--user", ":" + (app["keys"]?["push"]?.string ?? ""), serve.url + "/v6/devices/d\(device)",
      ])["devices"]?["user_id"]
    }
    let secret = "Martlet-Device-Secret: " + String(repeating: "A", count: 43)
    let proof = "Martlet-User-Token: " + (try Self.token(signedBy: pem))
    #expect(try await put("01", [])["dropped"]?.array?.count == 1)
    #expect(try await user("01")?.isNull == true)
    #expect(try await put("02", [secret, proof])["dropped"] == [])
    #expect(try await user("02") == "ada")
    #expect(
      try await put("02", [proof])["error"] == "your api client does not have the correct roles")

    let removed = try await run(
      ["identity-keys", "remove", added["id"]?.string ?? "", "--app", id] + place)
    #expect(removed == added)
    #expect(try await run(["identity-keys", "list", "--app", id] + place) == [])
    #expect(try await put("03", [proof])["dropped"]?.array?.count == 1)
    #expect(await serve.stop() == .success)
  }

  @Test("an app is made with one of the three settings", arguments: ["required", "report", "off"])
  func setting(word: String) async throws {
    let options = word == "required" ? [] : ["--identity", word]
    let app = try await makeApp(options)
    let apps = try await run(["apps", "list", "--data", data])
    #expect(apps.array?.map { $0["identity"] } == [.string(word)])
    #expect(apps.array?.first?["id"] == app["id"])
  }

  @Test("what is no public key is refused, and a third key")
  func refusals() async throws {
    let id = try await makeApp()["id"]?.string ?? ""
    func add(_ pem: String, app: String? = nil) async throws -> ServeConsole {
      let console = ServeConsole()
      let file = try directory.write(pem, to: "key.pem")
      let line = ["identity-keys", "add", "--app", app ?? id, file, "--data", data]
      #expect(await console.run(line) == .failure)
      return console
    }
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    let wrong = try await add(pem)
    #expect(wrong.errors.first?.contains("must be a P-256 public key in PEM") == true)
    for _ in 0..<2 {
      let key = try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: OpenSSLCrypto.makeP256KeyPEM())
      let file = try directory.write(key, to: "good.pem")
      _ = try await run(["identity-keys", "add", "--app", id, file, "--data", data])
    }
    let third = try await add(OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem))
    #expect(third.errors.first?.contains("at most 2 identity keys") == true)
    let nowhere = try await add(OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem), app: "none")
    #expect(nowhere.errors.first?.contains("none") == true)
    let console = ServeConsole()
    let line = ["identity-keys", "remove", "none", "--app", id, "--data", data]
    #expect(await console.run(line) == .failure)
    #expect(console.errors.first?.contains("martlet identity-keys list --app") == true)
  }
}
