extension EncryptedContent {
  /// The header before the records, which is not encrypted (RFC 8188 section 2.1).
  struct Header: Equatable {
    static let saltLength = 16
    private static let fixedLength = saltLength + 4 + 1

    let salt: [UInt8]
    /// The length of every record except the last, with the tag.
    let recordSize: Int
    let keyID: [UInt8]

    var length: Int { Self.fixedLength + keyID.count }

    /// Makes a header from the sender's parameters.
    init(salt: [UInt8], recordSize: Int, keyID: [UInt8]) throws(CryptoError) {
      guard recordSize > EncryptedContent.recordOverhead else {
        throw CryptoError(.malformed, "the record size is below 18 and holds no content")
      }
      guard recordSize <= UInt32.max, keyID.count <= UInt8.max, salt.count == Self.saltLength else {
        throw CryptoError(.malformed, "the salt, record size or key id does not fit the header")
      }
      self.salt = salt
      self.recordSize = recordSize
      self.keyID = keyID
    }

    /// Reads the header at the start of a body.
    init(parsing body: [UInt8]) throws(CryptoError) {
      guard body.count >= Self.fixedLength,
        body.count >= Self.fixedLength + Int(body[Self.fixedLength - 1])
      else { throw CryptoError(.truncated, "the encrypted body ends within its header") }
      try self.init(
        salt: Array(body.prefix(Self.saltLength)),
        recordSize: Int(
          clamping: body[Self.saltLength..<Self.saltLength + 4].reduce(0) { $0 << 8 | UInt32($1) }),
        keyID: Array(body.dropFirst(Self.fixedLength).prefix(Int(body[Self.fixedLength - 1]))))
    }

    var bytes: [UInt8] {
      let size = UInt32(recordSize)
      return salt
        + stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: size >> $0) }
        + [UInt8(keyID.count)] + keyID
    }
  }
}
