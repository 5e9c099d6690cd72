import Foundation
import TestSupport
import Testing

@testable import RichNotifications

@Suite("Whether an image can be decoded row by row")
struct ImageRowsTests {
  static func areSequential(_ bytes: [UInt8]) throws -> Bool {
    let folder = TemporaryFolder()
    return ImageRows.areSequential(in: try folder.write(bytes, to: "picture"))
  }

  /// A JPEG with this frame marker, after a comment whose bytes look like one.
  static func jpeg(frame: UInt8) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE1, 0, 8, 0xFF, 0xC2, 0, 0, 0, 0, 0xFF, 0xFF, frame, 0, 11]
      + [UInt8](repeating: 0, count: 40)
  }

  static func png(interlace: UInt8) -> [UInt8] {
    Array(Sample.png[..<28]) + [interlace] + [UInt8](repeating: 0, count: 40)
  }

  @Test(
    "baseline and extended sequential JPEG are, progressive and lossless are not",
    arguments: [
      (0xC0, true), (0xC1, true), (0xC2, false), (0xC3, false), (0xC6, false), (0xDA, false),
    ] as [(UInt8, Bool)])
  func jpegs(frame: UInt8, isSequential: Bool) throws {
    #expect(try Self.areSequential(Self.jpeg(frame: frame)) == isSequential)
  }

  @Test("a PNG is unless it is interlaced", arguments: [(0, true), (1, false)] as [(UInt8, Bool)])
  func pngs(interlace: UInt8, isSequential: Bool) throws {
    #expect(try Self.areSequential(Self.png(interlace: interlace)) == isSequential)
  }

  @Test(
    "anything else, truncated or endless, is not",
    arguments: [
      [], [0xFF, 0xD8], Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 40),
      [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 5000),
      [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 40),
    ] as [[UInt8]])
  func others(bytes: [UInt8]) throws {
    #expect(try !Self.areSequential(bytes))
  }

  @Test("the pictures of the fixtures are", arguments: ["photo.jpg", "picture.png"])
  func fixtures(name: String) {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/media/\(name)")
    #expect(ImageRows.areSequential(in: file))
  }
}
