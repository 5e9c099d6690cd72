// Reads user tokens: the text as a caller sends it, and the claims as if their signature were valid. No input may crash it,
// and what is accepted is for this app, names a user and expires within a day.
import Foundation
import PushCrypto
import UserTokens
import _OpenSSLCrypto

private let now: Int64 = 1_700_000_000
private let keys = [try? OpenSSLCrypto().privateKey(pem: OpenSSLCrypto.makeP256KeyPEM()).publicKey]
  .compactMap(\.self)

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  // Nothing that was not signed is valid, as it is or with a good header.
  let rest = text.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
  let header = Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8))
  for token in [text, ([header] + rest.map(String.init)).joined(separator: ".")] {
    precondition(
      (try? UserToken(token, audience: "com.example.app", keys: keys, now: now)) == nil)
  }
  guard let token = try? UserToken(claims: bytes, audience: "com.example.app", now: now) else {
    return 0
  }
  precondition(!token.userID.isEmpty && token.email != "")
  precondition((try? UserToken(claims: bytes, audience: "com.example.other", now: now)) == nil)
  let late = now + UserToken.maximumLifetime + 2 * UserToken.leeway
  precondition((try? UserToken(claims: bytes, audience: "com.example.app", now: late)) == nil)
  return 0
}
