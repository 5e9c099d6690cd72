import Testing
import _OpenSSLCrypto

@testable import PushCrypto

@Suite("Encrypted payloads")
struct EncryptedPayloadTests {
  let keys: DeviceKeys
  let json = Array(#"{"aps":{"alert":"inside"}}"#.utf8)

  init() throws { keys = try DeviceKeys.generate(with: provider) }

  @Test("the base64url text of an encrypted payload decrypts to the payload")
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

  @Test("an empty text is truncated, that for another device fails authentication")
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

  @Test("reads the text of 64 KiB, and refuses a longer one before decoding it")
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
    "the description of an error code is its name in reports",
    arguments: [
      (.badKey, "bad-key"), (.malformed, "malformed"), (.truncated, "truncated"),
      (.authentication, "authentication"), (.tooLarge, "too-large"), (.failed, "failed"),
    ] as [(CryptoError.Code, String)])
  func names(code: CryptoError.Code, name: String) {
    #expect("\(code)" == name)
  }
}
