import Foundation
import PushCrypto
import PushPayload
import Testing
import _OpenSSLCrypto

@testable import PushServer

/// An authenticator with one key on P-256, whose answers tests can change.
struct SoftwareAuthenticator {
  let key = CurveKey.generate(.p256)
  var id: [UInt8] = Array(repeating: 7, count: 16)
  var origin = "https://push.example"
  var party = "push.example"
  var type: String?
  var crossOrigin: JSONValue = false
  /// Present and verified.
  var flags: UInt8 = 0x05
  var count: UInt32 = 0
  /// Where it is not the person who is asked for.
  var user: [UInt8]?
  /// What comes after the key.
  var end: [UInt8] = []

  /// The fields of a form that `passkey.js` fills with a new passkey.
  func register(_ challenge: String) -> [(String, String)] {
    let data =
      head(flags | 0x40) + [UInt8](repeating: 0, count: 16)
      + [UInt8(id.count >> 8), UInt8(id.count & 0xff)] + id + coseKey + end
    return [
      ("id", Base64URL.encode(id)),
      ("client_data", Base64URL.encode(clientData(type ?? "webauthn.create", challenge))),
      ("authenticator_data", Base64URL.encode(data)),
    ]
  }

  /// The fields of a form that `passkey.js` fills with a signature.
  func sign(_ challenge: String) throws -> [(String, String)] {
    let client = clientData(type ?? "webauthn.get", challenge)
    let data = head(flags) + end
    let digest = OpenSSLCrypto.sha256(data + OpenSSLCrypto.sha256(client))
    let pair = try #require(key.signature(digest: digest))
    return [
      ("id", Base64URL.encode(id)), ("client_data", Base64URL.encode(client)),
      ("authenticator_data", Base64URL.encode(data)),
      ("signature", Base64URL.encode(try #require(Curve.p256.der(signature: pair)))),
      ("user", Base64URL.encode(user ?? [])),
    ]
  }

  /// A map of five members: type, algorithm, curve and the two coordinates.
  var coseKey: [UInt8] {
    let point = key.publicBytes.suffix(64)
    return [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32] + point.prefix(32)
      + [0x22, 0x58, 32] + point.suffix(32)
  }

  private func head(_ flags: UInt8) -> [UInt8] {
    OpenSSLCrypto.sha256(Array(party.utf8)) + [flags]
      + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
  }

  private func clientData(_ type: String, _ challenge: String) -> [UInt8] {
    let value: JSONValue = [
      "type": .string(type), "challenge": .string(challenge), "origin": .string(origin),
      "crossOrigin": crossOrigin,
    ]
    return Array(value.serialized())
  }
}
