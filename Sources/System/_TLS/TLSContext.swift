import COpenSSL
import PushCrypto
import _OpenSSLCrypto

/// The configuration that TLS connections share: trust, certificate and protocols.
///
/// `@unchecked Sendable`: the `SSL_CTX` is complete when `init` returns and is not changed after that. For such a
/// context, OpenSSL allows `SSL_new` on several threads (openssl-threads(7)). It is freed in `deinit`.
@safe package final class TLSContext: @unchecked Sendable {
  let raw: OpaquePointer

  private init(_ method: OpaquePointer?) throws(TLSError) {
    ERR_clear_error()
    guard let raw = unsafe SSL_CTX_new(method) else { throw .drainingQueue("TLS cannot start") }
    unsafe self.raw = raw
    _ = unsafe martlet_SSL_CTX_set_min_tls_1_2(raw)
    unsafe martlet_SSL_CTX_set_nonblocking_modes(raw)
    unsafe SSL_CTX_set_default_read_buffer_len(raw, 64 * 1024)
    // A peer that drops the connection without close_notify is treated as having closed it, without an error.
    _ = unsafe SSL_CTX_set_options(raw, UInt64(1) << 7)  // SSL_OP_IGNORE_UNEXPECTED_EOF
  }

  deinit { unsafe SSL_CTX_free(raw) }

  /// Makes the context of a client.
  ///
  /// - Parameters:
  ///   - extraTrustPEM: Certificates to trust in addition to the system's; `nil` adds none.
  ///   - alpn: The protocols to offer. If it is empty, the extension is omitted.
  ///   - identity: The certificate to present if the server asks for one.
  /// - Returns: The context.
  /// - Throws: ``TLSError`` if a certificate or key cannot be used.
  package static func client(
    extraTrustPEM: String? = nil, alpn: [String] = ["h2"], identity: TLSIdentity? = nil
  ) throws(TLSError) -> TLSContext {
    try client(trusting: SystemRoots(), extraTrustPEM, alpn: alpn, identity: identity)
  }

  static func client(
    trusting roots: SystemRoots, _ extraTrustPEM: String? = nil, alpn: [String] = [],
    identity: TLSIdentity? = nil
  ) throws(TLSError) -> TLSContext {
    let context = unsafe try TLSContext(TLS_client_method())
    unsafe SSL_CTX_set_verify(context.raw, SSL_VERIFY_PEER, nil)
    unsafe roots.use(in: context.raw)
    if let extraTrustPEM {
      let store = unsafe SSL_CTX_get_cert_store(context.raw)
      for certificate in try Certificate.all(in: extraTrustPEM) {
        _ = unsafe X509_STORE_add_cert(store, certificate.raw)
      }
    }
    try identity?.use(in: context)
    let offered = alpn.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
    if !offered.isEmpty {
      _ = unsafe SSL_CTX_set_alpn_protos(context.raw, offered, UInt32(offered.count))
    }
    ERR_clear_error()
    return context
  }

  /// Makes the context of a server.
  ///
  /// - Parameters:
  ///   - certificatePEM: The certificate, followed by its intermediates.
  ///   - keyPEM: The private key.
  ///   - takesHTTP2: Whether ALPN selects HTTP/2 if the client offers it, instead of HTTP/1.1. A client that offers no
  ///     protocol is also accepted.
  ///   - isPublic: Whether anybody may connect. TLS 1.2 then allows only the suites with AEAD and forward secrecy (RFC
  ///     9325 section 4.2), and an idle connection keeps no buffers.
  ///   - asksClients: Whether clients are asked for a certificate. The handshake succeeds with any or none, and
  ///     ``TLSConnection/peer`` returns it.
  ///   - clientTrustPEM: The authorities that can sign clients' certificates.
  /// - Returns: The context.
  /// - Throws: ``TLSError`` if a certificate or key cannot be used.
  package static func server(
    certificatePEM: String, keyPEM: String, takesHTTP2: Bool = true, isPublic: Bool = false,
    asksClients: Bool = false,
    clientTrustPEM: String? = nil
  ) throws(TLSError) -> TLSContext {
    let context = unsafe try TLSContext(TLS_server_method())
    if isPublic {
      guard unsafe SSL_CTX_set_cipher_list(context.raw, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1 else {
        throw .drainingQueue("the library has no cipher suite with AEAD")
      }
      unsafe SSL_CTX_set_default_read_buffer_len(context.raw, 17 * 1024)
      unsafe martlet_SSL_CTX_release_buffers(context.raw)
    }
    if asksClients {
      unsafe SSL_CTX_set_verify(context.raw, SSL_VERIFY_PEER) { _, _ in 1 }
      // Without a session id context, OpenSSL refuses to resume sessions that hold a client's certificate.
      let name = Array("martlet".utf8)
      unsafe SSL_CTX_set_session_id_context(context.raw, name, UInt32(name.count))
      let store = unsafe SSL_CTX_get_cert_store(context.raw)
      for certificate in try clientTrustPEM.map(Certificate.all) ?? [] {
        _ = unsafe X509_STORE_add_cert(store, certificate.raw)
      }
    }
    try TLSIdentity(certificatePEM: certificatePEM, keyPEM: keyPEM).use(in: context)
    if takesHTTP2 { unsafe SSL_CTX_set_alpn_select_cb(context.raw, selectHTTP2, nil) }
    return context
  }
}

/// The ALPN callback of a server, which selects `h2`.
private func selectHTTP2(
  _: OpaquePointer?, out: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  outLength: UnsafeMutablePointer<UInt8>?, offered: UnsafePointer<UInt8>?, length: UInt32,
  _: UnsafeMutableRawPointer?
) -> Int32 {
  var index = 0
  while let offered = unsafe offered, index < Int(length) {
    let size = unsafe Int(offered[index])
    guard index + 1 + size <= Int(length) else { break }
    if size == 2, unsafe offered[index + 1] == UInt8(ascii: "h"),
      unsafe offered[index + 2] == UInt8(ascii: "2")
    {
      unsafe out?.pointee = unsafe offered + index + 1
      unsafe outLength?.pointee = 2
      return SSL_TLSEXT_ERR_OK
    }
    index += 1 + size
  }
  return SSL_TLSEXT_ERR_ALERT_FATAL
}

/// The owner of one `X509`.
@safe final class Certificate {
  /// The most certificates in one PEM text; a system has about 150 roots.
  static let limit = 1000

  let raw: OpaquePointer

  init(owning raw: OpaquePointer) { unsafe self.raw = raw }
  deinit { unsafe X509_free(raw) }

  /// Reads all certificates of a PEM text, which must have at least one.
  static func all(in pem: String) throws(TLSError) -> [Certificate] {
    let bio = try memory(pem)
    var found: [Certificate] = []
    while let raw = unsafe martlet_PEM_read_certificate(bio.raw) {
      found.append(unsafe Certificate(owning: raw))
      guard found.count <= limit else {
        throw TLSError(.badPEM, "more than \(limit) certificates: remove those that are not needed")
      }
    }
    ERR_clear_error()
    guard !found.isEmpty else {
      throw TLSError(.badPEM, "no certificate: expected PEM that begins with CERTIFICATE")
    }
    return found
  }
}

/// The owner of one private key of any kind.
@safe final class PrivateKey {
  let raw: OpaquePointer

  init(owning raw: OpaquePointer) { unsafe self.raw = raw }

  convenience init(pem: String) throws(TLSError) {
    let bio = try memory(pem)
    guard let raw = unsafe martlet_PEM_read_private_key(bio.raw) else {
      ERR_clear_error()
      throw TLSError(.badPEM, "no private key: expected PEM that begins with PRIVATE KEY")
    }
    unsafe self.init(owning: raw)
  }

  deinit { unsafe EVP_PKEY_free(raw) }
}

func memory(_ text: String? = nil) throws(TLSError) -> MemoryBIO {
  do throws(CryptoError) {
    return if let text { try MemoryBIO(text) } else { try MemoryBIO() }
  } catch { throw TLSError(.badPEM, error.message) }
}
