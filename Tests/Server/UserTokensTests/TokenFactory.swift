import Foundation
import PushCrypto
import PushPayload
import _OpenSSLCrypto

@testable import UserTokens

/// Makes tokens of any kind, good and bad ones.
struct TokenFactory {
  static let now: Int64 = 1_700_000_000
  static let bundleID = "com.example.weather"

  let privatePEM = OpenSSLCrypto.makeP256KeyPEM()
  let key: any ES256PrivateKey
  var publicPEM: String {
    get throws { try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: privatePEM) }
  }

  init() throws { key = try OpenSSLCrypto().privateKey(pem: privatePEM) }

  static let claims: [String: JSONValue] = [
    "sub": "ada", "aud": .string(bundleID), "exp": .integer(now + 3600),
    "email": "ada@example.com",
  ]

  /// The claims with some members changed; `nil` removes one.
  static func claims(_ changes: [String: JSONValue?]) -> String {
    var claims = claims
    for (name, value) in changes { claims[name] = value }
    return String(decoding: JSONValue.object(claims).bytes, as: UTF8.self)
  }

  static func encode(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

  /// Signs a header and claims, each as JSON text.
  func token(
    header: String = #"{"alg":"ES256","typ":"JWT"}"#, claims: String = claims([:]),
    signature edit: ([UInt8]) -> [UInt8] = { $0 }
  ) throws -> String {
    let signed = Self.encode(header) + "." + Self.encode(claims)
    let signature = try key.signature(for: Array(signed.utf8))
    return signed + "." + Base64URL.encode(edit(signature))
  }

  func read(_ token: String, now: Int64 = now) throws(UserTokenError) -> UserToken {
    try UserToken(token, audience: Self.bundleID, keys: [key.publicKey], now: now)
  }
}

/// The order of P-256 (SEC 2, section 2.4.2).
private let order: [UInt8] = [
  0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
  0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
]

/// The other valid signature of the same message: R, and the order less S.
func withOtherS(_ signature: [UInt8]) -> [UInt8] {
  var result = Array(signature[32...])
  var borrow = 0
  for index in (0..<32).reversed() {
    let difference = Int(order[index]) - Int(result[index]) - borrow
    borrow = difference < 0 ? 1 : 0
    result[index] = UInt8(difference + 256 * borrow)
  }
  return signature[..<32] + result
}

/// The signature in the DER of ASN.1, which other protocols have.
func inDER(_ signature: [UInt8]) -> [UInt8] {
  func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if (digits.first ?? 0x80) >= 0x80 { digits.insert(0, at: 0) }
    return [2, UInt8(digits.count)] + digits
  }
  let pair = integer(signature[..<32]) + integer(signature[32...])
  return [0x30, UInt8(pair.count)] + pair
}
