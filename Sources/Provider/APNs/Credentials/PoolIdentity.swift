import _TLS

/// The credentials and the trust of a pool, ready for use: a certificate, or a source of provider tokens.
struct PoolIdentity {
  let trust: TLSContext
  var tokens: ProviderTokenSource?

  /// Reads credentials and trust, so that a fault in them is found at once.
  ///
  /// - Throws: ``APNsError`` with ``APNsError/Code/badCredentials`` or ``APNsError/Code/badTrust``.
  init(_ configuration: APNsClient.Configuration) throws(APNsError) {
    var identity: TLSIdentity?
    switch configuration.credentials.kind {
    case .token(let credentials):
      tokens = try ProviderTokenSource(credentials, now: configuration.now())
    case .certificate(let credentials):
      identity = try credentials.identity(now: configuration.now())
    }
    do throws(TLSError) {
      trust = try .client(extraTrustPEM: configuration.extraTrustPEM, identity: identity)
    } catch { throw APNsError(.badTrust, error.message, cause: error) }
  }
}

extension CertificateCredentials {
  /// Reads the certificate and its key; an expired certificate is an error.
  fileprivate func identity(now: Int64) throws(APNsError) -> TLSIdentity {
    let identity: TLSIdentity
    do throws(TLSError) {
      switch source {
      case .pem(let certificate, let key):
        identity = try TLSIdentity(certificatePEM: certificate, keyPEM: key)
      case .pkcs12(let bytes, let password):
        identity = try TLSIdentity(pkcs12: bytes, password: password)
      }
    } catch { throw APNsError(.badCredentials, error.message, cause: error) }
    guard identity.notAfter > now else {
      throw APNsError(
        .badCredentials, "the push certificate has expired: make a new one at developer.apple.com")
    }
    return identity
  }
}
