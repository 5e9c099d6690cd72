import CryptoKit
import Foundation
import Testing

@Suite("AES.GCM and ChaChaPoly")
struct CipherTests {
  @Test("boxes are those of NIST, RFC 8439 and Python", arguments: Vectors.all.boxes)
  func vectors(vector: Vectors.Box) throws {
    let key = SymmetricKey(data: Data(hex: vector.key))
    let (text, data) = (Data(hex: vector.text), Data(hex: vector.data))
    let (nonce, tag) = (Data(hex: vector.nonce), Data(hex: vector.tag))
    let ciphertext = Data(hex: vector.ciphertext)
    if vector.cipher == "gcm" {
      let box = try AES.GCM.seal(
        text, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: data)
      #expect(box.ciphertext == ciphertext && box.tag == tag && Data(box.nonce) == nonce)
      #expect(box.combined == (nonce.count == 12 ? nonce + ciphertext + tag : nil))
      #expect(try AES.GCM.open(box, using: key, authenticating: data) == text)
      #expect(throws: CryptoKitError.authenticationFailure) {
        try AES.GCM.open(box, using: key, authenticating: data + [0])
      }
    } else {
      let box = try ChaChaPoly.seal(
        text, using: key, nonce: ChaChaPoly.Nonce(data: nonce), authenticating: data)
      #expect(box.combined == nonce + ciphertext + tag)
      #expect(try ChaChaPoly.open(box, using: key, authenticating: data) == text)
      #expect(throws: CryptoKitError.authenticationFailure) {
        try ChaChaPoly.open(box, using: key, authenticating: data + [0])
      }
    }
  }

  @Test("a changed bit, tag or key is refused")
  func changes() throws {
    let key = SymmetricKey(size: .bits256)
    let sealed = try #require(try AES.GCM.seal(Data("text".utf8), using: key).combined)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: CryptoKitError.authenticationFailure) {
        try AES.GCM.open(AES.GCM.SealedBox(combined: changed), using: key)
      }
    }
    #expect(throws: CryptoKitError.authenticationFailure) {
      try AES.GCM.open(
        AES.GCM.SealedBox(combined: sealed), using: SymmetricKey(size: .bits256))
    }
  }

  @Test("a slice of data is a box, and lengths have limits")
  func lengths() throws {
    let key = SymmetricKey(size: .bits128)
    let sealed = try #require(try AES.GCM.seal([UInt8]("a".utf8), using: key).combined)
    let padded = [9] + sealed + [9]
    let box = try AES.GCM.SealedBox(combined: padded.dropFirst().dropLast())
    #expect(try AES.GCM.open(box, using: key) == Data("a".utf8))
    #expect(throws: CryptoKitError.incorrectParameterSize) {
      try AES.GCM.SealedBox(combined: Data(count: 27))
    }
    #expect(throws: Never.self) { try AES.GCM.SealedBox(combined: Data(count: 28)) }
    #expect(throws: CryptoKitError.incorrectParameterSize) {
      try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(), ciphertext: Data(), tag: Data(count: 15))
    }
    #expect(throws: CryptoKitError.incorrectParameterSize) {
      try AES.GCM.Nonce(data: Data(count: 11))
    }
    #expect(throws: CryptoKitError.incorrectParameterSize) {
      try ChaChaPoly.Nonce(data: Data(count: 13))
    }
    for size in [15, 17, 33] {
      let wrong = SymmetricKey(data: Data(count: size))
      #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.seal(Data(), using: wrong) }
      #expect(throws: CryptoKitError.incorrectKeySize) { try AES.GCM.open(box, using: wrong) }
    }
    #expect(throws: CryptoKitError.incorrectKeySize) { try ChaChaPoly.seal(Data(), using: key) }
  }
}
