import _Bitmaps

/// Writes an index as the bytes of a file, part by part.
///
/// First come the sections: bitmaps and tables, which are used in place. Each begins at a multiple
/// of 32 bytes. The directory follows with everything else and with the positions of the sections.
/// The trailer has the version, the directory's position and the checksum.
struct SnapshotWriter {
  /// The last words of a file: the mark, the version, the directory's offset and length, the
  /// checksum of everything before it, and zeros.
  enum Trailer {
    static let size = 64
    static let mark: UInt64 = 0x7865_646e_6974_6c6d  // "mltindex"
    /// The version of the layout; a file of another version is not read.
    static let version: UInt64 = 3
  }

  private let write: (UnsafeRawBufferPointer) throws -> Void
  private var checksum = Checksum()
  private var position = 0
  private var directory: [UInt8] = []

  /// `write` is called with the file's bytes in order.
  init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.write = write }

  mutating func add(number: UInt64) {
    directory += (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  mutating func add(count: Int) { add(number: UInt64(count)) }

  mutating func add(text: String) {
    add(count: text.utf8.count)
    directory += text.utf8
  }

  mutating func add(section bytes: [UInt8]) throws {
    add(count: position)
    add(count: bytes.count)
    try append(bytes)
  }

  mutating func add(_ bitmap: Bitmap) throws {
    var bitmap = bitmap
    if !bitmap.isFrozen { bitmap.optimize() }
    try add(section: bitmap.frozen)
  }

  mutating func finish() throws {
    let (start, length) = (position, directory.count)
    try append(directory)
    directory = []
    for word in [Trailer.mark, Trailer.version, UInt64(start), UInt64(length)] {
      add(number: word)
    }
    try append(directory)
    directory = []
    add(number: checksum.value)
    try append(directory)
  }

  /// Writes bytes, and zeros up to the next block.
  private mutating func append(_ bytes: [UInt8]) throws {
    let padding = (Checksum.blockSize - bytes.count % Checksum.blockSize) % Checksum.blockSize
    try (padding == 0 ? bytes : bytes + [UInt8](repeating: 0, count: padding)).withUnsafeBytes {
      unsafe checksum.add($0)
      unsafe try write($0)
      position += $0.count
    }
  }
}

extension SnapshotWriter {
  /// Bytes with their correct checksum, for tests of the reader.
  static func sealed(_ bytes: [UInt8]) -> [UInt8] {
    let end = bytes.count - Checksum.blockSize
    guard end >= 0, bytes.count % Checksum.blockSize == 0 else { return bytes }
    var checksum = Checksum()
    bytes[..<end].withUnsafeBytes { unsafe checksum.add($0) }
    let value = checksum.value
    return bytes[..<end] + (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      + [UInt8](repeating: 0, count: Checksum.blockSize - 8)
  }
}
