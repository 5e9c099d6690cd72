import BundleDoctor
import BundleFixtures
import Foundation
import TestSupport
import Testing

@Suite("What the doctor is given")
struct ArchiveTests {
  private let folder = TemporaryFolder()

  private func inspect(_ url: URL) throws -> Inspection {
    try Inspection(path: url.path, now: RuleTests.now)
  }

  /// The code and message of the error for a file.
  private func refusal(_ url: URL) throws -> BundleError {
    try #require(throws: BundleError.self) { try inspect(url) }
  }

  private func good() throws -> Data {
    var layout = AppLayout.good
    layout.container = .ipa
    return try Data(contentsOf: URL(filePath: layout.write(in: folder.url)))
  }

  @Test(
    "an archive that is truncated anywhere is refused, and the error says so where only its end is missing"
  )
  func truncated() throws {
    let bytes = try good()
    let url = folder.file("cut.ipa")
    for count in stride(from: 4, to: bytes.count, by: max(1, bytes.count / 60)) {
      try bytes.prefix(count).write(to: url)
      let error = try refusal(url)
      #expect(error.code == .damaged)
      #expect(error.message.contains("truncated"))
    }
  }

  @Test(
    "an entry whose path leads out of the archive is refused by name",
    arguments: [
      "../evil", "Payload/../../evil", "/etc/evil", "Payload/Example.app/..\\evil", "./a",
    ])
  func outside(_ path: String) throws {
    let url = folder.file("evil.ipa")
    try ZipLayout.write([("Payload/a.txt", Data()), (path, Data([1]))], to: url)
    let error = try refusal(url)
    #expect(error.code == .unsafe)
    #expect(error.message.contains("leads out of it"))
  }

  @Test("two entries with the same path are refused")
  func twice() throws {
    let url = folder.file("twice.ipa")
    try ZipLayout.write(
      [("Payload/one.txt", Data([1])), ("Payload/two.txt", Data([2]))], to: url)
    var bytes = try Data(contentsOf: url)
    while let range = bytes.range(of: Data("two.txt".utf8)) {
      bytes.replaceSubrange(range, with: Data("one.txt".utf8))
    }
    try bytes.write(to: url)
    let error = try refusal(url)
    #expect(error.code == .unsafe && error.message.contains("two entries with the same path"))
  }

  @Test("an archive with a password says that it needs one")
  func encrypted() throws {
    let url = folder.file("encrypted.ipa")
    try ZipLayout.write([("Payload/Example.app/Info.plist", Data(count: 100))], to: url)
    var bytes = try Data(contentsOf: url)
    // The first of the flags, where the entry begins and in the directory.
    for (signature, flags) in [([0x50, 0x4b, 3, 4], 6), ([0x50, 0x4b, 1, 2], 8)] as [([UInt8], Int)]
    {
      let start = try #require(bytes.range(of: Data(signature))?.lowerBound)
      bytes[start + flags] |= 1
    }
    try bytes.write(to: url)
    let error = try refusal(url)
    #expect(error.code == .damaged && error.message.contains("needs a password"))
  }

  @Test("a link in an archive is never followed: its file counts as absent")
  func link() throws {
    let url = folder.file("link.ipa")
    try ZipLayout.write(
      [("Payload/Example.app/a", Data([1]))],
      links: [("Payload/Example.app/Info.plist", "/etc/passwd")], to: url)
    let app = try inspect(url).app
    #expect(app?.files == ["a"])
  }

  @Test("a link in a folder is never followed: its file counts as absent")
  func linkInFolder() throws {
    let app = URL(filePath: try AppLayout.good.write(in: folder.url))
    let outside = try folder.write("x", to: "outside")
    try FileManager.default.createSymbolicLink(
      atPath: app.appending(path: "link").path, withDestinationPath: outside)
    #expect(try inspect(app).app?.files.contains("link") == false)
  }

  @Test("a zip bomb is refused by its directory, before it is unpacked")
  func bomb() throws {
    let url = folder.file("bomb.ipa")
    let zeros = Data(count: Int(BundleLimits().freeBytes) + 1)
    try ZipLayout.write([("Payload/Example.app/Info.plist", zeros)], to: url)
    let error = try refusal(url)
    #expect(error.code == .tooLarge)
    #expect(error.message.contains("zip bomb"))
  }

  @Test("a bomb that lies about its size is stopped as it unpacks")
  func lyingBomb() throws {
    let url = folder.file("liar.ipa")
    let zeros = Data(count: 12_000_000)
    try ZipLayout.write([("Payload/Example.app/Info.plist", zeros)], to: url)
    var bytes = try Data(contentsOf: url)
    // The unpacked size, wherever the archive tells it.
    let size = withUnsafeBytes(of: UInt32(zeros.count).littleEndian) { Data($0) }
    while let range = bytes.range(of: size) { bytes.replaceSubrange(range, with: [9, 0, 0, 0]) }
    try bytes.write(to: url)
    let error = try refusal(url)
    #expect([.damaged, .tooLarge].contains(error.code))
  }

  @Test(
    "an input that is not a bundle is an error",
    arguments: [
      ("text.ipa", "is not an .ipa"), ("gone.app", "does not exist"), ("folder", "is not a bundle"),
    ])
  func noBundle(_ name: String, _ words: String) throws {
    let url = folder.file(name)
    if name == "text.ipa" { _ = try folder.write("hello", to: name) }
    if name == "folder" {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    #expect(try refusal(url).message.contains(words))
  }

  @Test("an empty app is examined: everything it lacks is told")
  func empty() throws {
    let app = folder.file("Empty.app")
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    let codes = BundleDoctor().examine(try inspect(app)).findings.map(\.rule.code)
    #expect(codes == ["no-service-extension", "info-plist"])
  }
}
