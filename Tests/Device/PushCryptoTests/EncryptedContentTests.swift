import Testing
import _OpenSSLCrypto

@testable import PushCrypto

@Suite("Encrypted content (RFC 8188)")
struct EncryptedContentTests {
  let secret = bytes(16, seed: 8188)

  struct Vectors: Decodable {
    struct Example: Decodable {
      let name: String
      let keying_material, salt, key_id, plaintext, body: Bytes
      let record_size, padding: Int
    }
    let examples: [Example]
  }

  private func seal(
    _ plaintext: [UInt8], keyID: [UInt8] = [], recordSize: Int = 4096, padding: Int = 0
  ) throws(CryptoError) -> [UInt8] {
    try EncryptedContent.seal(
      plaintext, keyingMaterial: secret, keyID: keyID, recordSize: recordSize, padding: padding,
      provider: provider)
  }

  private func open(_ body: [UInt8]) throws(CryptoError) -> [UInt8] {
    try EncryptedContent.open(body, provider: provider) { _ in secret }
  }

  /// Encrypts records with exactly this plaintext, which includes the delimiters.
  private func body(recordSize: Int, records: [[UInt8]]) throws -> [UInt8] {
    let header = try EncryptedContent.Header(
      salt: bytes(16), recordSize: recordSize, keyID: [])
    let derivation = HKDF(salt: header.salt, keyingMaterial: secret, provider: provider)
    let key = derivation.expand(info: Array("Content-Encoding: aes128gcm\0".utf8), count: 16)
    let base = derivation.expand(info: Array("Content-Encoding: nonce\0".utf8), count: 12)
    return try records.enumerated().reduce(header.bytes) { body, record in
      var nonce = base
      nonce[11] ^= UInt8(record.offset)
      return try body + provider.sealAES128GCM(record.element, key: key, nonce: nonce)
    }
  }

  @Test("encrypts and decrypts the examples of the RFC exactly")
  func vectors() throws {
    let examples = try fixture("rfc8188", as: Vectors.self).examples
    #expect(examples.count == 2)
    for example in examples {
      let header = try EncryptedContent.Header(
        salt: example.salt.value, recordSize: example.record_size, keyID: example.key_id.value)
      let sealed = try EncryptedContent.seal(
        example.plaintext.value, keyingMaterial: example.keying_material.value,
        padding: example.padding, header: header, provider: provider)
      #expect(sealed == example.body.value, "\(example.name)")
      let opened = try EncryptedContent.open(example.body.value, provider: provider) { keyID in
        #expect(keyID == example.key_id.value, "\(example.name)")
        return example.keying_material.value
      }
      #expect(opened == example.plaintext.value, "\(example.name)")
    }
  }

  @Test(
    "decrypts what was encrypted, for all lengths, record sizes and paddings",
    arguments: [0, 1, 2, 7, 8, 9, 16, 17, 100, 4078, 4079, 4080, 8158, 8159],
    [18, 19, 25, 100, 4096, 65_536])
  func roundTrip(length: Int, recordSize: Int) throws {
    let plaintext = bytes(length)
    for padding in [0, 1, 7, 8, 9, 200] {
      let records = max(1, (length + padding + recordSize - 18) / (recordSize - 17))
      let expected = 21 + 2 + length + padding + 17 * records
      guard expected <= EncryptedContent.maximumLength else { continue }
      let body = try seal(
        plaintext, keyID: [0xFF, 0], recordSize: recordSize, padding: padding)
      #expect(body.count == expected)
      #expect(try open(body) == plaintext)
    }
  }

  @Test("each encryption has its own salt")
  func salt() throws {
    #expect(try seal([1, 2, 3]).prefix(16) != seal([1, 2, 3]).prefix(16))
  }

  @Test("encrypts and decrypts 64 KiB, and refuses one byte more")
  func limit() throws {
    let most = EncryptedContent.maximumLength
    let plaintext = bytes(most - 21 - 17)
    let body = try seal(plaintext, recordSize: most)
    #expect(body.count == most)
    #expect(try open(body) == plaintext)
    #expect(
      code { try seal(plaintext + [0], recordSize: most) } == .tooLarge)
    #expect(
      code { try seal(plaintext, recordSize: most, padding: 1) }
        == .tooLarge)
    #expect(code { try seal([], padding: .max) } == .tooLarge)
    #expect(code { try open(body + [0]) } == .tooLarge)
  }

  @Test("both sides refuse a record size below 18")
  func recordSize() throws {
    for size in [0, 1, 16, 17, -1] {
      #expect(code { try seal([1], recordSize: size) } == .malformed)
    }
    var body = try seal([1], recordSize: 18)
    #expect(try open(body) == [1])
    body[19] = 17
    #expect(code { try open(body) } == .malformed)
    body.replaceSubrange(16..<20, with: [0, 0, 0, 0])
    #expect(code { try open(body) } == .malformed)
    #expect(
      code { try seal([1], recordSize: Int(UInt32.max) + 1) }
        == .malformed)
    #expect(try open(seal([1], recordSize: Int(UInt32.max))) == [1])
  }

  @Test("refuses a key id of more than 255 bytes and a negative padding")
  func arguments() throws {
    #expect(try open(seal([1], keyID: bytes(255))) == [1])
    #expect(code { try seal([1], keyID: bytes(256)) } == .malformed)
    #expect(code { try seal([1], padding: -1) } == .malformed)
  }

  @Test("a body that was cut is an error, and truncated where a record ends")
  func truncation() throws {
    let body = try seal(bytes(20), keyID: [1, 2], recordSize: 25)
    #expect(body.count == 23 + 25 + 25 + 21)
    for length in 0..<body.count {
      let found = code { try open(Array(body.prefix(length))) }
      switch length {
      case ...23, 48, 73: #expect(found == .truncated, "\(length)")
      case 24..<40, 49..<65, 74..<90: #expect(found == .truncated, "\(length)")
      default: #expect(found == .authentication, "\(length)")
      }
    }
  }

  @Test("a changed bit in header or records is an error")
  func corruption() throws {
    let body = try seal(bytes(10), keyID: [1, 2], recordSize: 25)
    for index in body.indices {
      for bit in 0..<8 {
        var changed = body
        changed[index] ^= 1 << bit
        let found = code { try open(changed) }
        // Only the key id may change, because this receiver has one secret and ignores it.
        if (21...22).contains(index) {
          #expect(found == nil)
        } else {
          #expect(found != nil, "byte \(index) bit \(bit)")
        }
      }
    }
  }

  @Test("refuses records that are reordered, repeated or missing")
  func order() throws {
    let body = try seal(bytes(24), recordSize: 25)
    let (header, first, second, third) = (
      body[..<21], body[21..<46], body[46..<71], body[71...]
    )
    #expect(
      code { try open(Array(header + second + first + third)) }
        == .authentication)
    #expect(
      code { try open(Array(header + first + third)) } == .authentication)
    #expect(
      code { try open(Array(header + first + first + third)) }
        == .authentication)
    #expect(
      code { try open(Array(header + first + second)) } == .truncated)
    #expect(code { try open(body + [0]) } == .malformed)
    #expect(code { try open(Array(body + third)) } == .malformed)
  }

  @Test(
    "refuses authentic records with wrong delimiters",
    arguments: [
      ([[7, 2, 0], [8, 2]], .malformed), ([[7, 1, 0], [8, 1]], .truncated),
      ([[7, 1, 0], [8, 3]], .malformed), ([[7, 3, 0], [8, 2]], .malformed),
      ([[0, 0, 0], [8, 2]], .malformed), ([[7, 1, 0], [0, 0]], .malformed),
      ([[7, 1, 0], [0]], .malformed), ([[7, 1, 0]], .truncated), ([[7, 0, 0]], .malformed),
      ([[7, 1, 0], [8, 2]], nil), ([[1, 0, 0], [2, 0, 0]], nil), ([[2, 2, 0]], nil),
    ] as [([[UInt8]], CryptoError.Code?)])
  func delimiters(records: [[UInt8]], expected: CryptoError.Code?) throws {
    let body = try body(recordSize: 19, records: records)
    #expect(code { try open(body) } == expected)
  }

  @Test("throws the receiver's error for an unknown key id")
  func unknownKeyID() throws {
    let body = try seal([1], keyID: [9])
    let found = code {
      try EncryptedContent.open(body, provider: provider) { (keyID) throws(CryptoError) in
        throw CryptoError(.badKey, "no key \(keyID.count)")
      }
    }
    #expect(found == .badKey)
  }
}
