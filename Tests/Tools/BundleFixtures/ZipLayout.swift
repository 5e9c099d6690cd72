import CZip
package import Foundation

/// A writer of zip archives, which takes any entry name, also a malicious one.
package enum ZipLayout {
  package static func write(
    _ files: [(path: String, bytes: Data)], links: [(path: String, to: String)] = [], to url: URL
  ) throws {
    var code: Int32 = 0
    guard let zip = zip_open(url.path, Int32(ZIP_CREATE | ZIP_TRUNCATE), &code) else {
      throw CocoaError(.fileWriteUnknown)
    }
    for (path, bytes) in files { add(path, bytes, to: zip) }
    for (path, target) in links {
      let index = add(path, Data(target.utf8), to: zip)
      zip_file_set_external_attributes(zip, index, 0, UInt8(ZIP_OPSYS_UNIX), 0o120777 << 16)
    }
    guard zip_close(zip) == 0 else {
      zip_discard(zip)
      throw CocoaError(.fileWriteUnknown)
    }
  }

  @discardableResult
  private static func add(_ path: String, _ bytes: Data, to zip: OpaquePointer) -> UInt64 {
    // The library frees the copy after it has packed it.
    let copy = malloc(max(1, bytes.count))
    bytes.withUnsafeBytes { buffer in
      if let start = buffer.baseAddress { copy?.copyMemory(from: start, byteCount: buffer.count) }
    }
    guard let source = zip_source_buffer(zip, copy, UInt64(bytes.count), 1) else { return 0 }
    return UInt64(zip_file_add(zip, path, source, UInt32(ZIP_FL_ENC_UTF_8)))
  }
}
