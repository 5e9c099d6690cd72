import Testing
import _OpenSSLCrypto

@testable import PushCrypto

@Suite("scrypt and HMAC-SHA-1")
struct ScryptTests {
  /// RFC 7914, section 12; the fourth vector takes 1 GiB, which no stored hash may ask for.
  @Test(
    "scrypt gives the published results",
    arguments: [
      (
        "", "", 4, 1, 1,
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
          + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
      ),
      (
        "password", "NaCl", 10, 8, 16,
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", 14, 8, 1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
          + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ] as [(String, String, Int, Int, Int, String)])
  func published(
    password: String, salt: String, log: Int, block: Int, parallel: Int, expected: String
  ) throws {
    let cost = try #require(ScryptCost(log: log, block: block, parallel: parallel))
    let key = try OpenSSLCrypto.scrypt(
      password: Array(password.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
    #expect(key == hex(expected))
  }

  @Test(
    "a cost outside of the ranges is refused, and one at their ends is taken",
    arguments: [
      (0, 8, 1, false), (1, 8, 1, true), (17, 8, 1, true), (18, 8, 1, false), (15, 0, 1, false),
      (15, 16, 1, true), (15, 17, 1, false), (15, 8, 0, false), (15, 8, 16, true),
      (15, 8, 17, false), (-1, 8, 1, false), (.max, 8, 1, false),
    ])
  func ranges(log: Int, block: Int, parallel: Int, isTaken: Bool) {
    #expect((ScryptCost(log: log, block: block, parallel: parallel) != nil) == isTaken)
  }

  @Test("the standard cost takes 32 MiB")
  func standard() {
    #expect(ScryptCost.standard == ScryptCost(log: 15, block: 8, parallel: 3))
    #expect(ScryptCost.standard.memory == 32 << 20)
  }

  /// RFC 2202, section 3, cases 2 and 6.
  @Test("HMAC-SHA-1 gives the published results")
  func hmac() {
    #expect(
      OpenSSLCrypto.hmacSHA1(
        key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8))
        == hex("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"))
    #expect(
      OpenSSLCrypto.hmacSHA1(
        key: [UInt8](repeating: 0xaa, count: 80),
        message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8))
        == hex("aa4ae5e15272d00e95705637ce8a3b55ed402112"))
  }
}
