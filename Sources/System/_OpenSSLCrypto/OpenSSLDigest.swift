import COpenSSL
package import PushCrypto

extension OpenSSLCrypto {
  package func makeSHA256() -> any IncrementalHash { OpenSSLDigest(.sha256) }
}

/// A hash function.
package enum OpenSSLHash: Sendable {
  case md5, sha1, sha224, sha256, sha384, sha512

  /// The length of a digest.
  package var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha224: 28
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The length of a block in bytes.
  package var blockByteCount: Int {
    switch self {
    case .md5, .sha1, .sha224, .sha256: 64
    case .sha384, .sha512: 128
    }
  }

  /// The hash function, which OpenSSL never frees.
  var function: OpaquePointer? {
    switch self {
    case .md5: unsafe EVP_md5()
    case .sha1: unsafe EVP_sha1()
    case .sha224: unsafe EVP_sha224()
    case .sha256: unsafe EVP_sha256()
    case .sha384: unsafe EVP_sha384()
    case .sha512: unsafe EVP_sha512()
    }
  }
}

/// An incremental digest with value semantics, which copies a shared context before it changes it.
package struct OpenSSLDigest: IncrementalHash {
  private let hash: OpenSSLHash
  private var context: DigestContext

  /// Creates the digest of an empty message.
  package init(_ hash: OpenSSLHash) {
    self.hash = hash
    context = DigestContext(hash)
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&context) {
      context = DigestContext(hash, copying: context)
    }
    let done = unsafe EVP_DigestUpdate(context.raw, bytes.baseAddress, bytes.count)
    precondition(done == 1, "OpenSSL does not have the hash function")
  }

  package func finalize() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: hash.byteCount)
    let copy = DigestContext(hash, copying: context)
    let done = unsafe EVP_DigestFinal_ex(copy.raw, &digest, nil)
    precondition(done == 1, "OpenSSL does not have the hash function")
    return digest
  }
}

/// An `EVP_MD_CTX`, which is freed in `deinit`.
///
/// `@unchecked Sendable`: `raw` does not change, and only `OpenSSLDigest.update` changes the memory it points to, while
/// exactly one value refers to this object. Several values can only copy it, which reads it.
@safe private final class DigestContext: @unchecked Sendable {
  let raw: OpaquePointer

  init(_ hash: OpenSSLHash) {
    guard let raw = unsafe EVP_MD_CTX_new(),
      unsafe EVP_DigestInit_ex(raw, hash.function, nil) == 1
    else { preconditionFailure("OpenSSL does not have the hash function") }
    unsafe self.raw = raw
  }

  convenience init(_ hash: OpenSSLHash, copying other: DigestContext) {
    self.init(hash)
    let done = unsafe EVP_MD_CTX_copy_ex(raw, other.raw)
    precondition(done == 1, "out of memory")
  }

  deinit { unsafe EVP_MD_CTX_free(raw) }
}
