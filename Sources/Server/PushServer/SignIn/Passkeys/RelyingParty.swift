import Foundation
import NetworkAddresses
import PushCrypto
import PushModel
import PushPayload
import _OpenSSLCrypto

/// The reason why a passkey was not accepted, for the server's log.
struct PasskeyFailure: Error, Hashable, Sendable, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// This server as the relying party to which passkeys belong (Web Authentication Level 3, section 4).
struct RelyingParty: Sendable, Equatable {
  /// The most bytes of the client data that a browser sends.
  static let clientDataLimit = 4096

  /// The host; a passkey is valid for all of its ports.
  let id: String
  let origin: String

  /// Makes the relying party for a URL; `nil` if browsers allow no passkeys there.
  ///
  /// They require https, except for localhost, and refuse numeric addresses.
  init?(_ url: String) {
    guard let url = URLComponents(string: url), let scheme = url.scheme,
      let host = url.host?.lowercased(), !host.isEmpty,
      NumericAddress(host.filter { !"[]".contains($0) }) == nil,
      scheme == "https" || scheme == "http" && host == "localhost"
    else { return nil }
    id = host
    let isDefault = url.port == nil || url.port == (scheme == "https" ? 443 : 80)
    origin = "\(scheme)://\(host)" + (isDefault ? "" : ":\(url.port ?? 0)")
  }

  /// Reads the answer of an authenticator that has created a passkey (section 7.1).
  ///
  /// The model of the authenticator is not requested, so there is no attestation to verify.
  ///
  /// - Throws: ``PasskeyFailure``.
  func registered(
    clientData: [UInt8], authenticatorData: [UInt8], challenge: [UInt8]
  ) throws(PasskeyFailure) -> (credential: AuthenticatorData.Credential, count: Int64) {
    try check(clientData, type: "webauthn.create", challenge)
    let data = try read(authenticatorData)
    guard let credential = data.credential else { throw PasskeyFailure("it has no credential") }
    guard COSEKey(credential.publicKey) != nil else {
      throw PasskeyFailure("its key is not of an algorithm that was asked for")
    }
    return (credential, data.signatureCount)
  }

  /// Verifies the answer of an authenticator that has signed with a passkey (section 7.2).
  ///
  /// - Returns: The authenticator's count of signatures.
  /// - Throws: ``PasskeyFailure``.
  func signed(
    clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], challenge: [UInt8],
    with passkey: Passkey
  ) throws(PasskeyFailure) -> Int64 {
    try check(clientData, type: "webauthn.get", challenge)
    let data = try read(authenticatorData)
    let message = authenticatorData + OpenSSLCrypto.sha256(clientData)
    guard let key = COSEKey(passkey.publicKey), key.isValid(signature: signature, of: message)
    else { throw PasskeyFailure("it is not signed with the key") }
    return data.signatureCount
  }

  /// Checks the client data of the browser.
  private func check(
    _ clientData: [UInt8], type: String, _ challenge: [UInt8]
  ) throws(PasskeyFailure) {
    guard clientData.count <= Self.clientDataLimit,
      let said = (try? JSONValue(parsing: clientData))?.object
    else { throw PasskeyFailure("what the browser says is not a JSON object") }
    guard said["type"] == .string(type) else { throw PasskeyFailure("it is not for this") }
    let answered = said["challenge"]?.string.flatMap { Base64URL.decode($0) } ?? []
    guard OpenSSLCrypto.constantTimeEqual(answered, challenge) else {
      throw PasskeyFailure("it is for another challenge")
    }
    guard said["origin"] == .string(origin), said["crossOrigin"] != true else {
      throw PasskeyFailure("it is from another site than \(origin); see --public-url")
    }
  }

  private func read(_ bytes: [UInt8]) throws(PasskeyFailure) -> AuthenticatorData {
    guard let data = AuthenticatorData(bytes) else {
      throw PasskeyFailure("the authenticator's data cannot be read")
    }
    guard data.partyHash == OpenSSLCrypto.sha256(Array(id.utf8)) else {
      throw PasskeyFailure("it is for another host than \(id)")
    }
    // A passkey replaces the password and the second factor, so its holder must have been verified.
    guard data.isPresent, data.isVerified else {
      throw PasskeyFailure("the authenticator did not verify who uses it")
    }
    return data
  }
}
