import AppFixture
import Foundation
import NotificationHost
import NotificationHostTesting
import TestSupport
import Testing
import UserNotifications

@Suite("The folders and the bundle of an extension", .timeLimit(.minutes(10)))
struct ExtensionFilesTests {
  static let url = "https://cdn.example/a.png"

  /// A phone whose extension runs in this process, or in its own.
  private func phone(
    isProcess: Bool, argument: String, edit: (inout VirtualPhone.App) -> Void,
    makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension
  ) throws -> TestPhone {
    let program = try #require(IsolatedPhone.program)
    return try TestPhone([Self.url: ScriptedNetwork.Response(body: .onePixelPNG)]) { app in
      if isProcess { app.process = ExtensionProcess(executable: program, arguments: [argument]) }
      edit(&app)
    } makeExtension: {
      makeExtension()
    }
  }

  @Test(
    "an attachment is stored from every folder, and nothing is left in the developer's",
    arguments: AttachmentFolder.allCases, [false, true])
  func folder(folder: AttachmentFolder, isProcess: Bool) async throws {
    let (group, name) = (TemporaryFolder(), "\(UUID().uuidString).png")
    let before = Self.developersFiles(with: name)
    var container: URL?
    do {
      let phone = try phone(isProcess: isProcess, argument: "folder") { app in
        (app.appGroup, app.appGroupIdentifier) = (group.url, "group.com.example.app")
        container = app.container
      } makeExtension: {
        FolderExtension()
      }
      let report = try await phone.deliver(
        """
        {"aps": {"alert": "Hello", "mutable-content": 1}, "folder": "\(folder.rawValue)",
          "image_url": "\(Self.url)", "name": "\(name)"}
        """)
      report.expect(.displayed, body: "Hello", attachments: ["public.png"])
      let path = try #require(report.content?.title)
      let root = try #require(container).deletingLastPathComponent().path()
      #expect(path.hasPrefix(folder == .appGroup ? group.url.path() : root), "\(path)")
      #expect(!FileManager.default.fileExists(atPath: path), "the original is deleted")
    }
    #expect(before == [] && Self.developersFiles(with: name) == [])
    #expect(!FileManager.default.fileExists(atPath: try #require(container).path()))
  }

  /// The paths in this process's folders that end in a name, two levels deep.
  private static func developersFiles(with name: String) -> [String] {
    let files = FileManager.default
    let kinds: [FileManager.SearchPathDirectory] = [
      .cachesDirectory, .documentDirectory, .applicationSupportDirectory,
    ]
    let folders =
      [files.temporaryDirectory] + kinds.flatMap { files.urls(for: $0, in: .userDomainMask) }
    return folders.flatMap { folder in
      let first =
        (try? files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
      let second = first.filter { !$0.lastPathComponent.hasPrefix("TemporaryDirectory") }
        .flatMap {
          (try? files.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil)) ?? []
        }
      return (first + second).map(\.path).filter { $0.hasSuffix(name) }
    }
  }

  @Test("a test's own code has the folders and the bundle of its process")
  func ownFolders() async throws {
    let expected = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    let phone = try TestPhone { FolderExtension() }
    _ = try await phone.deliver(World.plain)
    #expect(FileManager.default.temporaryDirectory.path().hasPrefix(expected))
    #expect(!NSTemporaryDirectory().contains("/phone-") && NSTemporaryDirectory().hasSuffix("/"))
    #expect(Bundle.main.bundlePath != "" && !Bundle.main.bundlePath.contains("martlet-tests"))
  }

  @Test(
    "the bundle of the extension has its Info.plist and its media, which stay",
    arguments: [false, true])
  func bundle(isProcess: Bool) async throws {
    let bundle = TemporaryFolder()
    _ = try bundle.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>com.example.app.service</string>
        <key>Server</key><string>cdn.example</string>
      </dict></plist>
      """, to: "Info.plist")
    _ = try bundle.write(Fixtures.bytes("media/picture.png"), to: "logo.png")
    let phone = try phone(isProcess: isProcess, argument: "bundle") {
      $0.extensionBundle = bundle.url
    } makeExtension: {
      BundleExtension()
    }
    let report = try await phone.deliver(World.plain)
    report.expect(
      .displayed, title: "com.example.app.service cdn.example cdn.example logo.png",
      attachments: ["public.png"])
    #expect(bundle.contents == ["Info.plist", "logo.png"])
  }

  @Test("a file elsewhere is refused with its folder, the allowed ones and the rule")
  func elsewhere() async throws {
    let (elsewhere, world) = (TemporaryFolder(), World())
    let file = try elsewhere.write(Fixtures.bytes("media/picture.png"), to: "a.png")
    let report = try await world.deliver(World.plain, World.attaching(file))
    let message = try #require(report.missingMediaReasons.last)
    for part in [elsewhere.url.path(), world.folder.url.path(), "rule 47, attachment-place"] {
      #expect(message.contains(part.hasSuffix("/") ? String(part.dropLast()) : part), "\(message)")
    }
  }
}
