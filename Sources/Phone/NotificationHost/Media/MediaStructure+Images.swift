extension MediaStructure.Format {
  /// PNG (ISO/IEC 15948, section 5): a signature, and chunks with a length, a type and a checksum.
  static let png = MediaStructure.Format(
    name: "the PNG",
    begins: { $0.read(8, at: 0)?.elementsEqual([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]) == true }
  ) { file in
    guard file.number(bytes: 4, at: 8) == 13, file.has("IHDR", at: 12) else {
      return "does not begin with a header chunk"
    }
    guard let width = file.number(bytes: 4, at: 16), let height = file.number(bytes: 4, at: 20),
      width > 0, height > 0
    else { return "has no size" }
    var (offset, hasData) = (33, false)
    for _ in 0..<MediaStructure.maximumParts {
      guard let length = file.number(bytes: 4, at: offset) else { break }
      guard length <= file.size - offset - 12 else { break }
      if file.has("IDAT", at: offset + 4), length > 0 { hasData = true }
      if file.has("IEND", at: offset + 4) { return hasData ? nil : "has no image data" }
      offset += 12 + length
    }
    return "ends before its last chunk"
  }

  /// JPEG (ITU-T T.81, annex B): segments up to a scan, and a marker at the end.
  static let jpeg = MediaStructure.Format(
    name: "the JPEG", begins: { $0.number(bytes: 3, at: 0) == 0xFFD8FF }
  ) { file in
    var (offset, hasFrame) = (2, false)
    for _ in 0..<MediaStructure.maximumParts {
      guard let marker = file.number(bytes: 2, at: offset), marker > 0xFF00 else { break }
      if marker == 0xFFFF {  // A fill byte.
        offset += 1
        continue
      }
      if marker == 0xFFD9 { return "has no scan" }
      guard let length = file.number(bytes: 2, at: offset + 2), length >= 2 else { break }
      guard length <= file.size - offset - 2 else { break }
      // Frame headers, without the tables DHT and DAC and the reserved JPG.
      if (0xFFC0...0xFFCF).contains(marker), ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
        // A height of 0 is defined after the first scan.
        guard let width = file.number(bytes: 2, at: offset + 7), width > 0 else {
          return "has no size"
        }
        hasFrame = true
      }
      offset += 2 + length
      if marker == 0xFFDA {
        guard hasFrame else { return "has no frame" }
        return file.hasMarker(0xD9, after: offset) ? nil : "ends before its last marker"
      }
    }
    return "ends before its first scan"
  }

  /// GIF (version 89a, section 17 and after): blocks up to a trailer.
  static let gif = MediaStructure.Format(
    name: "the GIF", begins: { $0.has("GIF87a") || $0.has("GIF89a") }
  ) { file in
    guard let flags = file.number(bytes: 1, at: 10) else { return "ends in its header" }
    var (offset, hasImage) = (13 + Self.colorTable(flags), false)
    for _ in 0..<MediaStructure.maximumParts {
      guard let kind = file.number(bytes: 1, at: offset) else { break }
      switch kind {
      case 0x3B: return hasImage ? nil : "has no image"
      case 0x21: offset += 2  // An extension and its label.
      case 0x2C:
        guard let flags = file.number(bytes: 1, at: offset + 9) else {
          return "ends in an image's header"
        }
        offset += 11 + Self.colorTable(flags)  // With the code size of the image data.
        hasImage = true
      default: return "has an unknown block"
      }
      guard let end = file.endOfBlocks(at: offset) else { break }
      offset = end
    }
    return "ends before its trailer"
  }

  /// HEIC (ISO/IEC 23008-12): boxes with a brand of still images.
  static let heic = MediaStructure.Format(
    name: "the HEIC file",
    begins: { file in
      guard file.has("ftyp", at: 4), let length = file.number(bytes: 4, at: 0) else {
        return false
      }
      let brands = stride(from: 8, to: min(length, 256), by: 4)
      return brands.contains { brand in
        ["heic", "heix", "heim", "heis", "mif1"].contains { file.has($0, at: brand) }
      }
    }
  ) { $0.faultOfBoxes(required: ["meta"]) }

  /// The size of a color table in bytes.
  private static func colorTable(_ flags: Int) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << ((flags & 7) + 1)
  }
}

extension FileBytes {
  /// The end of the data blocks of a GIF that begin at an offset; `nil` if the file ends before them.
  fileprivate mutating func endOfBlocks(at start: Int) -> Int? {
    var offset = start
    while let length = number(bytes: 1, at: offset) {
      offset += 1 + length
      if length == 0 { return offset }
    }
    return nil
  }

  /// Whether a JPEG has a marker after an offset.
  ///
  /// In its scans a byte FF is followed by 00, so that the marker is found anywhere.
  fileprivate mutating func hasMarker(_ code: UInt8, after start: Int) -> Bool {
    var end = size
    // Backwards, because the marker is at the end.
    while end > start {
      let begin = max(start, end - Self.pieceSize)
      guard let bytes = read(end - begin, at: begin) else { return false }
      var next: UInt8 = 0
      for byte in bytes.reversed() {
        if byte == 0xFF, next == code { return true }
        next = byte
      }
      guard begin > start else { return false }
      end = begin + 1  // The marker may be on both sides.
    }
    return false
  }
}
