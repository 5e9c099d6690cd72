import COpenSSL
package import PushCrypto

/// A memory `BIO`, which is OpenSSL's stream over bytes in memory.
@safe package final class MemoryBIO {
  package let raw: OpaquePointer

  package init() throws(CryptoError) {
    guard let raw = unsafe BIO_new(BIO_s_mem()) else {
      throw CryptoError(.failed, "out of memory")
    }
    unsafe self.raw = raw
  }

  /// Makes a stream from which a text can be read.
  package convenience init(_ text: String) throws(CryptoError) {
    try self.init()
    let bytes = Array(text.utf8)
    guard bytes.count < 1 << 20 else { throw CryptoError(.badKey, "more than 1 MiB of PEM") }
    _ = unsafe BIO_write(raw, bytes, Int32(bytes.count))
  }

  deinit { unsafe BIO_free_all(raw) }

  /// The text that was written to the stream.
  package var text: String {
    var start: UnsafePointer<UInt8>?
    let count = unsafe martlet_BIO_get_mem_data(raw, &start)
    return unsafe String(
      decoding: UnsafeBufferPointer(start: start, count: max(0, count)), as: UTF8.self)
  }
}
