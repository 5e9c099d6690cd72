/// What an authenticator says with each signature (Web Authentication Level 3, section 6.1).
struct AuthenticatorData: Sendable, Equatable {
  /// A new credential (section 6.5.1).
  struct Credential: Sendable, Equatable {
    var id: [UInt8]
    /// The public key as it was sent.
    var publicKey: [UInt8]
  }

  /// The most bytes that are read, with extensions.
  static let maximumBytes = 8 << 10
  /// The most bytes of a credential's id.
  static let idLimit = 1023

  /// The SHA-256 of the relying party's id.
  let partyHash: [UInt8]
  /// Whether somebody was there, and touched it.
  let isPresent: Bool
  /// Whether it verified who that is, by a finger, a face or a PIN.
  let isVerified: Bool
  /// The count of signatures; 0 where it does not count.
  let signatureCount: Int64
  /// The credential that was made; `nil` for a signature with one.
  let credential: Credential?

  /// Reads the bytes; `nil` where they are something else.
  init?(_ bytes: [UInt8]) {
    guard (37...Self.maximumBytes).contains(bytes.count) else { return nil }
    let flags = bytes[32]
    partyHash = Array(bytes[..<32])
    (isPresent, isVerified) = (flags & 0x01 != 0, flags & 0x04 != 0)
    signatureCount = bytes[33..<37].reduce(0) { $0 << 8 | Int64($1) }
    var rest = bytes[37...]
    if flags & 0x40 != 0 {
      // After the 16 bytes that tell the model come the length of the id, the id and the key.
      guard rest.count >= 18 else { return nil }
      let length = rest.dropFirst(16).prefix(2).reduce(0) { $0 << 8 | Int($1) }
      let start = rest.startIndex + 18
      guard (1...Self.idLimit).contains(length), rest.endIndex - start >= length else { return nil }
      var reader = CBORReader(rest[(start + length)...])
      guard reader.map() != nil else { return nil }
      credential = Credential(
        id: Array(rest[start..<start + length]),
        publicKey: Array(rest[(start + length)..<reader.rest.startIndex]))
      rest = reader.rest
    } else {
      credential = nil
    }
    // Extensions follow only where a flag says so; none was asked for, and they say nothing here.
    guard rest.isEmpty == (flags & 0x80 == 0) else { return nil }
  }
}
