import COpenSSL
package import PushCrypto

extension OpenSSLCrypto {
  package func makeSHA256() -> any IncrementalHash { OpenSSLSHA256() }
}

/// SHA-256 piece by piece: a value, for it copies its context before it changes one that is shared.
struct OpenSSLSHA256: IncrementalHash {
  private var context = DigestContext()

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
    let done = unsafe EVP_DigestUpdate(context.raw, bytes.baseAddress, bytes.count)
    precondition(done == 1, "OpenSSL has no SHA-256")
  }

  func finalize() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let last = DigestContext(copying: context)
    let done = unsafe EVP_DigestFinal_ex(last.raw, &digest, nil)
    precondition(done == 1, "OpenSSL has no SHA-256")
    return digest
  }
}

/// Owns one `EVP_MD_CTX`, freed in `deinit`.
///
/// `@unchecked Sendable`: `raw` never changes, and what it points to is changed only by
/// `OpenSSLSHA256.update` while exactly one value refers to this object; with several values it is
/// only copied from, which reads it.
@safe private final class DigestContext: @unchecked Sendable {
  let raw: OpaquePointer

  init() {
    guard let raw = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(raw, EVP_sha256(), nil) == 1
    else { preconditionFailure("OpenSSL has no SHA-256") }
    unsafe self.raw = raw
  }

  convenience init(copying other: DigestContext) {
    self.init()
    let done = unsafe EVP_MD_CTX_copy_ex(raw, other.raw)
    precondition(done == 1, "out of memory")
  }

  deinit { unsafe EVP_MD_CTX_free(raw) }
}
