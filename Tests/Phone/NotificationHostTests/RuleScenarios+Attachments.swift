import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
import UserNotifications

// Attachments, network and files.

extension RuleScenarioTests {
  private static func picture(in folder: TemporaryFolder) throws -> URL {
    try folder.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
  }

  /// The error code of the initializer; `nil` for success.
  private static func code(_ url: URL, hint: String? = nil) -> Int? {
    do {
      let options = hint.map { [UNNotificationAttachmentOptionsTypeHintKey: $0] }
      _ = try UNNotificationAttachment(identifier: "", url: url, options: options)
      return nil
    } catch {
      return (error as? UNError)?.code.rawValue
    }
  }

  /// Whether the trace has the rule with Apple's error code at the end of its message.
  private static func refuses(_ report: DeliveryReport, by rule: HostRule, code: Int) -> Bool {
    report.trace.contains { $0.rule == rule.name && $0.message.hasSuffix("(\(code))") }
  }

  static let attachments: [RuleScenario] = [
    RuleScenario(.attachmentReadable, "what is not there, or is a folder, is refused with 100") {
      let world = World { _, behavior in behavior.checksFileAtInit = false }
      for url in [world.folder.file("missing.png"), world.folder.url] {
        #expect(code(url) == (url == world.folder.url ? 101 : 100))
        let report = try await world.deliver(
          World.plain, World.attaching(url, hints: ["public.png"]))
        #expect(refuses(report, by: .attachmentReadable, code: 100), "\(report)")
      }
    },
    RuleScenario(.attachmentPlace, "a file outside the containers is refused with 100") {
      let elsewhere = TemporaryFolder()
      let report = try await World().deliver(
        World.plain, World.attaching(picture(in: elsewhere)))
      #expect(
        refuses(report, by: .attachmentPlace, code: 100) && report.attachments.isEmpty, "\(report)")
      let group = World { app, _ in app.appGroup = elsewhere.url }
      #expect(
        try await group.deliver(World.plain, World.attaching(picture(in: elsewhere)))
          .attachments.count == 1)
    },
    RuleScenario(.attachmentType, "an unsupported type is refused with 101; a hint comes first") {
      let folder = TemporaryFolder()
      let file = try folder.write([1], to: "notes.txt")
      #expect(code(file) == 101 && code(file, hint: "image/jpeg") == 101)
      #expect(code(file, hint: "public.jpeg") == nil)
    },
    RuleScenario(.attachmentSize, "the last byte that is allowed, and one more: 102") {
      for (name, limit) in [("a.mp3", 5_000_000), ("a.png", 10_000_000), ("a.mp4", 50_000_000)] {
        for extra in [0, 1] {
          let world = World { _, behavior in
            behavior.movesTemporaryFiles = false
            behavior.checksFileContent = false
          }
          let file = try world.folder.write([1], to: name)
          let report = try await world.deliver(
            World.plain,
            World.changing { content in
              content.attachments = [try? UNNotificationAttachment(identifier: "", url: file)]
                .compactMap(\.self)
              // The file grows after it was attached.
              let handle = try? FileHandle(forWritingTo: file)
              try? handle?.truncate(atOffset: UInt64(limit + extra))
              try? handle?.close()
            })
          #expect(report.attachments.count == 1 - extra, "\(name) \(report)")
          #expect(
            refuses(report, by: .attachmentSize, code: 102) == (extra == 1), "\(name) \(report)")
        }
      }
    },
    RuleScenario(.attachmentSameFile, "one file under two types: the second is refused with 100") {
      let world = World()
      let file = try picture(in: world.folder)
      let report = try await world.deliver(
        World.plain, World.attaching(file, hints: [nil, "public.jpeg"]))
      #expect(refuses(report, by: .attachmentSameFile, code: 100), "\(report)")
      #expect(report.attachments.map(\.type) == ["public.png"])
    },
    RuleScenario(.attachmentStore, "a store that takes nothing refuses with 104") {
      let world = World()
      // A file in place of the store's folder.
      _ = try world.folder.write([1], to: "Attachments")
      let report = try await world.deliver(
        World.plain, World.attaching(picture(in: world.folder)))
      #expect(
        refuses(report, by: .attachmentStore, code: 104) && report.outcome == .displayed,
        "\(report)")
    },
    RuleScenario(.attachmentStorage, "a full store refuses, one with just enough room does not") {
      let size = Int64(try Fixtures.bytes("media/picture.png").count)
      for (room, count) in [(size, 1), (size - 1, 0)] {
        let world = World { _, behavior in behavior.attachmentStorageLimit = room }
        let report = try await world.deliver(
          World.plain, World.attaching(picture(in: world.folder)))
        #expect(report.attachments.count == count, "\(report)")
        #expect(refuses(report, by: .attachmentStorage, code: 104) == (count == 0), "\(report)")
      }
    },
    RuleScenario(.attachmentSkipped, "of two the bad one is skipped, and the rest is shown") {
      let (world, elsewhere) = (World(), TemporaryFolder())
      let files = try [picture(in: elsewhere), picture(in: world.folder)]
      let report = try await world.deliver(
        World.plain,
        World.changing { content in
          content.attachments = files.compactMap {
            try? UNNotificationAttachment(identifier: "", url: $0)
          }
        })
      #expect(report.outcome == .displayed && report.attachments.count == 1, "\(report)")
    },
    RuleScenario(.attachmentCleanUp, "the original is deleted, also in a cache of the app's own") {
      for deletes in [true, false] {
        let world = World { app, behavior in
          behavior.deletesOriginals = deletes
          app.temporaryDirectory = app.container.appending(path: "tmp")
        }
        let report = try await world.deliver(
          World.plain, World.attaching(picture(in: world.folder)))
        #expect(report.attachments.count == 1)
        #expect(world.folder.contents.contains("picture.png") == !deletes)
      }
    },
    RuleScenario(.bundledFiles, "a file of the bundle is copied and not deleted") {
      let bundle = TemporaryFolder()
      let world = World { app, _ in app.bundle = bundle.url }
      let report = try await world.deliver(World.plain, World.attaching(picture(in: bundle)))
      #expect(report.attachments.count == 1 && bundle.contents == ["picture.png"], "\(report)")
    },
  ]

  static let environment: [RuleScenario] = [
    RuleScenario(.transportSecurity, "cleartext passes with the extension's own exception only") {
      for allows in [false, true] {
        let world = World { app, _ in
          let plist: [String: Any] = ["NSAppTransportSecurity": ["NSAllowsArbitraryLoads": true]]
          if allows { app.transportSecurity = TransportSecurity(infoPlist: plist) }
        }.with { ScriptedNetwork(["http://a/i": .init(body: .bytes([1]))], clock: $0) }
        let report = try await world.deliver { request, reply in
          guard let url = URL(string: "http://a/i") else { return }
          let kept = HostFlowTests.Kept(content: request.content, handler: reply)
          URLSession.shared.dataTask(with: url) { data, _, error in
            let code = (error as? URLError)?.code.rawValue ?? 0
            let isBlocked =
              code == URLError.Code.appTransportSecurityRequiresSecureConnection.rawValue
            #expect((data?.isEmpty == false) == allows && isBlocked == !allows)
            kept.reply()
          }.resume()
        }
        #expect(report.outcome == .displayed, "\(report)")
      }
    },
    RuleScenario(.firstUnlock, "before it files are closed, after it those of the class complete") {
      let world = World { app, _ in app.lockState = .beforeFirstUnlock }
      let report = try await world.deliver(
        World.plain, World.attaching(picture(in: world.folder)))
      #expect(
        refuses(report, by: .firstUnlock, code: 100) && report.outcome == .displayed, "\(report)")
      #expect(LockState.locked.opens(.completeUntilFirstUserAuthentication))
      #expect(!LockState.locked.opens(.complete) && LockState.unlocked.opens(.complete))
    },
  ]
}
