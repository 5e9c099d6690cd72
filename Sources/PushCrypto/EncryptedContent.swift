/// The `aes128gcm` content coding: a header, then records that are encrypted one by one (RFC 8188).
///
/// A push is sealed with ``WebPush``, which finds the keying material by key agreement. Use this where
/// both sides have it already.
public enum EncryptedContent {
  /// The most bytes that are opened or made, header included: 64 KiB.
  ///
  /// A push has 4,096 bytes at most, so nothing real comes near it; a body is held in memory whole.
  public static let maximumLength = 65_536

  /// What a record needs besides its content: the delimiter and the tag.
  static let recordOverhead = 1 + tagLength
  private static let tagLength = 16

  /// Encrypts.
  ///
  /// - Parameters:
  ///   - plaintext: What is encrypted.
  ///   - keyingMaterial: The secret of both sides, with as much entropy as the key of 16 bytes.
  ///   - keyID: Names the keying material to the receiver: 255 bytes at most, sent in the clear.
  ///   - recordSize: The length of a record in bytes, at least 18.
  ///   - padding: How many zeros are put beside the plaintext to hide its length. They go into the
  ///     first records, beside at least one byte of content each.
  ///   - provider: Does the mathematics.
  /// - Returns: The header and the records.
  /// - Throws: ``CryptoError`` with ``CryptoError/Code/tooLarge`` where that is more than
  ///   ``maximumLength``, ``CryptoError/Code/malformed`` where an argument is out of its range.
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
    guard padding >= 0 else { throw CryptoError(.malformed, "padding is less than nothing") }
    guard plaintext.count <= maximumLength, padding <= maximumLength else { throw .tooLarge }
    let capacity = header.recordSize - recordOverhead
    var left = (content: plaintext[...], padding: padding, all: plaintext.count + padding)
    let records = max(1, (left.all - 1) / capacity + 1)
    var body = header.bytes
    guard body.count + left.all + records * recordOverhead <= maximumLength else {
      throw .tooLarge
    }
    let keys = RecordKeys(header: header, keyingMaterial: keyingMaterial, provider: provider)
    for index in 0..<records {
      let length = min(capacity, left.all)
      let zeros = min(left.padding, left.content.isEmpty ? length : length - 1)
      let record =
        left.content.prefix(length - zeros) + [index == records - 1 ? 2 : 1]
        + repeatElement(0, count: zeros)
      body += try provider.sealAES128GCM(
        Array(record), key: keys.contentKey, nonce: keys.nonce(of: index))
      left = (left.content.dropFirst(length - zeros), left.padding - zeros, left.all - length)
    }
    return body
  }

  /// Decrypts.
  ///
  /// - Parameters:
  ///   - body: The header and the records.
  ///   - provider: Does the mathematics.
  ///   - keyingMaterial: Answers the secret that a key id names, or throws where there is none.
  /// - Returns: The plaintext, without padding.
  /// - Throws: ``CryptoError``: ``CryptoError/Code/authentication`` where another key sealed it or a
  ///   bit has changed, ``CryptoError/Code/truncated`` where its last record is missing,
  ///   ``CryptoError/Code/malformed`` where it breaks a rule of RFC 8188 section 2,
  ///   ``CryptoError/Code/tooLarge`` above ``maximumLength``.
  public static func open(
    _ body: [UInt8], provider: some CryptoProvider,
    keyingMaterial: (_ keyID: [UInt8]) throws(CryptoError) -> [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard body.count <= maximumLength else { throw .tooLarge }
    let header = try Header(parsing: body)
    var rest = body.dropFirst(header.length)
    guard !rest.isEmpty else {
      throw CryptoError(.truncated, "the encrypted body ends after its header")
    }
    let keys = RecordKeys(
      header: header, keyingMaterial: try keyingMaterial(header.keyID), provider: provider)
    var plaintext: [UInt8] = []
    var index = 0
    while !rest.isEmpty {
      let record = rest.prefix(header.recordSize)
      rest = rest.dropFirst(record.count)
      guard record.count >= recordOverhead else {
        throw CryptoError(.truncated, "the encrypted body ends within a record")
      }
      let padded = try provider.openAES128GCM(
        Array(record), key: keys.contentKey, nonce: keys.nonce(of: index))
      plaintext += try content(ofRecord: padded, isLast: rest.isEmpty)
      index += 1
    }
    return plaintext
  }

  /// What stands before the delimiter: 2 in the last record and 1 in all others, then zeros only.
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

  /// The base with the record's number, in network order, over its end.
  func nonce(of index: Int) -> [UInt8] {
    var nonce = baseNonce
    for place in 0..<8 {
      nonce[11 - place] ^= UInt8(truncatingIfNeeded: index >> (8 * place))
    }
    return nonce
  }
}
