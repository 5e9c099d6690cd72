package import PushModel
import _OpenSSLCrypto

extension IdentityKey {
  /// The names of the audit entries of an added and of a removed key.
  package static let creation = "identity_key.create"
  package static let removal = "identity_key.delete"
  /// The most bytes of a key's file.
  package static let maximumBytes = 4096

  /// Makes an identity key from the text of its file.
  ///
  /// Only the public key is kept, in a new encoding; a private key in the text is not stored.
  ///
  /// - Throws: ``NewApp/Problem`` if the text has no P-256 public key.
  package static func make(
    pem: String, app: String, at now: Timestamp, expiresAt: Timestamp? = nil
  ) throws(NewApp.Problem) -> IdentityKey {
    do {
      guard pem.utf8.count <= maximumBytes else {
        throw NewApp.Problem(
          field: "public_key", message: "must be at most \(maximumBytes) bytes long")
      }
      return IdentityKey(
        id: Identifiers.makeObjectID(), app: app, pem: try OpenSSLCrypto.publicKeyPEM(pem),
        createdAt: now, expiresAt: expiresAt)
    } catch let problem as NewApp.Problem {
      throw problem
    } catch {
      throw NewApp.Problem(
        field: "public_key", message: "must be a P-256 public key in PEM: \(error)")
    }
  }
}
