import APNs
package import APNsConformance
import Foundation
import PushCrypto
import _OpenSSLCrypto
package import _TLS

extension RawClient {
  /// Connects to a sandbox.
  package static func connect(
    _ fixture: SandboxFixture, alpn: [String] = ["h2"], identity: TLSIdentity? = nil
  ) async throws -> RawClient {
    let trust = try TLSContext.client(
      extraTrustPEM: fixture.authority.certificatePEM, alpn: alpn, identity: identity)
    return try await connect(
      host: "localhost", port: fixture.port, trust: trust, at: "127.0.0.1")
  }
}

extension SandboxFixture {
  /// A valid `authorization` header.
  package func authorization(issuedAt: Int64 = Int64(Date().timeIntervalSince1970)) throws -> String
  {
    let key = try OpenSSLCrypto().privateKey(pem: credentials.privateKeyPEM)
    return try "bearer "
      + Self.token(
        team: credentials.teamID, key: credentials.keyID, issuedAt: issuedAt, signedBy: key
      ).compact
  }

  private static func token(
    team: String, key: String, issuedAt: Int64, signedBy signer: some ES256PrivateKey
  ) throws -> ProviderToken {
    try ProviderToken(teamID: team, keyID: key, issuedAt: issuedAt, signedBy: signer)
  }
}
