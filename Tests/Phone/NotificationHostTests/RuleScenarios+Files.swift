import Foundation
import NotificationHost
import RichNotifications
import TestSupport
import Testing
import UserNotifications

// The content of attached files, and the extension's own files.

extension RuleScenarioTests {
  static let files: [RuleScenario] = [
    RuleScenario(.attachmentContent, "an error page as a PNG is refused with 105 or remarked on") {
      for checks in [true, false] {
        let world = World { _, behavior in behavior.checksFileContent = checks }
        let file = try world.folder.write("<h1>Not found</h1>".utf8, to: "a.png")
        let report = try await world.deliver(World.plain, World.attaching(file))
        #expect(report.attachments.count == (checks ? 0 : 1), "\(report)")
        let lines = report.trace.filter { $0.rule == HostRule.attachmentContent.name }
        #expect(lines.count == 1 && lines[0].message.contains("HTML"), "\(report)")
        #expect(lines.first?.message.hasSuffix("(105)") == checks, "\(report)")
      }
    },
    RuleScenario(.extensionFolders, "the folders are in the container, and two exist") {
      let world = World { app, _ in
        app.temporaryDirectory = app.container.appending(path: "own", directoryHint: .isDirectory)
      }
      let report = try await world.deliver(
        World.plain,
        World.changing { content in
          let files = FileManager.default
          let kinds: [FileManager.SearchPathDirectory] = [
            .documentDirectory, .cachesDirectory, .applicationSupportDirectory,
          ]
          let folders =
            [files.temporaryDirectory]
            + kinds.flatMap { files.urls(for: $0, in: .userDomainMask) }
          content.body = folders.map { folder in
            let path = folder.path(percentEncoded: false)
            return (files.fileExists(atPath: path) ? "" : "no ") + path
          }.joined(separator: "\n")
        })
      let root = world.folder.url.path()
      #expect(
        report.content?.body
          == [
            "\(root)own/", "\(root)Documents/", "\(root)Library/Caches/",
            "no \(root)Library/Application Support/",
          ].joined(separator: "\n"))
    },
    RuleScenario(.extensionBundle, "Bundle.main is the folder that the phone was given") {
      let bundle = TemporaryFolder()
      let world = World { app, _ in app.extensionBundle = bundle.url }
      let report = try await world.deliver(
        World.plain, World.changing { $0.body = Bundle.main.bundleURL.path() })
      #expect(report.content?.body == bundle.url.path())
    },
  ]
}
