import Testing

@testable import PushPayload

@Suite("Text of a UUID")
struct UUIDTextTests {
  private static let sample = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
  private static let dashes: Set = [8, 13, 18, 23]

  @Test("at each place, of all ASCII characters, only digits and dashes are taken")
  func everyCharacter() {
    for place in 0..<36 {
      for byte in UInt8(0)..<128 {
        var text = Array(Self.sample.utf8)
        text[place] = byte
        let character = Character(Unicode.Scalar(byte))
        let isDigit = character.isHexDigit
        let isAllowed = Self.dashes.contains(place) ? character == "-" : isDigit
        #expect(
          String(decoding: text, as: UTF8.self).isUUID == isAllowed, "\(byte) at \(place)")
      }
    }
  }

  @Test(
    "other lengths, other scripts' digits and other forms are none",
    arguments: [
      "", "f81d4fae-7dec-11d0-a765-00a0c91e6bf", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6a",
      "f81d4fae7dec11d0a76500a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6b}",
      // Fullwidth and Arabic digits, in 36 bytes.
      "f81d4fae-7dec-11d0-a765-00a0c91e\u{ff11}6",
      "f81d4fae-7dec-11d0-a765-00a0c91e\u{0661}\u{0661}",
    ])
  func others(_ text: String) { #expect(!text.isUUID) }

  @Test("either case is one, and what is made of two halves is one in lower case")
  func cases() {
    #expect(Self.sample.uppercased().isUUID)
    #expect(String(uuid: 0xf81d_4fae_7dec_11d0, 0xa765_00a0_c91e_6bf6) == Self.sample)
  }
}
