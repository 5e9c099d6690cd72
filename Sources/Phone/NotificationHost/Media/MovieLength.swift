import Foundation

/// A reader of an MP4's length, which is in its movie header (ISO/IEC 14496-12, 8.2.2).
package struct MovieLength {
  /// The maximum number of boxes to read; a file has a handful at its top level.
  static let maximumBoxCount = 64

  private var file: FileBytes
  private var boxCount = 0

  /// The length of a movie file in seconds; `nil` if the file is not an MP4 or its header has no length.
  package static func seconds(ofFile path: String) -> Double? {
    var reader = MovieLength(file: FileBytes(URL(filePath: path)))
    guard let movie = reader.box("moov", in: 0..<reader.file.size),
      let header = reader.box("mvhd", in: movie)
    else { return nil }
    return reader.seconds(in: header)
  }

  /// The range of the content of the first box of a type.
  private mutating func box(_ type: String, in range: Range<Int>) -> Range<Int>? {
    var start = range.lowerBound
    while boxCount < Self.maximumBoxCount, range.upperBound - start >= 8 {
      boxCount += 1
      guard let box = file.box(at: start, before: range.upperBound), let length = box.length,
        length <= range.upperBound - start
      else { return nil }
      if box.type.elementsEqual(type.utf8) { return start + box.headLength..<start + length }
      start += length
    }
    return nil
  }

  private mutating func seconds(in header: Range<Int>) -> Double? {
    // The creation and modification times come first, each as wide as the length.
    let start = header.lowerBound
    let isWide = file.number(bytes: 1, at: start) == 1
    guard header.count >= (isWide ? 32 : 20),
      let scale = file.number(bytes: 4, at: start + (isWide ? 20 : 12)),
      let length = file.number(bytes: isWide ? 8 : 4, at: start + (isWide ? 24 : 16)),
      // All ones mean that the length is not known. As 64 bits they are no `Int`.
      scale > 0, length > 0, isWide || length != UInt32.max
    else { return nil }
    return Double(length) / Double(scale)
  }
}
