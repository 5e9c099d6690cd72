extension MediaStructure.Format {
  /// MPEG-4, QuickTime and 3GPP (ISO/IEC 14496-12): boxes, one of which describes the tracks.
  static let movie = MediaStructure.Format(
    name: "the MPEG-4 or QuickTime file",
    begins: { file in
      ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].contains { file.has($0, at: 4) }
    }
  ) { $0.faultOfBoxes(required: ["moov", "mdat"]) }
}

extension FileBytes {
  /// Returns the fault of a file's boxes; `nil` if they have no fault.
  mutating func faultOfBoxes(required: [String]) -> String? {
    var missing = required
    var offset = 0
    for _ in 0..<MediaStructure.maximumParts {
      // Bytes without a name are behind the last box.
      guard let short = number(bytes: 4, at: offset), let name = read(4, at: offset + 4),
        name.allSatisfy({ (0x20..<0x7F).contains($0) })
      else { break }
      let length: Int?
      switch short {
      case 0: length = size - offset
      case 1: length = number(bytes: 8, at: offset + 8)
      default: length = short
      }
      guard let length, length >= (short == 1 ? 16 : 8) else { return "has a box without a length" }
      missing.removeAll { name.elementsEqual($0.utf8) }
      guard length <= size - offset else { return "ends in a box" }
      offset += length
    }
    return missing.isEmpty ? nil : "has no box “\(missing[0])”"
  }
}
