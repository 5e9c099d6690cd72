import Foundation

/// The bytes of a file, read in pieces from any place.
struct FileBytes {
  /// The size of a piece, the most that a single read returns.
  static let pieceSize = 65_536

  /// The size of the file in bytes.
  let size: Int
  private let load: (_ offset: Int, _ count: Int) -> [UInt8]
  private var piece: [UInt8] = []
  private var start = 0

  /// Opens a file; it counts as empty if it cannot be opened.
  init(_ file: URL) {
    let handle = try? FileHandle(forReadingFrom: file)
    size = Int(clamping: (try? handle?.seekToEnd()) ?? 0)
    load = { offset, count in
      guard let handle, (try? handle.seek(toOffset: UInt64(offset))) != nil else { return [] }
      return [UInt8]((try? handle.read(upToCount: count)) ?? Data())
    }
  }

  /// Reads bytes; `nil` if the file ends before the last of them.
  mutating func read(_ count: Int, at offset: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= Self.pieceSize, offset >= 0, offset <= size - count else {
      return nil
    }
    if offset < start || offset + count > start + piece.count {
      piece = load(offset, Self.pieceSize)
      start = offset
      guard count <= piece.count else { return nil }
    }
    return piece[(offset - start)..<(offset - start + count)]
  }

  /// Reads a number; `nil` if the file ends before its last byte.
  mutating func number(
    bytes count: Int, at offset: Int, isLittleEndian: Bool = false
  ) -> Int? {
    guard let bytes = read(count, at: offset) else { return nil }
    let ordered = isLittleEndian ? Array(bytes.reversed()) : Array(bytes)
    return Int(exactly: ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Whether the file has the characters of an ASCII text at an offset.
  mutating func has(_ text: String, at offset: Int = 0) -> Bool {
    read(text.utf8.count, at: offset).map { $0.elementsEqual(text.utf8) } ?? false
  }
}
