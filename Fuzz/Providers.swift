// Reads what an OpenID provider answers: its discovery document, its keys, an ID token as it comes, and the claims as if
// their signature were valid. No input may crash it, and what is accepted is of this issuer and for this client.
import PushModel
import UserTokens

@testable import PushServer

private let issuer = "https://id.example.com"
private let now = Timestamp(milliseconds: 1_700_000_000_000)
private let expected = IDToken.Expectation(issuer: issuer, clientID: "martlet", nonce: "n-0S6")
/// The key of the signed tokens among the seeds, whose claims are none.
private let signers = try? ProviderKeys(
  Array(
    #"""
    {"keys": [{"kty": "EC", "crv": "P-256", "x": "04N0xi21hshyvBp7I167sbE_bXqyqkAPfefdklMO7wY",
    "y": "UI8exy-C06a7DUnjIdENkxeFtHM4-l_41LqEw9nVgmw"}]}
    """#.utf8))

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let metadata = try? ProviderMetadata(bytes, issuer: issuer) {
    precondition(IdentityProvider.admits(metadata.tokenEndpoint))
    precondition(IdentityProvider.admits(metadata.keysURL))
    precondition((try? ProviderMetadata(bytes, issuer: issuer + "/")) == nil)
  }
  let text = String(decoding: bytes, as: UTF8.self)
  let token = try? IDToken.parse(text)
  if let keys = try? ProviderKeys(bytes), let token { _ = keys.verify(token) }
  // Nothing that was not signed is valid.
  guard let signers else { preconditionFailure("the key cannot be read") }
  precondition((try? IDToken(text, keys: signers, for: expected, at: now)) == nil)
  guard let person = try? IDToken(claims: bytes, for: expected, at: now) else { return 0 }
  precondition(!person.subject.isEmpty && person.claims.name != "")
  for change: WritableKeyPath<IDToken.Expectation, String> in [\.issuer, \.clientID, \.nonce] {
    var other = expected
    other[keyPath: change] += "x"
    precondition((try? IDToken(claims: bytes, for: other, at: now)) == nil)
  }
  return 0
}
