import COpenSSL
import _OpenSSLCrypto

/// A certificate with its chain and private key, with which one side of a connection authenticates.
package struct TLSIdentity {
  let chain: [Certificate]
  let key: PrivateKey

  /// Reads PEM texts; both parameters may be the same text.
  package init(certificatePEM: String, keyPEM: String) throws(TLSError) {
    chain = try Certificate.all(in: certificatePEM)
    key = try PrivateKey(pem: keyPEM)
  }

  /// Reads a PKCS#12 archive (RFC 7292), such as an export of Keychain Access.
  ///
  /// Old archives use ciphers of OpenSSL 3's legacy provider, which is loaded for them.
  package init(pkcs12 bytes: [UInt8], password: String) throws(TLSError) {
    guard bytes.count <= 1 << 20 else { throw TLSError(.badPEM, "the archive is over 1 MiB") }
    var found = try Self.parse(bytes, password)
    if found == nil, Legacy.isLoaded { found = try Self.parse(bytes, password) }
    guard let (chain, key) = found else {
      throw TLSError(.badPEM, "the PKCS#12 archive does not open: is the password right?")
    }
    self.chain = chain
    self.key = key
  }

  /// Reads an archive; `nil` if the password or the cipher is wrong.
  private static func parse(
    _ bytes: [UInt8], _ password: String
  ) throws(TLSError) -> ([Certificate], PrivateKey)? {
    defer { ERR_clear_error() }
    let archive = unsafe bytes.withUnsafeBufferPointer { buffer in
      var start = buffer.baseAddress
      return unsafe d2i_PKCS12(nil, &start, buffer.count)
    }
    guard let archive = unsafe archive else {
      throw TLSError(.badPEM, "no PKCS#12 archive: expected the .p12 file's bytes")
    }
    defer { unsafe PKCS12_free(archive) }
    var rawKey: OpaquePointer?
    var rawLeaf: OpaquePointer?
    var others: OpaquePointer?
    guard unsafe PKCS12_parse(archive, password, &rawKey, &rawLeaf, &others) == 1 else {
      return nil
    }
    let key = unsafe rawKey.map { unsafe PrivateKey(owning: $0) }
    var chain = unsafe rawLeaf.map { unsafe [Certificate(owning: $0)] } ?? []
    while let other = unsafe others.flatMap({ unsafe martlet_take_certificate($0) }) {
      chain.append(unsafe Certificate(owning: other))
    }
    if let others = unsafe others { unsafe martlet_free_certificates(others) }
    guard let key, !chain.isEmpty else {
      throw TLSError(.badPEM, "the PKCS#12 archive lacks its certificate or its key")
    }
    return (chain, key)
  }

  /// The end of the certificate's validity, in seconds since 1970.
  package var notAfter: Int64 { chain[0].validity.upperBound }

  /// The `UID` of the certificate's subject, which is the topic of an app's or MDM's push certificate.
  package var userID: String? { chain[0].userID }

  /// Uses the identity in a context.
  func use(in context: TLSContext) throws(TLSError) {
    guard unsafe SSL_CTX_use_certificate(context.raw, chain[0].raw) == 1 else {
      throw .drainingQueue("the certificate cannot be used")
    }
    for certificate in chain.dropFirst() {
      _ = unsafe martlet_SSL_CTX_add1_chain_cert(context.raw, certificate.raw)
    }
    guard unsafe SSL_CTX_use_PrivateKey(context.raw, key.raw) == 1,
      unsafe SSL_CTX_check_private_key(context.raw) == 1
    else { throw .drainingQueue("the key does not belong to the certificate") }
  }
}

/// OpenSSL's legacy provider, which is loaded once and kept.
private enum Legacy {
  /// Whether the provider is loaded; loading only this one would unload the default provider.
  static let isLoaded: Bool =
    unsafe OSSL_PROVIDER_load(nil, "legacy") != nil && OSSL_PROVIDER_load(nil, "default") != nil
}
