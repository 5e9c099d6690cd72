import Testing
import _OpenSSLCrypto

@testable import PushCrypto

@Suite("Encrypted payloads")
struct EncryptedPayloadTests {
  let keys: DeviceKeys
  let json = Array(#"{"aps":{"alert":"inside"}}"#.utf8)

  init() throws { keys = try DeviceKeys.generate(with: provider) }

  @Test("a payload goes as text of base64url and comes out as it was")
  func roundTrip() throws {
    let sealed = try EncryptedPayload(sealing: json, to: keys.subscription, provider: provider)
    #expect(sealed.body.count == json.count + WebPush.overhead)
    #expect(!sealed.text.contains("="))
    let received = try EncryptedPayload(text: sealed.text)
    #expect(received == sealed)
    #expect(try received.open(with: keys, provider: provider) == json)
    let padded = try EncryptedPayload(
      sealing: json, to: keys.subscription, padding: 50, provider: provider)
    #expect(padded.body.count == sealed.body.count + 50)
    #expect(try padded.open(with: keys, provider: provider) == json)
  }

  @Test(
    "a text that is not strict base64url is malformed",
    arguments: ["=", "A", "AA==", "AB", "A+/A", "A A", "AA\n", "é", "\u{0}", "AAAAA"])
  func strictText(text: String) {
    #expect(code { try EncryptedPayload(text: text) } == .malformed)
  }

  @Test("an empty text is truncated, another device's is not authentic")
  func refused() throws {
    let empty = try EncryptedPayload(text: "")
    #expect(
      code { try empty.open(with: keys, provider: provider) }
        == .truncated)
    let other = try DeviceKeys.generate(with: provider)
    let sealed = try EncryptedPayload(sealing: json, to: other.subscription, provider: provider)
    #expect(
      code { try sealed.open(with: keys, provider: provider) }
        == .authentication)
  }

  @Test("the text of 64 KiB is read, one byte more is too large before it is decoded")
  func limit() throws {
    let most = String(repeating: "A", count: 87_382)
    #expect(try EncryptedPayload(text: most).body.count == EncryptedContent.maximumLength)
    #expect(code { try EncryptedPayload(text: most + "A") } == .tooLarge)
    #expect(
      code {
        try EncryptedPayload(text: String(repeating: "!", count: 1_000_000))
      } == .tooLarge)
  }

  @Test(
    "the name of a fault is what reports show",
    arguments: [
      (.badKey, "bad-key"), (.malformed, "malformed"), (.truncated, "truncated"),
      (.authentication, "authentication"), (.tooLarge, "too-large"), (.failed, "failed"),
    ] as [(CryptoError.Code, String)])
  func names(code: CryptoError.Code, name: String) {
    #expect("\(code)" == name)
  }
}
