import CZip

/// A zip archive that is open for reading, which owns its `zip_t`.
///
/// An entry is unpacked when it is read, up to the caller's limit.
@safe package final class ZipArchive {
  /// An entry of the archive's directory, whose values are claims of the archive.
  package struct Entry: Hashable, Sendable {
    package let path: String
    /// The unpacked size in bytes.
    package let size: UInt64
    package let packedSize: UInt64
    /// Whether it is a symbolic link, according to the file mode that packers on Unix store.
    package let isLink: Bool
    fileprivate let index: UInt64

    package var isFolder: Bool { path.hasSuffix("/") }
  }

  private let raw: OpaquePointer

  /// Opens an archive and reads its directory.
  package init(path: String) throws(ZipError) {
    var code: Int32 = 0
    // ZIP_RDONLY never writes. Each entry is checked by its checksum, because the strict check of
    // the whole archive refuses local headers of Apple's own packers.
    guard let raw = unsafe zip_open(path, Int32(ZIP_RDONLY), &code) else {
      throw Self.openError(code)
    }
    unsafe self.raw = raw
  }

  deinit { unsafe zip_discard(raw) }

  package var count: Int { unsafe Int(zip_get_num_entries(raw, 0)) }

  /// The entries in the order of the directory.
  package func entries() throws(ZipError) -> [Entry] {
    var entries: [Entry] = []
    for index in 0..<UInt64(max(0, count)) {
      var stat = unsafe zip_stat_t()
      guard unsafe zip_stat_index(raw, index, 0, &stat) == 0, let name = unsafe stat.name,
        let path = unsafe String(validatingCString: name)
      else { throw ZipError(code: .damaged, message: "its directory has an entry without a name") }
      var system: UInt8 = 0
      var attributes: UInt32 = 0
      unsafe zip_file_get_external_attributes(raw, index, 0, &system, &attributes)
      let isUnix = Int32(system) == ZIP_OPSYS_UNIX || Int32(system) == ZIP_OPSYS_OS_X
      entries.append(
        unsafe Entry(
          path: path, size: stat.size, packedSize: stat.comp_size,
          isLink: isUnix && attributes >> 16 & 0o170000 == 0o120000, index: index))
    }
    return entries
  }

  /// Unpacks an entry.
  ///
  /// - Throws: ``ZipError`` if it unpacks to more than `limit` bytes, whatever size the directory
  ///   claims, or if its checksum does not match.
  package func read(_ entry: Entry, atMost limit: Int) throws(ZipError) -> [UInt8] {
    guard let file = unsafe zip_fopen_index(raw, entry.index, 0) else {
      let code = unsafe zip_error_code_zip(zip_get_error(raw))
      if code == ZIP_ER_NOPASSWD {
        throw ZipError(code: .encrypted, message: "\(entry.path) needs a password")
      }
      throw ZipError(code: .damaged, message: "\(entry.path) cannot be unpacked")
    }
    defer { unsafe zip_fclose(file) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(limit, Int(clamping: entry.size)))
    while true {
      var read: zip_int64_t = -1
      let piece = unsafe [UInt8](
        unsafeUninitializedCapacity: min(1 << 16, limit - bytes.count + 1)
      ) { buffer, count in
        unsafe read = zip_fread(file, buffer.baseAddress, UInt64(buffer.count))
        count = Int(max(0, read))
      }
      guard read >= 0 else {
        throw ZipError(code: .damaged, message: "\(entry.path) is damaged or truncated")
      }
      bytes += piece
      if read == 0 { return bytes }
      guard bytes.count <= limit else {
        throw ZipError(code: .tooLarge, message: "\(entry.path) unpacks to over \(limit) bytes")
      }
    }
  }

  private static func openError(_ code: Int32) -> ZipError {
    switch code {
    case ZIP_ER_NOZIP: ZipError(code: .notAnArchive, message: "it is not a zip archive")
    case ZIP_ER_OPEN, ZIP_ER_NOENT, ZIP_ER_READ, ZIP_ER_SEEK:
      ZipError(code: .unreadable, message: "it cannot be read")
    default: ZipError(code: .damaged, message: "its directory is damaged")
    }
  }
}
