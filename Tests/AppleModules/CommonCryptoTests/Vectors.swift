import Foundation
import TestSupport

/// The values of `Tests/Fixtures/crypto/commoncrypto.json`, which `commoncrypto.py` beside it takes from NIST and the
/// RFCs and
/// checks with Python.
struct Vectors: Decodable {
  struct Digest: Decodable, Sendable { var source, hash, message, digest: String }
  struct MAC: Decodable, Sendable { var source, hash, key, message, code: String }
  struct Key: Decodable, Sendable {
    var source, hash, password, salt, key: String
    var rounds: UInt32
  }
  struct Text: Decodable, Sendable {
    var source, mode, key, iv, text, ciphertext: String
    var padding: Bool
  }

  var digests: [Digest]
  var macs: [MAC]
  var keys: [Key]
  var ciphers: [Text]

  static let all: Vectors = {
    do {
      return try JSONDecoder().decode(
        Vectors.self, from: Data(contentsOf: Fixtures.url("crypto/commoncrypto.json")))
    } catch { preconditionFailure("commoncrypto.json: \(error)") }
  }()
}

extension [UInt8] {
  /// The bytes of a text in hexadecimal.
  init(hex text: String) {
    let digits = Array<Character>(text)
    self = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(String(digits[$0..<($0 + 2)]), radix: 16) ?? 0
    }
  }
}
