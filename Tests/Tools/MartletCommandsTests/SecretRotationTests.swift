import Foundation
import PushModel
import PushPayload
import PushStore
import Synchronization
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands
@testable import PushServer

@Suite("martlet secret-key rotate", .timeLimit(.minutes(10)))
struct SecretRotationTests {
  let directory = TemporaryFolder()
  let p8 = OpenSSLCrypto.makeP256KeyPEM()
  var data: String { directory.path("data") }
  var path: String { data + "/secret.key" }

  private struct Killed: Error {}

  private func run(_ line: [String]) async throws -> JSONValue {
    let console = ServeConsole()
    #expect(await console.run(line + ["--json"]) == .success, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")
  }

  @discardableResult
  private func makeApp(_ place: [String]? = nil) async throws -> String {
    let key = try directory.write(p8, to: "key.p8")
    let app = try await run(
      [
        "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
        "KEY1234567", "--key-file", key,
      ] + (place ?? ["--data", data]))
    return app["id"]?.string ?? ""
  }

  private func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  private func file() throws -> SecretKeyFile {
    let arguments = try Arguments(["--data", data], options: SecretKeyRotateCommand.options)
    return try SecretKeyFile(arguments, in: DataDirectory(arguments))
  }

  private func store() throws -> SQLitePushStore {
    try SQLitePushStore(path: data + "/martlet.sqlite")
  }

  private func mode() throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("the file and the store tell the next step, whatever was interrupted")
  func steps() throws {
    let (a, b) = (SecretKey.randomBytes(), SecretKey.randomBytes())
    let (markA, markB) = (try #require(Secret(a)?.mark), try #require(Secret(b)?.mark))
    let one = try #require(SecretKey.Secrets(a))
    let two = try #require(SecretKey.Secrets(b + a))
    #expect(SecretRotation.next(one, mark: markA) == .add)
    #expect(SecretRotation.next(one, mark: markB) == nil)
    #expect(SecretRotation.next(two, mark: markA) == .reseal)
    #expect(SecretRotation.next(two, mark: markB) == .remove)
    #expect(SecretRotation.next(two, mark: [2]) == nil)
  }

  @Test(
    "killed after any step, everything can be read, and the next rotation finishes it",
    arguments: SecretRotation.Step.allCases)
  func killed(after last: SecretRotation.Step) async throws {
    let id = try await makeApp()
    let before = try bytes()
    let store = try store()
    let webhook = Webhook(
      id: "hook", app: id, url: "https://example.com", events: ["notification.create"],
      sealedSecret: try #require(SecretKey(before))
        .seal("whsec", as: .webhookSecret, for: "hook"), createdAt: ServerClock.system.now())
    try await store.add(webhook)
    var rotation = SecretRotation(file: try file(), store: store)
    rotation.afterStep = { if $0 == last { throw Killed() } }
    await #expect(throws: Killed.self) { try await rotation.run(pausesAfterAdding: false) }

    // As another process finds it.
    let secrets = try #require(try await file().existing(for: store))
    let key = SecretKey { secrets }
    #expect(try key.privateKey(of: try #require(try await store.app(id))) == p8)
    #expect(try await store.webhooks(app: id).map(key.secret) == ["whsec"])
    #expect(try mode() == 0o600)
    let serve = try #require(await RunningServe.start(["--data", data]))
    try await makeApp(["--server", serve.url, "--api-key-file", data + "/admin.key"])
    #expect(await serve.stop() == .success)

    let count = try await store.apps().count + 1
    let result = try await run(["secret-key", "rotate", "--data", data])
    #expect(result["state"] == "rotated")
    #expect(result["values"] == .integer(last == .reseal ? 0 : Int64(count)))
    let after = try bytes()
    #expect(after.count == 32 && after != before)
    #expect(try mode() == 0o600)
    let (old, new) = (try #require(SecretKey(before)), try #require(SecretKey(after)))
    for app in try await store.apps() {
      #expect(try new.privateKey(of: app) == p8)
      #expect(throws: SecretKey.Mismatch.self) { try old.privateKey(of: app) }
    }
    #expect(try await store.webhooks(app: id).map(new.secret) == ["whsec"])
    #expect(try await store.webhooks(app: id).map(old.secret) == [nil])
    let left = try FileManager.default.contentsOfDirectory(atPath: data)
    #expect(Set(left.filter { $0.hasPrefix("secret.key") }) == ["secret.key", "secret.key.lock"])
  }

  @Test("a process killed at any moment leaves a store that can be read")
  func killedProcess() async throws {
    let id = try await makeApp()
    let program = BuiltProgram.martlet
    // Where the machine is slow more of them die before the first step, which changes nothing here.
    for milliseconds in stride(from: 10, through: 250, by: 15) {
      _ = await runProgram(
        "/usr/bin/timeout",
        [
          "--signal=KILL", "0.\(milliseconds < 100 ? "0" : "")\(milliseconds)", program,
          "secret-key", "rotate", "--data", data,
        ])
      let store = try store()
      let secrets = try #require(try await file().existing(for: store))
      let app = try #require(try await store.app(id))
      #expect(try SecretKey { secrets }.privateKey(of: app) == p8)
      #expect(try mode() == 0o600)
    }
    #expect(try await run(["secret-key", "rotate", "--data", data])["state"] == "rotated")
    #expect(try bytes().count == 32)
  }

  @Test("a running serve takes the new secret at once: only sessions of the dashboard end")
  func running() async throws {
    try await makeApp()
    let serve = try #require(
      await RunningServe.start(["--data", data, "--log-level", "warning"]))
    let admin = try String(contentsOfFile: data + "/admin.key", encoding: .utf8).dropLast()
    let jar = directory.path("cookies")
    func curl(_ arguments: [String]) async -> String {
      await runProgram(
        "/usr/bin/curl",
        ["--silent", "--max-time", "60", "--cookie", jar, "--cookie-jar", jar] + arguments
      ).output
    }
    let page = await curl([serve.url + "/sign-in"])
    let token = try #require(page.firstMatch(of: /name="token" value="([0-9a-f]+)"/)?.1)
    _ = await curl(["--data", "token=\(token)", "--data", "key=\(admin)", serve.url + "/sign-in"])
    func status() async -> String {
      await curl([
        "--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}", serve.url,
      ])
    }
    #expect(await status().contains("/apps/"))

    let result = try await run(["secret-key", "rotate", "--data", data])
    #expect(result["values"] == 1)
    #expect(await status().hasSuffix("/sign-in"))
    let id = try await makeApp(["--server", serve.url, "--api-key-file", data + "/admin.key"])
    let app = try #require(try await store().app(id))
    #expect(try #require(SecretKey(bytes())).privateKey(of: app) == p8)
    let entry = try #require(
      try await store().audit(app: nil, after: nil, limit: 9).elements
        .first { $0.action == "secret_key.rotate" })
    #expect(entry.key == nil)
    #expect(serve.console.errors.isEmpty, "\(serve.console.errors)")
    #expect(await serve.stop() == .success)
  }

  @Test("a value that cannot be decrypted ends the rotation before anything was changed")
  func undecipherable() async throws {
    let id = try await makeApp()
    let store = try store()
    let secret = try #require(SecretKey(bytes()))
    try await store.add(
      Webhook(
        id: "hook", app: id, url: "https://example.com", events: ["notification.create"],
        sealedSecret: secret.seal("whsec", as: .webhookSecret, for: "another"),
        createdAt: ServerClock.system.now()))
    let app = try await store.app(id)
    let console = ServeConsole()
    #expect(await console.run(["secret-key", "rotate", "--data", data]) == .failure)
    #expect(
      console.errors.first?.contains(
        "the secret of webhook hook was sealed with another secret key, or was changed since, so"
          + " nothing was rotated") == true, "\(console.errors)")
    #expect(try await store.app(id) == app)
    // The new secret waits in the file for the rotation that succeeds.
    #expect(try bytes().count == 64)
    _ = try await store.deleteWebhook("hook", app: id)
    #expect(try await run(["secret-key", "rotate", "--data", data])["values"] == 1)
    #expect(try bytes().count == 32)
  }

  @Test("without a secret, with a lock held and with another file nothing is rotated")
  func refusals() async throws {
    let line = ["secret-key", "rotate", "--data", data]
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    let early = ServeConsole()
    #expect(await early.run(line) == .failure)
    #expect(early.errors.first?.contains("there is nothing to rotate") == true)
    #expect(!FileManager.default.fileExists(atPath: path))

    try await makeApp()
    let before = try bytes()
    let lock = try #require(try StoreLock(path: path + ".lock"))
    let second = ServeConsole()
    #expect(await second.run(line) == .failure)
    #expect(second.errors.first?.contains("another martlet secret-key rotate") == true)
    withExtendedLifetime(lock) {}
    let other = try directory.write(String(repeating: "x", count: 32), to: "other.key")
    let wrong = ServeConsole()
    #expect(await wrong.run(line + ["--secret-key-file", other]) == .failure)
    #expect(wrong.errors.first?.contains("were sealed with another secret key") == true)
    #expect(try bytes() == before)
  }

  @Test("the file keeps its owner", .enabled(if: geteuid() == 0, "only root gives files away"))
  func owner() async throws {
    try await makeApp()
    #expect(chown(path, 65534, 65534) == 0)
    _ = try await run(["secret-key", "rotate", "--data", data])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.ownerAccountID] as? Int == 65534)
    #expect(attributes[.groupOwnerAccountID] as? Int == 65534)
    #expect(try mode() == 0o600)
  }

  @Test("a link stays a link, and its target has the new secret alone")
  func link() async throws {
    try await makeApp()
    let target = directory.path("kept.key")
    try FileManager.default.moveItem(atPath: path, toPath: target)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    let before = try bytes()
    _ = try await run(["secret-key", "rotate", "--data", data])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    let after = Array(try Data(contentsOf: URL(filePath: target)))
    #expect(after.count == 32 && after != before)
    #expect(directory.contents == ["data", "kept.key", "key.p8"])
  }

  @Test(
    "a file that a group reads is read by it after a rotation",
    arguments: [(0o640, 0o640), (0o644, 0o640), (0o660, 0o640), (0o600, 0o600), (0o400, 0o600)])
  func group(old: Int, new: Int) async throws {
    try await makeApp()
    try FileManager.default.setAttributes([.posixPermissions: old], ofItemAtPath: path)
    _ = try await run(["secret-key", "rotate", "--data", data])
    #expect(try mode() == new)
    #expect(try bytes().count == 32)
  }

  @Test("a file that changes is read again, and one that cannot be read is named once")
  func watched() async throws {
    try await makeApp()
    let log = Mutex<[String]>([])
    let key = try await file().secretKey(for: store()) { line in log.withLock { $0.append(line) } }
    let first = try #require(SecretKey.Secrets(bytes()))
    func mark() -> [UInt8] { Array(key.seal("text", for: "app").prefix(9)) }
    #expect(mark() == first.newest.mark)
    let next = SecretKey.randomBytes()
    let newer = try #require(SecretKey.Secrets(next))
    try PrivateFile(path).replace(next + bytes())
    #expect(mark() == first.newest.mark, "of two the older one seals")
    let sealed = try #require(SecretKey(next)).seal("text", for: "app")
    #expect(key.open(sealed, as: .apnsKey, for: "app") == "text")
    try PrivateFile(path).replace(next)
    #expect(mark() == newer.newest.mark)

    try PrivateFile(path).replace(Array(next.prefix(31)))
    for _ in 0..<3 { #expect(mark() == newer.newest.mark) }
    #expect(log.withLock(\.count) == 1)
    #expect(log.withLock(\.first)?.contains("the secret key stays as it was") == true)
    try FileManager.default.removeItem(atPath: path)
    #expect(mark() == newer.newest.mark)
    #expect(log.withLock(\.count) == 1)
  }
}
