import NotificationCards
import Foundation
import Testing

@testable import _Card

@Suite("Card: the orientation of a JPEG")
struct TurnedPictureTests {
  /// The start of a JPEG with an orientation among other entries.
  private func exif(_ orientation: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
    }
    let tiff =
      Array("II".utf8) + number(42, 2) + number(8, 4) + number(2, 2)
      + entry(0x0100, 7) + entry(0x0112, orientation) + number(0, 4)
    let body = Array("Exif\0\0".utf8) + tiff
    let length = body.count + 2
    let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 1, 2]
    return [0xFF, 0xD8] + comment + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body
  }

  @Test("a photo on its side has the size that it is drawn in", arguments: [(3, false), (6, true)])
  func size(orientation: Int, isTurned: Bool) throws {
    let photo = try Array(Data(contentsOf: URL(fileURLWithPath: media("photo.jpg"))))
    let file = try TemporaryFile(exif(orientation) + photo.dropFirst(2), name: "turned.jpg")
    let size = try #require(CardRenderer.pixelSize(ofPicture: file.path))
    #expect(size == (isTurned ? (640, 960) : (960, 640)))
    let bitmap = try #require(Bitmap(file: file.path, longestSide: 96))
    #expect((bitmap.width < bitmap.height) == isTurned)
  }
}
