/// The answer of an authenticator, as a form has sent it.
struct PasskeyAnswer: Sendable {
  /// The id of the passkey.
  var id: [UInt8]
  /// The sealed ``PasskeyChallenge`` of the form.
  var challenge: String
  var clientData: [UInt8]
  var authenticatorData: [UInt8]
  /// The signature of a passkey that signs somebody in.
  var signature: [UInt8]
  /// The id of the account, if the authenticator names it.
  var user: [UInt8]
}
