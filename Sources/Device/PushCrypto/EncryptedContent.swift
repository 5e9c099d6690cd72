/// The `aes128gcm` content coding: a header, followed by records that are encrypted one by one (RFC 8188).
///
/// Pushes are encrypted with ``WebPush``, which derives the keying material by key agreement. Use this type if both sides
/// already have the keying material.
public enum EncryptedContent {
  /// The most bytes of an encrypted body with its header: 64 KiB.
  ///
  /// A body is in memory as a whole. That of a push is far shorter, because a push has at most 4096 bytes.
  public static let maximumLength = 65_536

  /// The bytes of a record beside its content: the delimiter and the tag.
  static let recordOverhead = 1 + tagLength
  private static let tagLength = 16

  /// Returns the padding that brings a plaintext to a multiple of a length.
  ///
  /// Without padding, the length of an encrypted body reveals that of its plaintext, and so perhaps which of several texts
  /// it is. All plaintexts that are padded to the same multiple have encrypted bodies of the same length
  /// (RFC 8188 section 4.8).
  ///
  /// - Parameters:
  ///   - length: The number of bytes of the plaintext.
  ///   - multiple: The length in bytes to pad to a multiple of; 1 or less does not pad.
  ///   - maximum: The most bytes of plaintext and padding together. A plaintext above the last multiple below it is
  ///     padded to the maximum itself, a longer one is not padded.
  /// - Returns: The number of zeros, for the parameter `padding` of the functions that encrypt.
  public static func padding(for length: Int, toMultipleOf multiple: Int, maximum: Int) -> Int {
    guard multiple > 1, length < maximum else { return 0 }
    let excess = length % multiple
    return min(excess == 0 ? 0 : multiple - excess, maximum - length)
  }

  /// Encrypts bytes.
  ///
  /// - Parameters:
  ///   - plaintext: The bytes to encrypt.
  ///   - keyingMaterial: The shared secret, with at least the entropy of the 16-byte key.
  ///   - keyID: The id by which the receiver finds the keying material, at most 255 bytes; it is not encrypted.
  ///   - recordSize: The length of a record in bytes, at least 18.
  ///   - padding: The number of zeros that hide the length. They go into the first records, beside at least one byte of
  ///     content each.
  ///   - provider: The crypto provider.
  /// - Returns: The header and the records.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/tooLarge`` if that is more than
  ///   ``maximumLength``, ``CryptoError/Code/malformed`` if an argument is out of its range.
  public static func seal(
    _ plaintext: [UInt8], keyingMaterial: [UInt8], keyID: [UInt8] = [], recordSize: Int = 4096,
    padding: Int = 0, provider: some CryptoProvider
  ) throws(CryptoError) -> [UInt8] {
    try seal(
      plaintext, keyingMaterial: keyingMaterial, padding: padding,
      header: Header(
        salt: provider.randomBytes(Header.saltLength), recordSize: recordSize, keyID: keyID),
      provider: provider)
  }

  static func seal(
    _ plaintext: [UInt8], keyingMaterial: [UInt8], padding: Int, header: Header,
    provider: some CryptoProvider
  ) throws(CryptoError) -> [UInt8] {
    guard padding >= 0 else { throw CryptoError(.malformed, "the padding is negative") }
    guard plaintext.count <= maximumLength, padding <= maximumLength else { throw .tooLarge }
    let capacity = header.recordSize - recordOverhead
    var remaining = (content: plaintext[...], padding: padding, total: plaintext.count + padding)
    let records = max(1, (remaining.total - 1) / capacity + 1)
    var body = header.bytes
    guard body.count + remaining.total + records * recordOverhead <= maximumLength else {
      throw .tooLarge
    }
    let keys = RecordKeys(header: header, keyingMaterial: keyingMaterial, provider: provider)
    for index in 0..<records {
      let length = min(capacity, remaining.total)
      let zeros = min(remaining.padding, remaining.content.isEmpty ? length : length - 1)
      let record =
        remaining.content.prefix(length - zeros) + [index == records - 1 ? 2 : 1]
        + repeatElement(0, count: zeros)
      body += try provider.sealAES128GCM(
        Array(record), key: keys.contentKey, nonce: keys.nonce(of: index))
      remaining = (
        remaining.content.dropFirst(length - zeros), remaining.padding - zeros,
        remaining.total - length
      )
    }
    return body
  }

  /// Decrypts a body.
  ///
  /// - Parameters:
  ///   - body: The header and the records.
  ///   - provider: The crypto provider.
  ///   - keyingMaterial: Returns the keying material of a key id, or throws if the id is not known.
  /// - Returns: The plaintext, without padding.
  /// - Throws: ``CryptoError``: ``CryptoError/Code/authentication`` if it was encrypted with another key or a bit has
  ///   changed, ``CryptoError/Code/truncated`` if its last record is missing,
  ///   ``CryptoError/Code/malformed`` if it breaks a rule of RFC 8188 section 2,
  ///   ``CryptoError/Code/tooLarge`` if it is longer than ``maximumLength``.
  public static func open(
    _ body: [UInt8], provider: some CryptoProvider,
    keyingMaterial: (_ keyID: [UInt8]) throws(CryptoError) -> [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard body.count <= maximumLength else { throw .tooLarge }
    let header = try Header(parsing: body)
    var remaining = body.dropFirst(header.length)
    guard !remaining.isEmpty else {
      throw CryptoError(.truncated, "the encrypted body ends after its header")
    }
    let keys = RecordKeys(
      header: header, keyingMaterial: try keyingMaterial(header.keyID), provider: provider)
    var plaintext: [UInt8] = []
    var index = 0
    while !remaining.isEmpty {
      let record = remaining.prefix(header.recordSize)
      remaining = remaining.dropFirst(record.count)
      guard record.count >= recordOverhead else {
        throw CryptoError(.truncated, "the encrypted body ends within a record")
      }
      let padded = try provider.openAES128GCM(
        Array(record), key: keys.contentKey, nonce: keys.nonce(of: index))
      plaintext += try content(ofRecord: padded, isLast: remaining.isEmpty)
      index += 1
    }
    return plaintext
  }

  /// The content of a record before its delimiter, which is 2 in the last record and 1 in all others; zeros follow it.
  private static func content(
    ofRecord padded: [UInt8], isLast: Bool
  ) throws(CryptoError) -> ArraySlice<UInt8> {
    guard let end = padded.lastIndex(where: { $0 != 0 }) else {
      throw CryptoError(.malformed, "a record of the encrypted body has no delimiter")
    }
    switch (padded[end], isLast) {
    case (1, false), (2, true): return padded[..<end]
    case (1, true): throw CryptoError(.truncated, "the encrypted body lacks its last record")
    case (2, false):
      throw CryptoError(.malformed, "the encrypted body goes on after its last record")
    default: throw CryptoError(.malformed, "a record of the encrypted body has a wrong delimiter")
    }
  }
}

extension CryptoError {
  static let tooLarge = CryptoError(
    .tooLarge, "the encrypted body has more than \(EncryptedContent.maximumLength) bytes")
}

/// The content-encryption key and the nonces of the records (RFC 8188 sections 2.2 and 2.3).
private struct RecordKeys {
  let contentKey: [UInt8]
  private let baseNonce: [UInt8]

  init(
    header: EncryptedContent.Header, keyingMaterial: [UInt8], provider: some CryptoProvider
  ) {
    let derivation = HKDF(salt: header.salt, keyingMaterial: keyingMaterial, provider: provider)
    contentKey = derivation.expand(info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
    baseNonce = derivation.expand(info: Array("Content-Encoding: nonce\0".utf8), count: 12)
  }

  /// The nonce of a record: the base nonce XOR the index of the record in network byte order.
  func nonce(of index: Int) -> [UInt8] {
    var nonce = baseNonce
    for byte in 0..<8 {
      nonce[11 - byte] ^= UInt8(truncatingIfNeeded: index >> (8 * byte))
    }
    return nonce
  }
}
