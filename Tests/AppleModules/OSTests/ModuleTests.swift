import Foundation
import TestSupport
import Testing

@Suite("Apple's modules for Linux")
struct ModuleTests {
  static let root = Repository.root
  static let modules = [
    "CommonCrypto", "CryptoKit", "Intents", "MobileCoreServices", "OSLog", "Security", "UIKit",
    "UniformTypeIdentifiers", "UserNotificationsUI", "os",
  ]

  @Test(
    "a condition on one of them asks for Darwin too",
    arguments: [
      "PushPayload", "PushCrypto", "MediaLoading", "URLSessionMedia", "RichNotifications",
    ])
  func conditions(room: String) throws {
    let folder = Self.root.appending(path: "Sources/Device/\(room)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
      .filter { $0.hasSuffix(".swift") }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains("canImport(") {
        guard Self.modules.contains(where: { line.contains("canImport(\($0))") }) else { continue }
        #expect(line.contains("canImport(Darwin)"), "\(room)/\(file): \(line)")
      }
    }
  }

  @Test("each has a section in docs/app/modules-on-linux.md", arguments: modules)
  func documentation(module: String) throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "docs/app/modules-on-linux.md"), encoding: .utf8)
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
      .flatMap { $0.dropFirst(3).split(separator: ", ") }
    #expect(headings.contains { $0 == module })
  }
}
