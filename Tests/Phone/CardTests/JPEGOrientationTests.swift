import NotificationCards
import Foundation
import Testing

@testable import _Card

@Suite("Card: the orientation of a JPEG")
struct JPEGOrientationTests {
  /// The start of a JPEG with an orientation among other entries, in one of the two byte orders.
  private func exif(_ orientation: Int, isBig: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isBig ? bytes.reversed() : bytes
    }
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
    }
    let tiff =
      Array((isBig ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
      + entry(0x0100, 7) + entry(0x0112, orientation) + number(0, 4)
    let body = Array("Exif\0\0".utf8) + tiff
    let length = body.count + 2
    let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 1, 2]
    return [0xFF, 0xD8] + comment + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body
  }

  @Test("it is read in both byte orders", arguments: [1, 3, 6, 8], [false, true])
  func values(orientation: Int, isBig: Bool) {
    #expect(JPEGOrientation(bytes: exif(orientation, isBig: isBig)[...]).value == orientation)
  }

  @Test("a head that ends anywhere, or is damaged anywhere, has some value or none")
  func hostile() {
    let whole = exif(6, isBig: true)
    for count in 0...whole.count {
      let value = JPEGOrientation(bytes: whole.prefix(count)).value
      #expect(value == nil || value == 6)
    }
    for index in whole.indices {
      for byte: UInt8 in [0, 1, 0x7F, 0xFF] {
        var damaged = whole
        damaged[index] = byte
        _ = JPEGOrientation(bytes: damaged[...]).value
      }
    }
    #expect(JPEGOrientation(bytes: []).value == nil)
  }

  @Test("a photo on its side has the size that it is drawn in", arguments: [(3, false), (6, true)])
  func size(orientation: Int, isTurned: Bool) throws {
    let photo = try Array(Data(contentsOf: URL(fileURLWithPath: media("photo.jpg"))))
    let file = try TemporaryFile(
      exif(orientation, isBig: false) + photo.dropFirst(2), name: "turned.jpg")
    let size = try #require(CardRenderer.pixelSize(ofPicture: file.path))
    #expect(size == (isTurned ? (640, 960) : (960, 640)))
    let bitmap = try #require(Bitmap(file: file.path, longestSide: 96))
    #expect((bitmap.width < bitmap.height) == isTurned)
  }
}
