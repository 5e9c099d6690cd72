/// An elliptic curve, with the properties that its keys share.
package enum Curve: Sendable {
  case p256, p384, p521, x25519, ed25519

  /// The length of a scalar and of a coordinate in bytes.
  package var width: Int {
    switch self {
    case .p256, .x25519, .ed25519: 32
    case .p384: 48
    case .p521: 66
    }
  }

  var isNIST: Bool { self != .x25519 && self != .ed25519 }

  /// The name with which OpenSSL makes keys.
  var name: String {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    case .x25519: "X25519"
    case .ed25519: "ED25519"
    }
  }

  /// The name with which OpenSSL describes keys.
  var groupName: String {
    switch self {
    case .p256: "prime256v1"
    case .p384: "secp384r1"
    case .p521: "secp521r1"
    default: name
    }
  }

  /// The DER bytes of the curve's object identifier (RFC 5480 section 2.1.1.1).
  private var identifier: [UInt8] {
    switch self {
    case .p256: [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    case .p384: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    default: [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
    }
  }

  /// An ECPrivateKey (SEC 1 appendix C.4).
  ///
  /// If the public key is omitted, OpenSSL computes it, and does not write it.
  func privateKeyDER(scalar: [UInt8], point: [UInt8]? = nil) -> [UInt8] {
    let publicKey = point.map { Self.der(0xA1, Self.der(0x03, [0] + $0)) } ?? []
    return Self.der(
      0x30,
      [0x02, 0x01, 0x01] + Self.der(0x04, scalar) + Self.der(0xA0, identifier) + publicKey)
  }

  /// A SubjectPublicKeyInfo (RFC 5480 section 2).
  func publicKeyDER(point: [UInt8]) -> [UInt8] {
    let algorithm: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    return Self.der(
      0x30, Self.der(0x30, algorithm + identifier) + Self.der(0x03, [0] + point))
  }

  /// A DER value of at most 255 bytes.
  private static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = UInt8(content.count)
    return (length < 0x80 ? [tag, length] : [tag, 0x81, length]) + content
  }
}
