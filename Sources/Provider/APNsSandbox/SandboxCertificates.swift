import _TLS

/// A certificate authority for a sandbox, made on this machine.
///
/// ```swift
/// let certificates = try SandboxCertificates()
/// let configuration = try VirtualAPNs.Configuration(certificates: certificates)
/// // Clients trust certificates.authorityPEM.
/// ```
public struct SandboxCertificates: Sendable {
  /// A certificate with its private key, both in PEM.
  public struct Identity: Hashable, Sendable {
    /// The certificate, of a server followed by that of its authority.
    public var certificatePEM: String
    /// The private key.
    public var keyPEM: String
  }

  /// The authority's certificate in PEM, which the clients of the sandbox must trust.
  public let authorityPEM: String
  /// The authority's private key in PEM; ``init(authorityPEM:keyPEM:)`` makes the same authority from it again.
  public let keyPEM: String

  /// Makes an authority with a new key.
  ///
  /// - Throws: ``SandboxError`` if the system cannot make a key.
  public init() throws(SandboxError) {
    self = try Self.make { try CertificateAuthority() }
  }

  /// Makes the authority whose certificate and key were kept.
  ///
  /// - Parameters:
  ///   - authorityPEM: The authority's certificate.
  ///   - keyPEM: Its private key.
  /// - Throws: ``SandboxError`` if they cannot be read.
  public init(authorityPEM: String, keyPEM: String) throws(SandboxError) {
    self = try Self.make {
      try CertificateAuthority(certificatePEM: authorityPEM, keyPEM: keyPEM)
    }
  }

  private init(_ authority: CertificateAuthority) {
    authorityPEM = authority.certificatePEM
    keyPEM = authority.keyPEM
  }

  /// Issues a certificate for the sandbox itself, valid for 397 days.
  ///
  /// - Parameter hosts: The host names and addresses with which clients connect.
  /// - Returns: The certificate and its key.
  /// - Throws: ``SandboxError`` if a host is neither a name nor an address, or if `hosts` is empty.
  public func issueServer(
    hosts: [String] = ["localhost", "127.0.0.1", "::1"]
  ) throws(SandboxError) -> Identity {
    try issue { try $0.issue(hosts: hosts) }
  }

  /// Issues a push certificate, for a provider that authenticates with one instead of provider tokens.
  ///
  /// It has the structure of Apple's, valid for a year.
  ///
  /// - Parameter topics: The topics, each of 1 to 100 bytes; the first is the app's bundle id.
  /// - Returns: The certificate and its key.
  /// - Throws: ``SandboxError`` if a topic is too long, or if `topics` is empty.
  public func issueProvider(topics: [String]) throws(SandboxError) -> Identity {
    try issue { try $0.issuePushCertificate(topics: topics) }
  }

  private func issue(
    _ body: (CertificateAuthority) throws -> (certificatePEM: String, keyPEM: String)
  ) throws(SandboxError) -> Identity {
    let authority = { [authorityPEM, keyPEM] in
      try CertificateAuthority(certificatePEM: authorityPEM, keyPEM: keyPEM)
    }
    do {
      let issued = try body(authority())
      return Identity(certificatePEM: issued.certificatePEM, keyPEM: issued.keyPEM)
    } catch { throw Self.error(error) }
  }

  private static func make(
    _ body: () throws -> CertificateAuthority
  ) throws(SandboxError) -> SandboxCertificates {
    do { return SandboxCertificates(try body()) } catch { throw Self.error(error) }
  }

  private static func error(_ cause: any Error) -> SandboxError {
    SandboxError(.badCertificate, "no certificate can be made: \(cause)", cause: cause)
  }
}

extension VirtualAPNs.Configuration {
  /// Makes a configuration with a new certificate for the names of this machine's loopback interface.
  ///
  /// - Parameter certificates: The authority; clients must trust its ``SandboxCertificates/authorityPEM``.
  /// - Throws: ``SandboxError`` if no certificate can be made.
  public init(certificates: SandboxCertificates) throws(SandboxError) {
    let server = try certificates.issueServer()
    self.init(certificatePEM: server.certificatePEM, keyPEM: server.keyPEM)
  }
}
