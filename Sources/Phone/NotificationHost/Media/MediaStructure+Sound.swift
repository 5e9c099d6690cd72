extension MediaStructure.Format {
  /// WAVE: a RIFF file with a format and with data.
  static let wave = MediaStructure.Format(
    name: "the WAVE file", begins: { $0.has("RIFF") && $0.has("WAVE", at: 8) }
  ) { $0.faultOfChunks(required: ["fmt ", "data"], isLittleEndian: true) }

  /// AIFF and AIFF-C: an IFF file with a format and with sound.
  static let aiff = MediaStructure.Format(
    name: "the AIFF file",
    begins: { $0.has("FORM") && ($0.has("AIFF", at: 8) || $0.has("AIFC", at: 8)) }
  ) { $0.faultOfChunks(required: ["COMM", "SSND"], isLittleEndian: false) }

  /// AVI: a RIFF file with lists.
  static let avi = MediaStructure.Format(
    name: "the AVI file", begins: { $0.has("RIFF") && $0.has("AVI ", at: 8) }
  ) { $0.faultOfChunks(required: ["LIST"], isLittleEndian: true) }

  /// MPEG audio (ISO/IEC 11172-3): a frame, and another one behind it.
  ///
  /// A file that is cut later can be played up to there.
  static let mp3 = MediaStructure.Format(
    name: "the MP3", begins: { $0.has("ID3") || $0.frameLength(at: 0) != nil }
  ) { file in
    var offset = file.endOfTag()
    // Encoders leave room between the tag and the first frame.
    for _ in 0..<FileBytes.pieceSize where file.number(bytes: 1, at: offset) == 0 { offset += 1 }
    guard let length = file.frameLength(at: offset) else { return "has no frame" }
    let next = offset + length
    guard next <= file.size else { return "ends in its first frame" }
    let isFollowed = file.frameLength(at: next) != nil || file.has("TAG", at: next)
    return isFollowed || file.size - next < 4 ? nil : "has no second frame"
  }
}

extension FileBytes {
  /// Returns the fault of the chunks of a RIFF or IFF file; `nil` if they have no fault.
  fileprivate mutating func faultOfChunks(required: [String], isLittleEndian: Bool) -> String? {
    var missing = required
    var offset = 12
    for _ in 0..<MediaStructure.maximumParts {
      guard let length = number(bytes: 4, at: offset + 4, isLittleEndian: isLittleEndian) else {
        break
      }
      let found = missing.first { has($0, at: offset) }
      // A file that was written as a stream does not know its length.
      let isToTheEnd = length == 0xFFFF_FFFF
      guard isToTheEnd || length <= size - offset - 8 else { return "ends in a chunk" }
      missing.removeAll { $0 == found }
      if isToTheEnd { break }
      offset += 8 + length + length % 2
    }
    return missing.isEmpty ? nil : "has no chunk “\(missing[0])”"
  }

  /// The end of the ID3v2 tag at the start of the file; 0 if the file has no tag.
  fileprivate mutating func endOfTag() -> Int {
    guard has("ID3"), let bytes = read(4, at: 6) else { return 0 }
    return 10 + bytes.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
  }

  /// The length of the MPEG audio frame at an offset, in bytes; `nil` if no frame begins there.
  fileprivate mutating func frameLength(at offset: Int) -> Int? {
    guard let header = number(bytes: 4, at: offset), header >> 21 == 0x7FF else { return nil }
    let (version, layer) = (header >> 19 & 3, header >> 17 & 3)
    let (rate, frequency) = (header >> 12 & 15, header >> 10 & 3)
    guard version != 1, layer != 0, (1...14).contains(rate), frequency != 3 else { return nil }
    let isFirst = version == 3
    let row = isFirst ? 3 - layer : (layer == 3 ? 3 : 4)
    let bits = Self.bitRates[row][rate - 1] * 1000
    let hertz = [44_100, 48_000, 32_000][frequency] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let padding = header >> 9 & 1
    if layer == 3 { return (12 * bits / hertz + padding) * 4 }
    return (layer == 1 && !isFirst ? 72 : 144) * bits / hertz + padding
  }

  /// The kilobits per second of version 1, layers I to III, and of versions 2 and 2.5, layer I and the other two.
  private static let bitRates = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}
