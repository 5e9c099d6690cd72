import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet init --for", .timeLimit(.minutes(10)))
struct InitToolTests {
  private let folder = TemporaryFolder()
  private let console = RecordingConsole()

  private func initialize(_ words: String...) async -> ExitCode {
    let line = ["init", "--app-name", "Example App", "--bundle-id", "com.example.app"]
    return await runMartlet(line + words + [folder.path("Service")], console.console)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path("Service/" + name), encoding: .utf8)
  }

  @Test(
    "the README has the lines of the tool, and no other's",
    arguments: [
      (BuildTool.xcodegen, "- path: \"Service/project.yml\""),
      (.tuist, "dependencies: [.package(product: \"RichNotifications\")]"),
      (
        .cocoapods,
        "--project 'Example App.xcodeproj' --app-name 'Example App' --bundle-id com.example.app"
      ),
      (.expo, "\"plugins\": [\"./Service/withNotificationService.js\"]"),
      (.flutter, "martlet init --project ios/Runner.xcodeproj --app-name Runner"),
      (.capacitor, "martlet init --project ios/App/App.xcodeproj --app-name App"),
    ])
  func readme(_ tool: BuildTool, _ line: String) async throws {
    #expect(await initialize("--for", tool.rawValue) == .success)
    let readme = try text("README.md")
    #expect(readme.contains(line))
    for other in BuildTool.allCases {
      #expect(readme.contains("## With \(other.title)\n") == (other == tool))
    }
    #expect(!readme.contains("## Without"))
    #expect(
      FileManager.default.fileExists(atPath: folder.path("Service/project.yml"))
        == (tool == .xcodegen))
    #expect(
      FileManager.default.fileExists(atPath: folder.path("Service/withNotificationService.js"))
        == (tool == .expo))
    #expect(console.output.contains { $0.hasPrefix("  1. " + firstWords(tool)) })
  }

  @Test(
    "the content extension's README has the lines of the tool, which add both where neither is there",
    arguments: [
      (BuildTool.xcodegen, "- path: \"NotificationContent/project.yml\""),
      (.tuist, "dependencies: [.package(product: \"RichNotificationContent\")]"),
      (.cocoapods, "--bundle-id com.example.app --content-extension --vendor clevertap"),
      (.expo, "\"plugins\": [\"./NotificationContent/withNotificationContent.js\"]"),
      (.flutter, "--app-name Runner --bundle-id com.example.app --content-extension --vendor"),
      (.capacitor, "--content-extension --vendor clevertap --content-category 'it'\\''s new'"),
    ])
  func content(_ tool: BuildTool, _ line: String) async throws {
    let words = [
      "init", "--app-name", "Example App", "--bundle-id", "com.example.app", "--for",
      tool.rawValue, "--content-extension", "--vendor", "clevertap", "--content-category",
      "it's new", folder.path("NotificationContent"),
    ]
    #expect(await runMartlet(words, console.console) == .success)
    let folders = ["NotificationService", "NotificationContent"]
    #expect(folder.contents.sorted() == folders.sorted())
    let readmes = try folders.map {
      try String(contentsOfFile: folder.path($0 + "/README.md"), encoding: .utf8)
    }
    #expect(readmes[1].contains(line))
    #expect(!readmes[0].contains("--content-extension"))
    let steps = console.output.filter { $0.hasPrefix("  1. " + firstWords(tool)) }
    #expect(steps.count == 1)
    let isCommand = [BuildTool.cocoapods, .flutter, .capacitor].contains(tool)
    #expect(steps.first?.contains("--content-extension") == isCommand)
    #expect(steps.first?.contains("NotificationService") == !isCommand)
    for name in folders {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(name))
      #expect(names.contains("project.yml") == (tool == .xcodegen))
      #expect(names.contains("with\(name).js") == (tool == .expo))
    }
  }

  @Test(
    "Expo's plugin uses a phase that embeds in every build only, and names a bundle id that differs"
  )
  func plugin() async throws {
    let words = [
      "init", "--app-name", "A", "--bundle-id", "com.example.app", "--for", "expo",
      folder.path("Service"),
    ]
    #expect(await runMartlet(words, console.console) == .success)
    let plugin = try String(
      contentsOfFile: folder.path("Service/withNotificationService.js"), encoding: .utf8)
    for line in [
      #"? Number(copy.dstSubfolderSpec) === 13"#, #": bare(copy.dstSubfolder) === "PlugIns")"#,
      #"&& bare(copy.dstPath ?? "") === """#,
      "&& Number(copy.buildActionMask ?? 2147483647) === 2147483647",
      "&& Number(copy.runOnlyForDeploymentPostprocessing ?? 0) === 0;",
      ".find((copy) => copy && embedsInEveryBuild(copy));", "run npx expo prebuild --clean",
    ] {
      #expect(plugin.contains(line))
    }
  }

  @Test("Expo's plugin of the content extension has its names, and finds the package that is there")
  func contentPlugin() async throws {
    let words = [
      "init", "--app-name", "A", "--bundle-id", "com.example.app", "--for", "expo",
      "--content-extension", folder.path("NotificationContent"),
    ]
    #expect(await runMartlet(words, console.console) == .success)
    let plugins = try ExtensionKind.allCases.map { kind in
      try String(
        contentsOfFile: folder.path(kind.target + "/" + kind.plugin), encoding: .utf8)
    }
    #expect(plugins[1].contains(#"const TARGET = "NotificationContent";"#))
    #expect(plugins[1].contains(#"const PRODUCT = "RichNotificationContent";"#))
    #expect(
      plugins[1].contains(
        #"["NotificationContent.swift", "Info.plist", "NotificationContent.entitlements"]"#))
    #expect(plugins[1].contains(#"["RichNotifications","RichNotificationContent","#))
    // Nothing else differs.
    let renamed = plugins[0].replacing("NotificationService", with: "NotificationContent")
      .replacing("service extension", with: "content extension")
      .replacing(#""RichNotifications";"#, with: #""RichNotificationContent";"#)
    #expect(renamed == plugins[1])
  }

  private func firstWords(_ tool: BuildTool) -> String {
    switch tool {
    case .xcodegen, .tuist, .expo: "Add "
    case .cocoapods, .flutter, .capacitor: "Run martlet init --project "
    }
  }

  @Test("several tools have a section each, in a fixed order")
  func several() async throws {
    #expect(await initialize("--for", "flutter", "--for", "xcodegen") == .success)
    let readme = try text("README.md")
    let titles = readme.split(separator: "\n").filter { $0.hasPrefix("## With ") }
    #expect(titles == ["## With XcodeGen", "## With Flutter"])
  }

  @Test("a tool that is not known is refused with the list")
  func unknown() async {
    #expect(await initialize("--for", "bazel") == .invalidInput)
    #expect(
      console.errors.first?.contains("xcodegen, tuist, cocoapods, expo, flutter, capacitor") == true
    )
  }

  @Test("options that the command line had are repeated for the project")
  func options() async throws {
    #expect(
      await initialize(
        "--for", "flutter", "--app-group", "group.com.example.shared", "--category", "it's new",
        "--allow-http", "media.example.com", "--package", "https://example.com/martlet.git")
        == .success)
    let words = try text("README.md")
    #expect(
      words.contains(
        "--bundle-id com.example.app --app-group group.com.example.shared "
          + "--category 'it'\\''s new' --allow-http media.example.com "
          + "--package https://example.com/martlet.git"))
  }

  @Test("a path of the package is told from the place where each tool reads it")
  func packagePath() async throws {
    #expect(
      await initialize(
        "--for", "xcodegen", "--for", "expo", "--for", "tuist", "--for", "flutter", "--package",
        folder.path("lib/martlet")) == .success)
    // An absolute path stays one.
    let place = folder.path("lib/martlet")
    #expect(try text("project.yml").contains("    path: \"\(place)\"\n"))
    #expect(try text("README.md").contains(".local(path: \"\(place)\")"))
    #expect(try text("README.md").contains("--package \(place)"))
    #expect(try text("withNotificationService.js").contains("{\"path\":\"\(place)\"}"))
  }

  @Test("the JSON that app.json takes is valid")
  func expoJSON() async throws {
    #expect(await initialize("--for", "expo") == .success)
    let readme = try text("README.md")
    let block = try #require(
      readme.components(separatedBy: "```json\n").dropFirst().first?
        .components(separatedBy: "```").first)
    let json = try JSONValue(parsing: "{\(block)}")
    let extensions = json["extra"]?["eas"]?["build"]?["experimental"]?["ios"]?["appExtensions"]
    let one = try #require(extensions?.array?.first)
    #expect(one["targetName"] == "NotificationService")
    #expect(one["bundleIdentifier"] == "com.example.app.NotificationService")
    #expect(
      one["entitlements"]?["com.apple.security.application-groups"]?.array == [
        "group.com.example.app"
      ])
    #expect(json["ios"]?["entitlements"]?["aps-environment"] == "development")
  }

  @Test("Expo's plugin adds the same objects and settings as --project")
  func expoPlugin() async throws {
    #expect(
      await initialize("--for", "expo", "--package", "https://example.com/martlet.git") == .success)
    let plugin = try text("withNotificationService.js")
    let (name, value) = MartletPackage.Requirement.current.member
    #expect(
      plugin.contains(
        #"const PACKAGE = {"\#(name)":"\#(value)","url":"https://example.com/martlet.git"};"#))
    for package in [MartletPackage.beside, .url("https://example.com/martlet.git")] {
      let fixture = ProjectFixture.named("plain")
      let project = try XcodeProject(fixture.added(package: package).bytes)
      let old = try fixture.project.objects.keys
      for object in project.objects.values where !old.contains(object.id) {
        let isPhase = ["PBXSourcesBuildPhase", "PBXFrameworksBuildPhase", "PBXResourcesBuildPhase"]
          .contains(object.isa)
        #expect(isPhase || plugin.contains("\"\(object.isa)\""), "\(object.isa)")
        let settings = object.value["buildSettings"]?.members ?? []
        for member in (object.value.members ?? []) + settings where member.key != "isa" {
          #expect(plugin.contains("\(member.key)"), "\(member.key)")
        }
      }
    }
  }

  @Test(
    "names in letters of any language work, and stand in every file",
    arguments: ["Café", "Cafe\u{301}", "天气", "Погода", "مثال", "9 Lives_-x", "Straße ١٢"])
  func letters(_ name: String) async throws {
    let line = ["init", "--app-name", name, "--bundle-id", "com.example.app"]
    #expect(await runMartlet(line + [folder.path("Service")], console.console) == .success)
    #expect(try text("project.yml").contains("  \"\(name)\":\n"))
    let readme = try text("README.md")
    #expect(readme.hasPrefix("# The notification service extension of \(name)\n"))
    #expect(readme.contains("martlet doctor '\(name).xcarchive'"))
  }

  @Test(
    "other characters do not",
    arguments: [
      "", " a", "a ", "-a", "_a", "a/b", "a\"b", "a$b", "a`b", "a\nb", "a\u{200b}b", "a\u{202e}b",
      "😀", "a😀", "½", "\u{301}a", "a:b", "a'b", "NotificationService",
      "e" + String(repeating: "\u{301}", count: 200),
    ])
  func otherCharacters(_ name: String) async {
    let line = ["init", "--app-name", name, "--bundle-id", "com.example.app"]
    #expect(await runMartlet(line + [folder.path("Service")], console.console) == .invalidInput)
    #expect(console.errors.first?.contains("--app-name") == true)
  }

  @Test(
    "64 letters of any language and one more",
    arguments: [("é", 64, true), ("é", 65, false), ("天", 64, true), ("天", 65, false)])
  func limit(_ letter: String, _ count: Int, _ isTaken: Bool) async {
    let name = String(repeating: letter, count: count)
    let line = ["init", "--app-name", name, "--bundle-id", "com.example.app"]
    let code = await runMartlet(line + [folder.path("Service")], console.console)
    #expect(code == (isTaken ? .success : .invalidInput))
  }
}
