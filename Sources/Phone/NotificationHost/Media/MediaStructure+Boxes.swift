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
  /// The head of a box (ISO/IEC 14496-12, 4.2).
  struct Box {
    var type: ArraySlice<UInt8>
    var headLength: Int
    /// The length of the whole box; `nil` if the head names none, or one that is shorter than the head.
    var length: Int?
  }

  /// Reads the head of a box, whose length may be up to the end of what contains it; `nil` if the file ends in the head.
  mutating func box(at offset: Int, before end: Int) -> Box? {
    guard let short = number(bytes: 4, at: offset), let type = read(4, at: offset + 4) else {
      return nil
    }
    let headLength = short == 1 ? 16 : 8
    let length =
      switch short {
      case 0: end - offset
      case 1: number(bytes: 8, at: offset + 8)
      default: short
      }
    return Box(
      type: type, headLength: headLength, length: length.flatMap { $0 < headLength ? nil : $0 })
  }

  /// Returns the fault of a file's boxes; `nil` if they have no fault.
  mutating func faultOfBoxes(required: [String]) -> String? {
    var missing = required
    var offset = 0
    for _ in 0..<MediaStructure.maximumParts {
      // Bytes without a name are behind the last box.
      guard let box = box(at: offset, before: size),
        box.type.allSatisfy({ (0x20..<0x7F).contains($0) })
      else { break }
      guard let length = box.length else { return "has a box without a length" }
      missing.removeAll { box.type.elementsEqual($0.utf8) }
      guard length <= size - offset else { return "ends in a box" }
      offset += length
    }
    return missing.isEmpty ? nil : "has no box “\(missing[0])”"
  }
}
