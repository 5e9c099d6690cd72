import Markup
import Testing
import _OpenSSLCrypto
import _QRCode

@testable import PushServer

@Suite("QR codes")
struct QRCodeTests {
  private static let uri =
    "otpauth://totp/Martlet:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Martlet"

  /// The rows, joined by line feeds, of what python-qrcode 8.2 makes in byte mode with level M and the same mask, by their
  /// SHA-256. ZXing reads each of them.
  @Test(
    "the modules are those that another encoder makes",
    arguments: [
      ("A", 21, "177b3a1897a152ae"),
      // The last text of version 1, and the first of version 2.
      (String(repeating: "x", count: 14), 21, "ce179c5d0e1ce44e"),
      (String(repeating: "x", count: 15), 25, "be1f4b93f39e9f2b"),
      (String(repeating: "é", count: 40), 37, "c1825a2c674fd2ee"),
      (uri, 41, "485610f42163d28f"),
      // The first version with its number in the code, and the first with a length of 16 bits.
      (String(repeating: "x", count: 122), 45, "91c925bdfb77e72b"),
      (String(repeating: "x", count: 213), 57, "f8a692e420006d88"),
      (String(repeating: "y", count: 214), 61, "8b3550731d07f24b"),
      (String(repeating: "q", count: 666), 97, "ff3464fba69a9c8f"),
    ])
  func modules(text: String, size: Int, hash: String) throws {
    let code = try #require(QRCode(text))
    #expect(code.size == size)
    let rows = (0..<size).map { y in
      (0..<size).map { code[$0, y] ? "1" : "0" }.joined()
    }.joined(separator: "\n")
    #expect(Identifiers.hex(Array(OpenSSLCrypto.sha256(Array(rows.utf8)).prefix(8))) == hash)
  }

  @Test("a text of more than 666 bytes has no code, and neither has an empty one")
  func limits() {
    #expect(QRCode(String(repeating: "q", count: 666))?.size == 97)
    #expect(QRCode(String(repeating: "q", count: 667)) == nil)
    #expect(QRCode("") == nil)
  }

  @Test("the picture is black on white with a quiet zone of four modules, in any scheme")
  func picture() throws {
    let code = try #require(QRCode("A"))
    let markup = code.svg(label: "Key \"A\"").markup
    #expect(markup.contains("viewBox=\"0 0 29 29\"") && markup.contains("M4,4h7v1h-7z"))
    #expect(markup.contains("fill=\"#fff\"") && markup.contains("Key &quot;A&quot;"))
    #expect(!markup.contains("style"))
  }
}
