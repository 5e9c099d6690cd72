import Glibc

extension ProviderTokenCredentials {
  /// The most bytes of a `.p8` file; Apple's have 257.
  static let fileLimit = 64 * 1024

  /// Reads the key from its `.p8` file, or from a pipe.
  ///
  /// Anyone who has the key can send to every device of the team's apps. So ``warning`` is set if users other than the
  /// owner may access the file; a client also reports it to its metrics.
  ///
  /// - Parameters:
  ///   - teamID: The 10-character team id.
  ///   - keyID: The 10-character key id.
  ///   - file: The path of the `.p8` file.
  /// - Throws: ``APNsError`` with ``APNsError/Code/badCredentials`` if the file cannot be read or is over 64 KiB.
  ///   The key itself is read when a client is made.
  public init(teamID: String, keyID: String, file: String) throws(APNsError) {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(file, errno) }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &part, part.count)
      guard count >= 0 else { throw .unreadable(file, errno) }
      guard count > 0 else { break }
      text += part.prefix(count)
      guard text.count <= Self.fileLimit else {
        throw APNsError(
          .badCredentials, "\(file) has more than 64 KiB; it takes the .p8 file of the key")
      }
    }
    self.init(teamID: teamID, keyID: keyID, privateKeyPEM: String(decoding: text, as: UTF8.self))
    var status = stat()
    if fstat(descriptor, &status) == 0 { warning = Self.warning(status, file) }
  }

  /// Returns a warning about the permissions of a key's file; `nil` if they are safe or the file does not exist.
  package static func warning(ofFile file: String) -> String? {
    var status = stat()
    return stat(file, &status) == 0 ? warning(status, file) : nil
  }

  private static func warning(_ status: stat, _ file: String) -> String? {
    guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else { return nil }
    return "others than its owner may read \(file): run chmod 600 on it"
  }
}

extension APNsError {
  fileprivate static func unreadable(_ file: String, _ code: Int32) -> APNsError {
    let reason = code == ENOENT ? "there is no such file" : String(cString: strerror(code))
    return APNsError(.badCredentials, "cannot read \(file), the .p8 file of the key: \(reason)")
  }
}
