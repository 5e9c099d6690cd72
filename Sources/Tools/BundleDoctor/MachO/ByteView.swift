import Foundation

/// The bytes of an untrusted file, read by offset; reading outside of them throws an error.
struct ByteView {
  private let data: Data

  init(_ data: Data) { self.data = data }

  var count: Int { data.count }
  var bytes: Data { data }

  /// A part of the bytes, with offsets that begin at its own start.
  func part(at offset: Int, count: Int) throws(MachOError) -> ByteView {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else {
      throw MachOError("it refers to bytes beyond its end")
    }
    let start = data.startIndex + offset
    return ByteView(data[start..<start + count])
  }

  func part(from offset: Int) throws(MachOError) -> ByteView {
    try part(at: offset, count: count - min(max(0, offset), count))
  }

  func big<T: FixedWidthInteger & UnsignedInteger>(
    _ type: T.Type, at offset: Int
  ) throws(MachOError) -> T {
    try part(at: offset, count: MemoryLayout<T>.size).data.reduce(0) { $0 << 8 | T($1) }
  }

  func little<T: FixedWidthInteger & UnsignedInteger>(
    _ type: T.Type, at offset: Int
  ) throws(MachOError) -> T {
    try big(type, at: offset).byteSwapped
  }

  /// A 32-bit offset, length or count.
  func bigInt(at offset: Int) throws(MachOError) -> Int { Int(try big(UInt32.self, at: offset)) }
  func littleInt(at offset: Int) throws(MachOError) -> Int {
    Int(try little(UInt32.self, at: offset))
  }

  /// The text up to its NUL, the end of the bytes, or 1024 bytes, whichever comes first.
  func text(at offset: Int) throws(MachOError) -> String {
    let rest = try part(from: offset).data.prefix(1024)
    return String(decoding: rest.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// An error in the bytes of an executable, a property list or a profile.
package struct MachOError: Error, Sendable, CustomStringConvertible {
  package let message: String
  init(_ message: String) { self.message = message }
  package var description: String { message }
}
