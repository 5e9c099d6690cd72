import Foundation
import TestSupport
import Testing

@testable import NotificationHost

@Suite("The length of a video")
struct MovieLengthTests {
  private static func number(_ value: UInt64, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (bytes - 1 - $0))) }
  }

  private static func box(_ type: String, _ content: [UInt8], size: UInt64? = nil) -> [UInt8] {
    number(size ?? UInt64(content.count + 8), bytes: 4) + Array(type.utf8) + content
  }

  /// A movie header of 90 s, with 32-bit times in version 0 and 64-bit times in version 1.
  private static func header(version: UInt8, scale: UInt64 = 1000, length: UInt64 = 90_000)
    -> [UInt8]
  {
    let width = version == 1 ? 8 : 4
    return box(
      "mvhd",
      [version, 0, 0, 0] + [UInt8](repeating: 1, count: 2 * width) + number(scale, bytes: 4)
        + number(length, bytes: width) + [UInt8](repeating: 0, count: 80))
  }

  private static let start = box("ftyp", Array("isom0000".utf8))
  private static let movie = box("moov", header(version: 0))

  private func seconds(_ bytes: [UInt8]) throws -> Double? {
    let folder = TemporaryFolder()
    try Data(bytes).write(to: folder.file("film.mp4"))
    return MovieLength.seconds(ofFile: folder.path("film.mp4"))
  }

  @Test(
    "the length is read wherever the movie header is",
    arguments: [
      start + movie, start + box("mdat", [UInt8](repeating: 0, count: 999)) + movie,
      start + box("moov", header(version: 1)),
      start + box("moov", box("free", [1, 2, 3]) + header(version: 0)),
      // A 64-bit box size, and size 0, which means up to the end of the file.
      start + number(1, bytes: 4) + Array("mdat".utf8) + number(20, bytes: 8) + [0, 0, 0, 0]
        + movie,
      start + box("moov", header(version: 0), size: 0),
      (1..<MovieLength.maximumBoxCount - 1).flatMap { _ in box("free", []) } + movie,
    ])
  func length(_ bytes: [UInt8]) throws {
    #expect(try seconds(bytes) == 90)
  }

  @Test(
    "a file without a movie header, or with an invalid one, has no length",
    arguments: [
      [], start, Array(movie.prefix(7)), Array(movie.prefix(30)), box("moov", []),
      box("moov", header(version: 0, scale: 0)), box("moov", header(version: 0, length: 0)),
      box("moov", header(version: 0, length: UInt64(UInt32.max))),
      box("moov", header(version: 1, length: .max)), box("moov", header(version: 0), size: 7),
      box("moov", header(version: 0), size: 5000),
      number(1, bytes: 4) + Array("moov".utf8) + number(.max, bytes: 8) + movie,
      number(1, bytes: 4) + Array("moov".utf8) + number(15, bytes: 8) + movie,
      (1...MovieLength.maximumBoxCount - 1).flatMap { _ in box("free", []) } + movie,
    ])
  func none(_ bytes: [UInt8]) throws {
    #expect(try seconds(bytes) == nil)
  }

  @Test("the sample video lasts 2.5 seconds, and a missing file has no length")
  func sample() {
    let path = Fixtures.url("media/gold.mp4").path()
    #expect(MovieLength.seconds(ofFile: path) == 2.5)
    #expect(MovieLength.seconds(ofFile: path + "x") == nil)
  }
}
