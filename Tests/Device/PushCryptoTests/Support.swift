import FoundationEssentials
import PushCrypto
import TestSupport
import Testing
import _OpenSSLCrypto

let provider = OpenSSLCrypto()

/// Bytes that fixtures and tests write in base64url.
struct Bytes: Decodable, ExpressibleByStringLiteral {
  let value: [UInt8]

  init(stringLiteral text: String) { value = Base64URL.decode(text) ?? [] }

  init(from decoder: any Decoder) throws {
    value = try #require(Base64URL.decode(decoder.singleValueContainer().decode(String.self)))
  }
}

func fixture<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
  let decoder = JSONDecoder()
  return try decoder.decode(type, from: Data(Fixtures.bytes("crypto/\(name).json")))
}

func hex(_ text: String) -> [UInt8] {
  let digits = Array(text)
  return stride(from: 0, to: digits.count, by: 2).compactMap {
    UInt8(String(digits[$0...$0 + 1]), radix: 16)
  }
}

/// The code of the `CryptoError` that a closure throws; `nil` where it throws none.
func code(of body: () throws -> some Any) -> CryptoError.Code? {
  do {
    _ = try body()
  } catch let error as CryptoError {
    return error.code
  } catch {
    Issue.record(error)
  }
  return nil
}

func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { _ in .random(in: 0...255, using: &generator) }
}
