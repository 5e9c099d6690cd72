import COpenSSL

/// Owns one `SSL_SESSION`: what a TLS handshake can begin with in place of certificates.
///
/// Not thread-safe, as it is used by one event loop.
@safe package final class TLSSession {
  let raw: OpaquePointer

  init(owning raw: OpaquePointer) { unsafe self.raw = raw }
  deinit { unsafe SSL_SESSION_free(raw) }
}
