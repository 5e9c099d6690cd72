import Foundation
import PushModel
import PushStore
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

@Suite("The data directory of a server", .timeLimit(.minutes(10)))
struct DataDirectoryTests {
  let directory = TemporaryFolder()

  @Test("a command brings an older store forward, but not under a serve that uses it")
  func outdated() async throws {
    let newer = SchemaSteps(SchemaSteps.sqlite.steps + [.init("CREATE TABLE added (x)")])
    let path = directory.path("data")
    let data = try DataDirectory(
      Arguments(["--data", path], options: DataDirectory.Options.all))
    let serve = try #require(await RunningServe.start(["--data", path]))
    let error = await #expect(throws: CommandFailure.self) {
      _ = try await data.openStore(steps: newer)
    }
    #expect("\(try #require(error))".contains("a martlet serve of an older version uses \(path)"))
    // One of the same version shares the file.
    _ = try await data.openStore().apps()
    #expect(await serve.stop() == .success)
    _ = try await data.openStore(steps: newer).apps()
    let database = try #require(data.database)
    #expect(try !SQLitePushStore.isOutdated(path: database, steps: newer))
    await #expect(throws: StoreError.self) { _ = try await data.openStore() }
  }

  @Test(
    "a command without a data directory makes none",
    arguments: [
      ["apps", "list"], ["apps", "delete", "a"], ["keys", "create", "--role", "server"],
      ["keys", "create", "--role", "push", "--app", "a"], ["keys", "list"],
      ["keys", "revoke", "a"],
      ["accounts", "invite", "a@example.com", "--role", "admin"], ["accounts", "list"],
      ["accounts", "reset", "a@example.com"], ["accounts", "remove", "a@example.com"],
      ["identity-keys", "add", "--app", "a", "FILES/identity.pub.pem"],
      ["identity-keys", "list", "--app", "a"], ["identity-keys", "remove", "a", "--app", "a"],
      ["secret-key", "rotate"], ["devices", "import", "--app", "a", "FILES/devices.csv"],
      ["devices", "export", "--app", "a", "FILES/out.ndjson"],
    ])
  func absent(line: [String]) async throws {
    let key = try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: OpenSSLCrypto.makeP256KeyPEM())
    _ = try directory.write(key, to: "identity.pub.pem")
    _ = try directory.write("token,os_name\naa01,iOS\n", to: "devices.csv")
    let path = directory.path("none")
    let console = ServeConsole()
    let words = line.map { $0.replacing("FILES", with: directory.url.path) }
    #expect(await console.run(words + ["--data", path]) == .failure)
    #expect(
      console.errors.last?.contains("there is no data directory \(path)") == true,
      "\(console.errors)")
    #expect(directory.contents == ["devices.csv", "identity.pub.pem"])
  }
}
