extension EncryptedContent {
  /// What stands before the records, in the clear (RFC 8188 section 2.1).
  struct Header: Equatable {
    static let saltLength = 16
    private static let fixedLength = saltLength + 4 + 1

    let salt: [UInt8]
    /// The length of every record but the last, tag included.
    let recordSize: Int
    let keyID: [UInt8]

    var length: Int { Self.fixedLength + keyID.count }

    /// What the sender chose.
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

    /// What a body begins with.
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
