import _Bitmaps

/// The reason why bytes are not a snapshot of an index.
struct SnapshotError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Reads what ``SnapshotWriter`` wrote, in the same order; no input makes it crash.
struct SnapshotReader {
  private typealias Trailer = SnapshotWriter.Trailer
  private let bytes: FixedBytes
  /// The part of the directory that was not read yet.
  private var directory: Range<Int>
  /// The end of the sections, at which the directory begins.
  private let sectionEnd: Int

  /// Checks the trailer and the checksum.
  init(_ bytes: FixedBytes) throws(SnapshotError) {
    let end = bytes.count - Trailer.size
    guard end >= 0, bytes.count % Checksum.blockSize == 0 else {
      throw SnapshotError("it is cut off")
    }
    func word(_ index: Int) -> UInt64 { bytes.load(UInt64.self, at: end + 8 * index) ?? 0 }
    guard word(0) == Trailer.mark else { throw SnapshotError("it is not a snapshot, or cut off") }
    guard word(1) == Trailer.version else {
      throw SnapshotError("it has the version \(word(1)), not \(Trailer.version)")
    }
    let checksum = bytes.withBytes(0..<end + Checksum.blockSize) { all in
      var checksum = Checksum()
      unsafe checksum.add(all)
      return checksum.value
    }
    guard word(4) == checksum, (5..<8).allSatisfy({ word($0) == 0 }) else {
      throw SnapshotError("its checksum is wrong")
    }
    guard let start = Int(exactly: word(2)), let length = Int(exactly: word(3)), start <= end,
      length <= end - start
    else { throw SnapshotError("its directory is outside of it") }
    self.bytes = bytes
    directory = start..<start + length
    sectionEnd = start
  }

  var isAtEnd: Bool { directory.isEmpty }

  mutating func number() throws(SnapshotError) -> UInt64 {
    guard directory.count >= 8, let number = bytes.load(UInt64.self, at: directory.lowerBound)
    else {
      throw SnapshotError("its directory is cut off")
    }
    directory = directory.dropFirst(8)
    return number
  }

  /// Reads the number of the following items, each of which takes at least 8 bytes of the directory.
  mutating func count() throws(SnapshotError) -> Int {
    guard let count = Int(exactly: try number()), count <= directory.count / 8 else {
      throw SnapshotError("its directory names more than it has")
    }
    return count
  }

  mutating func text() throws(SnapshotError) -> String {
    guard let length = Int(exactly: try number()), length <= directory.count else {
      throw SnapshotError("a text of its directory is cut off")
    }
    defer { directory = directory.dropFirst(length) }
    return bytes.withBytes(directory.prefix(length)) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  mutating func section() throws(SnapshotError) -> Range<Int> {
    guard let start = Int(exactly: try number()), let length = Int(exactly: try number()),
      start <= sectionEnd, length <= sectionEnd - start
    else { throw SnapshotError("a section is outside of it") }
    return start..<start + length
  }

  mutating func bitmap() throws(SnapshotError) -> Bitmap {
    let range = try section()
    do {
      return try Bitmap(frozen: range, in: bytes)
    } catch {
      throw SnapshotError(error.message)
    }
  }

  mutating func table() throws(SnapshotError) -> HashTable {
    guard let table = HashTable(try section(), in: bytes) else {
      throw SnapshotError("a table is not sorted")
    }
    return table
  }

  /// Reads a section of 64-bit numbers.
  mutating func words() throws(SnapshotError) -> [UInt64] {
    let range = try section()
    guard range.count % 8 == 0 else { throw SnapshotError("a section of numbers is cut off") }
    return stride(from: range.lowerBound, to: range.upperBound - 7, by: 8).map {
      bytes.load(UInt64.self, at: $0) ?? 0
    }
  }
}
