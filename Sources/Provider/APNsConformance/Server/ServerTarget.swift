/// A server that a run checks, with what is known of it.
package struct ServerTarget: Sendable {
  package var host: String
  package var port: UInt16
  /// PEM certificates to trust beside the system's.
  package var trustPEM: String?
  package var identity: ProviderIdentity
  /// Whether the server has the identity's key and verifies signatures with it.
  package var verifiesSignatures = false
  package var topic = "com.example.app"
  /// An active device token in hexadecimal.
  package var token = String(repeating: "0a1b2c3d", count: 8)
  /// A device token that is no longer active; `nil` if the server has none.
  package var goneToken: String?
  /// The longest wait for an answer.
  package var timeout = Duration.seconds(10)

  package init(host: String, port: UInt16, identity: ProviderIdentity) {
    self.host = host
    self.port = port
    self.identity = identity
  }
}
