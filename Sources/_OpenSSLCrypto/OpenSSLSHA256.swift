import COpenSSL
package import PushCrypto

extension OpenSSLCrypto {
  package func makeSHA256() -> any IncrementalHash { OpenSSLSHA256() }
}

/// An incremental SHA-256 digest with value semantics: it copies its context before it changes one that is shared.
struct OpenSSLSHA256: IncrementalHash {
  private var context = DigestContext()

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&context) { context = DigestContext(copying: context) }
    let done = unsafe EVP_DigestUpdate(context.raw, bytes.baseAddress, bytes.count)
    precondition(done == 1, "OpenSSL has no SHA-256")
  }

  func finalize() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    let copy = DigestContext(copying: context)
    let done = unsafe EVP_DigestFinal_ex(copy.raw, &digest, nil)
    precondition(done == 1, "OpenSSL has no SHA-256")
    return digest
  }
}

/// An `EVP_MD_CTX`, which is freed in `deinit`.
///
/// `@unchecked Sendable`: `raw` does not change, and only `OpenSSLSHA256.update` changes what it points to, while exactly
/// one value refers to this object. Several values only copy from it, which reads it.
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
