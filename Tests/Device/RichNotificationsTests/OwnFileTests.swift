import Foundation
import Glibc
import TestSupport
import Testing

@testable import RichNotifications

/// The protection class of a file exists on Apple's systems alone. What is tested here is that every file is created by
/// the functions that set it.
@Suite("The module's own files", .timeLimit(.minutes(10)))
struct OwnFileTests {
  /// The device half but PushPayload, which has no IO.
  static let rooms = [
    "RichNotifications", "RichNotificationsObjC", "URLSessionMedia", "MediaLoading", "PushCrypto",
  ]
  static let creations = [
    "O_CREAT", "createFile(", "createDirectory(", "write(to:", "write(toFile:", "copyItem(",
    "forWritingTo:", "forWritingAtPath:", "mkdir(", "mkstemp(", "fopen(",
  ]

  @Test("no other source creates a file or a folder")
  func oneRoom() throws {
    var found: [String] = []
    for room in Self.rooms {
      let sources = FileManager.default.enumerator(
        at: PrivacyManifestTests.sources.appending(path: room), includingPropertiesForKeys: nil)
      for case let file as URL in try #require(sources)
      where ["swift", "m"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        if Self.creations.contains(where: text.contains) { found.append(file.lastPathComponent) }
      }
    }
    #expect(found == ["OwnFile.swift"])
  }

  private static func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
  }

  @Test("a new file belongs to its user alone, and an existing one is not replaced")
  func create() throws {
    let folder = TemporaryFolder()
    try OwnFile.create(folder.file("a"), with: Data("1".utf8))
    #expect(try Self.mode(folder.path("a")) == 0o600)
    let error = #expect(throws: POSIXError.self) { try OwnFile.create(folder.file("a")) }
    #expect(error?.code == .EEXIST)
    #expect(try Data(contentsOf: folder.file("a")) == Data("1".utf8))
    let missing = #expect(throws: POSIXError.self) { try OwnFile.create(folder.file("b/c")) }
    #expect(missing?.code == .ENOENT)
  }

  @Test("opening creates a missing file and keeps the content of an existing one")
  func open() throws {
    let folder = TemporaryFolder()
    for _ in 0..<2 {
      let descriptor = OwnFile.open(folder.file("a"))
      #expect(descriptor >= 0)
      #expect(Glibc.lseek(descriptor, 0, SEEK_END) >= 0)
      #expect(Glibc.write(descriptor, "x", 1) == 1)
      close(descriptor)
    }
    #expect(try Data(contentsOf: folder.file("a")) == Data("xx".utf8))
    #expect(try Self.mode(folder.path("a")) == 0o600)
    #expect(OwnFile.open(folder.file("b/c")) == -1)
  }

  @Test("a link in place of a file is not followed")
  func link() throws {
    let folder = TemporaryFolder()
    _ = try folder.write("1", to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("a"), withDestinationPath: folder.path("target"))
    #expect(OwnFile.open(folder.file("a")) == -1)
  }
}
