/// The authenticator data that is signed with each answer (Web Authentication Level 3, section 6.1).
struct AuthenticatorData: Sendable, Equatable {
  /// A new credential (section 6.5.1).
  struct Credential: Sendable, Equatable {
    var id: [UInt8]
    /// The public key in the form in which it was sent.
    var publicKey: [UInt8]
  }

  /// The most bytes that are read, including extensions.
  static let maximumBytes = 8 << 10
  /// The most bytes of a credential's id.
  static let idLimit = 1023

  /// The SHA-256 of the relying party's id.
  let partyHash: [UInt8]
  /// Whether a person was present and touched the authenticator.
  let isPresent: Bool
  /// Whether it verified the person by a fingerprint, a face or a PIN.
  let isVerified: Bool
  /// The number of signatures; 0 if the authenticator does not count them.
  let signatureCount: Int64
  /// The new credential; `nil` if the data belongs to a signature.
  let credential: Credential?

  /// Reads the bytes; `nil` if they are not authenticator data.
  init?(_ bytes: [UInt8]) {
    guard (37...Self.maximumBytes).contains(bytes.count) else { return nil }
    let flags = bytes[32]
    partyHash = Array(bytes[..<32])
    (isPresent, isVerified) = (flags & 0x01 != 0, flags & 0x04 != 0)
    signatureCount = bytes[33..<37].reduce(0) { $0 << 8 | Int64($1) }
    var rest = bytes[37...]
    if flags & 0x40 != 0 {
      // The 16 bytes of the model's id precede the length of the id, the id and the key.
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
    // Extensions follow only if a flag says so. None were requested, so they are ignored.
    guard rest.isEmpty == (flags & 0x80 == 0) else { return nil }
  }
}
