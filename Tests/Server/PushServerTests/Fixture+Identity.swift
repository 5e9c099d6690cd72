import Foundation
import PushCrypto
import PushModel
import PushPayload
import Testing
import _OpenSSLCrypto

/// The private half of an app's identity key, which proves users to the server as an app's own server does.
struct UserProver: Sendable {
  private let key: any ES256PrivateKey
  private let bundleID: String

  /// Makes a key, and adds its public half to the app.
  init(for fixture: Fixture) async throws {
    let pem = OpenSSLCrypto.makeP256KeyPEM()
    key = try OpenSSLCrypto().privateKey(pem: pem)
    bundleID = fixture.app.bundleID
    let publicPEM = try OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem)
    let body: JSONValue = ["identity_key": ["public_key": .string(publicPEM)]]
    let made = await fixture.request(
      "POST", "/v6/apps/\(fixture.app.id)/identity_keys", role: .admin, body: body.text)
    #expect(made.status == 201)
  }

  /// A token for the header `Martlet-User-Token`, which is valid for nearly a day.
  func proof(of user: String, at now: Date = Date()) throws -> String {
    let claims: JSONValue = [
      "sub": .string(user), "aud": .string(bundleID),
      "exp": .integer(Int64(now.timeIntervalSince1970) + 80_000),
    ]
    let signed =
      Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8)) + "." + Base64URL.encode(claims.bytes)
    return try signed + "." + Base64URL.encode(key.signature(for: Array(signed.utf8)))
  }
}
