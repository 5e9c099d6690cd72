import Foundation

/// Tells from the head of an image file whether the image can be decoded row by row.
///
/// A decoder of a progressive JPEG or an interlaced PNG holds all rows in memory.
/// Source: ITU-T T.81 annex B.1.1.3 (markers), RFC 2083 section 4.1.1 (IHDR).
enum ImageRows {
  private static let maximumSegments = 1000

  static func areSequential(in file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    guard let head = read(handle, at: 0, count: 29) else { return false }
    if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return head[28] == 0 }
    return head.starts(with: [0xFF, 0xD8]) && isSequentialJPEG(handle)
  }

  private static func isSequentialJPEG(_ handle: FileHandle) -> Bool {
    var offset: UInt64 = 2
    for _ in 0..<maximumSegments {
      guard let segment = read(handle, at: offset, count: 4), segment[0] == 0xFF else {
        return false
      }
      switch segment[1] {
      case 0xFF: offset += 1  // A fill byte.
      case 0x01, 0xD0...0xD7: offset += 2  // Markers without a length.
      case 0xC0, 0xC1: return true
      case 0xC4, 0xC8, 0xCC, 0xDB...0xEF, 0xFE:
        offset += 2 + UInt64(segment[2]) << 8 + UInt64(segment[3])
      default: return false
      }
    }
    return false
  }

  private static func read(_ handle: FileHandle, at offset: UInt64, count: Int) -> [UInt8]? {
    guard (try? handle.seek(toOffset: offset)) != nil,
      let data = try? handle.read(upToCount: count), data.count == count
    else { return nil }
    return Array(data)
  }
}
