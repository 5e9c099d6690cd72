import NotificationCards
import Foundation
import TestSupport
import Testing

@testable import _Card

@Suite("JPEG scans", .timeLimit(.minutes(10)))
struct JPEGScansTests {
  /// Reads a file in pieces of a size.
  private func count(_ bytes: [UInt8], by size: Int = 65_536) -> Int {
    var scans = JPEGScans()
    for start in stride(from: 0, to: bytes.count, by: size) {
      guard scans.read(bytes[start..<min(start + size, bytes.count)]) else { break }
    }
    return scans.count
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: media(name))))
  }

  @Test("are counted up to one more than the limit", arguments: [1, 2, 10, 50, 51])
  func counted(_ scans: Int) {
    #expect(count(progressiveJPEG(width: 800, height: 600, scans: scans)) == scans)
  }

  @Test("a baseline JPEG has one; other files have none")
  func baseline() throws {
    #expect(try count(bytes("photo.jpg")) == 1)
    #expect(try count(bytes("picture.png")) == 0)
    #expect(count([]) == 0)
    #expect(count([0xFF, 0xDA, 0, 8]) == 0)
  }

  @Test("stuffed bytes, restart markers and padding belong to a scan, thumbnails to a segment")
  func markers() {
    let start: [UInt8] = [0xFF, 0xD8]
    let thumbnail: [UInt8] = [0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 0xFF, 0xDA, 0xFF, 0xD9]
    let scan: [UInt8] = [0xFF, 0xDA, 0, 3, 1, 0x12, 0xFF, 0, 0xDA, 0xFF, 0xD0, 0xFF, 0xD7]
    let padded: [UInt8] = [0xFF, 0xFF, 0xFF, 0xDA, 0, 2]
    #expect(count(start + thumbnail + scan + padded + [0xFF, 0xD9] + scan) == 2)
  }

  @Test("the count is the same for any division into pieces")
  func pieces() throws {
    let file = try bytes("photo.jpg")
    let progressive = progressiveJPEG(width: 80, height: 60, scans: 7)
    for size in [1, 2, 3, 7, 64, 1000] {
      #expect(count(file, by: size) == 1)
      #expect(count(progressive, by: size) == 7)
    }
  }

  @Test("mutated files are read without a trap, and the count has its limit")
  func mutated() throws {
    var generator = SystemRandomNumberGenerator()
    let files = [try bytes("photo.jpg"), progressiveJPEG(width: 80, height: 60, scans: 60)]
    for turn in 0..<2000 {
      var file = files[turn % 2]
      for _ in 0...Int.random(in: 0..<8, using: &generator) {
        file[Int.random(in: 0..<file.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      file.removeLast(Int.random(in: 0..<file.count, using: &generator))
      #expect(count(file) <= JPEGScans.limit + 1)
    }
  }

  @Test("a picture with 50 scans is drawn, and one with 51 is an empty tile")
  func drawn() throws {
    func card(_ scans: Int) throws -> (NotificationCard, TemporaryFile) {
      let file = try TemporaryFile(
        progressiveJPEG(width: 800, height: 600, scans: scans), name: "scans.jpg")
      return (
        NotificationCard(
          appName: "App", title: "T", attachments: [.init(path: file.path, kind: .image)]), file
      )
    }
    let renderer = CardRenderer(CardStyle(scale: 1))
    let (allowed, kept) = try card(50)
    let (refused, alsoKept) = try card(51)
    var without = refused
    without.attachments[0].path = ""
    let empty = try renderer.png(without)
    #expect(try renderer.png(allowed) != empty)
    #expect(try renderer.png(refused) == empty)
    withExtendedLifetime((kept, alsoKept)) {}
  }
}
