/// The credentials that authenticate a sender to APNs.
///
/// ```swift
/// let key = try ProviderTokenCredentials(
///   teamID: "TEAM123456", keyID: "KEY1234567", file: keyFile)
/// let token = APNsCredentials.token(key)
/// let certificate = APNsCredentials.certificate(.pkcs12(archive, password: password))
/// ```
public struct APNsCredentials: Sendable {
  enum Kind: Sendable {
    case token(ProviderTokenCredentials)
    case certificate(CertificateCredentials)
  }
  var kind: Kind

  /// A provider token, signed with a key of the developer account.
  ///
  /// - Parameter credentials: Team, key id and private key.
  /// - Returns: The credentials.
  public static func token(_ credentials: ProviderTokenCredentials) -> APNsCredentials {
    APNsCredentials(kind: .token(credentials))
  }

  /// A push certificate of one app, shown in the TLS handshake.
  ///
  /// It expires after a year, and APNs does not accept it for location queries and Live Activities.
  ///
  /// - Parameter credentials: The certificate and its key.
  /// - Returns: The credentials.
  public static func certificate(_ credentials: CertificateCredentials) -> APNsCredentials {
    APNsCredentials(kind: .certificate(credentials))
  }
}

/// A push certificate and its key.
public struct CertificateCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  enum Source: Sendable {
    case pem(certificate: String, key: String)
    case pkcs12([UInt8], password: String)
  }
  let source: Source

  /// A certificate and its key in PEM; both parameters may be the same text.
  ///
  /// - Parameters:
  ///   - certificate: The certificate, followed by its intermediates.
  ///   - key: The private key, without a password.
  /// - Returns: The credentials; they are read when a client is made.
  public static func pem(certificate: String, key: String) -> CertificateCredentials {
    CertificateCredentials(source: .pem(certificate: certificate, key: key))
  }

  /// A `.p12` archive, as Keychain Access exports it.
  ///
  /// - Parameters:
  ///   - bytes: The file's bytes; at most 1 MiB.
  ///   - password: The password it was exported with; may be empty.
  /// - Returns: The credentials; they are read when a client is made.
  public static func pkcs12(_ bytes: [UInt8], password: String) -> CertificateCredentials {
    CertificateCredentials(source: .pkcs12(bytes, password: password))
  }

  /// The format; never the key or the password.
  public var description: String {
    switch source {
    case .pem: "certificate in PEM"
    case .pkcs12: "certificate in PKCS#12"
    }
  }
  /// Empty, because the contents are secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The team id, key id and private key that provider tokens are made from.
public struct ProviderTokenCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  /// The 10-character team id.
  public var teamID: String
  /// The 10-character key id.
  public var keyID: String
  /// The text of the `.p8` file.
  public var privateKeyPEM: String
  /// A warning about the permissions of the key's file; `nil` if they are safe.
  public var warning: String?

  /// Makes credentials; the key is read when a client is made.
  ///
  /// - Parameters:
  ///   - teamID: The 10-character team id.
  ///   - keyID: The 10-character key id.
  ///   - privateKeyPEM: The text of the `.p8` file.
  public init(teamID: String, keyID: String, privateKeyPEM: String) {
    self.teamID = teamID
    self.keyID = keyID
    self.privateKeyPEM = privateKeyPEM
  }

  /// Team and key id; never the key.
  public var description: String { "team \(teamID), key \(keyID)" }
  /// Team and key id; never the key.
  public var customMirror: Mirror { Mirror(self, children: ["teamID": teamID, "keyID": keyID]) }
}
