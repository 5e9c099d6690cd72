extension MediaType {
  /// The most bytes from a file's start that ``init(signature:)`` reads.
  public static let signatureLength = 512

  /// Finds the type of a file from its first bytes; `nil` if no known type begins with them.
  ///
  /// Readable text is at least ``plainText``, so that an error message is never taken for media.
  ///
  /// - Parameter bytes: The start of the file: ``signatureLength`` bytes, or all of a shorter file.
  public init?(signature bytes: some Collection<UInt8>) {
    let head = FileHead(bytes.prefix(Self.signatureLength))
    for (type, signature) in Self.signatures where head.has(signature) {
      self = type
      return
    }
    guard
      let type = head.riff ?? head.iff ?? head.isoMedia ?? head.matroska ?? head.image
        ?? head.audioFrame ?? head.transportStream ?? head.text
    else { return nil }
    self = type
  }

  /// The signatures at the first byte.
  ///
  /// Sources: ITU-T T.81 B.1 (every JPEG variant begins SOI, marker), PNG (RFC 2083 3.1), GIF89a,
  /// ISO 11172-1 and 13818-1 (pack header), 13818-2 (sequence header), PDF 1.7, TIFF 6.0,
  /// RFC 3533 (Ogg), RFC 9639 (FLAC), RFC 1952 (gzip), PKWARE APPNOTE (ZIP).
  private static let signatures: [(MediaType, [UInt8])] = [
    (.jpeg, [0xFF, 0xD8, 0xFF]),
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    (.gif, Array("GIF87a".utf8)),
    (.gif, Array("GIF89a".utf8)),
    (.mpeg, [0x00, 0x00, 0x01, 0xBA]),
    (.mpeg2, [0x00, 0x00, 0x01, 0xB3]),
    (.pdf, Array("%PDF-".utf8)),
    (.tiff, [0x49, 0x49, 0x2A, 0x00]),
    (.tiff, [0x4D, 0x4D, 0x00, 0x2A]),
    (.caf, Array("caff".utf8) + [0x00, 0x01]),
    (.ogg, Array("OggS".utf8) + [0x00]),
    (.flac, Array("fLaC".utf8) + [0x00]),
    (.flash, Array("FLV".utf8) + [0x01]),
    (.zip, Array("PK".utf8) + [0x03, 0x04]),
    (.gzip, [0x1F, 0x8B, 0x08]),
  ]
}

/// The first bytes of a file, which name the container and often its content.
private struct FileHead {
  let bytes: [UInt8]

  init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

  func has(_ signature: some Collection<UInt8>, at offset: Int = 0) -> Bool {
    bytes.count >= offset + signature.count && bytes[offset...].starts(with: signature)
  }

  func has(_ text: String, at offset: Int = 0) -> Bool { has(text.utf8, at: offset) }

  var riff: MediaType? {
    guard has("RIFF") else { return nil }
    if has("WAVE", at: 8) { return .wav }
    if has("AVI ", at: 8) { return .avi }
    return has("WEBP", at: 8) ? .webP : nil
  }

  var iff: MediaType? {
    guard has("FORM") else { return nil }
    if has("AIFF", at: 8) { return .aiff }
    return has("AIFC", at: 8) ? .aifc : nil
  }

  /// ISO base media (ISO 14496-12): the `ftyp` box.
  ///
  /// Older QuickTime files begin with another box.
  var isoMedia: MediaType? {
    // A first box of 48 MB or more is not a box but text, such as "The free plan".
    guard let size = bytes.first, size < 3 else { return nil }
    for box in ["moov", "mdat", "wide", "free", "skip", "pnot"] where has(box, at: 4) {
      return .quickTime
    }
    guard has("ftyp", at: 4), bytes.count >= 12 else { return nil }
    switch brand(at: 8) {
    case "qt  ": return .quickTime
    case "M4A ", "M4B ", "M4P ": return .m4a
    case "M4V ", "M4VH", "M4VP": return .m4v
    case let brand where brand.hasPrefix("3gp"): return .threeGPP
    case let brand where Self.heicBrands.contains(brand): return .heic
    case "avif", "avis": return .avif
    case "mif1", "msf1", "heif": return compatibleImage
    case "crx ", "jxl ", "jp2 ": return nil
    default: return .mpeg4
    }
  }

  private static let heicBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx"]

  /// The type of a file of the general image brand, by its compatible brands.
  private var compatibleImage: MediaType {
    let boxEnd = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let end = min(boxEnd, bytes.count) - 3
    let brands = stride(from: 16, to: max(end, 16), by: 4).map(brand)
    if brands.contains(where: Self.heicBrands.contains) { return .heic }
    return brands.contains("avif") || brands.contains("avis") ? .avif : .heif
  }

  private func brand(at offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  /// EBML (RFC 8794), whose document type is among the first bytes.
  var matroska: MediaType? {
    guard has([0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
    let webM = Array("webm".utf8)
    return bytes.indices.contains { has(webM, at: $0) } ? .webM : .matroska
  }

  /// Windows pictures, whose signatures are so short that the fields behind them are checked too.
  var image: MediaType? {
    if has("BM"), has([0, 0, 0, 0], at: 6) { return .bmp }
    let isIcon =
      has([0, 0, 1, 0]) && bytes.count >= 10 && bytes[4] != 0 && bytes[5] == 0 && bytes[9] == 0
    return isIcon ? .ico : nil
  }

  /// MPEG audio: a valid ID3v2 header, or a frame header with eleven set bits, then a valid layer, bit rate
  /// and sampling rate (ISO 11172-3, 2.4.1.3; for AAC 13818-7, 6.2).
  var audioFrame: MediaType? {
    if has("ID3"), bytes.count >= 10 {
      let isValid =
        (2...4).contains(bytes[3]) && bytes[4] != 0xFF && bytes[5] & 0x0F == 0
        && bytes[6..<10].allSatisfy { $0 < 0x80 }
      return isValid ? .mp3 : nil
    }
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    let version = (bytes[1] >> 3) & 0b11
    let layer = (bytes[1] >> 1) & 0b11
    let isADTS = bytes[1] & 0xF0 == 0xF0 && layer == 0
    if isADTS { return (bytes[2] >> 2) & 0b1111 < 13 ? .aac : nil }
    let bitRate = bytes[2] >> 4
    let samplingRate = (bytes[2] >> 2) & 0b11
    return version != 1 && layer == 1 && bitRate != 0 && bitRate != 15 && samplingRate != 3
      ? .mp3 : nil
  }

  /// An MPEG-2 transport stream (ISO 13818-1): packets of 188 bytes that begin with the same byte.
  var transportStream: MediaType? {
    has([0x47]) && has([0x47], at: 188) && has([0x47], at: 376) ? .transportStream : nil
  }

  /// Markup, JSON and other text, which servers send instead of media.
  var text: MediaType? {
    let start = has([0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let text = String(decoding: start, as: UTF8.self).lowercased()
    let trimmed = text.drop { $0.isWhitespace }
    if trimmed.hasPrefix("<!doctype html") || trimmed.contains("<html") { return .html }
    if trimmed.hasPrefix("<"), trimmed.contains("<svg") { return .svg }
    if trimmed.hasPrefix("<?xml") { return .xml }
    if trimmed.hasPrefix("<") { return .html }
    if trimmed.hasPrefix("{") || trimmed.hasPrefix("[") { return .json }
    return isReadable ? .plainText : nil
  }

  /// Whether the bytes are UTF-8 without control characters; the last character may be incomplete.
  private var isReadable: Bool {
    let isControl = { (byte: UInt8) in byte < 0x20 && !(0x09...0x0D).contains(byte) || byte == 0x7F
    }
    guard !bytes.isEmpty, !bytes.contains(where: isControl) else { return false }
    let cuts = bytes.count == MediaType.signatureLength ? 0...3 : 0...0
    return cuts.contains { cut in
      let text = bytes.dropLast(cut)
      // Decoding replaces invalid UTF-8, so the bytes then differ.
      return String(decoding: text, as: UTF8.self).utf8.elementsEqual(text)
    }
  }
}
