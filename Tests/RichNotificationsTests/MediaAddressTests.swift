import Foundation
import PushPayload
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Where media come from")
struct MediaAddressTests {
  @Test(
    "S8: a URL is fetched, a name is looked up",
    arguments: [
      ("https://a/i.png", MediaAddress.remote(URL(string: "https://a/i.png")!)),
      ("file://movie.mp4", .local("movie.mp4")),
      ("movie.mp4", .local("movie.mp4")), ("file:movie.mp4", .local("movie.mp4")),
      ("my%20film.mov", .local("my film.mov")), ("films/a.mov", .local("films/a.mov")),
      ("HTTPS://A/i", .remote(URL(string: "HTTPS://A/i")!)),
    ])
  func addresses(text: String, address: MediaAddress) throws {
    #expect(try MediaAddress(text) == address)
  }

  @Test(
    "what is neither is refused",
    arguments: [
      "ftp://a/i.png", "data:image/png;base64,AA", "file:///etc/passwd", "../secret.png", "..",
      "a//b.png", "a/../../b", "%2e%2e%2fsecret", "file://", "javascript:alert(1)", "a\\b", "",
      "./a", "a%00.png", String(repeating: "a", count: 1025),
    ])
  func refused(text: String) {
    let failure = #expect(throws: MediaFailure.self) { try MediaAddress(text) }
    #expect(failure?.reason == .invalidURL)
  }

  @Test("a local name of 1024 bytes is one, of 1025 is none")
  func longest() throws {
    let name = String(repeating: "a", count: 1024)
    #expect(try MediaAddress(name) == .local(name))
  }
}

@Suite("What may be fetched")
struct MediaPolicyTests {
  static func reason(_ url: String, _ change: (inout MediaPolicy) -> Void = { _ in }) -> String? {
    var policy = MediaPolicy()
    change(&policy)
    guard let url = URL(string: url) else { return "no URL" }
    do throws(MediaFailure) {
      try policy.check(url)
      return nil
    } catch {
      return error.reason.rawValue
    }
  }

  @Test(
    "HTTPS from a public host without credentials, and nothing else",
    arguments: [
      ("https://cdn.example.com/i", nil), ("http://cdn.example.com/i", "not-https"),
      ("https://user@cdn.example.com/i", "credentials-in-url"),
      ("https://:secret@cdn.example.com/i", "credentials-in-url"),
      ("https://127.0.0.1/i", "private-address"), ("https://10.1.2.3/i", "private-address"),
      ("https://[::1]/i", "private-address"), ("https://localhost/i", "private-address"),
      ("https:///i", "invalid-url"),
    ])
  func checks(url: String, reason: String?) { #expect(Self.reason(url) == reason) }

  @Test(
    "the allow-list takes a host, or all names below one",
    arguments: [
      ("https://cdn.example.com/i", nil), ("https://CDN.example.COM/i", nil),
      ("https://a.b.pictures.example/i", nil), ("https://pictures.example/i", "host-not-allowed"),
      ("https://evilpictures.example/i", "host-not-allowed"),
      ("https://cdn.example.com.evil.example/i", "host-not-allowed"),
    ])
  func hosts(url: String, reason: String?) {
    #expect(
      Self.reason(url) { $0.allowedHosts = ["cdn.example.com", "*.pictures.example"] } == reason)
  }

  @Test("plain HTTP and private addresses are fetched where the app allows them")
  func allowed() {
    #expect(Self.reason("http://cdn.example.com/i") { $0.allowsPlainHTTP = true } == nil)
    #expect(Self.reason("https://10.1.2.3/i") { $0.allowsPrivateAddresses = true } == nil)
  }
}

@Suite("Media that lie on the phone")
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

  static func copy(_ name: String, in folder: TemporaryFolder) -> FetchEnding {
    var environment = Sample.environment(OfflineMediaLoader(), ManualClock(), folder.url)
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
    "a link that leads out, a folder and a missing file are not found",
    arguments: ["out.png", "up/outside.png", "root/passwd", "pictures", "none.png"])
  func notFound(name: String) throws {
    guard case .failed(let failure, _) = Self.copy(name, in: try Self.folder()) else {
      Issue.record("found")
      return
    }
    #expect(failure.reason == .notFound)
  }
}
