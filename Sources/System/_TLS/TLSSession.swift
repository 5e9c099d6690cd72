import COpenSSL

/// A TLS session, which a later handshake can resume without certificates.
///
/// It is not thread-safe, because one event loop uses it.
@safe package final class TLSSession {
  let raw: OpaquePointer

  init(owning raw: OpaquePointer) { unsafe self.raw = raw }
  deinit { unsafe SSL_SESSION_free(raw) }
}
