import BundleDoctor
import BundleFixtures
import Foundation
import NotificationTemplates
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet init --content-extension", .timeLimit(.minutes(10)))
struct InitContentTests {
  private let folder = TemporaryFolder()
  private let console = RecordingConsole()

  private var directory: String { folder.path("Content") }
  private var service: String { folder.path("NotificationService") }

  private func run(_ words: String..., on console: RecordingConsole? = nil) async -> ExitCode {
    let line = ["init", "--app-name", "Example", "--bundle-id", "com.example.app"]
    return await runMartlet(
      line + ["--content-extension"] + words + [directory], (console ?? self.console).console)
  }

  private func info(_ directory: String) throws -> [String: PropertyList] {
    try PropertyListDecoder().decode(
      [String: PropertyList].self,
      from: Data(contentsOf: URL(filePath: directory + "/Info.plist")))
  }

  private func attributes() throws -> PropertyList? {
    try info(directory)["NSExtension"]?["NSExtensionAttributes"]
  }

  @Test("both extensions are written where there is no service extension, with the next steps")
  func both() async throws {
    #expect(await run() == .success)
    let others = ["App.entitlements", "project.yml", "README.md"]
    let expected =
      ([
        "NotificationService.swift", "Info.plist", "NotificationService.entitlements",
      ] + others).map { service + "/" + $0 }
      + (["NotificationContent.swift", "Info.plist", "NotificationContent.entitlements"] + others)
      .map { directory + "/" + $0 }
    #expect(Array(console.output.prefix(12)) == expected)
    #expect(folder.contents.sorted() == ["Content", "NotificationService"])
    #expect(console.output[12] == "next:")
    #expect(console.output[13].contains("project.yml of NotificationService and Content"))
    #expect(
      console.output.contains {
        $0.contains(
          "register com.example.app.NotificationService, com.example.app.NotificationContent")
          && $0.contains("for all bundle ids")
      })
    #expect(try info(service)["Martlet"]?["AppGroup"] == "group.com.example.app")
    #expect(try info(directory)["Martlet"]?["AppGroup"] == "group.com.example.app")
  }

  @Test(
    "a second run beside the service extension writes the content extension alone, in its app group"
  )
  func present() async throws {
    let first = RecordingConsole()
    let line = ["init", "--app-name", "Example", "--bundle-id", "com.example.app"]
    #expect(
      await runMartlet(
        line + ["--app-group", "group.com.example.shared", service], first.console)
        == .success)
    let before = try info(service)
    #expect(await run("--json") == .success)
    let json = try JSONValue(parsing: Data(console.output.joined().utf8))
    #expect(json["files"]?.array?.count == 6)
    #expect(json["appGroup"] == "group.com.example.shared")
    #expect(json["bundleID"] == "com.example.app.NotificationContent")
    #expect(json["steps"]?.array?.count == 4)
    #expect(try info(service) == before)
    #expect(try info(directory)["Martlet"]?["AppGroup"] == "group.com.example.shared")
    let entitlements = try String(
      contentsOfFile: directory + "/NotificationContent.entitlements", encoding: .utf8)
    #expect(entitlements.contains("<string>group.com.example.shared</string>"))
  }

  @Test("another app group than that of the service extension is refused")
  func otherGroup() async throws {
    let line = ["init", "--app-name", "Example", "--bundle-id", "com.example.app", service]
    #expect(await runMartlet(line, RecordingConsole().console) == .success)
    #expect(await run("--app-group", "group.other.app") == .failure)
    #expect(console.errors.first?.contains("has the app group group.com.example.app") == true)
    #expect(folder.contents == ["NotificationService"])
  }

  @Test("a service extension that is there is told what it lacks")
  func serviceSteps() async throws {
    try FileManager.default.createDirectory(atPath: service, withIntermediateDirectories: true)
    _ = try folder.write(
      "<plist><dict><key>NSExtension</key><dict><key>NSExtensionAttributes</key><dict>"
        + "<key>UNNotificationExtensionCategory</key><string>expanded</string></dict></dict></dict></plist>",
      to: "NotificationService/Info.plist")
    #expect(await run("--vendor", "clevertap") == .success)
    #expect(
      console.output.contains {
        $0.contains("Make the class of NotificationService a RichNotificationService")
          && $0.contains("AppGroup group.com.example.app")
      })
    #expect(console.output.contains { $0.hasSuffix("of these categories only: CTNotification.") })
  }

  @Test("the values of the Info.plist have the types that iOS reads")
  func types() async throws {
    #expect(await run("--vendor", "webengage") == .success)
    let keys = try #require(try attributes()?.dictionary)
    let prefix = "UNNotificationExtension"
    guard case .array? = keys[prefix + "Category"] else {
      Issue.record("\(String(describing: keys[prefix + "Category"]))")
      return
    }
    #expect(keys[prefix + "Category"]?.strings?.first == "expanded")
    guard case .real(let ratio)? = keys[prefix + "InitialContentSizeRatio"] else {
      Issue.record("the ratio is no number")
      return
    }
    #expect((0.2...2).contains(ratio))
    #expect(keys[prefix + "DefaultContentHidden"] == .bool(true))
    #expect(keys[prefix + "UserInteractionEnabled"] == .bool(true))
    #expect(keys.count == 4)
    let top = try info(directory)
    #expect(
      top["NSExtension"]?["NSExtensionPointIdentifier"]
        == "com.apple.usernotifications.content-extension")
    #expect(
      top["NSExtension"]?["NSExtensionPrincipalClass"]
        == "$(PRODUCT_MODULE_NAME).NotificationContent")
    #expect(top["NSAppTransportSecurity"] == nil)
  }

  static let vendors: [([String], [String])] = [
    (["--vendor", "clevertap"], ["expanded", "CTNotification"]),
    (
      ["--vendor", "moengage", "--vendor", "adobe"],
      ["expanded", "AEPNotification", "MOE_PUSH_TEMPLATE"]
    ),
    (["--vendor", "airship", "--content-category", "my_carousel"], ["expanded", "my_carousel"]),
    (
      ["--vendor", "reteno", "--content-category", "expanded"],
      ["expanded", "ImageCarousel", "ImageGif"]
    ),
    (
      ["--vendor", "webengage", "--content-category", "<a> & \"é\""],
      ["expanded", "WEG_CAROUSEL_V1", "WEG_RATING_V1"] + (1...8).map { "WEG_RICH_V\($0)" }
        + ["<a> & \"é\""]
    ),
    (
      [],
      ["expanded"]
        + TemplateTable.standard.adapters.filter { $0.id != .martlet }.flatMap(\.categories)
    ),
  ]

  @Test("the categories are Martlet's own, those of the vendors, and the app's", arguments: vendors)
  func categories(_ words: [String], _ categories: [String]) async throws {
    let line = ["init", "--app-name", "A", "--bundle-id", "a.b", "--content-extension"]
    #expect(await runMartlet(line + words + [directory], console.console) == .success)
    let written = try attributes()?["UNNotificationExtensionCategory"]?.strings
    #expect(written == categories)
    #expect(Set(categories).count == categories.count)
    let readme = try String(contentsOfFile: directory + "/README.md", encoding: .utf8)
    for category in categories { #expect(readme.contains("| `\(category)` | ")) }
  }

  @Test("a restricted service extension also has the content extension's categories")
  func restricted() async throws {
    #expect(await run("--vendor", "dengage", "--category", "news") == .success)
    let keys = try info(service)["NSExtension"]?["NSExtensionAttributes"]
    #expect(
      keys?["UNNotificationExtensionCategory"]?.strings
        == ["news", "expanded", "DENGAGE_CAROUSEL_CATEGORY"])
  }

  @Test("doctor finds nothing in an app made from it", arguments: [[], ["--vendor", "adobe"]])
  func doctorIsContent(_ words: [String]) async throws {
    let line = ["init", "--app-name", "Example", "--bundle-id", "com.example.app"]
    #expect(
      await runMartlet(
        line + ["--content-extension"] + words + [directory], console.console) == .success)
    var layout = try InitBundle(service).app
    layout.service = try InitBundle(service).bundle(.service)
    layout.extensions["PlugIns/NotificationContent.appex"] = try InitBundle(directory)
      .bundle(.content)
    let doctor = RecordingConsole()
    #expect(await doctor.run("doctor", try layout.write(in: folder.url)) == .success)
    #expect(
      doctor.output.joined().hasPrefix("no faults; \(BundleDoctor.rules.count) rules checked"))
  }

  @Test("doctor finds the app groups that differ, so that it looks at what was written")
  func doctorLooks() async throws {
    #expect(await run() == .success)
    var layout = try InitBundle(service).app
    layout.service = try InitBundle(service).bundle(.service)
    var content = try InitBundle(directory).bundle(.content)
    content.info["Martlet"] = ["AppGroup": "group.other"]
    layout.extensions["PlugIns/NotificationContent.appex"] = content
    let doctor = RecordingConsole()
    #expect(await doctor.run("doctor", try layout.write(in: folder.url)) == .failure)
    #expect(doctor.output.joined().contains("content-app-group"))
  }

  @Test(
    "the sources are those that make lint compiles for Apple's systems",
    arguments: ExtensionKind.allCases)
  func sources(_ kind: ExtensionKind) async throws {
    #expect(await run() == .success)
    let place = kind == .service ? service : directory
    let written = try String(contentsOfFile: place + "/" + kind.source, encoding: .utf8)
    let fixture = Fixtures.url("init/\(kind.source)")
    #expect(try written == String(contentsOf: fixture, encoding: .utf8))
  }

  @Test(
    "an error in the command line names the option",
    arguments: [
      (["--vendor", "clevertap"], "--content-extension"),
      (["--content-category", "a"], "--content-extension"),
      (["--content-extension", "--vendor", "braze"], "clevertap, adobe"),
      (["--content-extension", "--vendor", "airship"], "--content-category"),
      (["--content-extension", "--content-category", "a\u{1}"], "--content-category"),
      (["--content-extension", "some/NotificationService"], "DIR is the content extension's"),
    ])
  func usage(_ words: [String], _ says: String) async {
    let line = ["init", "--app-name", "A", "--bundle-id", "a.b"]
    #expect(await runMartlet(line + words, console.console) == .invalidInput)
    #expect(console.errors.first?.contains(says) == true, "\(console.errors)")
    #expect(folder.contents == [])
  }

  @Test(
    "where a file of either exists it writes nothing",
    arguments: ["Content", "NotificationService"])
  func overwriting(_ name: String) async throws {
    try FileManager.default.createDirectory(
      at: folder.file(name), withIntermediateDirectories: true)
    _ = try folder.write("mine", to: "\(name)/README.md")
    #expect(await run() == .failure)
    #expect(console.errors.first?.contains("README.md is there already") == true)
    #expect(folder.contents == [name])
  }
}
