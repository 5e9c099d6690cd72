import Foundation
import Glibc
import TestSupport
import Testing

@testable import RichNotifications

@Suite("The files of an app group's container")
struct AppGroupFilesTests {
  private let folder = TemporaryFolder()
  private var files: AppGroupFiles { AppGroupFiles(container: folder.url) }

  @Test("a file is read up to a limit", arguments: [(5, true), (4, false), (0, false)])
  func limit(limit: Int, isRead: Bool) throws {
    _ = try folder.write("12345", to: "a")
    #expect(files.bytes(of: "a", atMost: limit) == (isRead ? Array("12345".utf8) : nil))
    #expect(files.size(of: "a") == 5)
  }

  @Test("an empty file has no bytes")
  func empty() throws {
    _ = try folder.write("", to: "a")
    #expect(files.bytes(of: "a", atMost: 0) == [])
    #expect(files.size(of: "a") == 0)
  }

  @Test("a link, a folder and a pipe are no files, and none of them blocks")
  func others() throws {
    _ = try folder.write("1", to: "target")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("target"))
    try FileManager.default.createDirectory(
      at: folder.file("folder"), withIntermediateDirectories: true)
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    for name in ["link", "folder", "pipe", "none"] {
      #expect(files.bytes(of: name, atMost: 100) == nil)
      #expect(files.size(of: name) == nil)
    }
  }

  @Test("a file of another volume is moved by copying it")
  func move() throws {
    let other = URL(filePath: "/dev/shm/martlet-\(UUID().uuidString)")
    try Data("1".utf8).write(to: other)
    defer { try? FileManager.default.removeItem(at: other) }
    try OwnFile.move(other, to: folder.file("a"))
    #expect(files.bytes(of: "a", atMost: 1) == Array("1".utf8))
    #expect(!FileManager.default.fileExists(atPath: other.path))
    #expect(throws: POSIXError.self) { try OwnFile.move(other, to: folder.file("b")) }
  }

  @Test("a copy belongs to its user alone, and replaces no file")
  func copy() throws {
    _ = try folder.write("1", to: "a")
    _ = try folder.write("2", to: "b")
    chmod(folder.path("a"), 0o644)
    try OwnFile.copy(folder.file("a"), to: folder.file("c"))
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("c"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(throws: POSIXError.self) {
      try OwnFile.copy(folder.file("a"), to: folder.file("b"))
    }
    #expect(files.bytes(of: "b", atMost: 1) == Array("2".utf8))
  }
}
