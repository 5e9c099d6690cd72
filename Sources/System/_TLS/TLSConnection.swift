import COpenSSL

/// A TLS connection over a nonblocking socket that the caller owns.
///
/// It is not thread-safe, because one event loop uses it. The socket must outlive it. Writing to a socket that the peer
/// closed raises SIGPIPE, which the calling thread must block.
@safe package final class TLSConnection {
  /// The result of an operation: a value, or the readiness to wait for before trying again.
  package enum Progress<Value> {
    case done(Value)
    case wantsRead
    case wantsWrite
    /// The peer closed the connection.
    case closed
  }

  private let raw: OpaquePointer
  private let host: String?

  /// Makes the connection of a client.
  ///
  /// - Parameters:
  ///   - context: The client's context.
  ///   - host: The name or address that must be in the server's certificate.
  ///   - fileDescriptor: The socket.
  ///   - session: A session to resume. It must come from a connection to the same host with the same context, because
  ///     certificates are not sent again (RFC 8446 section 2.2).
  /// - Throws: ``TLSError`` if the host name is invalid or the library fails.
  package init(
    client context: TLSContext, host: String, fileDescriptor: Int32,
    resuming session: TLSSession? = nil
  ) throws(TLSError) {
    ERR_clear_error()
    guard let raw = unsafe SSL_new(context.raw) else { throw .drainingQueue("TLS cannot start") }
    unsafe self.raw = raw
    self.host = host
    unsafe SSL_set_connect_state(raw)
    let isAddress = unsafe X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(raw), host) == 1
    ERR_clear_error()
    if !isAddress {
      guard unsafe SSL_set1_host(raw, host) == 1,
        unsafe martlet_SSL_set_tlsext_host_name(raw, host) == 1
      else { throw .drainingQueue("\"\(host)\" is not a host name") }
    }
    guard unsafe SSL_set_fd(raw, fileDescriptor) == 1 else {
      throw .drainingQueue("TLS cannot use the socket")
    }
    // A session that OpenSSL refuses is not used, so that the handshake is a full one.
    if let session { _ = unsafe SSL_set_session(raw, session.raw) }
    ERR_clear_error()
  }

  /// Makes the connection of a server.
  package init(server context: TLSContext, fileDescriptor: Int32) throws(TLSError) {
    ERR_clear_error()
    guard let raw = unsafe SSL_new(context.raw) else { throw .drainingQueue("TLS cannot start") }
    unsafe self.raw = raw
    host = nil
    unsafe SSL_set_accept_state(raw)
    guard unsafe SSL_set_fd(raw, fileDescriptor) == 1 else {
      throw .drainingQueue("TLS cannot use the socket")
    }
  }

  deinit { unsafe SSL_free(raw) }

  /// The protocol selected by ALPN, if any.
  package var negotiatedProtocol: String? {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(raw, &start, &count)
    guard count > 0 else { return nil }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// Whether the handshake resumed an earlier session.
  package var isResumed: Bool { unsafe SSL_session_reused(raw) == 1 }

  /// The certificate of the peer; `nil` if the peer has none.
  package var peer: TLSPeer? {
    guard let raw = unsafe SSL_get1_peer_certificate(raw) else { return nil }
    let certificate = unsafe Certificate(owning: raw)
    return TLSPeer(
      isTrusted: unsafe SSL_get_verify_result(self.raw) == Int(X509_V_OK),
      validity: certificate.validity, userID: certificate.userID,
      pushTopics: certificate.value(ofExtension: PushTopics.identifier).flatMap(PushTopics.read))
  }

  /// A session that a later connection can resume; `nil` if the peer has not sent one yet.
  ///
  /// It is a copy, because OpenSSL makes the connection's own session unusable if the peer drops the connection.
  package var resumableSession: TLSSession? {
    guard let session = unsafe SSL_get_session(raw), unsafe SSL_SESSION_is_resumable(session) == 1,
      let copy = unsafe SSL_SESSION_dup(session)
    else { return nil }
    return unsafe TLSSession(owning: copy)
  }

  /// Continues the handshake.
  ///
  /// - Returns: Whether it is done, or the readiness to wait for.
  /// - Throws: ``TLSError``, which names the rule if a certificate was refused.
  package func handshake() throws(TLSError) -> Progress<Void> {
    ERR_clear_error()
    let result = unsafe SSL_do_handshake(raw)
    if result == 1 { return .done(()) }
    // Where any certificate is accepted, the verdict on it stays, also in a session that is resumed.
    let verdict =
      unsafe SSL_get_error(raw, result) == SSL_ERROR_SSL
      ? SSL_get_verify_result(raw) : Int(X509_V_OK)
    if verdict != Int(X509_V_OK) {
      ERR_clear_error()
      let rule = unsafe String(cString: X509_verify_cert_error_string(verdict))
      let advice = certificateAdvice(Int32(clamping: verdict)).map { "; \($0)" } ?? ""
      throw TLSError(
        .certificate, "the certificate of \(host ?? "the peer") was refused: \(rule)\(advice)")
    }
    return try progress(result, "the TLS handshake failed")
  }

  /// Reads available bytes into the buffer and returns their number.
  package func read(into buffer: inout [UInt8]) throws(TLSError) -> Progress<Int> {
    ERR_clear_error()
    var count = 0
    let result = unsafe SSL_read_ex(raw, &buffer, buffer.count, &count)
    return result == 1 ? .done(count) : try progress(result, "reading failed")
  }

  /// Whether bytes, or a part of a record, were taken from the socket but not read yet.
  package var hasPending: Bool { unsafe SSL_has_pending(raw) == 1 }

  /// Writes as many of `bytes[from...]` as the socket accepts and returns their number.
  package func write(_ bytes: [UInt8], from start: Int) throws(TLSError) -> Progress<Int> {
    ERR_clear_error()
    var count = 0
    let result = unsafe bytes.withUnsafeBytes { buffer in
      unsafe SSL_write_ex(
        raw, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start, &count)
    }
    return result == 1 ? .done(count) : try progress(result, "writing failed")
  }

  /// Sends close_notify without waiting for the peer's.
  package func shutdown() {
    ERR_clear_error()
    _ = unsafe SSL_shutdown(raw)
    ERR_clear_error()
  }

  private func progress<Value>(
    _ result: Int32, _ message: String
  ) throws(TLSError) -> Progress<Value> {
    switch unsafe SSL_get_error(raw, result) {
    case SSL_ERROR_WANT_READ: return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_ZERO_RETURN, SSL_ERROR_SYSCALL:
      ERR_clear_error()
      return .closed
    default: throw .drainingQueue(message)
    }
  }
}

/// Advice for a refused certificate; `nil` if the reason has none.
private func certificateAdvice(_ verdict: Int32) -> String? {
  switch verdict {
  case X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED:
    "is this machine's clock right? Otherwise the server needs a new certificate"
  case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
    "use a name that is in the certificate"
  case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
    X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
    X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "add the certificate of its authority to the trust, or install ca-certificates"
  default: nil
  }
}
