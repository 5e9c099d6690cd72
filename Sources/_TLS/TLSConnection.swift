import COpenSSL

/// One TLS connection over a nonblocking socket that the caller owns.
///
/// Not thread-safe, as it is used by one event loop. The socket must outlive it. Writing to a socket
/// that the peer closed raises SIGPIPE, which the calling thread must block.
@safe package final class TLSConnection {
  /// What came of a step: done, or what to wait for before trying again.
  package enum Progress<Value> {
    case done(Value)
    case wantsRead
    case wantsWrite
    /// The peer ended the connection.
    case closed
  }

  private let raw: OpaquePointer
  private let host: String?

  /// A client's connection; `host` must be in the server's certificate.
  ///
  /// A session must be of a connection to the same host under the same context: in one that is resumed no
  /// certificate is shown again (RFC 8446 section 2.2).
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
      else { throw .drainingQueue("not a host name") }
    }
    guard unsafe SSL_set_fd(raw, fileDescriptor) == 1 else {
      throw .drainingQueue("TLS cannot use the socket")
    }
    // One that is refused is left out: the handshake then begins at the beginning.
    if let session { _ = unsafe SSL_set_session(raw, session.raw) }
    ERR_clear_error()
  }

  /// A server's connection.
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

  /// The protocol both sides agreed on, if they spoke of one.
  package var negotiatedProtocol: String? {
    var start: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    unsafe SSL_get0_alpn_selected(raw, &start, &count)
    guard count > 0 else { return nil }
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }

  /// Whether the handshake went on with an earlier session.
  package var isResumed: Bool { unsafe SSL_session_reused(raw) == 1 }

  /// What the peer showed of itself; `nil` where it showed nothing.
  package var peer: TLSPeer? {
    guard let raw = unsafe SSL_get1_peer_certificate(raw) else { return nil }
    let certificate = unsafe Certificate(owning: raw)
    return TLSPeer(
      isTrusted: unsafe SSL_get_verify_result(self.raw) == Int(X509_V_OK),
      validity: certificate.validity, userID: certificate.userID,
      pushTopics: certificate.value(ofExtension: PushTopics.identifier).flatMap(PushTopics.read))
  }

  /// What a later connection may begin with; `nil` until the peer has offered something.
  ///
  /// A copy: OpenSSL spoils the connection's own where the peer drops it.
  package var resumableSession: TLSSession? {
    guard let session = unsafe SSL_get_session(raw), unsafe SSL_SESSION_is_resumable(session) == 1,
      let copy = unsafe SSL_SESSION_dup(session)
    else { return nil }
    return unsafe TLSSession(owning: copy)
  }

  /// Goes on with the handshake; a refused certificate is an error that says which rule.
  package func handshake() throws(TLSError) -> Progress<Void> {
    ERR_clear_error()
    let result = unsafe SSL_do_handshake(raw)
    if result == 1 { return .done(()) }
    let verdict = unsafe SSL_get_verify_result(raw)
    if verdict != Int(X509_V_OK) {
      ERR_clear_error()
      let rule = unsafe String(cString: X509_verify_cert_error_string(verdict))
      let cure = certificateCure(Int32(clamping: verdict)).map { "; \($0)" } ?? ""
      throw TLSError(
        .certificate, "the certificate of \(host ?? "the peer") was refused: \(rule)\(cure)")
    }
    return try progress(result, "the TLS handshake failed")
  }

  /// Reads what is there into the buffer and says how much it was.
  package func read(into buffer: inout [UInt8]) throws(TLSError) -> Progress<Int> {
    ERR_clear_error()
    var count = 0
    let result = unsafe SSL_read_ex(raw, &buffer, buffer.count, &count)
    return result == 1 ? .done(count) : try progress(result, "reading failed")
  }

  /// Whether bytes were taken from the socket and not read, be it a part of a record.
  package var hasPending: Bool { unsafe SSL_has_pending(raw) == 1 }

  /// Writes what the socket takes of `bytes[from...]` and says how much it was.
  package func write(_ bytes: [UInt8], from start: Int) throws(TLSError) -> Progress<Int> {
    ERR_clear_error()
    var count = 0
    let result = unsafe bytes.withUnsafeBytes { buffer in
      unsafe SSL_write_ex(
        raw, buffer.baseAddress.map { unsafe $0 + start }, buffer.count - start, &count)
    }
    return result == 1 ? .done(count) : try progress(result, "writing failed")
  }

  /// Tells the peer that no more comes; does not wait for its answer.
  package func shutdown() {
    ERR_clear_error()
    _ = unsafe SSL_shutdown(raw)
    ERR_clear_error()
  }

  private func progress<Value>(
    _ result: Int32, _ what: String
  ) throws(TLSError) -> Progress<Value> {
    switch unsafe SSL_get_error(raw, result) {
    case SSL_ERROR_WANT_READ: return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_ZERO_RETURN, SSL_ERROR_SYSCALL:
      ERR_clear_error()
      return .closed
    default: throw .drainingQueue(what)
    }
  }
}

/// What to do about a refused certificate, where that is known.
private func certificateCure(_ verdict: Int32) -> String? {
  switch verdict {
  case X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED:
    "is this machine's clock right? Otherwise the server needs a new certificate"
  case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
    "use the name that stands in the certificate"
  case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
    X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
    X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "add the certificate of its authority to the trust, or install ca-certificates"
  default: nil
  }
}
