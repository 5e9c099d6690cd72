import Foundation

/// A file with a secret, which only its owner can read and which is written atomically.
struct PrivateFile: Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  /// The first bytes of the file; `nil` if the file does not exist.
  func read(upTo count: Int) throws -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw failure("read", errno) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      return Array(try file.read(upToCount: count) ?? Data())
    } catch {
      throw CommandFailure("cannot read \(path); is it a file?", cause: error)
    }
  }

  /// The mode of the file in octal, such as `0644`, if users other than its owner may use it.
  var modeForOthers: String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return "0" + String(status.st_mode & 0o777, radix: 8)
  }

  /// Creates the file, unless it already exists.
  func create(_ bytes: [UInt8]) throws {
    try write(bytes) { temporary in
      link(temporary, path) == 0 || errno == EEXIST
    }
  }

  /// Creates the file, or replaces an existing one.
  ///
  /// `keepingAccess` gives the new file the owner and the group of the old one, which may read it if it could.
  func replace(_ bytes: [UInt8], keepingAccess: Bool = false) throws {
    try write(bytes, keepingAccess: keepingAccess) { temporary in rename(temporary, path) == 0 }
  }

  private func write(
    _ bytes: [UInt8], keepingAccess: Bool = false, place: (_ temporary: String) -> Bool
  ) throws {
    let temporary = "\(path).\(UUID().uuidString)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("write", errno) }
    defer { unlink(temporary) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    if keepingAccess { try keepAccess(descriptor) }
    do {
      try file.write(contentsOf: Data(bytes))
      try file.synchronize()
    } catch {
      throw CommandFailure("cannot write \(path); is the disk full?", cause: error)
    }
    guard place(temporary) else { throw failure("write", errno) }
    try synchronizeDirectory()
  }

  private func keepAccess(_ descriptor: Int32) throws {
    var (old, new) = (stat(), stat())
    guard stat(path, &old) == 0, fstat(descriptor, &new) == 0 else { return }
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid) {
      guard fchown(descriptor, old.st_uid, old.st_gid) == 0 else {
        throw failure("give its owner", errno)
      }
    }
    // Who reads the file by its group, such as the server, must read the new one.
    guard fchmod(descriptor, 0o600 | old.st_mode & 0o040) == 0 else {
      throw failure("give its mode", errno)
    }
  }

  /// Syncs the directory, because otherwise a power failure may lose the file's name, and with it the secret.
  private func synchronizeDirectory() throws {
    let directory = URL(filePath: path).deletingLastPathComponent().path
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("write", errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("write", errno) }
  }

  private func failure(_ verb: String, _ code: Int32) -> CommandFailure {
    CommandFailure("cannot \(verb) \(path): \(String(cString: strerror(code)))")
  }
}
