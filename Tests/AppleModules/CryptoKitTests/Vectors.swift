import Foundation
import TestSupport

/// The values of `Tests/Fixtures/crypto/cryptokit.json`, which `cryptokit.py` beside it makes with Python's `cryptography`
/// and checks against the RFCs.
struct Vectors: Decodable {
  struct MAC: Decodable, Sendable { var source, hash, key, message, code: String }
  struct Derivation: Decodable, Sendable { var source, hash, secret, salt, info, key: String }
  struct X963: Decodable, Sendable { var hash, secret, info, key: String }
  struct Box: Decodable, Sendable {
    var source, cipher, key, nonce, text, data, ciphertext, tag: String
  }
  struct Key: Decodable, Sendable {
    var curve, scalar, point, compressed, pkcs8, sec1, spki, message, signature, peer: String
    var shared: String
    var rfc6979: String?
  }
  struct Agreement: Decodable, Sendable { var source, secret, `public`, peer, shared: String }
  struct Signature: Decodable, Sendable { var source, secret, `public`, message, signature: String }

  var macs: [MAC]
  var derivations: [Derivation]
  var x963: [X963]
  var boxes: [Box]
  var keys: [Key]
  var agreement: [Agreement]
  var signatures: [Signature]

  static let all: Vectors = {
    do {
      return try JSONDecoder().decode(
        Vectors.self, from: Data(contentsOf: Fixtures.url("crypto/cryptokit.json")))
    } catch { preconditionFailure("cryptokit.json: \(error)") }
  }()
}

extension Data {
  /// The bytes of a text in hexadecimal.
  init(hex text: String) {
    let digits = Array(text)
    self.init(
      stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(digits[$0..<($0 + 2)]), radix: 16) ?? 0
      })
  }
}
