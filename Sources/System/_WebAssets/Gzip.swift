import CZlib

/// Compression into the gzip format (RFC 1952) with zlib.
package enum Gzip {
  /// Compresses all bytes at once.
  ///
  /// - Returns: The compressed bytes. They are empty if zlib fails, for example without memory, so
  ///   that the caller falls back to the uncompressed bytes.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    var stream = unsafe z_stream()
    guard unsafe martlet_deflate_init_gzip(&stream) == Z_OK else { return [] }
    defer { unsafe deflateEnd(&stream) }
    let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    return unsafe Array(unsafeUninitializedCapacity: bound) { output, count in
      let end = unsafe input.withUnsafeMutableBufferPointer { source in
        unsafe stream.next_in = source.baseAddress
        unsafe stream.avail_in = UInt32(source.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        return unsafe deflate(&stream, Z_FINISH)
      }
      count = unsafe end == Z_STREAM_END ? Int(stream.total_out) : 0
    }
  }
}
