import Foundation
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Files of the app", .timeLimit(.minutes(1)))
struct LocalMediaTests {
  static func reason(_ name: String, _ change: (inout RichEnvironment) -> Void) -> String {
    let folder = TemporaryFolder()
    var environment = Sample.environment(OfflineMediaLoader(), ManualClock(), folder.url)
    change(&environment)
    let reference = MediaReference(url: name, path: "m")
    switch LocalMedia.copy(name, for: reference, in: environment) {
    case .file: return "attached"
    case .failed(let failure, _): return failure.reason.rawValue
    case .redirect: return "redirect"
    }
  }

  @Test(
    "a link is followed within its folder and never out of it",
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

  @Test("a pipe in the app group's folder is no file, and nobody waits for it")
  func pipe() {
    let folder = TemporaryFolder()
    #expect(mkfifo(folder.path("p.png"), 0o600) == 0)
    #expect(Self.reason("p.png") { $0.appGroupFolder = folder.url } == "not-found")
  }

  @Test(
    "a combining character behind a slash hides no way out",
    arguments: ["../\u{301}a.png", "a/\u{301}/../\u{301}b.png", "/\u{301}a.png", "a\\\u{301}b"])
  func combining(text: String) {
    #expect(throws: MediaFailure.self) { try MediaAddress(text) }
  }

  @Test("a name with a bare per cent sign is a name")
  func percent() throws { #expect(try MediaAddress("50%off.png") == .local("50%off.png")) }
}
