import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet init --project", .timeLimit(.minutes(10)))
struct InitProjectTests {
  private let folder = TemporaryFolder()
  private let console = RecordingConsole()

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path + "/project.pbxproj", encoding: .utf8)
  }

  private func run(_ words: String...) async -> ExitCode {
    await runMartlet(["init"] + words, console.console)
  }

  @Test(
    "it writes the files, changes the project and keeps a copy of it; a second run changes nothing",
    arguments: ProjectFixture.all)
  func twice(_ fixture: ProjectFixture) async throws {
    let path = try fixture.write(in: folder)
    let before = try text(path)
    let words = [
      "init", "--project", path, "--app-name", fixture.app, "--bundle-id", fixture.bundleID,
    ]
    #expect(await runMartlet(words, console.console) == .success)
    let files = [
      "NotificationService.swift", "Info.plist", "NotificationService.entitlements",
      "App.entitlements", "README.md",
    ]
    let place = folder.path("NotificationService")
    let paths = files.map { place + "/" + $0 } + [path + "/project.pbxproj"]
    #expect(Array(console.output.prefix(6)) == paths)
    #expect(console.output[6] == "next:")
    #expect(try FileManager.default.contentsOfDirectory(atPath: place).sorted() == files.sorted())
    #expect(
      try String(contentsOfFile: path + "/project.pbxproj.before-martlet", encoding: .utf8)
        == before)
    let after = try text(path)
    #expect(try XcodeProject(Array(after.utf8)).target("NotificationService") != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 2)

    let second = RecordingConsole()
    #expect(await runMartlet(words, second.console) == .success)
    #expect(second.output == ["\(path) has the extension already"])
    #expect(try text(path) == after)
  }

  @Test("the app's name and bundle id are the project's own where they are not given")
  func fromProject() async throws {
    let path = try ProjectFixture.named("plain").write(in: folder)
    #expect(await run("--json", "--project", path) == .success)
    let json = try JSONValue(parsing: Data(console.output.joined().utf8))
    #expect(json["bundleID"]?.string == "com.example.plain.NotificationService")
    #expect(json["appGroup"]?.string == "group.com.example.plain")
    #expect(json["files"]?.array?.count == 6)
    #expect(json["steps"]?.array?.count == 3)
    let second = RecordingConsole()
    #expect(await second.run("init", "--json", "--project", path) == .success)
    let none = try JSONValue(parsing: Data(second.output.joined().utf8))
    #expect(none["files"]?.array == [] && none["steps"]?.array == [])
  }

  @Test("the folder may be anywhere; the project has its path, quoted where it must be")
  func place() async throws {
    let path = try ProjectFixture.named("plain").write(in: folder)
    #expect(await run("--project", path, folder.path("Extensions/A \"b\"")) == .success)
    let project = try XcodeProject(Array(try text(path).utf8))
    let target = try #require(project.target("NotificationService"))
    let setting = project.setting("INFOPLIST_FILE", of: project.configurations(of: target).first)
    #expect(setting == "Extensions/A \"b\"/Info.plist")
    let group = project.all("PBXGroup").first { $0.string("sourceTree") == "SOURCE_ROOT" }
    #expect(group?.string("path") == "Extensions/A \"b\"" && group?.name == "A \"b\"")
  }

  @Test("--package is a path from here or a URL")
  func package() async throws {
    let path = try ProjectFixture.named("plain").write(in: folder)
    try ProjectFixture.writePackage(at: folder.file("lib/martlet"))
    #expect(await run("--project", path, "--package", folder.path("lib/martlet")) == .success)
    #expect(
      try text(path).contains("relativePath = \(folder.path("lib/martlet"))")
        || text(path).contains("lib/martlet"))
    let here = URL(filePath: FileManager.default.currentDirectoryPath)
    #expect(
      MartletPackage.path("a/../lib").relative(to: here.appending(path: "app/ios"))
        == .path("../../lib"))
    #expect(MartletPackage("https://a.b/c.git") == .url("https://a.b/c.git"))
    #expect(MartletPackage("git@a.b:c/martlet.git")?.name == "martlet")
    #expect(MartletPackage("") == nil && MartletPackage("a\nb") == nil)
  }

  @Test("a path at which Martlet is not is refused, and a URL is taken; nothing is written before")
  func packageElsewhere() async throws {
    try FileManager.default.createDirectory(
      at: folder.file("app"), withIntermediateDirectories: true)
    let path = folder.path("app/App.xcodeproj")
    try FileManager.default.moveItem(
      atPath: ProjectFixture.named("plain").write(in: folder), toPath: path)
    let before = try text(path)
    #expect(await run("--project", path) == .failure)
    let says = "Martlet's package is not at \(folder.path("martlet"));"
    #expect(console.errors.last?.contains(says) == true, "\(console.errors)")
    // Another package is not Martlet.
    try FileManager.default.createDirectory(
      at: folder.file("other"), withIntermediateDirectories: true)
    _ = try folder.write(#"let package = Package(name: "other")"#, to: "other/Package.swift")
    #expect(await run("--project", path, "--package", folder.path("other")) == .failure)
    #expect(console.errors.last?.contains("with --package") == true)
    #expect(try text(path) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("app")).count == 1)
    let url = "https://example.com/martlet.git"
    #expect(await run("--project", path, "--package", url) == .success)
    let project = try XcodeProject(Array(try text(path).utf8))
    let references = project.all("XCRemoteSwiftPackageReference")
    #expect(references.map { $0.string("repositoryURL") } == [url])
  }

  @Test("an older deployment target is told as the first step")
  func oldSystem() async throws {
    let path = try ProjectFixture.named("capacitor").write(in: folder)
    #expect(await run("--project", path) == .success)
    #expect(
      console.output.contains {
        $0.hasPrefix("  1. Raise the iOS deployment target of App from 15.0")
      })
  }

  @Test("the versions of the app's own Info.plist are taken where the settings have none")
  func infoVersions() async throws {
    let fixture = ProjectFixture.named("capacitor")
    let path = try fixture.write(in: folder) { text in
      text.replacing("MARKETING_VERSION = 1.0;", with: "")
        .replacing("CURRENT_PROJECT_VERSION = 1;", with: "")
    }
    try FileManager.default.createDirectory(
      at: folder.file("App"), withIntermediateDirectories: true)
    _ = try folder.write(
      "<plist><dict><key>CFBundleShortVersionString</key><string>4.5</string>"
        + "<key>CFBundleVersion</key><string>$(CURRENT_PROJECT_VERSION)</string></dict></plist>",
      to: "App/Info.plist")
    #expect(await run("--project", path) == .success)
    let project = try XcodeProject(Array(try text(path).utf8))
    let target = try #require(project.target("NotificationService"))
    let configuration = project.configurations(of: target).first
    #expect(project.setting("MARKETING_VERSION", of: configuration) == "4.5")
    #expect(project.setting("CURRENT_PROJECT_VERSION", of: configuration) == "1")
  }

  /// A project, changed, with what the error says of it.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let fixture: String
    var words: [String] = []
    let says: String
    var change: @Sendable (String) -> String = { $0 }
    var testDescription: String { says }
  }

  static let refusals = [
    Refusal(
      fixture: "plain", words: ["--app-name", "Other"],
      says: "no target \"Other\"; its apps are: Plain"),
    Refusal(
      fixture: "tests-and-scripts", words: ["--app-name", "ShopTests"],
      says: "\"ShopTests\" of PATH is not an app; its apps are: Shop"),
    Refusal(
      fixture: "plain", words: ["--bundle-id", "com.other"],
      says: "has the bundle id com.example.plain, not com.other"),
    Refusal(fixture: "react-native", says: "does not name its bundle id; give it with --bundle-id"),
    Refusal(fixture: "plain", says: "has no target of an app") {
      $0.replacing("product-type.application\"", with: "product-type.framework\"")
    },
    Refusal(
      fixture: "tests-and-scripts",
      says: "several apps; choose one with --app-name: Shop, ShopWidget"
    ) {
      $0.replacing("product-type.app-extension", with: "product-type.application")
    },
    Refusal(
      fixture: "tests-and-scripts",
      says: "has the service extension \"NotificationServiceExtension\""
    ) {
      $0.replacing("name = ShopWidget", with: "name = NotificationServiceExtension")
    },
    Refusal(fixture: "tests-and-scripts", says: "has another target \"NotificationService\"") {
      $0.replacing("name = ShopTests", with: "name = NotificationService")
    },
    Refusal(fixture: "plain", says: "has objectVersion 51, and Swift packages need 52") {
      $0.replacing("objectVersion = 56", with: "objectVersion = 51")
    },
    Refusal(fixture: "plain", says: "is built with the SDK macosx") {
      $0.replacing("SDKROOT = iphoneos", with: "SDKROOT = macosx")
    },
    Refusal(fixture: "plain", says: "no objectVersion") {
      $0.replacing("objectVersion = 56;", with: "")
    },
    Refusal(fixture: "plain", says: "line 8: ") {
      $0.replacing("objects = {\n", with: "objects = {\n;")
    },
    Refusal(fixture: "plain", says: "it has no objects") { _ in "{}" },
    Refusal(fixture: "plain", says: "not a PBXProject") {
      $0.replacing("isa = PBXProject;", with: "isa = PBXOther;")
    },
    Refusal(fixture: "plain", says: "XML or binary form") { _ in "<?xml version=\"1.0\"?><plist/>"
    },
    Refusal(
      fixture: "synchronized", words: ["Café/Service"], says: "is synchronized with a target"),
  ]

  @Test("what cannot be done is told, and nothing is written", arguments: refusals)
  func refused(_ refusal: Refusal) async throws {
    let path = try ProjectFixture.named(refusal.fixture).write(in: folder, refusal.change)
    let before = try text(path)
    let words = refusal.words.map { $0.contains("/") ? folder.path($0) : $0 }
    #expect(await runMartlet(["init", "--project", path] + words, console.console) == .failure)
    #expect(console.errors.count == 1)
    let says = refusal.says.replacing("PATH", with: path)
    #expect(console.errors.first?.contains(says) == true, "\(console.errors)")
    #expect(try text(path) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["project.pbxproj"])
    #expect(folder.contents.count == 1)
  }

  @Test("an app of any name is edited, also one that no option takes")
  func oddName() async throws {
    let path = try ProjectFixture.named("plain").write(in: folder) {
      $0.replacing("name = Plain;", with: #"name = "A \"b\" */ (Dev) $x";"#)
    }
    #expect(await run("--project", path) == .success)
    let project = try XcodeProject(Array(try text(path).utf8))
    #expect(project.danglingReferences == [] && project.unreachable == [])
    let readme = try String(
      contentsOf: folder.file("NotificationService/README.md"), encoding: .utf8)
    #expect(readme.contains(#"martlet doctor 'A "b" */ (Dev) $x.xcarchive'"#))
  }

  @Test("objectVersion 52 is edited")
  func oldest() async throws {
    let path = try ProjectFixture.named("plain").write(in: folder) {
      $0.replacing("objectVersion = 56", with: "objectVersion = 52")
    }
    #expect(await run("--project", path) == .success)
  }

  @Test("another service extension is found by its Info.plist, a widget is none")
  func otherService() async throws {
    let path = try ProjectFixture.named("tests-and-scripts").write(in: folder)
    try FileManager.default.createDirectory(
      at: folder.file("ShopWidget"), withIntermediateDirectories: true)
    let info = { (point: String) in
      "<plist><dict><key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>"
        + "<string>\(point)</string></dict></dict></plist>"
    }
    _ = try folder.write(info("com.apple.usernotifications.service"), to: "ShopWidget/Info.plist")
    #expect(await run("--project", path) == .failure)
    #expect(console.errors.first?.contains("has the service extension \"ShopWidget\"") == true)
    _ = try folder.write(info("com.apple.widgetkit-extension"), to: "ShopWidget/Info.plist")
    #expect(await run("--project", path) == .success)
  }

  @Test(
    "a path that is no project is told",
    arguments: [
      ("absent.xcodeproj", "is not an Xcode project"), ("App.xcworkspace", "it is a workspace"),
      ("Empty.xcodeproj", "cannot read"),
    ])
  func noProject(_ name: String, _ says: String) async throws {
    if !name.hasPrefix("absent") {
      try FileManager.default.createDirectory(
        at: folder.file(name), withIntermediateDirectories: true)
    }
    #expect(await run("--project", folder.path(name)) == .failure)
    #expect(console.errors.first?.contains(says) == true)
  }

  @Test("a file of the folder that exists leaves the project as it is")
  func overwriting() async throws {
    let path = try ProjectFixture.named("plain").write(in: folder)
    let before = try text(path)
    try FileManager.default.createDirectory(
      at: folder.file("NotificationService"), withIntermediateDirectories: true)
    _ = try folder.write("mine", to: "NotificationService/Info.plist")
    #expect(await run("--project", path) == .failure)
    #expect(try text(path) == before)
  }

  @Test("the mode of the project file stays, and a link is followed")
  func mode() async throws {
    let path = try ProjectFixture.named("plain").write(in: folder)
    let real = folder.path("real.pbxproj")
    try FileManager.default.moveItem(atPath: path + "/project.pbxproj", toPath: real)
    try FileManager.default.createSymbolicLink(
      atPath: path + "/project.pbxproj", withDestinationPath: real)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real)
    #expect(await run("--project", path) == .success)
    let attributes = try FileManager.default.attributesOfItem(atPath: real)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    let link = try FileManager.default.attributesOfItem(atPath: path + "/project.pbxproj")
    #expect(link[.type] as? FileAttributeType == .typeSymbolicLink)
    #expect(try String(contentsOfFile: real, encoding: .utf8).contains("NotificationService.appex"))
  }

  @Test("--project and --for are not taken together")
  func usage() async {
    #expect(await run("--project", "A.xcodeproj", "--for", "expo") == .invalidInput)
    #expect(console.errors.first?.contains("leave out --for") == true)
  }
}
