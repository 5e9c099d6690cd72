import Foundation

/// A reader of an MP4's length, which is in its movie header (ISO/IEC 14496-12, 8.2.2).
struct MovieLength {
  /// The maximum number of boxes to read; a file has a handful at its top level.
  static let maximumBoxCount = 64
  private static let headerBytes = 32

  private let file: FileHandle
  private var boxCount = 0

  private init(_ file: FileHandle) { self.file = file }

  /// The length of a movie file in seconds; `nil` if the file is not an MP4 or its header has no length.
  static func seconds(ofFile path: String) -> Double? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    var reader = MovieLength(file)
    guard let end = try? file.seekToEnd(), let movie = reader.box("moov", in: 0..<end),
      let header = reader.box("mvhd", in: movie)
    else { return nil }
    return reader.seconds(in: header)
  }

  /// The range of the content of the first box of a type.
  private mutating func box(_ type: String, in range: Range<UInt64>) -> Range<UInt64>? {
    var start = range.lowerBound
    while boxCount < Self.maximumBoxCount, range.upperBound - start >= 8 {
      boxCount += 1
      guard let head = bytes(16, at: start), head.count >= 8 else { return nil }
      var (size, content) = (Self.number(head.prefix(4)), UInt64(8))
      if size == 1, head.count == 16 { (size, content) = (Self.number(head.suffix(8)), 16) }
      // A size of 0 means: to the end of the file.
      if size == 0 { size = range.upperBound - start }
      guard size >= content, size <= range.upperBound - start else { return nil }
      if head[4..<8].elementsEqual(type.utf8) { return start + content..<start + size }
      start += size
    }
    return nil
  }

  private func seconds(in header: Range<UInt64>) -> Double? {
    let count = min(Self.headerBytes, Int(header.upperBound - header.lowerBound))
    guard let bytes = bytes(count, at: header.lowerBound), let version = bytes.first else {
      return nil
    }
    // The creation and modification times come first, each as wide as the length.
    let wide = version == 1
    guard bytes.count >= (wide ? 32 : 20) else { return nil }
    let scale = Self.number(wide ? bytes[20..<24] : bytes[12..<16])
    let length = Self.number(wide ? bytes[24..<32] : bytes[16..<20])
    // All ones mean that the length is not known.
    guard scale > 0, length > 0, length != (wide ? .max : UInt64(UInt32.max)) else { return nil }
    return Double(length) / Double(scale)
  }

  private func bytes(_ count: Int, at offset: UInt64) -> [UInt8]? {
    guard (try? file.seek(toOffset: offset)) != nil, let data = try? file.read(upToCount: count)
    else { return nil }
    return Array(data)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
