extension MediaType {
  /// How many bytes from a file's start ``init(signature:)`` looks at, at most.
  public static let signatureLength = 512

  /// The type that a file's first bytes tell, whatever its name says; `nil` where none matches.
  ///
  /// - Parameter bytes: The start of the file: ``signatureLength`` bytes, or all of a shorter file.
  public init?(signature bytes: some Collection<UInt8>) {
    let head = Array(bytes.prefix(Self.signatureLength))
    for (type, offset, signature) in Self.signatures where head.matches(signature, at: offset) {
      self = type
      return
    }
    guard
      let type = Self.riff(head) ?? Self.iff(head) ?? Self.isoMedia(head) ?? Self.mp3Frame(head)
        ?? Self.text(head)
    else { return nil }
    self = type
  }

  /// Signatures at a fixed place.
  ///
  /// Sources: ITU-T T.81 B.1 (every JPEG variant begins SOI, marker),
  /// PNG (RFC 2083 3.1), GIF89a, ISO 11172-1 and 13818-1 (pack header), 13818-2 (sequence header),
  /// PDF 1.7, TIFF 6.0, ID3v2.
  private static let signatures: [(MediaType, Int, [UInt8])] = [
    (.jpeg, 0, [0xFF, 0xD8, 0xFF]),
    (.png, 0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.gif, 0, Array("GIF87a".utf8)),
    (.gif, 0, Array("GIF89a".utf8)),
    (.mp3, 0, Array("ID3".utf8)),
    (.mpeg, 0, [0x00, 0x00, 0x01, 0xBA]),
    (.mpeg2, 0, [0x00, 0x00, 0x01, 0xB3]),
    (.pdf, 0, Array("%PDF-".utf8)),
    (.bmp, 0, Array("BM".utf8)),
    (.tiff, 0, [0x49, 0x49, 0x2A, 0x00]),
    (.tiff, 0, [0x4D, 0x4D, 0x00, 0x2A]),
  ]

  private static func riff(_ head: [UInt8]) -> MediaType? {
    guard head.matches("RIFF", at: 0) else { return nil }
    if head.matches("WAVE", at: 8) { return .wav }
    if head.matches("AVI ", at: 8) { return .avi }
    if head.matches("WEBP", at: 8) { return .webP }
    return nil
  }

  private static func iff(_ head: [UInt8]) -> MediaType? {
    guard head.matches("FORM", at: 0) else { return nil }
    return head.matches("AIFF", at: 8) || head.matches("AIFC", at: 8) ? .aiff : nil
  }

  /// ISO base media: the brand of the `ftyp` box; older QuickTime begins with another box.
  private static func isoMedia(_ head: [UInt8]) -> MediaType? {
    // A first box of 48 MB or more is none: four letters of a text, "The free plan".
    guard let size = head.first, size < 3 else { return nil }
    for box in ["moov", "mdat", "wide", "free", "skip", "pnot"] where head.matches(box, at: 4) {
      return .quickTime
    }
    guard head.matches("ftyp", at: 4), head.count >= 12 else { return nil }
    switch String(decoding: head[8..<12], as: UTF8.self) {
    case "qt  ": return .quickTime
    case "M4A ", "M4B ", "M4P ": return .m4a
    case "M4V ", "M4VH", "M4VP": return .m4v
    case "heic", "heix", "heim", "heis", "hevc", "hevx": return .heic
    case "mif1", "msf1", "avif", "avis", "crx ": return nil
    default: return .mpeg4
    }
  }

  /// MPEG audio layer III without a tag: eleven set bits, then a valid layer, bit rate and sampling
  /// rate (ISO 11172-3, 2.4.1.3).
  private static func mp3Frame(_ head: [UInt8]) -> MediaType? {
    guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
    let version = (head[1] >> 3) & 0b11
    let layer = (head[1] >> 1) & 0b11
    let bitRate = head[2] >> 4
    let samplingRate = (head[2] >> 2) & 0b11
    return version != 1 && layer == 1 && bitRate != 0 && bitRate != 15 && samplingRate != 3
      ? .mp3 : nil
  }

  /// Markup and JSON, which servers answer in place of media.
  private static func text(_ head: [UInt8]) -> MediaType? {
    let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    let text = String(decoding: start, as: UTF8.self).lowercased()
    let trimmed = text.drop { $0.isWhitespace }
    if trimmed.hasPrefix("<!doctype html") || trimmed.contains("<html") { return .html }
    if trimmed.hasPrefix("<svg") || (trimmed.hasPrefix("<?xml") && trimmed.contains("<svg")) {
      return .svg
    }
    if trimmed.hasPrefix("<?xml") { return .xml }
    if trimmed.hasPrefix("<") { return .html }
    if trimmed.hasPrefix("{") || trimmed.hasPrefix("[") { return .json }
    return nil
  }
}

extension [UInt8] {
  fileprivate func matches(_ signature: some Collection<UInt8>, at offset: Int) -> Bool {
    count >= offset + signature.count && self[offset...].starts(with: signature)
  }

  fileprivate func matches(_ text: String, at offset: Int) -> Bool {
    matches(text.utf8, at: offset)
  }
}
