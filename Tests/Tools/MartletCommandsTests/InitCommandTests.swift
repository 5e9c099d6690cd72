import BundleDoctor
import BundleFixtures
import Foundation
import PushPayload
import RichNotifications
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet init", .timeLimit(.minutes(10)))
struct InitCommandTests {
  private let folder = TemporaryFolder()
  private let console = RecordingConsole()

  private var directory: String { folder.path("Service") }

  private func initialize(_ words: String...) async -> ExitCode {
    await runMartlet(
      ["init", "--app-name", "Example", "--bundle-id", "com.example.app"] + words + [directory],
      console.console)
  }

  private func plist(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(filePath: directory).appending(path: name))
    return try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
  }

  @Test("it writes six files and prints their paths and the next steps")
  func files() async throws {
    #expect(await initialize() == .success)
    let names = [
      "NotificationService.swift", "Info.plist", "NotificationService.entitlements",
      "App.entitlements", "project.yml", "README.md",
    ]
    #expect(Array(console.output.prefix(6)) == names.map { directory + "/" + $0 })
    #expect(folder.contents == ["Service"])
    #expect(console.output[6] == "next:")
    #expect(console.output.count == 11)
    let readme = try String(contentsOfFile: directory + "/README.md", encoding: .utf8)
    #expect(readme.contains("com.example.app.NotificationService"))
    let project = try String(contentsOfFile: directory + "/project.yml", encoding: .utf8)
    #expect(project.contains(#"path: "Service/project.yml""#))
  }

  @Test("--json prints one object, --quiet the files only")
  func forms() async throws {
    #expect(await initialize("--json") == .success)
    let json = try JSONValue(parsing: Data(console.output.joined().utf8))
    #expect(json["files"]?.array?.count == 6)
    #expect(json["bundleID"]?.string == "com.example.app.NotificationService")
    #expect(json["appGroup"]?.string == "group.com.example.app")
    try FileManager.default.removeItem(atPath: directory)
    let quiet = RecordingConsole()
    let line = ["--app-name", "A", "--bundle-id", "a.b", "--quiet", directory]
    #expect(await runMartlet(["init"] + line, quiet.console) == .success)
    #expect(quiet.output.count == 6)
  }

  @Test("plutil accepts every property list, also with unusual categories")
  func lint() async throws {
    let odd = "<a> & \"b\" é"
    #expect(await initialize("--category", odd, "--allow-http", "media.example.com") == .success)
    for name in ["Info.plist", "NotificationService.entitlements", "App.entitlements"] {
      let (status, output) = await runProgram(
        "/usr/bin/env", ["plutil", "-lint", directory + "/" + name])
      #expect(status == 0, "\(output)")
    }
    #expect(RichEnvironment.categories(in: try plist("Info.plist")) == [odd])
  }

  @Test("the engine reads what it wrote: app group, categories, plain HTTP")
  func engine() async throws {
    #expect(
      await initialize(
        "--category", "news", "--category", "sport", "--allow-http", "media.example.com",
        "--app-group", "group.com.example.shared") == .success)
    let info = try plist("Info.plist")
    #expect(RichEnvironment.categories(in: info) == ["news", "sport"])
    #expect(RichConfiguration(info: info).media.allowsPlainHTTP)
    #expect(
      (info["Martlet"] as? [String: Any])?["AppGroup"] as? String == "group.com.example.shared")
  }

  @Test("its source compiles against our UserNotifications")
  func compiles() async throws {
    #expect(await initialize() == .success)
    let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "Modules").path
    let (status, output) = await runProgram(
      "/usr/bin/env",
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-application-extension",
        "-warnings-as-errors", "-I", modules, directory + "/NotificationService.swift",
      ])
    #expect(status == 0, "\(output)")
  }

  @Test("where a file exists it writes nothing")
  func overwriting() async throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    _ = try folder.write("mine", to: "Service/README.md")
    #expect(await initialize() == .failure)
    #expect(console.errors.count == 1)
    #expect(console.errors[0].contains("README.md is there already"))
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(names == ["README.md"])
  }

  @Test("where a broken link exists it writes nothing")
  func link() async throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: directory + "/README.md", withDestinationPath: "/no/such")
    #expect(await initialize() == .failure)
    #expect(console.errors.first?.contains("README.md is there already") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["README.md"])
  }

  @Test("a file in the place of the folder is named")
  func file() async throws {
    let path = try folder.write("mine", to: "Service")
    #expect(await initialize() == .failure)
    #expect(console.errors == ["martlet init: \(path) is a file; name another DIR"])
  }

  @Test("a folder of any name is quoted in project.yml")
  func quoted() async throws {
    let odd = folder.path(#"a "b" \ {c}: #d é"#)
    let line = ["init", "--app-name", "A", "--bundle-id", "a.b", odd]
    #expect(await runMartlet(line, console.console) == .success)
    let project = try String(contentsOfFile: odd + "/project.yml", encoding: .utf8)
    #expect(project.contains(##"INFOPLIST_FILE: "a \"b\" \\ {c}: #d é/Info.plist""##))
  }

  @Test(
    "an error in the command line names the option",
    arguments: [
      (["--bundle-id", "com.example.app"], "--app-name"), (["--app-name", "A"], "--bundle-id"),
      (["--app-name", "A", "--bundle-id", "app"], "--bundle-id"),
      (["--app-name", "A", "--bundle-id", "com..app"], "--bundle-id"),
      (["--app-name", "A", "--bundle-id", "com.ex_ample"], "--bundle-id"),
      (["--app-name", "A/B", "--bundle-id", "a.b"], "--app-name"),
      (["--app-name", "NotificationService", "--bundle-id", "a.b"], "--app-name"),
      (["--app-name", "A", "--bundle-id", "a.b", "--app-group", "a.b"], "--app-group"),
      (["--app-name", "A", "--bundle-id", "a.b", "--allow-http", "http://a.b"], "--allow-http"),
      (["--app-name", "A", "--bundle-id", "a.b", "--category", ""], "--category"),
      (["--app-name", "A", "--bundle-id", "a.b", "--category", "a\u{1}"], "--category"),
      (["--app-name", "A", "--bundle-id", "a.b", "one", "two"], "DIR"),
      (["--app-name", "A", "--bundle-id", "a.b", ""], "DIR"),
    ])
  func usage(_ words: [String], _ option: String) async {
    #expect(await runMartlet(["init"] + words, console.console) == .invalidInput)
    #expect(console.errors.count == 1)
    #expect(console.errors.first?.contains(option) == true)
  }

  @Test(
    "names at their limits",
    arguments: [(64, 155, ExitCode.success), (65, 155, .invalidInput), (64, 156, .invalidInput)])
  func limits(name: Int, id: Int, code: ExitCode) async {
    let line = [
      "--app-name", String(repeating: "n", count: name),
      "--bundle-id", "a." + String(repeating: "b", count: id - 2), "--app-group", "group.a",
    ]
    #expect(await runMartlet(["init"] + line + [directory], console.console) == code)
  }

  @Test(
    "doctor finds nothing in a bundle made from it",
    arguments: [Inspection.Kind.app, .ipa, .xcarchive])
  func doctorIsContent(_ kind: Inspection.Kind) async throws {
    #expect(await initialize("--category", "news") == .success)
    var layout = try InitBundle(directory).app
    layout.container = kind
    layout.service = try InitBundle(directory).bundle(.service)
    let doctor = RecordingConsole()
    let path = try layout.write(in: folder.url)
    #expect(await doctor.run("doctor", path) == .success)
    #expect(
      doctor.output.joined().hasPrefix("no faults; \(BundleDoctor.rules.count) rules checked"))
  }
}
