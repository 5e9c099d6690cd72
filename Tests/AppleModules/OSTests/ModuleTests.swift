import Foundation
import TestSupport
import Testing

@Suite("Apple's modules for Linux")
struct ModuleTests {
  static let root = Repository.root
  static let modules = [
    "AVFAudio", "AVFoundation", "AVKit", "AudioToolbox", "CallKit", "Combine", "CommonCrypto",
    "CoreData", "CoreGraphics", "CryptoKit", "ImageIO", "Intents", "MobileCoreServices", "Network",
    "OSLog", "SQLite3", "Security", "SwiftUI", "SystemConfiguration", "UIKit",
    "UniformTypeIdentifiers", "UserNotificationsUI", "WidgetKit", "os",
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

  @Test(
    "the table of docs/app/modules-on-linux.md counts the declarations; RECORD_DOCS=1 writes it")
  func counts() throws {
    let floor = Self.root.appending(path: "Sources/AppleModules")
    let folders = try FileManager.default.contentsOfDirectory(atPath: floor.path)
      .filter { !$0.hasPrefix("_") && !["EmptyModule", "OSSubmodules", "SQLite3"].contains($0) }
      .map { floor.appending(path: $0) }
    let table = try DeclarationCounts.table(folders)
    let page = Self.root.appending(path: "docs/app/modules-on-linux.md")
    var text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: DeclarationCounts.start)).upperBound
    let end = try #require(text.range(of: DeclarationCounts.end, range: start..<text.endIndex))
      .lowerBound
    if ProcessInfo.processInfo.environment["RECORD_DOCS"] == "1" {
      text.replaceSubrange(start..<end, with: table)
      try Data(text.utf8).write(to: page)
    } else {
      #expect(text[start..<end] == table)
    }
    #expect(folders.count >= Self.modules.count - 1)
  }

  @Test(
    "a declaration is counted once, and no import and no member of another module's",
    arguments: [
      ("  public let name: String", true), ("open func a() {}", true),
      ("  @discardableResult public func a() -> Bool { true }", true),
      ("nonisolated(unsafe) public let kA: CFString = \"a\"", true),
      ("@_exported public import Foundation", false), ("public import UIKit", false),
      ("  package let file: Data", false), ("  let name: String", false),
      ("@_spi(Host) public struct UNWorld {", false), ("  /// public", false),
    ])
  func declarations(line: String, isCounted: Bool) {
    #expect(DeclarationCounts.isDeclaration(line[...]) == isCounted)
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
