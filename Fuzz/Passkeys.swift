// Reads what a browser sends with a passkey: the authenticator's data, its key, and what the browser says that it did. No
// input may crash it, none is taken for a challenge that was not made, and what was read is as long as it was sent.
import PushModel

@testable import PushServer

private let party = RelyingParty("https://example.org")

@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let party else { preconditionFailure("the address cannot be read") }
  if let data = AuthenticatorData(bytes) {
    precondition((0..<1 << 32).contains(data.signatureCount) && data.partyHash.count == 32)
    if let credential = data.credential {
      precondition(55 + credential.id.count + credential.publicKey.count <= bytes.count)
      _ = COSEKey(credential.publicKey)
    }
  }
  if let key = COSEKey(bytes) { precondition(!key.isValid(signature: bytes, of: bytes)) }
  precondition(
    (try? party.registered(clientData: bytes, authenticatorData: bytes, challenge: [1])) == nil)
  return 0
}
