import Markup
import Testing
import _OpenSSLCrypto

@testable import PushServer

@Suite("QR codes")
struct QRCodeTests {
  private static let uri =
    "otpauth://totp/Martlet:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Martlet"

  /// The rows, joined by line feeds, of what python-qrcode 8.2 makes in byte mode with level M, by their SHA-256. ZXing
  /// reads each of them.
  @Test(
    "the modules are those that another encoder makes, with each kind of mask",
    arguments: [
      ("A", 21, [0: "2bae48594b732587", 3: "bc9009ae87ca68f1", 7: "23eee31305a65603"]),
      // The last text of version 1, and the first of version 2.
      (
        String(repeating: "x", count: 14), 21,
        [0: "ca4e5f8669011ed0", 3: "fa85045927243c29", 7: "7a0b3210bc28aa21"]
      ),
      (
        String(repeating: "x", count: 15), 25,
        [0: "be1f4b93f39e9f2b", 3: "1dc45a3fe41aa249", 7: "d461cc5452a678ca"]
      ),
      (
        String(repeating: "é", count: 40), 37,
        [0: "1fe9ca1b4e601061", 3: "35059fe5011b8755", 7: "c1825a2c674fd2ee"]
      ),
      (uri, 41, [0: "8bbd8c726f2deb67", 3: "485610f42163d28f", 7: "88d77fd7656cacc1"]),
      // The first version with its number in the code, and the first with a length of 16 bits.
      (
        String(repeating: "x", count: 122), 45,
        [0: "91c925bdfb77e72b", 3: "1f82c14a8ce9e010", 7: "d8ac890813e7069b"]
      ),
      (
        String(repeating: "x", count: 213), 57,
        [0: "f8a692e420006d88", 3: "e4c0d72530aee815", 7: "a67e7f68b8b6bc32"]
      ),
      (
        String(repeating: "y", count: 214), 61,
        [0: "4a66adda3e72a204", 3: "04f2cbf8fccf822e", 7: "ccc8b6071184c227"]
      ),
      (
        String(repeating: "q", count: 666), 97,
        [0: "cb1e1df6c463351f", 3: "f5392f36a46c32cf", 7: "9ebca16ece4edeaa"]
      ),
    ] as [(String, Int, [Int: String])])
  func modules(text: String, size: Int, hashes: [Int: String]) throws {
    for (mask, hash) in hashes {
      let code = try #require(QRCode(text, mask: mask))
      #expect(code.size == size)
      let rows = (0..<size).map { y in
        (0..<size).map { code[$0, y] ? "1" : "0" }.joined()
      }.joined(separator: "\n")
      #expect(Identifiers.hex(Array(OpenSSLCrypto.sha256(Array(rows.utf8)).prefix(8))) == hash)
    }
  }

  @Test("the mask with the lowest penalty is taken")
  func mask() throws {
    let all = try (0..<8).map { try #require(QRCode(Self.uri, mask: $0)) }
    let best = try #require(QRCode(Self.uri))
    #expect(all.contains(best))
    #expect(best.penalty == all.map(\.penalty).min())
  }

  @Test("a text of more than 666 bytes has no code")
  func tooLong() {
    #expect(QRCode(String(repeating: "q", count: 667)) == nil)
  }

  /// The products of the field's powers of two, and a code word whose remainder is zero.
  @Test("the error correction divides by its generator")
  func correction() {
    #expect(ReedSolomon.product(0x80, 2) == 0x1d)
    #expect(ReedSolomon.product(0x53, 0) == 0 && ReedSolomon.product(0x53, 1) == 0x53)
    let divisor = ReedSolomon.divisor(10)
    let data: [UInt8] = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11]
    let remainder = ReedSolomon.remainder(of: data, by: divisor)
    #expect(
      ReedSolomon.remainder(of: data + remainder, by: divisor)
        == [UInt8](repeating: 0, count: 10))
  }

  @Test("the picture is black on white with a quiet zone of four modules, in any scheme")
  func picture() throws {
    let code = try #require(QRCode("A", mask: 0))
    let markup = code.svg(label: "Key \"A\"").markup
    #expect(markup.contains("viewBox=\"0 0 29 29\"") && markup.contains("M4,4h7v1h-7z"))
    #expect(markup.contains("fill=\"#fff\"") && markup.contains("Key &quot;A&quot;"))
    #expect(!markup.contains("style"))
  }
}
