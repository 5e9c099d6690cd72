import Foundation
import NotificationTemplates
import TestSupport
import Testing

@testable import RichNotifications

@Suite("The head of a picture's file")
struct PictureHeaderTests {
  private static func header(_ bytes: [UInt8]) throws -> PictureHeader? {
    let folder = TemporaryFolder()
    return PictureHeader(of: try folder.write(bytes, to: "picture"))
  }

  private static func isSequential(_ bytes: [UInt8]) throws -> Bool {
    try header(bytes)?.isSequential ?? false
  }

  private static func bytes(_ number: Int, count: Int = 2) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// A JPEG with this frame marker, after a comment whose bytes look like one.
  private static func jpeg(
    frame: UInt8 = 0xC0, width: Int = 0, height: Int = 0, segments: [UInt8] = []
  ) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE1, 0, 8, 0xFF, 0xC2, 0, 0, 0, 0] + segments
      + [0xFF, 0xFF, frame, 0, 11, 8] + bytes(height) + bytes(width)
      + [UInt8](repeating: 0, count: 40)
  }

  private static func png(
    interlace: UInt8 = 0, width: Int = 0, height: Int = 0
  ) -> [UInt8] {
    Array(Sample.png[..<8]) + [0, 0, 0, 13] + Array("IHDR".utf8) + bytes(width, count: 4)
      + bytes(height, count: 4) + [8, 2, 0, 0, interlace] + [UInt8](repeating: 0, count: 40)
  }

  private static func gif(width: Int, height: Int) -> [UInt8] {
    Array("GIF89a".utf8) + bytes(width).reversed() + bytes(height).reversed() + [0, 0, 0]
  }

  /// The segment of a camera's orientation, after another entry.
  private static func exif(_ orientation: Int, isLittle: Bool, type: Int = 3) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      isLittle ? bytes(value, count: count).reversed() : bytes(value, count: count)
    }
    let entries =
      number(0x010F, 2) + number(2, 2) + number(4, 4) + [1, 2, 3, 4]
      + number(0x0112, 2) + number(type, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
    let content =
      Array("Exif\0\0".utf8) + Array((isLittle ? "II" : "MM").utf8) + number(42, 2)
      + number(8, 4) + number(2, 2) + entries + number(0, 4)
    return [0xFF, 0xE1] + bytes(content.count + 2) + content
  }

  @Test(
    "baseline and extended sequential JPEG are decoded row by row, progressive and lossless are not",
    arguments: [
      (0xC0, true), (0xC1, true), (0xC2, false), (0xC3, false), (0xC6, false), (0xDA, false),
    ] as [(UInt8, Bool)])
  func jpegs(frame: UInt8, isSequential: Bool) throws {
    #expect(try Self.isSequential(Self.jpeg(frame: frame)) == isSequential)
  }

  @Test(
    "a PNG is decoded row by row unless it is interlaced",
    arguments: [(0, true), (1, false)] as [(UInt8, Bool)])
  func pngs(interlace: UInt8, isSequential: Bool) throws {
    #expect(try Self.isSequential(Self.png(interlace: interlace)) == isSequential)
  }

  @Test(
    "a picture is scaled by rows up to 16 times the side of the thumbnail",
    arguments: [
      (12_288, 12_288, true), (12_289, 1, false), (1, 12_289, false), (65_535, 65_535, false),
      (1, 1, true), (0, 0, false),
    ])
  func scaling(width: Int, height: Int, isScaled: Bool) throws {
    for bytes in [
      Self.jpeg(width: width, height: height), Self.png(width: width, height: height),
    ] {
      #expect(try Self.header(bytes)?.isScaledByRows(to: 768) == isScaled)
    }
    for bytes in [
      Self.jpeg(frame: 0xC2, width: width, height: height),
      Self.png(interlace: 1, width: width, height: height), Self.gif(width: width, height: height),
    ] {
      #expect(try Self.header(bytes)?.isScaledByRows(to: 768) == false)
    }
  }

  @Test(
    "anything else, truncated or endless, is not",
    arguments: [
      [], [0xFF, 0xD8], Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 40),
      [0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: 5000),
      [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 40),
    ] as [[UInt8]])
  func others(bytes: [UInt8]) throws {
    #expect(try !Self.isSequential(bytes))
    #expect(try Self.header(bytes)?.pixels == nil)
  }

  @Test(
    "of every form the size is read",
    arguments: [
      jpeg(width: 300, height: 200), jpeg(frame: 0xC2, width: 300, height: 200),
      png(width: 300, height: 200), png(interlace: 1, width: 300, height: 200),
      gif(width: 300, height: 200),
    ])
  func sizes(bytes: [UInt8]) throws {
    #expect(try Self.header(bytes)?.pixels == PixelSize(width: 300, height: 200))
  }

  @Test(
    "a side has from 1 to 65535 pixels",
    arguments: [(1, true), (65_535, true), (0, false), (65_536, false)])
  func sides(side: Int, isRead: Bool) throws {
    #expect((try Self.header(Self.png(width: side, height: 9))?.pixels != nil) == isRead)
    #expect((try Self.header(Self.png(width: 9, height: side))?.pixels != nil) == isRead)
  }

  @Test(
    "a camera's orientation swaps the sides where the picture is turned by 90 degrees",
    arguments: [(1, false), (3, false), (4, false), (5, true), (6, true), (8, true), (9, false)])
  func orientation(orientation: Int, isSwapped: Bool) throws {
    for isLittle in [false, true] {
      let header = try Self.header(
        Self.jpeg(
          width: 300, height: 200, segments: Self.exif(orientation, isLittle: isLittle)))
      #expect(header?.pixels?.width == (isSwapped ? 200 : 300))
      #expect(header?.pixels?.height == (isSwapped ? 300 : 200))
    }
  }

  @Test("a segment of Exif that ends too early leaves the sides as they are", arguments: 4..<50)
  func cutOff(length: Int) throws {
    var segment = Array(Self.exif(6, isLittle: false).prefix(length))
    segment.replaceSubrange(2..<4, with: Self.bytes(length - 2))
    let header = try Self.header(Self.jpeg(width: 300, height: 200, segments: segment))
    #expect(header?.pixels != nil)
  }

  @Test("a head that ends anywhere, or is damaged anywhere, is read to its end")
  func hostile() {
    let whole = Self.jpeg(width: 300, height: 200, segments: Self.exif(6, isLittle: false))
    func read(_ bytes: [UInt8]) -> PictureHeader? {
      PictureHeader { offset, count in
        offset + count <= bytes.count ? Array(bytes[offset..<offset + count]) : nil
      }
    }
    for count in 0...whole.count { _ = read(Array(whole.prefix(count))) }
    for index in whole.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0xFF] {
        var damaged = whole
        damaged[index] = byte
        _ = read(damaged)
      }
    }
    #expect(read(whole)?.isOnItsSide == true)
  }

  @Test(
    "the pictures of the fixtures are read",
    arguments: [
      ("photo.jpg", 960, 640, true), ("picture.png", 960, 640, true),
      ("cloudy.gif", 240, 240, false),
    ])
  func fixtures(name: String, width: Int, height: Int, isSequential: Bool) {
    let header = PictureHeader(of: Fixtures.url("media/\(name)"))
    #expect(header?.pixels == PixelSize(width: width, height: height))
    #expect(header?.isSequential == isSequential)
  }

  @Test(
    "a movie, a sound and a missing file are no pictures", arguments: ["gold.mp4", "chime.mp3"])
  func noPicture(name: String) {
    #expect(PictureHeader(of: Fixtures.url("media/\(name)")) == nil)
    #expect(PictureHeader(of: Fixtures.url("media/\(name).none")) == nil)
  }
}
