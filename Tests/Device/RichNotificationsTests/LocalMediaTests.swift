import Foundation
import MediaLoading
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Local media: files of the app's bundle and of the app group", .timeLimit(.minutes(10)))
struct LocalMediaTests {
  /// An app group's folder with a picture, a link within it, and links that lead out of it.
  static func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try Data(Sample.png).write(to: folder.url.appending(path: "outside.png"))
    let group = folder.url.appending(path: "group/pictures", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
    try Data(Sample.png).write(to: group.appending(path: "a.jpg"))
    for (name, target) in [
      ("within.png", "pictures/a.jpg"), ("out.png", "../outside.png"), ("up", ".."),
      ("root", "/etc"),
    ] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.url.appending(path: "group/\(name)").path(percentEncoded: false),
        withDestinationPath: target)
    }
    return folder
  }

  static func copy(_ name: String, in folder: TemporaryFolder) -> MediaFetchResult {
    var environment = Sample.environment(
      OfflineMediaLoader(), clock: ManualClock(), folder: folder.url)
    environment.appGroupFolder = folder.url.appending(path: "group")
    return LocalMedia.copy(
      name, for: MediaReference(url: name, path: "m"), in: environment)
  }

  @Test(
    "a file of the app group is copied and named by its true type",
    arguments: ["pictures/a.jpg", "within.png"])
  func found(name: String) throws {
    let folder = try Self.folder()
    guard case .file(let media) = Self.copy(name, in: folder) else {
      Issue.record("not found")
      return
    }
    #expect(media.file.pathExtension == "png")
    #expect(try Data(contentsOf: media.file) == Data(Sample.png))
    let original = folder.url.appending(path: "group/pictures/a.jpg")
    #expect(FileManager.default.fileExists(atPath: original.path(percentEncoded: false)))
  }

  @Test(
    "a link out of the folder, a directory and a missing file are not found",
    arguments: ["out.png", "up/outside.png", "root/passwd", "pictures", "none.png"])
  func notFound(name: String) throws {
    guard case .failed(let failure, _) = Self.copy(name, in: try Self.folder()) else {
      Issue.record("found")
      return
    }
    #expect(failure.reason == .notFound)
  }

  @Test(
    "every byte is copied, around the size of the buffer",
    arguments: [65_535, 65_536, 65_537, 200_000]
  )
  func whole(count: Int) throws {
    var generator = SeededGenerator(seed: 17)
    let bytes =
      Sample.png.prefix(8) + (8..<count).map { _ in .random(in: 0...255, using: &generator) }
    let folder = TemporaryFolder()
    _ = try folder.write(bytes, to: "a.png")
    var environment = Sample.environment(folder: folder.file("tmp"))
    environment.appGroupFolder = folder.url
    let reference = MediaReference(url: "a.png", path: "m")
    guard case .file(let media) = LocalMedia.copy("a.png", for: reference, in: environment) else {
      Issue.record("not attached")
      return
    }
    #expect(try Data(contentsOf: media.file) == Data(bytes))
  }

  static func reason(_ name: String, _ change: (inout RichEnvironment) -> Void) -> String {
    let folder = TemporaryFolder()
    var environment = Sample.environment(
      OfflineMediaLoader(), clock: ManualClock(), folder: folder.url)
    change(&environment)
    let reference = MediaReference(url: name, path: "m")
    switch LocalMedia.copy(name, for: reference, in: environment) {
    case .file: return "attached"
    case .failed(let failure, _): return failure.reason.rawValue
    case .redirect: return "redirect"
    }
  }

  @Test(
    "a link is followed within its folder and not out of it",
    arguments: [
      ("a.png", "attached"), ("in.png", "attached"), ("out.png", "not-found"),
      ("away/secret.png", "not-found"), ("sub", "not-found"), ("sub/in.png", "attached"),
    ])
  func links(name: String, expected: String) throws {
    let (inside, outside) = (TemporaryFolder(), TemporaryFolder())
    let files = FileManager.default
    _ = try inside.write(Sample.png, to: "a.png")
    _ = try outside.write(Sample.png, to: "secret.png")
    try files.createDirectory(at: inside.file("sub"), withIntermediateDirectories: true)
    for (link, target) in [
      ("in.png", "a.png"), ("out.png", outside.path("secret.png")), ("away", outside.url.path),
      ("sub/in.png", "../a.png"),
    ] {
      try files.createSymbolicLink(atPath: inside.path(link), withDestinationPath: target)
    }
    #expect(Self.reason(name) { $0.appGroupFolder = inside.url } == expected)
    let bundled = Self.reason(name) {
      $0.bundledFile = { name in
        let file = inside.file(name)
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
      }
    }
    #expect(bundled == expected)
  }

  @Test("a pipe in the app group's container is not a file, and opening it does not block")
  func pipe() {
    let folder = TemporaryFolder()
    #expect(mkfifo(folder.path("p.png"), 0o600) == 0)
    #expect(Self.reason("p.png") { $0.appGroupFolder = folder.url } == "not-found")
  }

  @Test(
    "a combining character after a slash does not hide a path component",
    arguments: ["../\u{301}a.png", "a/\u{301}/../\u{301}b.png", "/\u{301}a.png", "a\\\u{301}b"])
  func combining(text: String) {
    #expect(throws: MediaAddress.Refusal.self) { try MediaAddress(text) }
  }

  @Test("a percent sign that is not an escape is part of the name")
  func percent() throws { #expect(try MediaAddress("50%off.png") == .local("50%off.png")) }
}
