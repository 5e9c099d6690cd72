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
  package init(client context: TLSContext, host: String, fileDescriptor: Int32) throws(TLSError) {
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

  /// Goes on with the handshake; a refused certificate is an error that says which rule.
  package func handshake() throws(TLSError) -> Progress<Void> {
    ERR_clear_error()
    let result = unsafe SSL_do_handshake(raw)
    if result == 1 { return .done(()) }
    let verdict = unsafe SSL_get_verify_result(raw)
    if verdict != Int(X509_V_OK) {
      ERR_clear_error()
      let rule = unsafe String(cString: X509_verify_cert_error_string(verdict))
      throw TLSError(
        .certificate, "the certificate of \(host ?? "the peer") was refused: \(rule)")
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
