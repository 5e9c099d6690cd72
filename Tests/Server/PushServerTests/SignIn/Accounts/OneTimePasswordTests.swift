import PushModel
import Testing

@testable import PushServer

@Suite("One-time passwords")
struct OneTimePasswordTests {
  /// The secret of the test vectors of RFC 4226 and RFC 6238.
  let password = OneTimePassword(secret: Array("12345678901234567890".utf8))

  /// RFC 4226, appendix D.
  @Test("the codes of counters are those of RFC 4226")
  func counters() {
    let codes = [
      "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871",
      "520489",
    ]
    #expect((0..<10).map { password.code(step: $0) } == codes)
  }

  /// RFC 6238, appendix B, the rows of SHA-1.
  @Test(
    "the codes of times are those of RFC 6238",
    arguments: [
      (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
      (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ] as [(Int64, String)])
  func times(seconds: Int64, code: String) {
    let step = OneTimePassword.step(at: Timestamp(milliseconds: seconds * 1000))
    #expect(password.code(step: step, digits: 8) == code)
  }

  @Test("the code of the step before and after now is taken, and no other")
  func tolerance() {
    let now = Timestamp(milliseconds: 1_111_111_109_000)
    let step = OneTimePassword.step(at: now)
    for distance in Int64(-3)...3 {
      let found = password.step(of: password.code(step: step + distance), at: now)
      #expect(found == (abs(distance) <= 1 ? step + distance : nil))
    }
  }

  @Test(
    "what is no code of six digits is refused",
    arguments: ["", "0", "28708", "2870822", "28708a", "２８７０８２", " ", "-87082"])
  func malformed(typed: String) {
    #expect(password.step(of: typed, at: Timestamp(milliseconds: 30_000)) == nil)
  }

  @Test("the spaces between the groups of a code are ignored")
  func groups() {
    #expect(password.step(of: " 287 082", at: Timestamp(milliseconds: 30_000)) == 1)
  }

  /// RFC 4648, section 10, without padding.
  @Test(
    "Base32 is that of RFC 4648",
    arguments: [
      ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
      ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
    ])
  func base32(text: String, encoded: String) {
    #expect(OneTimePassword.base32(Array(text.utf8)) == encoded)
  }

  @Test("the address for apps names the issuer, the account and the secret")
  func uri() {
    #expect(
      password.uri(issuer: "Push & Co", account: "ada+push@example.com")
        == "otpauth://totp/Push%20%26%20Co:ada%2Bpush@example.com"
        + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Push%20%26%20Co"
        + "&algorithm=SHA1&digits=6&period=30")
  }

  @Test("recovery codes are ten different ones of 80 bits, and are found as they are typed")
  func recovery() {
    let codes = RecoveryCode.makeAll()
    #expect(Set(codes).count == 10)
    #expect(codes.allSatisfy { $0.wholeMatch(of: /([a-z2-7]{4}-){3}[a-z2-7]{4}/) != nil })
    let code = codes[0]
    for typed in [
      code, code.uppercased(), code.replacing("-", with: ""), code.replacing("-", with: " "),
    ] {
      #expect(RecoveryCode.hash(typed) == RecoveryCode.hash(code))
    }
    #expect(RecoveryCode.hash(String(code.dropLast())) != RecoveryCode.hash(code))
  }
}
