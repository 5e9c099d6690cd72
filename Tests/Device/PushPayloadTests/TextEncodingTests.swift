import Testing

@testable import PushPayload

@Suite("Guessing the encoding of a text")
struct TextEncodingTests {
  static let western = "it looks like Windows-1252 or Latin-1: save the file as UTF-8"
  static let windows = "it looks like Windows-1252: save the file as UTF-8"
  static let cut = "a character is cut off: make the file again"
  static let unknown = "save the file as UTF-8"

  static let texts: [(bytes: [UInt8], advice: String?)] = [
    (Array("Müller €".utf8), nil), ([], nil),
    (Array("M".utf8) + [0xFC] + Array("ller".utf8), western),
    (Array("caf".utf8) + [0xE9], western), (Array("S".utf8) + [0xC3] + Array("O".utf8), western),
    ([0x93] + Array("hi".utf8) + [0x94], windows), (Array("5 ".utf8) + [0x80], windows),
    (Array("K".utf8) + [0xC3], cut), (Array("K".utf8) + [0xC3] + Array(",x".utf8), cut),
    (Array("5 ".utf8) + [0xE2, 0x82], cut), ([0xF0, 0x9F, 0x98], cut),
    // Cyrillic in Windows-1251, and a byte that Windows-1252 leaves open.
    ([0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], unknown), ([0x41, 0x81, 0x41], unknown),
  ]

  @Test(
    "bytes that are not UTF-8 are named with the encoding that they seem to have", arguments: texts)
  func advice(bytes: [UInt8], advice: String?) {
    #expect(TextEncoding.problem(in: bytes) == advice.map { "is not UTF-8; \($0)" })
  }

  static let wide: [(bytes: [UInt8], name: String?)] = [
    ([0xFF, 0xFE, 0x61, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x61], "UTF-16"), ([0x61, 0], "UTF-16"),
    ([0, 0x61], "UTF-16"), ([0xFF, 0xFE, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF], "UTF-32"),
    ([0x61, 0x62, 0, 0], nil), ([0xEF, 0xBB, 0xBF, 0x61], nil), ([0x61], nil), ([], nil),
  ]

  @Test("UTF-16 and UTF-32 are known by their first bytes", arguments: wide)
  func wideEncoding(bytes: [UInt8], name: String?) {
    #expect(TextEncoding.wideEncoding(of: bytes) == name)
    #expect(
      TextEncoding.problem(in: bytes)?.hasPrefix("is \(name ?? "-"), not UTF-8") ?? false
        == (name != nil))
  }

  @Test(
    "JSON in UTF-16 is named as such",
    arguments: [[0xFF, 0xFE, 0x7B, 0], [0x7B, 0, 0x7D, 0]] as [[UInt8]])
  func json(bytes: [UInt8]) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    #expect(error?.message == "not JSON: line 1, column 1: is UTF-16, not UTF-8: write it as UTF-8")
  }
}
