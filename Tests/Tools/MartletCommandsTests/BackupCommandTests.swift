import Foundation
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

@Suite("martlet backup and restore", .timeLimit(.minutes(10)))
struct BackupCommandTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }
  var file: String { directory.path("copy.sqlite") }

  /// Runs a command that must succeed.
  private func run(_ line: String...) async throws -> JSONValue {
    let console = ServeConsole()
    #expect(await console.run(line + ["--json"]) == .success, "\(console.errors)")
    return try JSONValue(parsing: console.output.first ?? "")
  }

  /// Runs a command that must fail, and returns its error.
  private func refusal(_ line: String...) async -> String {
    let console = ServeConsole()
    #expect(await console.run(line) == .failure)
    #expect(console.errors.count == 1 && !console.errors.joined().contains("\n"))
    return console.errors.first ?? ""
  }

  private func makeApp() async throws -> String {
    let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
    let app = try await run(
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", key, "--data", data)
    return try #require(app["id"]?.string)
  }

  @Test("a backup made beside a running serve is served from another directory")
  func wholeWay() async throws {
    let serve = try #require(await RunningServe.start(["--data", data]))
    let app = try await makeApp()
    let made = try await run("backup", file, "--data", data)
    #expect(made["backup"] == .string(file))
    #expect(made["bytes"]?.integer ?? 0 > 0)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(await serve.stop() == .success)

    let other = directory.path("other")
    let restored = try await run("restore", file, "--data", other)
    #expect(restored["database"] == .string(other + "/martlet.sqlite"))
    // The secret key and the admin's are files of their own.
    for name in ["secret.key", "admin.key"] {
      try FileManager.default.copyItem(atPath: "\(data)/\(name)", toPath: "\(other)/\(name)")
    }
    let again = try #require(await RunningServe.start(["--data", other]))
    let apps = try await run(
      "apps", "list", "--server", again.url, "--api-key-file", other + "/admin.key")
    #expect(apps.array?.map { $0["id"] } == [.string(app)])
    #expect(await again.stop() == .success)
  }

  @Test("a store that is not empty, or in use by a serve, is not overwritten")
  func occupied() async throws {
    _ = try await makeApp()
    _ = try await run("backup", file, "--data", data)
    #expect(await refusal("restore", file, "--data", data).contains("is not empty"))
    let other = directory.path("other")
    let serve = try #require(await RunningServe.start(["--data", other]))
    #expect(await refusal("restore", file, "--data", other).contains("a martlet serve uses"))
    #expect(await serve.stop() == .success)
    // Its own first key makes it a store that was used.
    #expect(await refusal("restore", file, "--data", other).contains("is not empty"))
  }

  @Test("a file that is not a backup is refused, and no file is made or overwritten")
  func wrongFiles() async throws {
    _ = try await makeApp()
    _ = try await run("backup", file, "--data", data)
    #expect(await refusal("backup", file, "--data", data).contains("File exists"))
    let none = directory.path("none")
    #expect(await refusal("backup", none, "--data", directory.path("x")).contains("no database"))
    #expect(!FileManager.default.fileExists(atPath: none))

    let other = directory.path("other")
    #expect(await refusal("restore", none, "--data", other).contains("there is no file"))
    #expect(!FileManager.default.fileExists(atPath: none))
    let text = try directory.write(String(repeating: "no database ", count: 400), to: "text")
    #expect(await refusal("restore", text, "--data", other).contains("is not a SQLite file"))
    // SQLite takes a file of at most one byte for an empty database.
    for content in ["", "{"] {
      let short = try directory.write(content, to: "short")
      #expect(await refusal("restore", short, "--data", other).contains("\(short) has no store"))
      let line = await refusal("backup", none, "--database", "sqlite:\(short)")
      #expect(line.contains("\(short) has no store"))
    }
    #expect(!FileManager.default.fileExists(atPath: none))
    var bytes = try Data(contentsOf: URL(filePath: file))
    for place in 5000..<9000 { bytes[place] = 0x5a }
    let damaged = directory.path("damaged.sqlite")
    try bytes.write(to: URL(filePath: damaged))
    #expect(await refusal("restore", damaged, "--data", other).contains("damaged"))
    #expect(!FileManager.default.fileExists(atPath: other + "/martlet.sqlite"))
    // The file that is read is damaged, and not the one that is written.
    let line = await refusal("backup", none, "--database", "sqlite:\(damaged)")
    #expect(line.contains("the database \(damaged) is damaged"))
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(!names.contains { $0.contains("partial") })
  }

  @Test("a backup says that uploads are to be copied")
  func uploads() async throws {
    _ = try await makeApp()
    let media = data + "/media"
    try FileManager.default.createDirectory(atPath: media, withIntermediateDirectories: true)
    let without = ServeConsole()
    #expect(await without.run(["backup", file, "--data", data]) == .success)
    #expect(without.errors == [])
    _ = try directory.write("picture", to: "data/media/0a.png")
    let with = ServeConsole()
    let line = ["backup", directory.path("second.sqlite"), "--data", data]
    #expect(await with.run(line) == .success)
    #expect(with.errors.count == 1)
    #expect(with.errors.first?.hasSuffix("copy \(media) too") == true, "\(with.errors)")
  }

  @Test("a wrong command line ends with 2", arguments: [["backup"], ["restore", "a", "b"]])
  func usage(line: [String]) async {
    #expect(await ServeConsole().run(line) == .invalidInput)
  }
}
