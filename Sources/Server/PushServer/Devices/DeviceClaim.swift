import PushCrypto
import PushModel
import _OpenSSLCrypto

/// The proofs that a request with a device key shows, and the devices that it acts for.
///
/// A device key is public, because it ships inside an app. So a device with a secret admits only requests with that
/// secret.
struct DeviceClaim: Sendable {
  /// The header with a device's own secret.
  static let secretHeader = "Martlet-Device-Secret"
  private static let secretBytes = 32

  /// The SHA-256 of the secret in the request; `nil` if the request has no secret.
  var secretHash: [UInt8]?
  /// The user token in the request; `nil` if the request has none.
  var userToken: String?
  /// The ids of the devices that the request acts for.
  var ids: Set<String>
  /// The existing ones among them, by their ids.
  var known: [String: DeviceOwner]

  /// Returns the hash of a secret in its text form; `nil` if there is no secret.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the text is not a secret.
  static func hash(ofSecret text: String?) throws(RequestError) -> [UInt8]? {
    guard let text else { return nil }
    guard text.utf8.count <= 64, let secret = Base64URL.decode(text), secret.count == secretBytes
    else {
      throw RequestError(
        .invalid, "\(secretHeader) must be base64url of \(secretBytes) bytes, without padding")
    }
    return OpenSSLCrypto.sha256(secret)
  }

  /// Checks that the request may act for a device: any may if the device has no secret.
  ///
  /// - Throws: ``RequestError`` `.forbidden` if the device has another secret.
  func checkActs(for id: String) throws(RequestError) {
    guard ids.contains(id), known[id]?.admits(secretHash) ?? true else { throw .forbidden }
  }

  /// Checks that the request has shown the secret of a device.
  ///
  /// - Throws: ``RequestError`` `.forbidden` if it has not, `.erased` if the device was erased.
  func checkOwns(_ id: String) throws(RequestError) {
    guard ids.contains(id) else { throw .forbidden }
    // An erased device has no secret left to compare with.
    if known[id]?.isErased == true { throw RequestError(.erased, "the device \(id) was erased") }
    guard known[id]?.isProven(by: secretHash) == true else { throw .forbidden }
  }
}
