import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet init --project --content-extension", .timeLimit(.minutes(10)))
struct InitContentProjectTests {
  private let folder = TemporaryFolder()
  private let console = RecordingConsole()

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path + "/project.pbxproj")))
  }

  private func words(_ fixture: ProjectFixture, _ path: String) -> [String] {
    ["init", "--project", path, "--app-name", fixture.app, "--bundle-id", fixture.bundleID]
  }

  private func run(_ words: String..., on console: RecordingConsole? = nil) async -> ExitCode {
    await runMartlet(
      ["init", "--content-extension"] + words, (console ?? self.console).console)
  }

  @Test(
    "both targets are added with one copy of the project; a second run changes nothing",
    arguments: ProjectFixture.all)
  func twice(_ fixture: ProjectFixture) async throws {
    let path = try fixture.write(in: folder)
    let line = words(fixture, path) + ["--content-extension"]
    #expect(await runMartlet(line, console.console) == .success)
    #expect(console.output.firstIndex(of: "next:") == 11)
    #expect(
      try Array(Data(contentsOf: URL(filePath: path + "/project.pbxproj.before-martlet")))
        == fixture.bytes)
    let after = try bytes(path)
    let service = try fixture.added()
    #expect(try after == fixture.added(.content, to: service.bytes).bytes)
    let second = RecordingConsole()
    #expect(await runMartlet(line, second.console) == .success)
    #expect(second.output == ["\(path) has both extensions already"])
    // Nor does a run without the content extension.
    let third = RecordingConsole()
    #expect(await runMartlet(words(fixture, path), third.console) == .success)
    #expect(third.output == ["\(path) has the extension already"])
    #expect(try bytes(path) == after)
  }

  @Test(
    "a project with the service extension gets the content extension alone, with the same result",
    arguments: ProjectFixture.all)
  func later(_ fixture: ProjectFixture) async throws {
    let path = try fixture.write(in: folder)
    #expect(await runMartlet(words(fixture, path), console.console) == .success)
    let second = RecordingConsole()
    let line = words(fixture, path) + ["--content-extension"]
    #expect(await runMartlet(line, second.console) == .success)
    #expect(second.output.firstIndex(of: "next:") == 6)
    #expect(second.output[0] == folder.path("NotificationContent/NotificationContent.swift"))
    let service = try fixture.added()
    #expect(try bytes(path) == fixture.added(.content, to: service.bytes).bytes)
  }

  @Test(
    "every reference leads to an object, and both targets are embedded once",
    arguments: ProjectFixture.all)
  func whole(_ fixture: ProjectFixture) throws {
    let project = try XcodeProject(fixture.added(.content, to: fixture.added().bytes).bytes)
    #expect(project.danglingReferences == [] && project.unreachable == [])
    let app = try #require(project.target(fixture.app))
    let copies = project.phases(of: app).filter { $0.string("dstSubfolderSpec") == "13" }
    #expect(copies.count == 1)
    let embedded = project.objects(copies.flatMap { $0.strings("files") })
      .map { $0.string("fileRef") }
    var packages: Set<String> = []
    for kind in ExtensionKind.allCases {
      let target = try #require(project.target(kind.target))
      #expect(embedded.count { $0 == target.string("productReference") } == 1)
      let dependencies = project.objects(app.strings("dependencies"))
      #expect(dependencies.count { $0.string("target") == target.id } == 1)
      let product = try #require(
        project.objects(target.strings("packageProductDependencies")).first)
      #expect(product.string("productName") == kind.product)
      packages.insert(product.string("package") ?? "")
      let source = project.objects(project.phases(of: target)[0].strings("files")).first
      #expect(source?.string("fileRef").flatMap { project.objects[$0] }?.name == kind.source)
      for configuration in project.configurations(of: target) {
        let setting = { project.setting($0, of: configuration) }
        #expect(setting("INFOPLIST_FILE") == "\(kind.target)/Info.plist")
        #expect(setting("CODE_SIGN_ENTITLEMENTS") == "\(kind.target)/\(kind.entitlements)")
        #expect(setting("PRODUCT_BUNDLE_IDENTIFIER")?.hasSuffix("." + kind.target) == true)
      }
    }
    // Both have the package's one reference.
    #expect(packages.count == 1 && !packages.contains(""))
    #expect(Set(project.root.strings("packageReferences")).isSuperset(of: packages))
  }

  /// Adds a widget's Info.plist, which makes it another extension, with a category.
  private func writeWidget(_ point: String, category: String) throws {
    try FileManager.default.createDirectory(
      at: folder.file("ShopWidget"), withIntermediateDirectories: true)
    _ = try folder.write(
      "<plist><dict><key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>"
        + "<string>\(point)</string><key>NSExtensionAttributes</key><dict>"
        + "<key>UNNotificationExtensionCategory</key><string>\(category)</string></dict></dict></dict></plist>",
      to: "ShopWidget/Info.plist")
  }

  @Test(
    "a category of the app's other content extension is left to it, and refused where it was named")
  func otherContent() async throws {
    let path = try ProjectFixture.named("tests-and-scripts").write(in: folder)
    try writeWidget("com.apple.usernotifications.content-extension", category: "CTNotification")
    let before = try bytes(path)
    #expect(await run("--project", path, "--vendor", "clevertap") == .failure)
    #expect(
      console.errors.first?.contains(
        "the content extension \"ShopWidget\" has the category CTNotification") == true)
    #expect(try bytes(path) == before)
    let second = RecordingConsole()
    #expect(await run("--json", "--project", path, on: second) == .success)
    let json = try JSONValue(parsing: Data(second.output.joined().utf8))
    let content = try #require(json["extensions"]?.array?.last)
    #expect(content["target"] == "NotificationContent")
    let categories = try #require(content["categories"]?.array)
    #expect(!categories.contains("CTNotification") && categories.contains("AEPNotification"))
    #expect(content["ratio"]?.number.map { (0.2...2).contains($0) } == true)
  }

  @Test(
    "beside a vendor's service extension only the content extension is added, and the rest is told")
  func otherService() async throws {
    let path = try ProjectFixture.named("tests-and-scripts").write(in: folder)
    try writeWidget("com.apple.usernotifications.service", category: "")
    #expect(await run("--project", path) == .success)
    let project = try XcodeProject(bytes(path))
    #expect(project.target("NotificationService") == nil)
    #expect(project.target("NotificationContent") != nil)
    #expect(
      console.output.contains { $0.contains("the class of ShopWidget a RichNotificationService") })
  }

  @Test("the second target is refused where its name is taken, and neither is added")
  func taken() async throws {
    let path = try ProjectFixture.named("tests-and-scripts").write(in: folder) {
      $0.replacing("name = ShopTests", with: "name = NotificationContent")
    }
    let before = try bytes(path)
    #expect(await run("--project", path) == .failure)
    #expect(console.errors.first?.contains("another target \"NotificationContent\"") == true)
    #expect(try bytes(path) == before)
    #expect(folder.contents.count == 1)
  }

  @Test("a file of the second folder that exists leaves the project as it is")
  func overwriting() async throws {
    let path = try ProjectFixture.named("plain").write(in: folder)
    let before = try bytes(path)
    try FileManager.default.createDirectory(
      at: folder.file("NotificationContent"), withIntermediateDirectories: true)
    _ = try folder.write("mine", to: "NotificationContent/Info.plist")
    #expect(await run("--project", path) == .failure)
    #expect(try bytes(path) == before)
    #expect(!folder.contents.contains("NotificationService"))
  }
}
