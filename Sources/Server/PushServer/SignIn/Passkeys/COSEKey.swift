import _OpenSSLCrypto

/// A public key of an authenticator, in COSE (RFC 9052, section 7; RFC 9053, sections 2.1 and 7.1; RFC 8812, section 2).
struct COSEKey: Sendable {
  /// The requested algorithms, the best first: ECDSA on P-256 and RSA, both with SHA-256.
  static let algorithms = [-7, -257]
  /// The most bytes of a key, for RSA with 8,192 bits.
  static let maximumBytes = 1100

  private enum Key: Sendable {
    case p256(CurveKey)
    case rsa(RSAPublicKey)
  }

  private let key: Key

  /// Reads a key; `nil` if the bytes are not a key, or if it has another algorithm.
  init?(_ bytes: [UInt8]) {
    var reader = CBORReader(bytes[...])
    guard bytes.count <= Self.maximumBytes, let members = reader.map(), reader.rest.isEmpty else {
      return nil
    }
    func field(_ label: Int) -> [UInt8]? {
      if case .bytes(let bytes)? = members[label] { bytes } else { nil }
    }
    // Label 1 is the key's type, and 3 its algorithm. The negative labels depend on the type.
    switch (members[1], members[3]) {
    case (.integer(2), .integer(-7)):
      guard members[-1] == .integer(1), let x = field(-2), let y = field(-3), x.count == 32,
        y.count == 32, let key = CurveKey(.p256, publicKey: [4] + x + y)
      else { return nil }
      self.key = .p256(key)
    case (.integer(3), .integer(-257)):
      guard let modulus = field(-1), let exponent = field(-2),
        let key = RSAPublicKey(modulus: modulus, exponent: exponent)
      else { return nil }
      self.key = .rsa(key)
    default: return nil
    }
  }

  /// Whether the key has signed a message; a signature of ECDSA is in ASN.1.
  func isValid(signature: [UInt8], of message: [UInt8]) -> Bool {
    switch key {
    case .p256(let key):
      Curve.p256.signature(der: signature).map {
        key.isValid(signature: $0, digest: OpenSSLCrypto.sha256(message))
      } ?? false
    case .rsa(let key): key.isValid(signature: signature, for: message)
    }
  }
}
