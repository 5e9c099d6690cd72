import Foundation
import NotificationHost
import NotificationHostTesting
import TestSupport
import Testing
import UserNotifications

/// The folders of a `TestPhone`.
@Suite("The folders of a phone", .timeLimit(.minutes(10)))
struct PhoneFolderTests {
  @Test("are deleted with it, the app group's too")
  func deleted() throws {
    var folders: [URL?] = []
    var phone: TestPhone? = try TestPhone {
      $0.appGroupIdentifier = "group.com.example.app"
      folders = [$0.container, $0.temporaryDirectory, $0.container.deletingLastPathComponent()]
    } makeExtension: {
      UNNotificationServiceExtension()
    }
    let group = try #require(folders.last??.appending(path: "group"))
    let paths = (folders + [group]).compactMap { $0?.path }
    #expect(paths.allSatisfy(FileManager.default.fileExists(atPath:)))
    #expect(phone != nil)
    phone = nil
    #expect(!paths.contains(where: FileManager.default.fileExists(atPath:)))
  }

  @Test("are deleted when its process is killed")
  func killed() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardOutputContent]
    ) {
      let phone = try TestPhone {
        print("\nfolder=\($0.container.deletingLastPathComponent().path)")
      } makeExtension: {
        UNNotificationServiceExtension()
      }
      fflush(nil)
      withExtendedLifetime(phone) { _ = kill(getpid(), SIGKILL) }
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    let line = output.split(separator: "\n").first { $0.hasPrefix("folder=") }
    let folder = try #require(line?.dropFirst("folder=".count))
    #expect(folder.contains("/phone-"))
    let root = URL(filePath: String(folder)).deletingLastPathComponent().path
    // The shell that deletes it may still run.
    try await until { !FileManager.default.fileExists(atPath: root) }
  }
}
